//! Values of expressions.

/// Value of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
    /// A float by its bits.
    Bits(u32),
    /// A name that is no word of the formats, and an index behind it.
    Name {
        name: (usize, usize),
        index: u32,
    },
    /// A string, between its quotes.
    Text {
        start: usize,
        end: usize,
    },
}
