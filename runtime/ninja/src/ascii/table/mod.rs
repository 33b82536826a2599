//! Table of the words in the ASCII formats, one row each (docs/formats/ninja.md 3.2,
//! docs/formats/compact-shape.md and cell-sprite.md). Reader, writer and C header all use these rows.

mod cell;
mod chunk;
mod constants;
mod find;
mod motion;
mod types;

pub(super) use constants::GROUPS;
pub(super) use find::{Entry, find, nearest};
pub(super) use types::{Bracket, Stream, Top, Type};

/// Macros by group, for lookup and for the C header.
pub(super) const MACROS: [(&str, &[Macro]); 7] = [
    ("Vertex lists", chunk::VLIST),
    ("Polygon lists", chunk::PLIST),
    ("Models and objects", chunk::OBJECT),
    ("Texture lists", cell::TEXTURE),
    ("Motions and CompactShape", motion::MOTION),
    ("Cell sprites", cell::SPRITE),
    ("Cell streams", cell::STREAM),
];

/// Types of definitions, for lookup and for the C header.
pub(super) const TYPES: &[Type] = types::TYPES;

/// Brackets around definitions and blocks.
pub(super) const BRACKETS: &[Bracket] = types::BRACKETS;

/// Type of a number in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    U32,
    S32,
    U16,
    S16,
    F32,
    /// An address.
    Ptr,
    /// The word size of the enclosing list: 16 bits in a PLIST, 32 in a VLIST.
    Unit,
}

impl Scalar {
    /// Size in bytes. For [`Scalar::Unit`], the result is 4, although a PLIST has units of 2 bytes.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Scalar::U16 | Scalar::S16 => 2,
            _ => 4,
        }
    }
}

/// Conversion from an argument to bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Conv {
    /// An integer of this many bits, signed or unsigned.
    Int(u8),
    /// An integer of this many bits, truncated silently. The size field of a cell chunk counts modulo 16.
    Modulo(u8),
    /// An integer with its bits already in position.
    Flags,
    /// A float.
    Float,
    /// Negated strip length.
    Negated,
    /// Low half of 32 bits.
    Low,
    /// High half of 32 bits.
    High,
    /// Flags; only the low 16 bits count.
    Flags16,
    /// A float's bits as an integer, or the float itself.
    Word,
    /// Degrees in this many bits; 65536 is a full turn.
    Degrees(u8),
    /// Degrees in key frames; 65535 is a full turn in Ninja1.
    KeyDegrees(u8),
    /// Degrees; binary angles in Ninja1.
    CellDegrees(u8),
    /// Degrees in Bk_MO1; the Ninja1 macro loses the value.
    LostDegrees(u8),
    /// Component of a unit vector, times 32767.
    Unit,
    /// Weight in percent; the parameter is the value of 100 %.
    Percent(u16),
    /// Colour component from 0 to 1; 0 to 255 in Ninja1.
    Channel,
    /// Bits of a float.
    Bits,
    /// A pointer.
    Ptr,
    /// A pointer to a string.
    Text,
}

/// One number that a macro writes, computed from its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Out {
    pub(super) scalar: Scalar,
    pub(super) constant: u32,
    pub(super) parts: &'static [Part],
}

/// Contribution of an argument to a number: converted, then shifted left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) arg: u8,
    pub(super) conv: Conv,
    pub(super) shift: u8,
}

/// Role of a macro in a list of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    /// Head of a chunk.
    Head,
    /// Head of a chunk that ends the list.
    End,
    /// Length of a strip.
    Strip,
    /// A block of cell data, by its bit in the chunk's head.
    Block(u32),
}

/// A macro. Labels precede their values, `VList name,`; all other macros have arguments in parentheses. The
/// reader accepts both forms for every macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: &'static str,
    pub(super) label: bool,
    pub(super) params: &'static [&'static str],
    pub(super) out: &'static [Out],
    pub(super) role: Role,
    pub(super) meaning: &'static str,
}

/// Rows: `call NAME(parameters) = [numbers] role, "meaning";`. For a label, `label` replaces `call`. A number
/// is `scalar: constant, parameter index as conversion, shift;`, with any number of parameters.
macro_rules! macros {
    ($(#[$doc:meta])* $table:ident: $($kind:ident $name:ident($($param:ident)*) =
        [$($scalar:ident: $constant:expr $(, $arg:literal as $conv:expr, $shift:literal)*;)*]
        $role:expr, $meaning:literal;)*) => {
        $(#[$doc])*
        pub(super) const $table: &[Macro] = &[$(Macro {
            name: stringify!($name),
            label: macros!(@ $kind),
            params: &[$(stringify!($param)),*],
            out: &[$(Out {
                scalar: Scalar::$scalar,
                constant: $constant,
                parts: &[$(Part { arg: $arg, conv: $conv, shift: $shift }),*],
            }),*],
            role: $role,
            meaning: $meaning,
        }),*];
    };
    (@ label) => { true };
    (@ call) => { false };
}
use macros;
