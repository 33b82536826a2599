//! Vertex chunks moved by shapes.

use crate::motion::Track;
use ninja::{Argb, ShapeChunk, ShapeKind, VertexChunk};

/// Vertices of one shape. Floats and colours are separate, because different kernels blend them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vertices {
    /// Position and normal of each vertex, if the kind has them.
    pub(super) floats: Vec<f32>,
    /// Colours, one per vertex if the kind has them.
    pub(super) colours: Vec<u32>,
}

impl Vertices {
    /// Decodes a shape.
    pub(super) fn of(chunk: &ShapeChunk) -> Self {
        let mut vertices = Self::default();
        for i in 0..chunk.count() {
            vertices.floats.extend(chunk.position(i).into_iter().flatten());
            vertices.floats.extend(chunk.normal(i).into_iter().flatten());
            vertices.colours.extend(chunk.diffuse(i).map(|colour| colour.0));
        }
        vertices
    }

    /// Writes the vertices to a vertex chunk. `kind` is the kind of the shape.
    pub(super) fn put(&self, kind: ShapeKind, chunk: &mut VertexChunk) {
        let threes = self.floats.as_chunks::<3>().0;
        let of_vertex = usize::from(kind.position().is_some()) + usize::from(kind.normal().is_some());
        let normal = usize::from(kind.position().is_some());
        for (i, parts) in threes.chunks_exact(of_vertex.max(1)).enumerate() {
            if kind.position().is_some() {
                chunk.set_position(i, parts[0]);
            }
            // A chunk that does not support normals or colours keeps its values; binding has warned.
            if let Some(parts) = parts.get(normal) {
                let _ = chunk.set_normal(i, *parts);
            }
        }
        for (i, colour) in self.colours.iter().enumerate() {
            let _ = chunk.set_diffuse(i, Argb(*colour));
        }
    }
}

/// A vertex chunk moved by shapes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MovedChunk {
    /// Kind of the shapes.
    pub(super) kind: ShapeKind,
    /// Copy of the tree's chunk.
    pub(super) own: VertexChunk,
    /// Index of the shape at each key frame.
    pub(super) keys: Track<usize>,
}
