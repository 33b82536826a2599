//! Values of expressions.

/// Value of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
    /// A float by its bits.
    Bits(u32),
    /// A name that the formats do not define, with an optional index.
    Name {
        name: (usize, usize),
        index: u32,
    },
    /// A string, as the range between its quotes.
    Text {
        start: usize,
        end: usize,
    },
}
