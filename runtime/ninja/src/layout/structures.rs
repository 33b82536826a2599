//! Writer for chunk bodies made of structures that point to each other.

use super::{Emitted, Layout, Part, Piece, StructureEntry, Written};
use crate::bytes::{ByteOrder, Out};
use crate::error::Error;
use crate::pof0::Pof0;

/// Output for one piece.
pub(crate) struct PieceOut<'a> {
    pub(crate) out: &'a mut Out,
    pointers: &'a mut Vec<u32>,
    offset: u32,
    /// Length of `out` at the start of the piece.
    start: usize,
}

impl<'a> PieceOut<'a> {
    pub(super) fn new(piece: &Piece, out: &'a mut Out, pointers: &'a mut Vec<u32>) -> Self {
        let start = out.bytes.len();
        PieceOut {
            out,
            pointers,
            offset: piece.offset,
            start,
        }
    }

    /// Writes a pointer and records it for the pointer list. `None` is written as 0.
    pub(crate) fn pointer(&mut self, target: Option<u32>) {
        match target {
            Some(_) => self.listed_pointer(target),
            None => self.out.u32(0),
        }
    }

    /// Writes a pointer and records it even if it is null.
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

/// Offsets of structures, by type and index.
pub(crate) struct Places {
    by_part: [Vec<u32>; Part::COUNT],
}

impl Places {
    const NOWHERE: u32 = u32::MAX;

    /// Returns `None` if the layout lacks a wanted structure.
    fn new(pieces: &[Piece], wanted: &[StructureEntry]) -> Option<Self> {
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

    /// Offset of a structure.
    pub(crate) fn of(&self, part: Part, index: u32) -> Option<u32> {
        let place = self.by_part[part as usize].get(index as usize).copied();
        place.filter(|place| *place != Self::NOWHERE)
    }

    /// Offset of an optional structure.
    pub(crate) fn maybe(&self, part: Part, index: Option<u32>) -> Option<u32> {
        index.and_then(|index| self.of(part, index))
    }
}

/// A chunk body made of structures.
pub(crate) trait Structures {
    /// Layout recorded by the reader, if it is still valid.
    fn layout(&self) -> Option<&Layout>;

    /// Lists all structures in canonical order, the top structure first.
    fn structures(&self) -> Vec<StructureEntry>;

    /// Writes one of the structures; writes no bytes for a structure that no longer exists.
    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error>;

    /// Writes the body in its recorded layout if all structures still fit, otherwise in canonical order.
    fn write_body(&self, order: ByteOrder) -> Result<Written, Error> {
        let wanted = self.structures();
        if let Some(layout) = self.layout().filter(|layout| layout.order == order)
            && let Some((body, pointers)) = self.emit(layout, &wanted)?
        {
            return Ok((body, layout.pof0_for(&pointers)));
        }
        let (body, pointers) = self.write_canonical(order, &wanted)?;
        Ok((body, Pof0::from_offsets(&pointers)))
    }

    /// Writes the body in canonical order; also returns the offsets of its pointers.
    fn write_canonical(
        &self,
        order: ByteOrder,
        wanted: &[StructureEntry],
    ) -> Result<(Vec<u8>, Vec<u32>), Error> {
        let layout = Layout::canonical(order, wanted)?;
        self.emit(&layout, wanted)?
            .ok_or_else(|| Error::parameter("chunk", "sizes that do not add up", "stable content"))
    }

    /// Writes the body in a given layout.
    fn emit(&self, layout: &Layout, wanted: &[StructureEntry]) -> Result<Emitted, Error> {
        match Places::new(&layout.pieces, wanted) {
            Some(places) => layout.emit(|piece, out| self.put(piece, &places, out)),
            None => Ok(None),
        }
    }
}
