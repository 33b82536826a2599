//! Animation stacks.

/// An animation stack; times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stack {
    pub(crate) name: String,
    pub(crate) begin: f64,
    pub(crate) end: f64,
    /// Nodes moved by a curve.
    pub(crate) moved: Vec<usize>,
    /// Set if a curve moves a blend shape.
    pub(crate) shapes: bool,
}
