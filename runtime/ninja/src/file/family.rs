//! Kinds of chunks, and the typical fields of their top structures.

use crate::bytes::Body;
use crate::chunk_id::ChunkId;
use crate::motion::MotionKind;
use crate::tree::EvalFlags;

/// Content of a chunk, derived from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Texlist,
    Tree,
    Motion,
    ShapeList,
    ShapeMotion,
    CellSprite,
    CellStream,
    Other,
}

impl Family {
    pub(super) fn of(id: ChunkId) -> Self {
        match id {
            ChunkId::NJTL => Family::Texlist,
            ChunkId::NJCM | ChunkId::N2CM => Family::Tree,
            ChunkId::NJSL => Family::ShapeList,
            ChunkId::CPSM => Family::ShapeMotion,
            ChunkId::NJSP => Family::CellSprite,
            ChunkId::NJCS => Family::CellStream,
            id if MotionKind::from_chunk_id(id).is_some() => Family::Motion,
            _ => Family::Other,
        }
    }

    /// Offsets of the pointers in the top structure.
    pub(super) fn pointers(self) -> &'static [u32] {
        match self {
            Family::Tree => &[4, 44, 48],
            Family::CellStream => &[0, 4],
            Family::Other => &[],
            _ => &[0],
        }
    }

    /// Counts the fields of the top structure that have plausible values.
    pub(super) fn plausible_fields(self, body: &Body<'_>) -> usize {
        let word = |at: u32| body.u32(at, "field");
        let small = |at: u32| usize::from(word(at).is_ok_and(|v| v < 0x1_0000));
        let half = |at: u32, most: u16| usize::from(body.u16(at, "field").is_ok_and(|v| v <= most));
        // True between a millionth and a million.
        let scale = |at: u32| {
            let scale = word(at).map(|bits| f32::from_bits(bits).abs());
            usize::from(scale.is_ok_and(|scale| scale == 0.0 || (1e-6..1e6).contains(&scale)))
        };
        match self {
            Family::Tree => {
                let flags = word(0).is_ok_and(|flags| flags & !EvalFlags::KNOWN.0 == 0);
                usize::from(flags) + scale(32) + scale(36) + scale(40)
            }
            Family::Motion | Family::ShapeMotion => small(4) + half(10, 0xFF),
            Family::Texlist | Family::ShapeList => small(4),
            Family::CellSprite => small(4) + scale(24) + scale(28),
            Family::CellStream => small(12),
            Family::Other => 0,
        }
    }
}
