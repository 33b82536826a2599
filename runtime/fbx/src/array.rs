//! Array properties: a count, an encoding and a stored payload that is decoded on request.

use std::borrow::Cow;
use std::io::Write;

use bytemuck::Pod;
use flate2::{Compression, Decompress, FlushDecompress, Status, write::ZlibEncoder};

use crate::bytes::{ByteOrder, Number, numbers};

/// Element type of an array.
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
    /// Code `c`, one byte each. Blender's format notes (2013) do not have it; three known files do
    /// (docs/formats/fbx.md, 1.3).
    Byte,
}

impl ElementKind {
    /// Returns the kind for a property code.
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

    /// Bytes per element.
    pub fn size(self) -> usize {
        match self {
            ElementKind::I32 | ElementKind::F32 => 4,
            ElementKind::I64 | ElementKind::F64 => 8,
            ElementKind::Bool | ElementKind::Byte => 1,
        }
    }
}

/// Encoding of an array's payload; the discriminants are the numbers in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// 0: the plain elements.
    Raw,
    /// 1: a zlib stream of the elements.
    Zlib,
}

/// An array property as stored in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array<'a> {
    /// Element type.
    pub kind: ElementKind,
    /// Number of elements.
    pub length: u32,
    /// Encoding of `payload`.
    pub encoding: Encoding,
    /// The stored bytes.
    pub payload: &'a [u8],
    /// Byte order of the elements, also inside a zlib stream.
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

/// The reason why a payload does not match its head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArrayError {
    /// Not a zlib stream, or a damaged one.
    #[error("the zlib stream is damaged after {produced} of {expected} bytes")]
    Damaged {
        /// Bytes inflated before the damage.
        produced: u64,
        /// Bytes stated by the head.
        expected: u64,
    },
    /// The stream continues after the last element.
    #[error("the zlib stream holds more than the {expected} bytes of its elements")]
    TooLong {
        /// Bytes stated by the head.
        expected: u64,
    },
}

impl<'a> Array<'a> {
    /// Size of all elements in bytes after decoding.
    pub fn decoded_size(&self) -> u64 {
        u64::from(self.length) * self.kind.size() as u64
    }

    /// Returns the elements' bytes in the file's order. Inflates into a buffer of exactly
    /// [`Array::decoded_size`].
    ///
    /// # Errors
    /// Fails if the zlib stream is damaged or does not end with the last element.
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, ArrayError> {
        match self.encoding {
            Encoding::Raw => Ok(Cow::Borrowed(self.payload)),
            Encoding::Zlib => self.inflated().map(Cow::Owned),
        }
    }

    /// Decodes the elements.
    ///
    /// # Errors
    /// Fails under the conditions of [`Array::bytes`].
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

    /// Inflates the zlib stream directly into the elements. For the largest arrays, the copy from an
    /// intermediate buffer took about 20 % of the time.
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
    /// Element type.
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

    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Elements::I32(v) => v.len(),
            Elements::I64(v) => v.len(),
            Elements::F32(v) => v.len(),
            Elements::F64(v) => v.len(),
            Elements::Bool(v) | Elements::Byte(v) => v.len(),
        }
    }

    /// True if there are no elements.
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

/// True if deflate can expand `stored` bytes to `decoded` bytes: its maximum ratio is about 1032:1
/// (docs/formats/fbx.md, 1.4). A head that states more is wrong.
pub(crate) fn can_inflate_to(stored: usize, decoded: u64) -> bool {
    decoded <= stored as u64 * 1032
}

/// Fills `out` with a whole zlib stream.
fn inflate(stored: &[u8], out: &mut [u8]) -> Result<(), ArrayError> {
    let expected = out.len() as u64;
    let mut state = Decompress::new(true);
    let mut status = state.decompress(stored, out, FlushDecompress::Finish);
    if state.total_out() == expected && !matches!(status, Ok(Status::StreamEnd)) {
        // The spare byte distinguishes a stream with too many elements from one that only lacks its end
        // marker.
        let rest = stored.get(state.total_in() as usize..).unwrap_or_default();
        status = state.decompress(rest, &mut [0], FlushDecompress::Finish);
    }
    match (status, state.total_out()) {
        (_, produced) if produced > expected => Err(ArrayError::TooLong { expected }),
        (Ok(Status::StreamEnd), produced) if produced == expected => Ok(()),
        (_, produced) => Err(ArrayError::Damaged { produced, expected }),
    }
}

/// Compresses `bytes` into a zlib stream.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Neither call can fail, because a `Vec` accepts all bytes.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
