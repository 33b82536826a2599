//! The words of the ASCII formats: one row each (docs/formats/ninja.md 3.2, docs/formats/compact-shape.md and
//! cell-sprite.md). Reader, writer and the C header
//! all go by these rows.

mod cell;
mod chunk;
mod constants;
mod find;
mod motion;
mod types;

pub(super) use constants::GROUPS;
pub(super) use find::{Entry, find, nearest};
pub(super) use types::{Bracket, Stream, Top, Type};

/// The macros by group, for lookup and for the C header.
pub(super) const MACROS: [(&str, &[Macro]); 7] = [
    ("Vertex lists", chunk::VLIST),
    ("Polygon lists", chunk::PLIST),
    ("Models and objects", chunk::OBJECT),
    ("Texture lists", cell::TEXTURE),
    ("Motions and CompactShape", motion::MOTION),
    ("Cell sprites", cell::SPRITE),
    ("Cell streams", cell::STREAM),
];

/// The types, likewise.
pub(super) const TYPES: &[Type] = types::TYPES;

/// The brackets around definitions and blocks.
pub(super) const BRACKETS: &[Bracket] = types::BRACKETS;

/// A number in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    U32,
    S32,
    U16,
    S16,
    F32,
    /// The address of something.
    Ptr,
    /// The unit of the list it stands in: 16 bits in a PLIST, 32 in a VLIST.
    Unit,
}

impl Scalar {
    /// Bytes; a list's unit has no size of its own.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Scalar::U16 | Scalar::S16 => 2,
            _ => 4,
        }
    }
}

/// How an argument becomes bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Conv {
    /// An integer of this many bits, signed or unsigned.
    Int(u8),
    /// The same, cut without a word: the size field of a cell chunk counts modulo 16.
    Modulo(u8),
    /// An integer whose bits are in place already.
    Flags,
    /// A float.
    Float,
    /// A strip length, negated.
    Negated,
    /// The low half of 32 bits.
    Low,
    /// The high half.
    High,
    /// Flags of which the low 16 bits count.
    Flags16,
    /// The bits of a float as an integer, or the float itself.
    Word,
    /// Degrees, 65536 to the turn, in this many bits.
    Degrees(u8),
    /// The same in keys; 65535 to the turn in Ninja1.
    KeyDegrees(u8),
    /// Degrees; in Ninja1 plain binary angles.
    CellDegrees(u8),
    /// Degrees in Bk_MO1, whose Ninja1 macro lost the value.
    LostDegrees(u8),
    /// A part of a unit vector, times 32767.
    Unit,
    /// Percent of a weight, which is this at 100.
    Percent(u16),
    /// A colour part from 0 to 1; in Ninja1 0 to 255.
    Channel,
    /// The bits of a float.
    Bits,
    /// A pointer.
    Ptr,
    /// A pointer to a string.
    Text,
}

/// What a macro leaves in memory: a number made of its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Out {
    pub(super) scalar: Scalar,
    pub(super) constant: u32,
    pub(super) parts: &'static [Part],
}

/// An argument's share of a number: converted, then shifted up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) arg: u8,
    pub(super) conv: Conv,
    pub(super) shift: u8,
}

/// What a macro begins or counts in a list of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    /// The head of a chunk.
    Head,
    /// The head of a chunk that ends the list.
    End,
    /// The length of a strip.
    Strip,
    /// A block of cell data, by its bit in the chunk's head.
    Block(u32),
}

/// A macro. Labels stand before their values, `VList name,`; all others have arguments in parentheses.
/// Readers take both forms of either.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: &'static str,
    pub(super) label: bool,
    pub(super) params: &'static [&'static str],
    pub(super) out: &'static [Out],
    pub(super) role: Role,
    pub(super) meaning: &'static str,
}

/// Rows: `NAME(parameters) = [numbers], "meaning";` where a number is
/// `scalar: constant, parameter index as conversion << shift, ..`. A leading `label` makes it one, a trailing
/// `role` names it.
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
