//! CompactShape: vertex chunks that replace a tree's own.

mod bind;
mod error;
mod motion;
mod moved_chunk;

pub use error::{ShapeError, ShapeFault, ShapeWarning};
pub use motion::ShapeMotion;

use ninja::{ObjectId, VertexChunk};
use std::collections::BTreeMap;

/// Replacement vertex chunks by node. Each is a private copy with new positions, normals or colours, so that
/// nodes with a shared vertex list can have different shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    chunks: BTreeMap<(ObjectId, usize), VertexChunk>,
}

impl Shapes {
    /// Creates an empty set.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the replacement for chunk `chunk` of the vertex list of `node`.
    pub fn get(&self, node: ObjectId, chunk: usize) -> Option<&VertexChunk> {
        self.chunks.get(&(node, chunk))
    }

    /// Sets `stand_in` as replacement for chunk `chunk` of the vertex list of `node`.
    pub fn set(&mut self, node: ObjectId, chunk: usize, stand_in: VertexChunk) {
        self.chunks.insert((node, chunk), stand_in);
    }
}
