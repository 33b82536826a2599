//! Properties of a record: typed values decoded from the stored bytes.

use std::borrow::Cow;

use crate::array::{Array, ElementKind, Elements, Encoding, can_inflate_to, deflate};
use crate::bytes::{ByteOrder, Cursor, Number};

/// One value. The letter is the file's property code (docs/formats/fbx.md, 1.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Property<'a> {
    /// `Y`.
    I16(i16),
    /// `C`, a boolean or a character, kept as stored. Exporters write 1, `T` or `Y` for true.
    Char(u8),
    /// `B`, a byte. Neither Blender's format notes (docs/formats/fbx.md, 2) nor the known files have it.
    Byte(u8),
    /// `Z`, a byte. Blender's format notes do not have it.
    I8(i8),
    /// `I`.
    I32(i32),
    /// `L`.
    I64(i64),
    /// `F`.
    F32(f32),
    /// `D`.
    F64(f64),
    /// `S`: mostly UTF-8. It may contain NUL, as in `Name\0\x01Class`.
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

    /// Returns a value of kind `Z`, `Y`, `I` or `L` as 64 bits; `None` for all other kinds.
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

/// The reason why the bytes of a property list are invalid.
#[derive(Debug)]
pub(crate) struct Refused {
    /// Bytes from the start of the list.
    pub(crate) at: usize,
    pub(crate) what: &'static str,
    pub(crate) found: String,
    pub(crate) expected: String,
    /// True if the property code is unknown. Its size is unknown too; all earlier properties are valid.
    pub(crate) unknown_code: bool,
}

/// Property list of a record: the stored bytes and the number of values.
///
/// Values are decoded on request. Files below version 7000 have no arrays: a record can have ten thousand
/// scalar values. Such a list takes no more memory than it takes in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties<'a> {
    bytes: Cow<'a, [u8]>,
    count: u64,
    order: ByteOrder,
    /// Length in bytes of the known properties. The bytes after an unknown code are kept.
    known: usize,
}

impl<'a> Properties<'a> {
    /// Creates an empty list.
    pub fn new(order: ByteOrder) -> Self {
        Properties {
            bytes: Cow::Borrowed(&[]),
            count: 0,
            order,
            known: 0,
        }
    }

    /// Creates a list from bytes that [`check`] has validated up to `known`.
    pub(crate) fn checked(bytes: &'a [u8], count: u64, known: usize, order: ByteOrder) -> Self {
        Properties {
            bytes: Cow::Borrowed(bytes),
            count,
            order,
            known,
        }
    }

    /// NumProperties in the record's head.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The stored bytes; their number is PropertyListLen.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes that start with an unknown property code; empty in a valid file.
    pub fn unknown(&self) -> &[u8] {
        &self.bytes[self.known..]
    }

    /// Iterates over the values in file order, up to the first unknown code.
    pub fn iter(&self) -> impl Iterator<Item = Property<'_>> {
        let mut at = Cursor::new(&self.bytes[..self.known], 0, self.order);
        let order = self.order;
        std::iter::from_fn(move || next(&mut at, order).ok().flatten())
    }

    /// The first value.
    pub fn first(&self) -> Option<Property<'_>> {
        self.iter().next()
    }

    /// Appends a value; arrays keep their stored encoding.
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

    /// Appends an array. Compresses an array of 128 bytes or more, as exporters do (docs/formats/fbx.md,
    /// 1.4).
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

/// Validates `count` properties. Returns their size in bytes and the sum of the arrays' decoded sizes.
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

/// Decodes the property at the cursor; returns `None` at the end of the list.
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
    // Blender's format notes give CompressedLength no meaning for encoding 0, so some writers leave it 0.
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
