//! Writer for motions.

use super::keys::{KeyForm, Keys};
use super::{MAX_TABLES, Motion};
use crate::bytes::ByteOrder;
use crate::error::{Error, NodePlace};
use crate::layout::{Layout, Part, Piece, PieceOut, Places, StructureEntry, Structures, Written};

/// Order: head, nodes, key tables and, for simple shapes, the point arrays.
impl Structures for Motion {
    fn layout(&self) -> Option<&Layout> {
        // The head comes first in a chunk, but not in a file without chunks.
        self.layout
            .as_deref()
            .filter(|layout| layout.place(Part::Motion) == Some(0))
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let tracks = (0..).zip(&self.tracks);
        let points = (0..).zip(&self.points);
        [(Part::Motion, 0, 12, 4)]
            .into_iter()
            .chain((!self.nodes.is_empty()).then_some((Part::Mdata, 0, self.mdata_bytes(), 4)))
            .chain(tracks.map(|(i, keys)| (Part::Keys, i, keys.len() * keys.form().bytes(), 4)))
            .chain(points.map(|(i, points)| (Part::Points, i, points.len() * 12, 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        match piece.part {
            Part::Motion => {
                out.pointer(places.of(Part::Mdata, 0));
                out.u32(self.nb_frame);
                out.u16(self.motion_type.0);
                out.u16(self.inp_fn.0);
            }
            Part::Mdata => self.put_nodes(places, out),
            Part::Keys => match self.tracks.get(piece.index as usize) {
                Some(Keys::P(keys)) => {
                    for key in keys {
                        out.u32(key.frame);
                        out.pointer(places.maybe(Part::Points, key.value.map(|id| id.0)));
                    }
                }
                Some(keys) => keys.put(out.out),
                None => {}
            },
            Part::Points => {
                let points = self.points.get(piece.index as usize);
                points
                    .into_iter()
                    .flatten()
                    .for_each(|point| out.out.vec3(*point));
            }
            Part::Action => {
                out.pointer(None);
                out.pointer(places.of(Part::Motion, 0));
            }
            Part::ActionPointer => out.pointer(places.of(Part::Action, 0)),
            _ => {}
        }
        Ok(())
    }
}

impl Motion {
    /// Writes the motion as the body of an IFF chunk.
    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        self.write_body(order)
    }

    pub(super) fn mdata_bytes(&self) -> usize {
        self.nodes.len() * self.tables() * 8
    }

    fn put_nodes(&self, places: &Places, out: &mut PieceOut<'_>) {
        let n = self.tables().min(MAX_TABLES);
        for (i, node) in (0..).zip(&self.nodes) {
            for table in &node.tables[..n] {
                out.pointer(places.maybe(Part::Keys, table.map(|id| id.0)));
            }
            for (slot, table) in (0..).zip(&node.tables[..n]) {
                let stray = || self.stray_counts.get(&(i, slot)).copied().unwrap_or(0);
                let keys = table.and_then(|id| self.track(id));
                out.u32(keys.map_or_else(stray, |keys| keys.len() as u32));
            }
        }
    }

    /// Checks that the reader would return the same motion.
    pub(super) fn check(&self) -> Result<(), Error> {
        let elements = super::Element::in_table_order(self.kind, self.motion_type)?;
        let n = self.tables();
        if n < elements.len() || n > MAX_TABLES || (n == 0 && !self.nodes.is_empty()) {
            let expected = format!("{} to {MAX_TABLES}, one for each element", elements.len().max(1));
            return Err(Error::parameter("tables of a node", n, expected));
        }
        let forms: Vec<&[KeyForm]> = elements.iter().map(|element| element.forms(self.kind)).collect();
        let mut used = vec![false; self.tracks.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for (slot, id) in node
                .tables
                .iter()
                .enumerate()
                .filter_map(|(i, id)| Some((i, (*id)?)))
            {
                let place = NodePlace { index, offset: 0 };
                self.check_table(slot, id.0, &forms)
                    .map_err(|error| error.within(self.kind.chunk_id(), Some(place)))?;
                used[id.0 as usize] = true;
            }
        }
        if let Some(i) = used.iter().position(|used| !used) {
            return Err(Error::parameter(
                "key table",
                format!("table {i} unreachable"),
                "all in use",
            ));
        }
        self.tracks.iter().try_for_each(|keys| self.check_keys(keys))
    }

    fn check_table(&self, slot: usize, id: u32, forms: &[&[KeyForm]]) -> Result<(), Error> {
        let len = self.tracks.len();
        let Some(keys) = self.tracks.get(id as usize) else {
            return Err(Error::parameter(
                "key table",
                format!("id {id}"),
                format!("one of {len}"),
            ));
        };
        let forms = forms.get(slot).copied().unwrap_or_default();
        if !forms.contains(&keys.form()) {
            let names: Vec<_> = forms.iter().map(|form| form.name()).collect();
            let found = format!("{} keys in table {}", keys.form().name(), slot + 1);
            return Err(Error::parameter("key table", found, names.join(" or ")));
        }
        Ok(())
    }

    fn check_keys(&self, keys: &Keys) -> Result<(), Error> {
        let most = if keys.form().frame_bytes() == 2 {
            0xFFFF
        } else {
            u32::MAX
        };
        if let Some(frame) = keys.frames().find(|frame| *frame > most) {
            return Err(Error::parameter("key frame", frame, format!("at most {most}")));
        }
        if let Keys::P(keys) = keys {
            let mut ids = keys.iter().filter_map(|key| key.value);
            if let Some(id) = ids.find(|id| id.0 as usize >= self.points.len()) {
                let expected = format!("one of {}", self.points.len());
                return Err(Error::parameter("point array", format!("id {}", id.0), expected));
            }
        }
        Ok(())
    }
}
