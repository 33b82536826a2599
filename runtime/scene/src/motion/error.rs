//! What can be wrong with a motion for a tree.

use ninja::{Interpolation, KeyForm, MotionKind};
use std::fmt;
use thiserror::Error;

/// Why a motion cannot be played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MotionError {
    /// A motion of something else.
    #[error("a {} motion, expected {}", found.chunk_id(), expected.chunk_id())]
    Kind {
        /// Its kind.
        found: MotionKind,
        /// The one that is played here.
        expected: MotionKind,
    },
    /// The motion is for another tree.
    #[error(
        "the motion has {entries} entries (NJS_MDATA), expected one for each of {needed} nodes: node {node} \
         at {offset:#x} is the first without"
    )]
    Nodes {
        /// Entries of the motion.
        entries: usize,
        /// Nodes that take one.
        needed: usize,
        /// Index of the first node without.
        node: usize,
        /// Its offset.
        offset: u32,
    },
    /// A camera or light without its entry.
    #[error("the motion has no entry (NJS_MDATA), expected one")]
    Empty,
    /// The elements cannot be told apart.
    #[error("the motion's type {bits:#06x}: {message}")]
    Elements {
        /// NJS_MOTION.type.
        bits: u16,
        /// What is wrong.
        message: String,
    },
    /// Keys of a layout that the element has no meaning for.
    #[error("node {node}: {element} with keys of the layout {}", form.name())]
    Form {
        /// Index of the node.
        node: usize,
        /// The element.
        element: &'static str,
        /// The layout.
        form: KeyForm,
    },
}

/// Something unusual about a motion that is played nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionWarning {
    /// Entries beyond the tree's nodes.
    SpareEntries {
        /// Entries of the motion.
        entries: usize,
        /// Nodes that take one.
        needed: usize,
    },
    /// An element that moves nothing here.
    Element(&'static str),
    /// An interpolation without a definition: the original plays it as a spline, and so it is here.
    Method(Interpolation),
    /// Quaternions of a motion whose method is a spline: they go straight from key to key, because no source
    /// defines a spline of quaternions.
    SplineQuaternions,
    /// Keys that do not ascend are not reached.
    Descent {
        /// Index of the node.
        node: usize,
        /// The element.
        element: &'static str,
        /// Index of the key.
        key: usize,
    },
}

impl fmt::Display for MotionWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpareEntries { entries, needed } => {
                write!(
                    f,
                    "the motion has {entries} entries, of which the tree takes {needed}"
                )
            }
            Self::Element(name) => write!(f, "the motion's {name} moves nothing here"),
            Self::Method(method) => {
                write!(
                    f,
                    "interpolation {method:?} is the program's own: played as a spline"
                )
            }
            Self::SplineQuaternions => f.write_str(
                "the motion's method is a spline: its quaternions go straight from key to key, because no \
                 source defines a spline of quaternions",
            ),
            Self::Descent { node, element, key } => {
                write!(
                    f,
                    "node {node}, {element}: key {key} is not behind the key before it, and not reached"
                )
            }
        }
    }
}
