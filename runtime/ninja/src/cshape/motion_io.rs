//! Reader and writer for CompactShape motions (docs/formats/ninja.md 1.4, 1.10).

use super::{CShapeData, CShapeMotion, ShapeTrackId};
use crate::bytes::{Body, ByteOrder};
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{Layout, Part, Piece, PieceOut, Places, Recorder, StructureEntry, Structures, Written};
use crate::limits::SHAPE_SHARING as MAX_SHARING;
use crate::motion::{Element, Entries, InpFn, KeyForm, Keys, Source, entries};
use crate::pof0::Pof0;

const HEAD_BYTES: usize = 12;
const MDATA_BYTES: usize = 8;
const DATA_BYTES: u32 = 8;
const KEY_BYTES: usize = 8;

/// NJS_CSHAPEDATA as stored in the file.
struct RawData {
    /// File offset of the pointer.
    at: u32,
    keys: u32,
    count: u16,
    entry_id: u16,
}

impl CShapeMotion {
    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let mut rec = Recorder::new(body, MAX_SHARING);
        let mut motion = CShapeMotion::default();
        let mdata = motion.read_head(&mut rec, warnings)?;
        if mdata != 0 {
            rec.pointer(0, mdata);
            let source = Source {
                body,
                head: 0,
                listed: pof0.as_ref().map(|pof0| pof0.offsets().collect()),
                zero_is_address: false,
            };
            let found = entries(&source, mdata, 1, warnings)?;
            motion.read_nodes(&mut rec, mdata, found, warnings)?;
        }
        motion.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(motion)
    }

    /// Returns the NJS_MDATA1 pointer.
    fn read_head(&mut self, rec: &mut Recorder<'_>, warnings: &mut Warnings) -> Result<u32, Error> {
        let body = rec.body;
        let [mdata, nb_frame] = body.block(0, "NJS_MOTION")?;
        let kind = body.u16(8, "NJS_MOTION.type")?;
        if kind != Element::ShapeId.bit() {
            let found = format!("{kind:#06x}");
            return Err(body.fail(8, "NJS_MOTION.type", found, "0x4000, SHAPEID alone".into()));
        }
        self.nb_frame = nb_frame;
        self.inp_fn = InpFn(body.u16(10, "NJS_MOTION.inp_fn")?);
        if self.inp_fn.tables() > 1 {
            let found = format!("{} tables", self.inp_fn.tables());
            return Err(body.fail(10, "NJS_MOTION.inp_fn", found, "1".into()));
        }
        if self.inp_fn.0 & !0xF != 0 {
            warnings.push(body.warning(10, WarningKind::ShapeInterpolation(self.inp_fn.0)));
        }
        rec.piece(Part::Motion, 0, 0, HEAD_BYTES);
        Ok(mdata)
    }

    fn read_nodes(
        &mut self,
        rec: &mut Recorder<'_>,
        mdata: u32,
        found: Entries,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let body = rec.body;
        let Entries {
            mut nodes,
            tables,
            stray,
        } = found;
        let mut rows = Vec::new();
        for table in &tables {
            let body = body.for_node(table.node, table.at);
            body.aligned(table.target, 4, "NJS_MDATA1.p")?;
            let bytes = (table.count as usize).saturating_mul(DATA_BYTES as usize);
            body.slice(table.target, bytes, "NJS_CSHAPEDATA")?;
            rec.claim(&body, table.target, bytes)?;
            rows.push(read_rows(&body, table.target, table.count)?);
        }
        // Key tables may follow the node table directly: the node table ends before the first of them.
        let keys = rows
            .iter()
            .flatten()
            .map(|row| row.keys)
            .filter(|keys| *keys > mdata);
        let room = keys
            .min()
            .map_or(usize::MAX, |keys| (keys - mdata) as usize / MDATA_BYTES);
        nodes = nodes.min(room.max(tables.last().map_or(0, |table| table.node + 1)));
        self.stray_counts = stray;
        self.stray_counts.retain(|(node, _), _| (*node as usize) < nodes);
        rec.piece(Part::Mdata, 0, mdata, nodes * MDATA_BYTES);
        rec.claim(&body, mdata, nodes * MDATA_BYTES)?;
        let tracks = self.read_tracks(rec, &rows, warnings)?;
        self.nodes = vec![Vec::new(); nodes];
        for (table, rows) in tables.iter().zip(&rows) {
            rec.pointers.push(table.at);
            rec.piece(
                Part::ShapeData,
                table.node,
                table.target,
                rows.len() * DATA_BYTES as usize,
            );
            let track = |row: &RawData| tracks.binary_search(&(row.keys, row.count)).ok();
            let data = |row: &RawData| CShapeData {
                keys: track(row).map(|i| ShapeTrackId(i as u32)),
                entry_id: row.entry_id,
            };
            if let Some(node) = self.nodes.get_mut(table.node) {
                *node = rows.iter().map(data).collect();
            }
        }
        Ok(())
    }

    /// Reads the distinct key tables. Returns their offsets and lengths.
    fn read_tracks(
        &mut self,
        rec: &mut Recorder<'_>,
        rows: &[Vec<RawData>],
        warnings: &mut Warnings,
    ) -> Result<Vec<(u32, u16)>, Error> {
        let body = rec.body;
        let mut tables = Vec::new();
        for row in rows.iter().flatten() {
            rec.pointer(row.at, row.keys);
            match (row.keys, row.count) {
                (0, 0) => {}
                (0, count) => {
                    let found = "NULL".into();
                    return Err(body.fail(row.at, "NJS_CSHAPEDATA.keys", found, format!("{count} keys")));
                }
                table => tables.push(table),
            }
        }
        tables.sort_unstable();
        tables.dedup();
        for (i, (at, count)) in tables.iter().copied().enumerate() {
            body.aligned(at, 4, "NJS_CSHAPEDATA.keys")?;
            let bytes = usize::from(count) * KEY_BYTES;
            rec.claim(&body, at, bytes)?;
            let keys = Keys::read(&body, at, u32::from(count), KeyForm::ShapeId)?;
            if let Some(key) = keys.first_descent() {
                let (frame, before) = (keys.frame(key).unwrap_or(0), keys.frame(key - 1).unwrap_or(0));
                warnings.push(body.warning(at, WarningKind::KeyOrder { key, frame, before }));
            }
            if let Keys::ShapeId(keys) = keys {
                self.tracks.push(keys);
            }
            rec.piece(Part::Keys, i, at, bytes);
        }
        Ok(tables)
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        self.write_body(order)
    }

    fn check(&self) -> Result<(), Error> {
        if self.inp_fn.tables() > 1 {
            return Err(Error::parameter("tables of a node", self.inp_fn.tables(), "1"));
        }
        let mut used = vec![false; self.tracks.len()];
        for id in self.nodes.iter().flatten().filter_map(|data| data.keys) {
            let len = used.len();
            match used.get_mut(id.0 as usize) {
                Some(used) => *used = true,
                None => {
                    return Err(Error::parameter(
                        "key table",
                        format!("id {}", id.0),
                        format!("one of {len}"),
                    ));
                }
            }
        }
        if let Some(i) = used.iter().position(|used| !used) {
            return Err(Error::parameter(
                "key table",
                format!("table {i} unreachable"),
                "all in use",
            ));
        }
        match self.tracks.iter().find(|keys| keys.len() > usize::from(u16::MAX)) {
            Some(keys) => Err(Error::parameter("shape keys", keys.len(), "at most 65535")),
            None => Ok(()),
        }
    }
}

fn read_rows(body: &Body<'_>, at: u32, count: u32) -> Result<Vec<RawData>, Error> {
    let row = |i: u32| {
        let at = at + i * DATA_BYTES;
        Ok(RawData {
            at,
            keys: body.u32(at, "NJS_CSHAPEDATA.keys")?,
            count: body.u16(at + 4, "NJS_CSHAPEDATA.nbKey")?,
            entry_id: body.u16(at + 6, "NJS_CSHAPEDATA.entryId")?,
        })
    };
    (0..count).map(row).collect()
}

/// Order: head, nodes, data and keys. The data of all nodes is contiguous, as in the specification's sample.
impl Structures for CShapeMotion {
    fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let nodes = self.nodes.len() * MDATA_BYTES;
        let data = (0..).zip(&self.nodes).filter(|(_, data)| !data.is_empty());
        let tracks = (0..).zip(&self.tracks);
        [(Part::Motion, 0, HEAD_BYTES, 4)]
            .into_iter()
            .chain((nodes > 0).then_some((Part::Mdata, 0, nodes, 4)))
            .chain(data.map(|(i, data)| (Part::ShapeData, i, data.len() * DATA_BYTES as usize, 4)))
            .chain(tracks.map(|(i, keys)| (Part::Keys, i, keys.len() * KEY_BYTES, 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        let i = piece.index as usize;
        match piece.part {
            Part::Motion => {
                out.pointer(places.of(Part::Mdata, 0));
                out.u32(self.nb_frame);
                out.u16(Element::ShapeId.bit());
                out.u16(self.inp_fn.0);
            }
            Part::Mdata => {
                for (i, data) in (0..).zip(&self.nodes) {
                    let place = places.of(Part::ShapeData, i);
                    out.pointer(place);
                    let stray = self.stray_counts.get(&(i, 0)).copied().unwrap_or(0);
                    out.u32(place.map_or(stray, |_| data.len() as u32));
                }
            }
            Part::ShapeData => {
                for data in self.nodes.get(i).into_iter().flatten() {
                    let keys = data.keys.and_then(|id| self.tracks.get(id.0 as usize));
                    out.pointer(places.maybe(Part::Keys, data.keys.map(|id| id.0)));
                    out.u16(keys.map_or(0, |keys| keys.len() as u16));
                    out.u16(data.entry_id);
                }
            }
            Part::Keys => {
                for key in self.tracks.get(i).into_iter().flatten() {
                    out.words32(&[key.frame, key.value]);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
