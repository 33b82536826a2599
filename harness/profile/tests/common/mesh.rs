//! The mesh of the measurements V7 and V8: a sphere of 206 vertices, which strips name 402 times.

/// Vertices.
pub(crate) const VERTICES: u32 = 206;
/// Entries of all strips together.
pub(crate) const STRIP_VERTICES: u32 = 402;

/// The vertex that entry `i` names: up and down between two rings of 20.
pub(crate) fn vertex(i: u32) -> u32 {
    (i / 2 + 20 * (i & 1)) % VERTICES
}
