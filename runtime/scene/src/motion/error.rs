//! Errors and warnings of motions for a tree.

use ninja::{Interpolation, KeyForm, MotionKind};
use std::fmt;
use thiserror::Error;

/// Reason why a motion cannot be played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MotionError {
    /// A motion of another kind.
    #[error("a {} motion, expected {}", found.chunk_id(), expected.chunk_id())]
    Kind {
        /// Kind of the motion.
        found: MotionKind,
        /// Expected kind.
        expected: MotionKind,
    },
    /// The motion is for another tree.
    #[error(
        "the motion has {entries} entries (NJS_MDATA), expected one for each of {needed} nodes: node {node} \
         at {offset:#x} is the first without"
    )]
    Nodes {
        /// Number of entries of the motion.
        entries: usize,
        /// Number of nodes that need an entry.
        needed: usize,
        /// Index of the first node without an entry.
        node: usize,
        /// Offset of the node.
        offset: u32,
    },
    /// A camera or light motion without its entry.
    #[error("the motion has no entry (NJS_MDATA), expected one")]
    Empty,
    /// The elements are ambiguous.
    #[error("the motion's type {bits:#06x}: {message}")]
    Elements {
        /// NJS_MOTION.type.
        bits: u16,
        /// Description of the error.
        message: String,
    },
    /// Keys with a layout that is invalid for the element.
    #[error("node {node}: {element} with keys of the layout {}", form.name())]
    Form {
        /// Index of the node.
        node: usize,
        /// Name of the element.
        element: &'static str,
        /// Layout of the keys.
        form: KeyForm,
    },
}

/// An unusual property of a motion that can still be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionWarning {
    /// The motion has more entries than nodes of the tree.
    SpareEntries {
        /// Number of entries of the motion.
        entries: usize,
        /// Number of nodes that need an entry.
        needed: usize,
    },
    /// An element that this kind of motion does not use; without effect.
    Element(&'static str),
    /// An undefined interpolation: the original treats it as a spline, and so does this library.
    Method(Interpolation),
    /// Quaternions of a motion with splines: they are interpolated linearly, because no source defines a
    /// spline of quaternions.
    SplineQuaternions,
    /// A table with a key that is not later than its predecessor. This key and all later ones are not
    /// reached.
    Descent {
        /// Index of the node.
        node: usize,
        /// Name of the element.
        element: &'static str,
        /// Index of the first such key.
        key: usize,
    },
}

impl fmt::Display for MotionWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpareEntries { entries, needed } => {
                write!(
                    f,
                    "the motion has {entries} entries, but the tree uses only {needed}"
                )
            }
            Self::Element(name) => write!(f, "the motion's {name} has no effect here"),
            Self::Method(method) => {
                write!(
                    f,
                    "interpolation {method:?} is defined by the program: played as a spline"
                )
            }
            Self::SplineQuaternions => f.write_str(
                "the motion's method is a spline: its quaternions are interpolated linearly, because no \
                 source defines a spline of quaternions",
            ),
            Self::Descent { node, element, key } => {
                write!(
                    f,
                    "node {node}, {element}: key {key} is not after the key before it, and \
                     is not reached"
                )
            }
        }
    }
}
