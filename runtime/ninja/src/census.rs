//! What a file holds, in numbers.
/// Placeholder.
#[derive(Debug)]
pub struct Census;
