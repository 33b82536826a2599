//! What can go wrong while a tree is drawn.

use sh4_kernels::{KernelError, Mismatch};
use std::fmt;
use thiserror::Error;

/// Why a tree cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SceneError {
    /// A kernel failed, or its results differ from the reference.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A vertex lies outside the vertex buffer.
    #[error("vertex buffer slot {slot}, expected 0 to {limit}")]
    Slot {
        /// The slot.
        slot: i64,
        /// The last one.
        limit: usize,
    },
    /// A strip names a vertex that no vertex list has made.
    #[error("strip index {slot} names a vertex that no vertex list before it has made")]
    EmptySlot {
        /// The index.
        slot: u16,
    },
    /// DP names a list that no CP has remembered.
    #[error("draw polygons (DP) {number}: no list of that number was remembered (CP) before it")]
    UnknownList {
        /// The number.
        number: u8,
    },
    /// A remembered list that draws itself.
    #[error("draw polygons (DP) {number}: the list leads back to itself")]
    RecursiveList {
        /// The number.
        number: u8,
    },
    /// More steps than any tree of its size can need.
    #[error("remembered polygon lists run {0} chunks, more than any model needs")]
    Endless(usize),
    /// Data that is read but not drawn yet.
    #[error("{0} are not drawn yet")]
    Unsupported(&'static str),
    /// The tree refers to something that is not in it.
    #[error("the tree names {0} that it does not hold")]
    Dangling(&'static str),
    /// A pose that was made for another tree.
    #[error("a pose of {poses} nodes for a tree of {nodes}")]
    Poseless {
        /// Nodes of the tree.
        nodes: usize,
        /// Nodes of the pose.
        poses: usize,
    },
    /// Any of these, with the place where it happened.
    #[error("node {node} at {offset:#x}, {list} chunk {chunk}: {cause}")]
    At {
        /// Index of the node.
        node: usize,
        /// Its offset in the chunk's body.
        offset: u32,
        /// `vlist` or `plist`.
        list: &'static str,
        /// Index of the chunk in its list.
        chunk: usize,
        /// What happened. Part of the message, and therefore no `source`.
        cause: Box<SceneError>,
    },
}

impl SceneError {
    /// The difference between the SH4 and the reference, if that is what went wrong.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match self {
            Self::Kernel(KernelError::Mismatch(mismatch)) => Some(mismatch),
            Self::At { cause, .. } => cause.mismatch(),
            _ => None,
        }
    }
}

/// Something unusual that was drawn as well as possible. Each kind is told once a tree, with its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// A textured strip without its texture: drawn with a checker.
    MissingTexture {
        /// Texture number of the first.
        first: u16,
    },
    /// Strips that name vertices of hidden models, left out.
    HiddenVertices,
    /// Environment mapping of vertices without normals: one texel for all of them.
    EnvironmentMap,
    /// A volume chunk that the settings leave out.
    Volume,
    /// Two-volume data where volumes are cheap shadows: the first volume's are used.
    SecondVolume,
    /// CM_BU, without effect: it holds a direction and an up vector, and no source tells how the original
    /// made the four parameters of a bump map (K1, K2, K3, Q of the offset colour) of them.
    Bump,
    /// Mipmap adjust or exponent alone, without effect by
    /// [`BitsChunks::Skipped`](crate::BitsChunks::Skipped).
    BitsChunk,
    /// A chunk without a known meaning.
    ReservedChunk {
        /// Id of the first.
        first: u8,
    },
    /// Bit 7 of the strip flags, whose meaning is not known.
    StripFlag7,
    /// ROTATE_SET without a ROTATE_BASE before it.
    RotationBase,
    /// Evaluation flags without effect.
    Evalflags {
        /// The bits.
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
            Self::HiddenVertices => f.write_str("strips name vertices of hidden models: left out"),
            Self::EnvironmentMap => f.write_str("environment mapping of vertices without normals"),
            Self::Volume => f.write_str(
                "volumes are not drawn that the play setting `volumes` leaves out (--play volumes=all draws \
                 all)",
            ),
            Self::SecondVolume => f.write_str("two-volume data: the first volume's is used"),
            Self::Bump => f.write_str(
                "CM_BU chunks (id 24) have no effect: their two vectors do not tell a bump map's parameters",
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
