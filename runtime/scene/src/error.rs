//! Errors and warnings of drawing a tree.

use sh4_kernels::{KernelError, Mismatch};
use std::fmt;
use thiserror::Error;

/// Reason why a tree cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SceneError {
    /// A kernel failed, or its result differs from the reference.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A vertex is outside the vertex buffer.
    #[error("vertex buffer slot {slot}, expected 0 to {limit}")]
    Slot {
        /// Number of the slot.
        slot: i64,
        /// Last valid slot.
        limit: usize,
    },
    /// A strip uses a vertex that no vertex list has created.
    #[error("strip index {slot} refers to a vertex that no earlier vertex list has created")]
    EmptySlot {
        /// Index in the strip.
        slot: u16,
    },
    /// DP names a list that no CP has stored.
    #[error("draw polygons (DP) {number}: no earlier chunk (CP) stores a list of that number")]
    UnknownList {
        /// Number of the list.
        number: u8,
    },
    /// A stored list that draws itself.
    #[error("draw polygons (DP) {number}: the list leads back to itself")]
    RecursiveList {
        /// Number of the list.
        number: u8,
    },
    /// The lists draw more chunks than any valid tree.
    #[error("stored polygon lists (CP, DP) draw more than {0} chunks, which no model needs")]
    Endless(usize),
    /// Data that the reader supports, but drawing does not.
    #[error("{0} are not drawn yet")]
    Unsupported(&'static str),
    /// The tree refers to a missing item.
    #[error("the tree refers to {0} that does not exist in it")]
    Dangling(&'static str),
    /// A pose made for another tree.
    #[error("a pose of {poses} nodes for a tree of {nodes}")]
    Poseless {
        /// Number of nodes of the tree.
        nodes: usize,
        /// Number of nodes of the pose.
        poses: usize,
    },
    /// One of the errors above, with its location.
    #[error("node {node} at {offset:#x}, {list} chunk {chunk}: {cause}")]
    At {
        /// Index of the node.
        node: usize,
        /// Byte offset of the node in the body of the file's chunk.
        offset: u32,
        /// `vlist` or `plist`.
        list: &'static str,
        /// Index of the chunk in its list.
        chunk: usize,
        /// The error itself. It is part of the message and therefore not the `source`.
        cause: Box<SceneError>,
    },
}

impl SceneError {
    /// Returns the difference between the SH4 and the reference, if this error reports one.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match self {
            Self::Kernel(KernelError::Mismatch(mismatch)) => Some(mismatch),
            Self::At { cause, .. } => cause.mismatch(),
            _ => None,
        }
    }
}

/// An unusual construct that was drawn as well as possible. Each kind is reported once per tree, with its
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// A textured strip without its texture: drawn with a checker.
    MissingTexture {
        /// Texture number of the first such strip.
        first: u16,
    },
    /// Strips with vertices of hidden models; omitted.
    HiddenVertices,
    /// Environment mapping of vertices without normals; all of them use one texel.
    EnvironmentMap,
    /// A volume chunk that the settings exclude.
    Volume,
    /// Two-volume data in a frame with cheap shadows; only the data of the first volume are used.
    SecondVolume,
    /// CM_BU, without effect. It contains a direction and an up vector. No source says how the original
    /// derived the four parameters of a bump map (K1, K2, K3, Q of the offset colour).
    Bump,
    /// A chunk with only mipmap adjust or only exponent, without effect because of
    /// [`BitsChunks::Skipped`](crate::BitsChunks::Skipped).
    BitsChunk,
    /// A chunk without a known meaning.
    ReservedChunk {
        /// Id of the first such chunk.
        first: u8,
    },
    /// Bit 7 of the strip flags, which has no known meaning.
    StripFlag7,
    /// ROTATE_SET without a preceding ROTATE_BASE.
    RotationBase,
    /// Evaluation flags without effect.
    Evalflags {
        /// Bits without effect.
        bits: u32,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingTexture { first } => {
                write!(
                    f,
                    "textures are missing (number {first} is the first): drawn with a checker"
                )
            }
            Self::HiddenVertices => f.write_str("strips refer to vertices of hidden models: omitted"),
            Self::EnvironmentMap => f.write_str("environment mapping of vertices without normals"),
            Self::Volume => f.write_str(
                "volumes that the play setting `volumes` excludes are not drawn (--set volumes=all draws \
                 all)",
            ),
            Self::SecondVolume => f.write_str("two-volume data: the first volume's is used"),
            Self::Bump => f.write_str(
                "CM_BU chunks (id 24) have no effect: their two vectors do not determine a bump \
                 map's parameters",
            ),
            Self::BitsChunk => f.write_str(
                "CB_DA or CB_EXP chunks have no effect: play setting bits=skipped (--play bits=applied \
                 applies them)",
            ),
            Self::ReservedChunk { first } => write!(f, "chunks of no known meaning, id {first} is the first"),
            Self::StripFlag7 => f.write_str("strip flag 0x80 has no known meaning"),
            Self::RotationBase => f.write_str("ROTATE_SET without a ROTATE_BASE before it"),
            Self::Evalflags { bits } => write!(f, "evaluation flags {bits:#x} have no effect"),
        }
    }
}
