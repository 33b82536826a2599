//! Positions of the structures in a body: recorded by the reader, or assigned when a new body is written.

mod recorder;
mod structures;

pub(crate) use recorder::Recorder;
pub(crate) use structures::{PieceOut, Places, Structures};

use crate::bytes::{Body, ByteOrder, Out};
use crate::error::{Error, WarningKind, Warnings};
use crate::pof0::Pof0;

/// Type of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    // Object trees.
    Object,
    Model,
    Vlist,
    Plist,
    // Texture lists.
    TexHead,
    TexEntries,
    TexName,
    // Motions.
    Motion,
    Mdata,
    Keys,
    Points,
    Action,
    ActionPointer,
    // CompactShape.
    ShapeList,
    KeyGroups,
    Cvlist,
    ShapeVlist,
    ShapeData,
    // Cell sprites and streams.
    CellSprite,
    Cells,
    CellStream,
    StreamWords,
}

impl Part {
    const COUNT: usize = Part::StreamWords as usize + 1;
}

/// A structure and its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) offset: u32,
    /// Size in bytes.
    pub(crate) size: u32,
    /// The end word of a list; 0xFF except in unusual files.
    pub(crate) end: u32,
    pub(crate) part: Part,
    /// Index among the structures of this type.
    pub(crate) index: u32,
}

impl Piece {
    pub(crate) fn new(part: Part, index: u32, offset: u32, size: u32) -> Self {
        Piece {
            offset,
            size,
            end: END,
            part,
            index,
        }
    }
}

/// A structure of a body that has no position yet: type, index, size in bytes, alignment in bytes.
pub(crate) type StructureEntry = (Part, u32, usize, usize);

/// The end word of vlists and plists (docs/formats/ninja.md 1.5).
pub(crate) const END: u32 = 0xFF;

/// The order of a body's structures, the bytes between them and its pointer list.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Structures by ascending offset.
    pieces: Vec<Piece>,
    /// True if some node had the QUATERNION flag, which affects the size of nodes in some layouts.
    pub(crate) quaternions: bool,
    /// Bytes outside all pieces; the gaps are concatenated.
    gaps: Vec<u8>,
    size: u32,
    order: ByteOrder,
    /// Pointer list; `None` if the body had none.
    pof0: Option<Pof0>,
    /// Offsets of the structures' pointers in the body, ascending.
    pointers: Vec<u32>,
}

/// A written body and the offsets of its pointers; `None` if the layout does not fit.
type Emitted = Option<(Vec<u8>, Vec<u32>)>;

/// A written body and its pointer list.
pub(crate) type Written = (Vec<u8>, Option<Pof0>);

impl Layout {
    /// Records a body that was read. `pieces` may have any order. `pointers` are the offsets of its pointers.
    /// They include null pointers only where exporters put null pointers into the pointer list.
    fn record(
        body: &Body<'_>,
        mut pieces: Vec<Piece>,
        mut pointers: Vec<u32>,
        pof0: Option<Pof0>,
        warnings: &mut Warnings,
    ) -> Self {
        pieces.sort_by_key(|p| p.offset);
        pointers.sort_unstable();
        // Overlapping structures may share a pointer.
        pointers.dedup();
        let (mut gaps, mut at, mut overlaps) = (Vec::new(), 0, 0);
        for piece in &pieces {
            gaps.extend(body.bytes.get(at..piece.offset as usize).unwrap_or_default());
            overlaps += usize::from((piece.offset as usize) < at && piece.size > 0);
            at = at.max((piece.offset + piece.size) as usize);
        }
        gaps.extend(body.bytes.get(at..).unwrap_or_default());
        if overlaps > 0 {
            warnings.push(body.warning(0, WarningKind::Overlap(overlaps)));
        }
        compare(body, &pointers, pof0.as_ref(), warnings);
        Layout {
            pieces,
            quaternions: false,
            gaps,
            size: body.len() as u32,
            order: body.order,
            pof0,
            pointers,
        }
    }

    /// Places `parts` in sequence. The body ends on a multiple of 4.
    fn canonical(order: ByteOrder, parts: &[StructureEntry]) -> Result<Self, Error> {
        let (mut pieces, mut at, mut padding) = (Vec::with_capacity(parts.len()), 0usize, 0usize);
        for (part, index, size, align) in parts.iter().copied() {
            let skip = at.next_multiple_of(align) - at;
            let offset = at + skip;
            padding += skip;
            at = offset + size;
            // A POF0 delta (30 bits, in 4-byte words) covers every distance in a body below this limit.
            if at > i32::MAX as usize {
                return Err(Error::parameter("body size", at, "less than 2 GiB"));
            }
            pieces.push(Piece::new(part, index, offset as u32, size as u32));
        }
        let size = at.next_multiple_of(4);
        padding += size - at;
        Ok(Layout {
            pieces,
            quaternions: false,
            gaps: vec![0; padding],
            size: size as u32,
            order,
            pof0: None,
            pointers: Vec::new(),
        })
    }

    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    /// Structures by ascending offset.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Offset of the first structure of a type.
    pub(crate) fn place(&self, part: Part) -> Option<u32> {
        let piece = self.pieces.iter().find(|piece| piece.part == part);
        piece.map(|piece| piece.offset)
    }

    /// Offsets of the pointers, ascending.
    pub(crate) fn pointers(&self) -> &[u32] {
        &self.pointers
    }

    pub(crate) fn pof0(&self) -> Option<&Pof0> {
        self.pof0.as_ref()
    }

    /// Writes a body: recorded gaps unchanged, and every piece with `put`. Returns `None` if a piece has a
    /// new size, or if it overlaps another piece and their bytes differ.
    fn emit(
        &self,
        mut put: impl FnMut(&Piece, &mut PieceOut<'_>) -> Result<(), Error>,
    ) -> Result<Emitted, Error> {
        let mut out = Out::new(self.order, self.size as usize);
        let mut pointers = Vec::with_capacity(self.pointers.len());
        let mut gaps = self.gaps.as_slice();
        for piece in &self.pieces {
            let at = out.bytes.len();
            if let Some(gap) = (piece.offset as usize).checked_sub(at) {
                let Some((gap, rest)) = gaps.split_at_checked(gap) else {
                    return Ok(None);
                };
                gaps = rest;
                out.bytes.extend_from_slice(gap);
                put(piece, &mut PieceOut::new(piece, &mut out, &mut pointers))?;
                if out.bytes.len() != (piece.offset + piece.size) as usize {
                    return Ok(None);
                }
            } else if !self.emit_overlap(piece, &mut out, &mut pointers, &mut put)? {
                return Ok(None);
            }
        }
        out.bytes.extend_from_slice(gaps);
        pointers.sort_unstable();
        pointers.dedup();
        Ok((out.bytes.len() == self.size as usize).then_some((out.bytes, pointers)))
    }

    /// Writes a piece that begins inside bytes that are already written: its bytes must equal them.
    fn emit_overlap(
        &self,
        piece: &Piece,
        out: &mut Out,
        pointers: &mut Vec<u32>,
        put: &mut impl FnMut(&Piece, &mut PieceOut<'_>) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let mut own = Out::new(self.order, piece.size as usize);
        put(piece, &mut PieceOut::new(piece, &mut own, pointers))?;
        let (start, end) = (piece.offset as usize, (piece.offset as usize) + own.bytes.len());
        let shared = out.bytes.get(start..end.min(out.bytes.len())).unwrap_or_default();
        if own.bytes.len() != piece.size as usize || !own.bytes.starts_with(shared) {
            return Ok(false);
        }
        let known = shared.len();
        out.bytes.extend_from_slice(&own.bytes[known..]);
        Ok(true)
    }

    /// Returns the pointer list for a body written in this layout: the recorded list if the pointers are
    /// unchanged. A new list keeps the recorded entries that are not known pointers, such as null pointers.
    fn pof0_for(&self, pointers: &[u32]) -> Option<Pof0> {
        let recorded = self.pof0.as_ref()?;
        if pointers == self.pointers {
            return Some(recorded.clone());
        }
        let listed: Vec<u32> = recorded.offsets().collect();
        let mut wanted: Vec<u32> = pointers.to_vec();
        wanted.extend(listed.iter().filter(|o| self.pointers.binary_search(o).is_err()));
        wanted.retain(|o| listed.binary_search(o).is_ok() || self.pointers.binary_search(o).is_err());
        wanted.sort_unstable();
        wanted.dedup();
        Pof0::from_offsets(&wanted)
    }
}

/// Warns where the pointer list and the structures disagree. A zero word counts as agreement, listed or not
/// (docs/formats/ninja.md 1.3).
fn compare(body: &Body<'_>, pointers: &[u32], pof0: Option<&Pof0>, warnings: &mut Warnings) {
    let Some(pof0) = pof0 else { return };
    let listed: Vec<u32> = pof0.offsets().collect();
    let is_null = |o: u32| !body.u32(o, "pointer").is_ok_and(|value| value != 0);
    let missing = |o: &&u32| listed.binary_search(o).is_err() && !is_null(**o);
    let extra = |o: &&u32| pointers.binary_search(o).is_err() && !is_null(**o);
    if let Some(first) = pointers.iter().find(missing) {
        let kind = WarningKind::Pof0Missing {
            count: pointers.iter().filter(missing).count(),
            first: *first,
        };
        warnings.push(body.warning(*first, kind));
    }
    if let Some(first) = listed.iter().find(extra) {
        let kind = WarningKind::Pof0Extra {
            count: listed.iter().filter(extra).count(),
            first: *first,
        };
        warnings.push(body.warning(*first, kind));
    }
}
