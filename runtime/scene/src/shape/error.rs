//! Errors and warnings of shapes for a tree.

use crate::MotionError;
use std::fmt;
use thiserror::Error;

/// Reason why a shape motion cannot be played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// The motion is for another tree.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// Another error, with its location.
    #[error("node {node} at {offset:#x}, shape data {data}: {fault}")]
    At {
        /// Index of the node.
        node: usize,
        /// Offset of the node.
        offset: u32,
        /// Index of the NJS_CSHAPEDATA, which equals the index of the vertex chunk.
        data: usize,
        /// The error itself.
        fault: ShapeFault,
    },
}

/// Errors in the shapes of one vertex chunk.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeFault {
    /// The node has fewer vertex chunks than shape data.
    #[error("the node's vertex list has {chunks} chunks, expected one for each shape data")]
    NoChunk {
        /// Number of chunks in the vertex list.
        chunks: usize,
    },
    /// A key refers to a missing shape.
    #[error("shape {shape}, expected 0 to {last} of the list")]
    NoShape {
        /// Number of the shape.
        shape: u32,
        /// Last valid number.
        last: i64,
    },
    /// The shape has no vertex list for the entry.
    #[error("shape {shape} has no vertex list {entry} (of {lists})")]
    NoEntry {
        /// Number of the shape.
        shape: u32,
        /// Number of the entry.
        entry: u16,
        /// Number of vertex lists of the shape.
        lists: usize,
    },
    /// The shape's vertex list is not one chunk.
    #[error("vertex list {entry} of shape {shape} has {chunks} chunks, expected 1")]
    Chunks {
        /// Number of the shape.
        shape: u32,
        /// Number of the entry.
        entry: u16,
        /// Number of its chunks.
        chunks: usize,
    },
    /// Shapes that cannot be blended with each other.
    #[error("shape {shape} has {found}, expected {expected} as shape {first} has")]
    Unlike {
        /// Number of the shape.
        shape: u32,
        /// Number of the first shape that the same keys use.
        first: u32,
        /// Property of the shape.
        found: String,
        /// Property of the first shape.
        expected: String,
    },
    /// A shape with more vertices than the chunk that it replaces.
    #[error("shape {shape} has {found} vertices, expected at most the {expected} of the node's chunk")]
    Vertices {
        /// Number of the shape.
        shape: u32,
        /// Number of its vertices.
        found: usize,
        /// Number of the chunk's vertices.
        expected: usize,
    },
}

/// An unusual property of a shape motion that can still be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeWarning {
    /// See [`MotionWarning`](crate::MotionWarning).
    Motion(crate::MotionWarning),
    /// Shapes have an attribute that the node's vertices do not support.
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
                "node {node}, vertex chunk {chunk}: its vertices have no {what}, so the {what} of its shapes \
                 are ignored"
            ),
        }
    }
}
