//! Where the structures of a body lie: recorded when reading, made up when writing something new.

use crate::bytes::{Body, ByteOrder, Out};
use crate::error::{Error, WarningKind, Warnings};
use crate::pof0::Pof0;

/// What a structure is.
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

/// A structure and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) offset: u32,
    /// Bytes.
    pub(crate) size: u32,
    /// The end word of a list; 0xFF but in odd files.
    pub(crate) end: u32,
    pub(crate) part: Part,
    /// Which of its sort.
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

/// A structure to be laid out: what, which, how many bytes, and on a multiple of what.
pub(crate) type Wanted = (Part, u32, usize, usize);

/// The end word of vlists and plists (facts 1.5).
pub(crate) const END: u32 = 0xFF;

/// The order of a body's structures, the bytes between them and its pointer list.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// By ascending offset.
    pieces: Vec<Piece>,
    /// Whether nodes had the QUATERNION flag, which for some layouts decides how large nodes are.
    pub(crate) quaternions: bool,
    /// The bytes that no piece covers, one gap after the other.
    gaps: Vec<u8>,
    size: u32,
    order: ByteOrder,
    /// `None` if the body had none.
    pof0: Option<Pof0>,
    /// The pointers that the structures hold, as body offsets, ascending.
    pointers: Vec<u32>,
}

/// A written body and the offsets of the pointers in it; `None` if the layout does not fit.
type Emitted = Option<(Vec<u8>, Vec<u32>)>;

/// A written body and its pointer list.
pub(crate) type Written = (Vec<u8>, Option<Pof0>);

impl Layout {
    /// Records a body that was read: `pieces` in any order, `pointers` the offsets of its non-null pointers.
    fn record(
        body: &Body<'_>,
        mut pieces: Vec<Piece>,
        mut pointers: Vec<u32>,
        pof0: Option<Pof0>,
        warnings: &mut Warnings,
    ) -> Self {
        pieces.sort_by_key(|p| p.offset);
        pointers.sort_unstable();
        // Structures that overlap may have a pointer in common.
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

    /// Lays out `parts` one after the other. The body ends on a multiple of 4.
    fn canonical(order: ByteOrder, parts: &[Wanted]) -> Result<Self, Error> {
        let (mut pieces, mut at, mut padding) = (Vec::with_capacity(parts.len()), 0usize, 0usize);
        for (part, index, size, align) in parts.iter().copied() {
            let skip = at.next_multiple_of(align) - at;
            let offset = at + skip;
            padding += skip;
            at = offset + size;
            // Bodies over 1 GiB could not list their pointers: a POF0 delta has 30 bits of words.
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

    /// The structures by ascending offset.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where the first structure of a sort lies.
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

    /// Writes a body: every gap as it was, and every piece by `put`. `None` if a piece no longer has its recorded size, or overlaps another with other bytes.
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

    /// A piece that begins inside what is written already: its bytes must agree with it.
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

    /// The pointer list for a body written in this layout: the recorded bytes if nothing changed, else a new
    /// list that keeps the recorded entries which are no pointers of ours, zeros among them.
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

/// Where a piece is written to.
pub(crate) struct PieceOut<'a> {
    pub(crate) out: &'a mut Out,
    pointers: &'a mut Vec<u32>,
    offset: u32,
    /// Bytes in `out` when the piece began.
    start: usize,
}

impl<'a> PieceOut<'a> {
    fn new(piece: &Piece, out: &'a mut Out, pointers: &'a mut Vec<u32>) -> Self {
        let start = out.bytes.len();
        PieceOut {
            out,
            pointers,
            offset: piece.offset,
            start,
        }
    }

    /// A pointer, noted for the pointer list. `None` is written as 0.
    pub(crate) fn pointer(&mut self, target: Option<u32>) {
        match target {
            Some(_) => self.listed_pointer(target),
            None => self.out.u32(0),
        }
    }

    /// A pointer that is noted even if it is null.
    pub(crate) fn listed_pointer(&mut self, target: Option<u32>) {
        let at = self.out.bytes.len() - self.start;
        self.pointers.push(self.offset + at as u32);
        self.out.u32(target.unwrap_or(0));
    }

    pub(crate) fn u32(&mut self, v: u32) {
        self.out.u32(v);
    }

    pub(crate) fn u16(&mut self, v: u16) {
        self.out.u16(v);
    }

    pub(crate) fn words32(&mut self, words: &[u32]) {
        self.out.words32(words);
    }
}

/// The offsets of structures, by sort and index.
pub(crate) struct Places {
    by_part: [Vec<u32>; Part::COUNT],
}

impl Places {
    const NOWHERE: u32 = u32::MAX;

    /// `None` if the layout does not place all that is wanted.
    fn new(pieces: &[Piece], wanted: &[Wanted]) -> Option<Self> {
        let mut by_part: [Vec<u32>; Part::COUNT] = std::array::from_fn(|_| Vec::new());
        for piece in pieces {
            let places = &mut by_part[piece.part as usize];
            let index = piece.index as usize;
            places.resize(places.len().max(index + 1), Self::NOWHERE);
            places[index] = piece.offset;
        }
        let places = Places { by_part };
        let placed = wanted
            .iter()
            .all(|(part, index, ..)| places.of(*part, *index).is_some());
        placed.then_some(places)
    }

    /// Where a structure lies.
    pub(crate) fn of(&self, part: Part, index: u32) -> Option<u32> {
        let place = self.by_part[part as usize].get(index as usize).copied();
        place.filter(|place| *place != Self::NOWHERE)
    }

    /// The same for what need not be there.
    pub(crate) fn maybe(&self, part: Part, index: Option<u32>) -> Option<u32> {
        index.and_then(|index| self.of(part, index))
    }
}

/// What can be laid out as a body.
pub(crate) trait Structures {
    /// Where everything lay when it was read, as long as that still counts.
    fn layout(&self) -> Option<&Layout>;

    /// All structures in canonical order, the top structure first.
    fn wanted(&self) -> Vec<Wanted>;

    /// Writes one of the structures; nothing for one that is no longer there.
    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error>;

    /// The body in its recorded layout while every structure still fits there, else in canonical order.
    fn write_body(&self, order: ByteOrder) -> Result<Written, Error> {
        let wanted = self.wanted();
        if let Some(layout) = self.layout().filter(|layout| layout.order == order)
            && let Some((body, pointers)) = self.emit(layout, &wanted)?
        {
            return Ok((body, layout.pof0_for(&pointers)));
        }
        let (body, pointers) = self.write_canonical(order, &wanted)?;
        Ok((body, Pof0::from_offsets(&pointers)))
    }

    /// The body in canonical order, and the offsets of its pointers.
    fn write_canonical(&self, order: ByteOrder, wanted: &[Wanted]) -> Result<(Vec<u8>, Vec<u32>), Error> {
        let layout = Layout::canonical(order, wanted)?;
        self.emit(&layout, wanted)?
            .ok_or_else(|| Error::parameter("chunk", "sizes that do not add up", "stable content"))
    }

    /// The body in a given layout.
    fn emit(&self, layout: &Layout, wanted: &[Wanted]) -> Result<Emitted, Error> {
        match Places::new(&layout.pieces, wanted) {
            Some(places) => layout.emit(|piece, out| self.put(piece, &places, out)),
            None => Ok(None),
        }
    }
}

/// Takes structures from a body and notes where they lay.
pub(crate) struct Recorder<'a> {
    pub(crate) body: Body<'a>,
    /// Bytes that may still be read. Sound files do not overlap, so it never runs out for them; a damaged one
    /// cannot make us read the same bytes over and over.
    left: usize,
    pub(crate) pieces: Vec<Piece>,
    /// Offsets of non-null pointers.
    pub(crate) pointers: Vec<u32>,
}

impl<'a> Recorder<'a> {
    /// `sharing` is how many times over the body's bytes may be read.
    pub(crate) fn new(body: Body<'a>, sharing: usize) -> Self {
        Recorder {
            body,
            left: body.len().saturating_mul(sharing),
            pieces: Vec::new(),
            pointers: Vec::new(),
        }
    }

    /// Takes `bytes` off what the body has left.
    pub(crate) fn claim(&mut self, body: &Body<'_>, at: u32, bytes: usize) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(bytes) else {
            let found = format!(
                "structures that need {} bytes more than there are",
                bytes - self.left
            );
            let expected = format!("structures that do not overlap in {:#x} bytes", body.len());
            return Err(Error::limit(body.place(at), "body", found, expected));
        };
        self.left = left;
        Ok(())
    }

    /// Notes a pointer field, if it holds one.
    pub(crate) fn pointer(&mut self, at: u32, target: u32) {
        if target != 0 {
            self.pointers.push(at);
        }
    }

    /// Notes a structure.
    pub(crate) fn piece(&mut self, part: Part, index: usize, offset: u32, size: usize) {
        self.pieces
            .push(Piece::new(part, index as u32, offset, size as u32));
    }

    pub(crate) fn finish(self, pof0: Option<Pof0>, warnings: &mut Warnings) -> Layout {
        Layout::record(&self.body, self.pieces, self.pointers, pof0, warnings)
    }
}

/// Warns where the pointer list and the structures disagree. Listed zeros are no disagreement (facts 1.3).
fn compare(body: &Body<'_>, pointers: &[u32], pof0: Option<&Pof0>, warnings: &mut Warnings) {
    let Some(pof0) = pof0 else { return };
    let listed: Vec<u32> = pof0.offsets().collect();
    let missing = |o: &&u32| listed.binary_search(o).is_err();
    let extra = |o: &&u32| {
        pointers.binary_search(o).is_err() && body.u32(**o, "pointer").is_ok_and(|value| value != 0)
    };
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
