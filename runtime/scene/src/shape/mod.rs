//! CompactShape: vertex chunks that stand in for a tree's own.

mod bind;
mod error;
mod motion;
mod moved_chunk;

pub use error::{ShapeError, ShapeFault, ShapeWarning};
pub use motion::ShapeMotion;

use ninja::{ObjectId, VertexChunk};
use std::collections::BTreeMap;

/// Vertex chunks by node. Each is a private copy with new positions, normals or colours, so that nodes which
/// share a vertex list can be shaped apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    chunks: BTreeMap<(ObjectId, usize), VertexChunk>,
}

impl Shapes {
    /// No node is shaped.
    pub fn none() -> Self {
        Self::default()
    }

    /// What stands in for chunk `chunk` of the vertex list of `node`.
    pub fn get(&self, node: ObjectId, chunk: usize) -> Option<&VertexChunk> {
        self.chunks.get(&(node, chunk))
    }

    /// Lets `stand_in` be drawn for chunk `chunk` of the vertex list of `node`.
    pub fn set(&mut self, node: ObjectId, chunk: usize, stand_in: VertexChunk) {
        self.chunks.insert((node, chunk), stand_in);
    }
}
