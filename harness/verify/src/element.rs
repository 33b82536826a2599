//! Element types of buffers and values.

/// The type of a buffer's elements or of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// IEEE single.
    F32,
    /// IEEE double; the low word is first in memory, as in C.
    F64,
    /// Unsigned 64-bit.
    U64,
    /// Signed 64-bit.
    I64,
    /// Unsigned 32-bit.
    U32,
    /// Signed 32-bit.
    I32,
    /// Unsigned 16-bit.
    U16,
    /// Signed 16-bit.
    I16,
    /// Unsigned 8-bit.
    U8,
    /// Signed 8-bit.
    I8,
}

/// Every type with its name in a specification.
pub(crate) const NAMES: [(&str, Element); 10] = [
    ("f32", Element::F32),
    ("f64", Element::F64),
    ("u64", Element::U64),
    ("i64", Element::I64),
    ("u32", Element::U32),
    ("i32", Element::I32),
    ("u16", Element::U16),
    ("i16", Element::I16),
    ("u8", Element::U8),
    ("i8", Element::I8),
];

impl Element {
    /// Finds a type by its name in a specification.
    pub(crate) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, e)| *e)
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }

    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Element::F64 | Element::U64 | Element::I64 => 8,
            Element::F32 | Element::U32 | Element::I32 => 4,
            Element::U16 | Element::I16 => 2,
            Element::U8 | Element::I8 => 1,
        }
    }

    /// Returns true for floating-point types.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64)
    }

    /// The smallest and the largest value of an integer type. For `u64`, the largest value that a range may
    /// have.
    pub(crate) fn integer_range(self) -> Option<(i64, i64)> {
        Some(match self {
            Element::F32 | Element::F64 => return None,
            Element::U64 => (0, i64::MAX),
            Element::I64 => (i64::MIN, i64::MAX),
            Element::U32 => (0, u32::MAX.into()),
            Element::I32 => (i32::MIN.into(), i32::MAX.into()),
            Element::U16 => (0, u16::MAX.into()),
            Element::I16 => (i16::MIN.into(), i16::MAX.into()),
            Element::U8 => (0, u8::MAX.into()),
            Element::I8 => (i8::MIN.into(), i8::MAX.into()),
        })
    }

    /// The bits of element `index` of a little-endian buffer.
    pub fn bits(self, bytes: &[u8], index: usize) -> u64 {
        let start = index * self.size();
        let taken = bytes.get(start..start + self.size()).unwrap_or_default();
        taken
            .iter()
            .rev()
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }

    /// The value of an integer type's bits. For a float, the bits.
    pub fn integer(self, bits: u64) -> i64 {
        match self {
            Element::I32 => (bits as i32).into(),
            Element::I16 => (bits as i16).into(),
            Element::I8 => (bits as i8).into(),
            Element::U32 | Element::F32 => (bits as u32).into(),
            Element::U16 => (bits as u16).into(),
            Element::U8 => (bits as u8).into(),
            Element::F64 | Element::U64 | Element::I64 => bits as i64,
        }
    }

    /// The value of `bits`.
    pub(crate) fn number(self, bits: u64) -> f64 {
        match self {
            Element::F32 => f32::from_bits(bits as u32).into(),
            Element::F64 => f64::from_bits(bits),
            Element::U64 => bits as f64,
            _ => self.integer(bits) as f64,
        }
    }

    /// The value of `bits` in decimal.
    pub fn decimal(self, bits: u64) -> String {
        match self {
            Element::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Element::F64 => format!("{:?}", f64::from_bits(bits)),
            Element::U64 => bits.to_string(),
            _ => self.integer(bits).to_string(),
        }
    }

    /// Name in a specification.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, e)| *e == self)
            .map_or("", |(name, _)| name)
    }

    /// `bits` and their value, for people: `3f800000 (1)`.
    pub(crate) fn show(self, bits: u64) -> String {
        let width = self.size() * 2;
        format!("{bits:0width$x} ({})", self.decimal(bits))
    }
}
