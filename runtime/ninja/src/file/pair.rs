//! Pairs of data chunk and pointer list, and the byte order that they suggest.

use super::family::Family;
use super::{Chunk, RawChunk};
use crate::bytes::{Body, ByteOrder};
use crate::cell::{CellSprite, CellStream};
use crate::chunk_id::ChunkId;
use crate::cshape::{CShapeList, CShapeMotion};
use crate::error::{Error, Place, Warning, WarningKind, Warnings};
use crate::iff::Span;
use crate::motion::Motion;
use crate::pof0::Pof0;
use crate::settings::Settings;
use crate::texlist::Texlist;
use crate::tree::ObjectTree;

/// A data chunk and the pointer list that follows it.
pub(super) struct Pair<'a> {
    data: Span<'a>,
    /// File offset of the list's body, and the list.
    pof0: Option<(usize, Pof0)>,
}

/// Pairs each `POF0` with the chunk right before it (docs/formats/compact-shape.md 4.2).
pub(super) fn pair_up<'a>(spans: &[Span<'a>]) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(spans.len());
    for span in spans {
        match pairs.last_mut() {
            Some(pair)
                if span.id == ChunkId::POF0 && pair.pof0.is_none() && pair.data.id != ChunkId::POF0 =>
            {
                pair.pof0 = Some((span.base, Pof0::from_bytes(span.body.to_vec())));
            }
            _ => pairs.push(Pair {
                data: *span,
                pof0: None,
            }),
        }
    }
    pairs
}

/// Evidence for one byte order: pointers with a target inside their body. If both orders have the same
/// number, plausible values of other fields decide (docs/formats/ninja.md 1.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Votes {
    pub(super) pointers: usize,
    fields: usize,
}

/// Returns little-endian, unless the other order has more evidence over all chunks.
pub(super) fn byte_order(votes: &[[Votes; 2]]) -> ByteOrder {
    let sum = |order: usize| {
        votes.iter().fold(Votes::default(), |sum, votes| Votes {
            pointers: sum.pointers + votes[order].pointers,
            fields: sum.fields + votes[order].fields,
        })
    };
    if sum(1) > sum(0) {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    }
}

impl<'a> Pair<'a> {
    fn body(&self, order: ByteOrder) -> Body<'a> {
        Body {
            bytes: self.data.body,
            order,
            base: self.data.base,
            chunk: self.data.id,
            node: None,
        }
    }

    fn family(&self) -> Family {
        Family::of(self.data.id)
    }

    /// Returns the evidence for little-endian and for big-endian.
    pub(super) fn votes(&self) -> [Votes; 2] {
        let family = self.family();
        [ByteOrder::Little, ByteOrder::Big].map(|order| {
            let body = self.body(order);
            let inside = |at: &u32| {
                body.u32(*at, "pointer")
                    .is_ok_and(|v| v != 0 && v as usize <= body.len())
            };
            let listed = self.pof0.iter().flat_map(|(_, pof0)| pof0.offsets());
            let fixed = family.pointers().iter().copied();
            let pointers = fixed.chain(listed).filter(inside).count();
            Votes {
                pointers,
                fields: family.plausible_fields(&body),
            }
        })
    }

    /// Reads the chunk in byte order `order`. `agrees` is true if the chunk's own pointers suggest that
    /// order.
    pub(super) fn read(
        self,
        order: ByteOrder,
        agrees: bool,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Chunk, Error> {
        let body = self.body(order);
        self.check_pof0(&body, warnings);
        let mixed = !agrees && self.family() != Family::Other;
        if mixed {
            warnings.push(body.warning(0, WarningKind::MixedByteOrder));
        }
        let pof0 = self.pof0.map(|(_, pof0)| pof0);
        let family = if mixed {
            Family::Other
        } else {
            Family::of(self.data.id)
        };
        match family {
            Family::Texlist => Texlist::read(body, pof0, warnings).map(Chunk::Texlist),
            Family::Tree => ObjectTree::read(body, pof0, settings, warnings).map(Chunk::Model),
            Family::Motion => Motion::read(body, pof0, settings, warnings).map(Chunk::Motion),
            Family::ShapeList => CShapeList::read(body, pof0, warnings).map(Chunk::ShapeList),
            Family::ShapeMotion => CShapeMotion::read(body, pof0, warnings).map(Chunk::ShapeMotion),
            Family::CellSprite => CellSprite::read(body, pof0, warnings).map(Chunk::CellSprite),
            Family::CellStream => CellStream::read(body, pof0, warnings).map(Chunk::CellStream),
            Family::Other => Ok(Chunk::Raw(RawChunk {
                id: self.data.id,
                body: self.data.body.to_vec(),
                pof0,
                byte_order: order,
            })),
        }
    }

    fn check_pof0(&self, body: &Body<'_>, warnings: &mut Warnings) {
        let kind = match &self.pof0 {
            Some((_, pof0)) => pof0.irregular(body.len()).map(WarningKind::Pof0Irregular),
            None if self.data.id == ChunkId::POF0 => Some(WarningKind::StrayPof0),
            None => self.data.id.needs_pof0().then_some(WarningKind::MissingPof0),
        };
        if let Some(kind) = kind {
            let base = self.pof0.as_ref().map_or(self.data.base, |(base, _)| *base);
            let place = Place {
                offset: Some(base),
                ..body.place(0)
            };
            warnings.push(Warning { kind, place });
        }
    }
}
