//! Array properties: a count, an encoding and a payload that stays as it was stored until someone asks.

use std::borrow::Cow;
use std::io::Write;

use bytemuck::Pod;
use flate2::{Compression, Decompress, FlushDecompress, Status, write::ZlibEncoder};

use crate::bytes::{ByteOrder, Number, numbers};

/// What an array's elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// Code `i`, 4 bytes.
    I32,
    /// Code `l`, 8 bytes.
    I64,
    /// Code `f`, 4 bytes.
    F32,
    /// Code `d`, 8 bytes.
    F64,
    /// Code `b`, one byte each, 0 or 1.
    Bool,
    /// Code `c`, one byte each; not in the notes of 2013, in three known files (docs/formats/fbx.md, 1.3).
    Byte,
}

impl ElementKind {
    /// The kind that a property code names.
    pub fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            b'i' => ElementKind::I32,
            b'l' => ElementKind::I64,
            b'f' => ElementKind::F32,
            b'd' => ElementKind::F64,
            b'b' => ElementKind::Bool,
            b'c' => ElementKind::Byte,
            _ => return None,
        })
    }

    /// The property code.
    pub fn code(self) -> u8 {
        match self {
            ElementKind::I32 => b'i',
            ElementKind::I64 => b'l',
            ElementKind::F32 => b'f',
            ElementKind::F64 => b'd',
            ElementKind::Bool => b'b',
            ElementKind::Byte => b'c',
        }
    }

    /// Bytes an element takes.
    pub fn size(self) -> usize {
        match self {
            ElementKind::I32 | ElementKind::F32 => 4,
            ElementKind::I64 | ElementKind::F64 => 8,
            ElementKind::Bool | ElementKind::Byte => 1,
        }
    }
}

/// How an array's payload is stored; the numbers are the file's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// 0: the elements themselves.
    Raw,
    /// 1: a zlib stream of them.
    Zlib,
}

/// An array property as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array<'a> {
    /// Of what.
    pub kind: ElementKind,
    /// Elements.
    pub length: u32,
    /// How `payload` holds them.
    pub encoding: Encoding,
    /// The stored bytes.
    pub payload: &'a [u8],
    /// Of the elements, inside a zlib stream too.
    pub order: ByteOrder,
}

/// The elements of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Code `i`.
    I32(Vec<i32>),
    /// Code `l`.
    I64(Vec<i64>),
    /// Code `f`.
    F32(Vec<f32>),
    /// Code `d`.
    F64(Vec<f64>),
    /// Code `b`, bytes as stored.
    Bool(Vec<u8>),
    /// Code `c`.
    Byte(Vec<u8>),
}

/// Why a payload does not hold what its head says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArrayError {
    /// Not a zlib stream, or a damaged one.
    #[error("the zlib stream is damaged after {produced} of {expected} bytes")]
    Damaged {
        /// Bytes it gave.
        produced: u64,
        /// Bytes the head promises.
        expected: u64,
    },
    /// The stream goes on after the last element.
    #[error("the zlib stream holds more than the {expected} bytes of its elements")]
    TooLong {
        /// Bytes the head promises.
        expected: u64,
    },
}

impl<'a> Array<'a> {
    /// Bytes of all elements, decoded.
    pub fn decoded_size(&self) -> u64 {
        u64::from(self.length) * self.kind.size() as u64
    }

    /// The elements' bytes in the file's order. Inflates into a buffer of exactly [`Array::decoded_size`].
    ///
    /// # Errors
    /// A zlib stream that is damaged or does not end with the last element.
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, ArrayError> {
        match self.encoding {
            Encoding::Raw => Ok(Cow::Borrowed(self.payload)),
            Encoding::Zlib => self.inflated().map(Cow::Owned),
        }
    }

    /// The elements.
    ///
    /// # Errors
    /// As [`Array::bytes`].
    pub fn elements(&self) -> Result<Elements, ArrayError> {
        Ok(match self.kind {
            ElementKind::I32 => Elements::I32(self.numbers()?),
            ElementKind::I64 => Elements::I64(self.numbers()?),
            ElementKind::F32 => Elements::F32(self.numbers()?),
            ElementKind::F64 => Elements::F64(self.numbers()?),
            ElementKind::Bool => Elements::Bool(self.bytes()?.into_owned()),
            ElementKind::Byte => Elements::Byte(self.bytes()?.into_owned()),
        })
    }

    fn numbers<T: Number + Pod>(&self) -> Result<Vec<T>, ArrayError> {
        if self.encoding == Encoding::Raw {
            return Ok(numbers(self.order, self.payload));
        }
        let mut made: Vec<T> = self.inflated()?;
        if self.order != ByteOrder::NATIVE {
            for number in &mut made {
                *number = T::get(self.order, bytemuck::bytes_of(number));
            }
        }
        Ok(made)
    }

    /// The zlib stream inflated in its place: a second buffer costs a fifth of the time of the largest
    /// arrays.
    fn inflated<T: Pod>(&self) -> Result<Vec<T>, ArrayError> {
        let expected = self.decoded_size();
        let elements = usize::try_from(expected / size_of::<T>() as u64).ok();
        let Some(elements) = elements.filter(|_| can_inflate_to(self.payload.len(), expected)) else {
            return Err(ArrayError::Damaged {
                produced: 0,
                expected,
            });
        };
        let mut made = vec![T::zeroed(); elements];
        inflate(self.payload, bytemuck::cast_slice_mut(&mut made))?;
        Ok(made)
    }
}

impl Elements {
    /// Of what.
    pub fn kind(&self) -> ElementKind {
        match self {
            Elements::I32(_) => ElementKind::I32,
            Elements::I64(_) => ElementKind::I64,
            Elements::F32(_) => ElementKind::F32,
            Elements::F64(_) => ElementKind::F64,
            Elements::Bool(_) => ElementKind::Bool,
            Elements::Byte(_) => ElementKind::Byte,
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Elements::I32(v) => v.len(),
            Elements::I64(v) => v.len(),
            Elements::F32(v) => v.len(),
            Elements::F64(v) => v.len(),
            Elements::Bool(v) | Elements::Byte(v) => v.len(),
        }
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn to_bytes(&self, order: ByteOrder) -> Vec<u8> {
        fn put<T: Number>(values: &[T], order: ByteOrder) -> Vec<u8> {
            let mut out = Vec::with_capacity(values.len() * T::SIZE);
            values.iter().for_each(|v| v.put(order, &mut out));
            out
        }
        match self {
            Elements::I32(v) => put(v, order),
            Elements::I64(v) => put(v, order),
            Elements::F32(v) => put(v, order),
            Elements::F64(v) => put(v, order),
            Elements::Bool(v) | Elements::Byte(v) => v.clone(),
        }
    }
}

/// The largest growth that deflate can reach, about 1032:1: a head that promises more lies
/// (docs/formats/fbx.md, 1.4).
pub(crate) fn can_inflate_to(stored: usize, decoded: u64) -> bool {
    decoded <= stored as u64 * 1032
}

/// Fills `out` with a whole zlib stream.
fn inflate(stored: &[u8], out: &mut [u8]) -> Result<(), ArrayError> {
    let expected = out.len() as u64;
    let mut state = Decompress::new(true);
    let mut status = state.decompress(stored, out, FlushDecompress::Finish);
    if state.total_out() == expected && !matches!(status, Ok(Status::StreamEnd)) {
        // Room for one byte more tells a stream that goes on from one that only has its end to come.
        let rest = stored.get(state.total_in() as usize..).unwrap_or_default();
        status = state.decompress(rest, &mut [0], FlushDecompress::Finish);
    }
    match (status, state.total_out()) {
        (_, produced) if produced > expected => Err(ArrayError::TooLong { expected }),
        (Ok(Status::StreamEnd), produced) if produced == expected => Ok(()),
        (_, produced) => Err(ArrayError::Damaged { produced, expected }),
    }
}

/// A zlib stream of `bytes`.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // A `Vec` takes every byte: neither call can fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
