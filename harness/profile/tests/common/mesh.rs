//! The mesh of the measurements V7 and V8: a sphere of 206 vertices, with 402 entries in its strips.

/// Vertices.
pub(crate) const VERTICES: u32 = 206;
/// Number of entries of all strips.
pub(crate) const STRIP_VERTICES: u32 = 402;

/// Returns the vertex of entry `i`, alternating between two rings of 20.
pub(crate) fn vertex(i: u32) -> u32 {
    (i / 2 + 20 * (i & 1)) % VERTICES
}
