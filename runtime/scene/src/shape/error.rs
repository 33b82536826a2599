//! What can be wrong with shapes for a tree.

use crate::MotionError;
use std::fmt;
use thiserror::Error;

/// Why a shape motion cannot be played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// The motion is for another tree.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// Anything else, with its place.
    #[error("node {node} at {offset:#x}, shape data {data}: {fault}")]
    At {
        /// Index of the node.
        node: usize,
        /// Its offset.
        offset: u32,
        /// Index of the NJS_CSHAPEDATA, which is that of the vertex chunk too.
        data: usize,
        /// What is wrong.
        fault: ShapeFault,
    },
}

/// What can be wrong with the shapes of one vertex chunk.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeFault {
    /// The node has fewer vertex chunks than groups.
    #[error("the node's vertex list has {chunks} chunks, expected one for each shape data")]
    NoChunk {
        /// Chunks of the vertex list.
        chunks: usize,
    },
    /// A key names no shape.
    #[error("shape {shape}, expected 0 to {last} of the list")]
    NoShape {
        /// The shape's number.
        shape: u32,
        /// The last one.
        last: i64,
    },
    /// The shape has no vertex list for the entry.
    #[error("shape {shape} has no vertex list {entry} (of {lists})")]
    NoEntry {
        /// The shape's number.
        shape: u32,
        /// The entry's number.
        entry: u16,
        /// Vertex lists of the shape.
        lists: usize,
    },
    /// The shape's vertex list is not one chunk.
    #[error("vertex list {entry} of shape {shape} has {chunks} chunks, expected 1")]
    Chunks {
        /// The shape's number.
        shape: u32,
        /// The entry's number.
        entry: u16,
        /// Its chunks.
        chunks: usize,
    },
    /// Shapes that cannot be blended with each other.
    #[error("shape {shape} has {found}, expected {expected} as shape {first} has")]
    Unlike {
        /// The shape's number.
        shape: u32,
        /// The first shape of the same keys.
        first: u32,
        /// What it has.
        found: String,
        /// What the first has.
        expected: String,
    },
    /// A shape with more vertices than the chunk that it stands in for.
    #[error("shape {shape} has {found} vertices, expected at most the {expected} of the node's chunk")]
    Vertices {
        /// The shape's number.
        shape: u32,
        /// Its vertices.
        found: usize,
        /// The chunk's.
        expected: usize,
    },
}

/// Something unusual about a shape motion that is played nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeWarning {
    /// See [`MotionWarning`](crate::MotionWarning).
    Motion(crate::MotionWarning),
    /// Shapes bring something that the node's vertices have no room for.
    NoRoom {
        /// Index of the node.
        node: usize,
        /// Index of the chunk.
        chunk: usize,
        /// Normals or colours.
        what: &'static str,
    },
}

impl fmt::Display for ShapeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motion(warning) => warning.fmt(f),
            Self::NoRoom { node, chunk, what } => write!(
                f,
                "node {node}, vertex chunk {chunk}: its shapes have {what} and its vertices do not: left out"
            ),
        }
    }
}
