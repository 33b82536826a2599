//! The properties of a record: typed values over the bytes that store them.

use std::borrow::Cow;

use crate::array::{Array, ElementKind, Elements, Encoding, can_inflate_to, deflate};
use crate::bytes::{ByteOrder, Cursor, Number};

/// One value. The letter is the file's property code (docs/formats/fbx.md, 1.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Property<'a> {
    /// `Y`.
    I16(i16),
    /// `C`, a boolean or a character, kept as the byte it is: `T` and `Y` are true as well as 1.
    Char(u8),
    /// `B`, a byte; not in the notes of 2013 and in no known file.
    Byte(u8),
    /// `Z`; not in the notes of 2013.
    I8(i8),
    /// `I`.
    I32(i32),
    /// `L`.
    I64(i64),
    /// `F`.
    F32(f32),
    /// `D`.
    F64(f64),
    /// `S`: mostly UTF-8, and may hold NUL, as in `Name\0\x01Class`.
    String(&'a [u8]),
    /// `R`: a blob.
    Raw(&'a [u8]),
    /// `i l f d b c`.
    Array(Array<'a>),
}

impl Property<'_> {
    /// The property code.
    pub fn code(&self) -> u8 {
        match self {
            Property::I16(_) => b'Y',
            Property::Char(_) => b'C',
            Property::Byte(_) => b'B',
            Property::I8(_) => b'Z',
            Property::I32(_) => b'I',
            Property::I64(_) => b'L',
            Property::F32(_) => b'F',
            Property::F64(_) => b'D',
            Property::String(_) => b'S',
            Property::Raw(_) => b'R',
            Property::Array(array) => array.kind.code(),
        }
    }

    /// Any integer kind, widened.
    pub fn as_i64(&self) -> Option<i64> {
        match *self {
            Property::I16(v) => Some(v.into()),
            Property::I8(v) => Some(v.into()),
            Property::I32(v) => Some(v.into()),
            Property::I64(v) => Some(v),
            _ => None,
        }
    }
}

/// Why the bytes of a property list are not properties.
#[derive(Debug)]
pub(crate) struct Refused {
    /// Bytes from the start of the list.
    pub(crate) at: usize,
    pub(crate) what: &'static str,
    pub(crate) found: String,
    pub(crate) expected: String,
    /// The code is unknown, so its size is too; everything before it is sound.
    pub(crate) unknown_code: bool,
}

/// The property list of a record: the bytes as they lie in the file, and how many values they are.
///
/// Values are decoded as they are asked for, so a list with ten thousand scalars (files below version 7000
/// keep their vertices so) takes no more memory than the file does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties<'a> {
    bytes: Cow<'a, [u8]>,
    count: u64,
    order: ByteOrder,
    /// Bytes that are known properties; the rest came behind an unknown code and is kept.
    known: usize,
}

impl<'a> Properties<'a> {
    /// An empty list.
    pub fn new(order: ByteOrder) -> Self {
        Properties {
            bytes: Cow::Borrowed(&[]),
            count: 0,
            order,
            known: 0,
        }
    }

    /// A list whose first `known` bytes have been walked by [`check`].
    pub(crate) fn checked(bytes: &'a [u8], count: u64, known: usize, order: ByteOrder) -> Self {
        Properties {
            bytes: Cow::Borrowed(bytes),
            count,
            order,
            known,
        }
    }

    /// NumProperties of the record's head.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The stored bytes, PropertyListLen of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes behind a property code that is not known; empty in a sound file.
    pub fn unknown(&self) -> &[u8] {
        &self.bytes[self.known..]
    }

    /// The values in file order, those behind an unknown code left out.
    pub fn iter(&self) -> impl Iterator<Item = Property<'_>> {
        let mut at = Cursor::new(&self.bytes[..self.known], 0, self.order);
        let order = self.order;
        std::iter::from_fn(move || next(&mut at, order).ok().flatten())
    }

    /// The first value.
    pub fn first(&self) -> Option<Property<'_>> {
        self.iter().next()
    }

    /// Adds a value behind the others; an array as it is stored.
    pub fn push(&mut self, value: &Property<'_>) {
        let order = self.order;
        let out = self.bytes.to_mut();
        out.push(value.code());
        match *value {
            Property::I16(v) => v.put(order, out),
            Property::Char(v) | Property::Byte(v) => out.push(v),
            Property::I8(v) => v.put(order, out),
            Property::I32(v) => v.put(order, out),
            Property::I64(v) => v.put(order, out),
            Property::F32(v) => v.put(order, out),
            Property::F64(v) => v.put(order, out),
            Property::String(v) | Property::Raw(v) => put_block(v, order, out),
            Property::Array(array) => put_array(&array, order, out),
        }
        self.count += 1;
        self.known = self.bytes.len();
    }

    /// Adds an array; compressed from 128 bytes up, as exporters do (docs/formats/fbx.md, 1.4).
    pub fn push_elements(&mut self, elements: &Elements) {
        let raw = elements.to_bytes(self.order);
        let packed = (raw.len() >= 128).then(|| deflate(&raw));
        let (encoding, payload) = match &packed {
            Some(stream) => (Encoding::Zlib, stream),
            None => (Encoding::Raw, &raw),
        };
        self.push(&Property::Array(Array {
            kind: elements.kind(),
            length: u32::try_from(elements.len()).unwrap_or(u32::MAX),
            encoding,
            payload,
            order: self.order,
        }));
    }
}

fn put_block(bytes: &[u8], order: ByteOrder, out: &mut Vec<u8>) {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).put(order, out);
    out.extend_from_slice(bytes);
}

fn put_array(array: &Array<'_>, order: ByteOrder, out: &mut Vec<u8>) {
    array.length.put(order, out);
    u32::from(array.encoding == Encoding::Zlib).put(order, out);
    put_block(array.payload, order, out);
}

/// Walks `count` properties. Returns the bytes walked and the sum of the arrays' decoded sizes.
pub(crate) fn check(bytes: &[u8], count: u64, order: ByteOrder) -> (Result<(), Refused>, usize, u64) {
    let mut at = Cursor::new(bytes, 0, order);
    let mut decoded = 0u64;
    for index in 0..count {
        let before = at.at();
        match next(&mut at, order) {
            Ok(Some(Property::Array(array))) => decoded = decoded.saturating_add(array.decoded_size()),
            Ok(Some(_)) => {}
            Ok(None) => {
                let refused = Refused {
                    at: before,
                    what: "property list",
                    found: format!("its end after {index} properties"),
                    expected: format!("{count} properties"),
                    unknown_code: false,
                };
                return (Err(refused), before, decoded);
            }
            Err(mut refused) => {
                refused.at = before;
                return (Err(refused), before, decoded);
            }
        }
    }
    (Ok(()), at.at(), decoded)
}

/// The property at the cursor; `None` at the end of the list.
fn next<'a>(at: &mut Cursor<'a>, order: ByteOrder) -> Result<Option<Property<'a>>, Refused> {
    let Some(code) = at.number::<u8>() else {
        return Ok(None);
    };
    let value = match code {
        b'Y' => at.number().map(Property::I16),
        b'C' => at.number().map(Property::Char),
        b'B' => at.number().map(Property::Byte),
        b'Z' => at.number().map(Property::I8),
        b'I' => at.number().map(Property::I32),
        b'L' => at.number().map(Property::I64),
        b'F' => at.number().map(Property::F32),
        b'D' => at.number().map(Property::F64),
        b'S' => block(at).map(Property::String),
        b'R' => block(at).map(Property::Raw),
        _ => match ElementKind::from_code(code) {
            Some(kind) => return array(at, kind, order).map(|a| Some(Property::Array(a))),
            None => return Err(unknown(code)),
        },
    };
    value.map(Some).ok_or_else(|| cut_short(code))
}

fn block<'a>(at: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let length: u32 = at.number()?;
    at.take(length as usize)
}

fn array<'a>(at: &mut Cursor<'a>, kind: ElementKind, order: ByteOrder) -> Result<Array<'a>, Refused> {
    let short = || cut_short(kind.code());
    let length: u32 = at.number().ok_or_else(short)?;
    let stored_as: u32 = at.number().ok_or_else(short)?;
    let stored: u32 = at.number().ok_or_else(short)?;
    // The notes of 2013 give CompressedLength no meaning for encoding 0, so some writers leave it 0.
    let bytes = match (stored_as, stored) {
        (0, 0) => u64::from(length) * kind.size() as u64,
        _ => u64::from(stored),
    };
    let bytes = usize::try_from(bytes).map_err(|_| short())?;
    let payload = at.take(bytes).ok_or_else(short)?;
    let encoding = match stored_as {
        0 => Encoding::Raw,
        1 => Encoding::Zlib,
        other => {
            return Err(refused(
                "array encoding",
                other.to_string(),
                "0 (raw) or 1 (zlib)".into(),
            ));
        }
    };
    let array = Array {
        kind,
        length,
        encoding,
        payload,
        order,
    };
    let decoded = array.decoded_size();
    let (stored, fits) = match encoding {
        Encoding::Raw => ("bytes", decoded == payload.len() as u64),
        Encoding::Zlib => ("zlib bytes", can_inflate_to(payload.len(), decoded)),
    };
    if !fits {
        let found = format!("{length} elements in {} {stored}", payload.len());
        return Err(refused(
            "array length",
            found,
            format!("room for {decoded} bytes"),
        ));
    }
    Ok(array)
}

fn refused(what: &'static str, found: String, expected: String) -> Refused {
    Refused {
        at: 0,
        what,
        found,
        expected,
        unknown_code: false,
    }
}

fn cut_short(code: u8) -> Refused {
    let found = format!("property {:?} running past the end of its list", code as char);
    refused("property", found, "a whole property".into())
}

fn unknown(code: u8) -> Refused {
    Refused {
        unknown_code: true,
        ..refused(
            "property code",
            format!("{code:#04x} ({:?})", code as char),
            "one of Y C B Z I L F D S R i l f d b c".into(),
        )
    }
}
