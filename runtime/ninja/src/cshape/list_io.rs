//! Reader and writer for shape lists (docs/formats/ninja.md 1.4, 1.10).

use super::{CShapeKeyGroup, CShapeList, CvlistId, ShapeChunk, ShapeKind, ShapeVlist, ShapeVlistId};
use crate::bytes::{Body, ByteOrder};
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{
    END, Layout, Part, Piece, PieceOut, Places, Recorder, StructureEntry, Structures, Written,
};
use crate::pof0::Pof0;
use crate::vlist::FV_SHAPE;

const HEAD_BYTES: usize = 8;
const GROUP_BYTES: usize = 8;
const POINTER_BYTES: usize = 4;

impl CShapeList {
    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let mut rec = Recorder::new(body, 1);
        let mut list = CShapeList::new();
        let [shapes, count] = body.block(0, "NJS_CSHAPELIST")?;
        rec.piece(Part::ShapeList, 0, 0, HEAD_BYTES);
        let groups = read_groups(&mut rec, shapes, count)?;
        let cvlists = distinct(groups.iter().map(|group| group.0));
        for (cvlist, group_id, reserved) in groups {
            list.shapes.push(CShapeKeyGroup {
                cvlist: index_of(&cvlists, cvlist).map(CvlistId),
                group_id,
                reserved,
            });
        }
        let listed: Option<Vec<u32>> = pof0.as_ref().map(|pof0| pof0.offsets().collect());
        let arrays = read_cvlists(&mut rec, &cvlists, shapes, listed.as_deref())?;
        let vlists = distinct(arrays.iter().flatten().copied());
        for array in arrays {
            let ids = array.iter().map(|at| index_of(&vlists, *at).map(ShapeVlistId));
            list.cvlists.push(ids.collect());
        }
        for (i, at) in vlists.iter().enumerate() {
            list.vlists.push(read_vlist(&mut rec, *at, i, warnings)?);
        }
        list.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(list)
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        self.write_body(order)
    }

    /// Checks that the reader would return the same list.
    fn check(&self) -> Result<(), Error> {
        let mut cvlists = vec![false; self.cvlists.len()];
        let mut vlists = vec![false; self.vlists.len()];
        for id in self.shapes.iter().filter_map(|shape| shape.cvlist) {
            mark(&mut cvlists, id.0, "list of vertex lists")?;
        }
        for id in self.cvlists.iter().flatten().flatten() {
            mark(&mut vlists, id.0, "vertex list")?;
        }
        if let Some(i) = self.cvlists.iter().position(Vec::is_empty) {
            return Err(Error::parameter(
                "list of vertex lists",
                format!("list {i} empty"),
                "an entry",
            ));
        }
        match [cvlists, vlists].iter().flatten().all(|used| *used) {
            true => Ok(()),
            false => Err(Error::parameter(
                "shape list",
                "vertex lists that no shape has",
                "all in use",
            )),
        }
    }
}

fn mark(used: &mut [bool], id: u32, what: &'static str) -> Result<(), Error> {
    let len = used.len();
    match used.get_mut(id as usize) {
        Some(used) => {
            *used = true;
            Ok(())
        }
        None => Err(Error::parameter(
            what,
            format!("id {id}"),
            format!("one of {len}"),
        )),
    }
}

fn distinct(targets: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut targets: Vec<u32> = targets.filter(|target| *target != 0).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn index_of(targets: &[u32], target: u32) -> Option<u32> {
    targets.binary_search(&target).ok().map(|i| i as u32)
}

/// NJS_CSHAPE_KEYGROUP: pointer, group id, reserved.
fn read_groups(rec: &mut Recorder<'_>, shapes: u32, count: u32) -> Result<Vec<(u32, u16, u16)>, Error> {
    let body = rec.body;
    if shapes == 0 {
        return match count {
            0 => Ok(Vec::new()),
            _ => Err(body.fail(
                0,
                "NJS_CSHAPELIST.shapes",
                "NULL".into(),
                format!("{count} shapes"),
            )),
        };
    }
    let bytes = (count as usize).saturating_mul(GROUP_BYTES);
    body.aligned(shapes, 4, "NJS_CSHAPELIST.shapes")?;
    body.slice(shapes, bytes, "NJS_CSHAPELIST.shapes")?;
    rec.claim(&body, shapes, bytes)?;
    rec.pointer(0, shapes);
    rec.piece(Part::KeyGroups, 0, shapes, bytes);
    let group = |i: u32| {
        let at = shapes + i * GROUP_BYTES as u32;
        let cvlist = body.u32(at, "NJS_CSHAPE_KEYGROUP")?;
        rec.pointer(at, cvlist);
        let id = body.u16(at + 4, "NJS_CSHAPE_KEYGROUP")?;
        Ok((cvlist, id, body.u16(at + 6, "NJS_CSHAPE_KEYGROUP")?))
    };
    (0..count).map(group).collect()
}

/// Reads the NJS_CSHAPECV arrays. They have no length field: an array ends before the next structure. With a
/// pointer list, it also ends after its last pointer; without one, before the first word that does not point
/// to a shape chunk.
fn read_cvlists(
    rec: &mut Recorder<'_>,
    cvlists: &[u32],
    shapes: u32,
    listed: Option<&[u32]>,
) -> Result<Vec<Vec<u32>>, Error> {
    let body = rec.body;
    let mut arrays = Vec::with_capacity(cvlists.len());
    for (i, at) in cvlists.iter().copied().enumerate() {
        body.aligned(at, 4, "NJS_CSHAPE_KEYGROUP.cvlist")?;
        body.slice(at, POINTER_BYTES, "NJS_CSHAPECV")?;
        let mut end = cvlists.get(i + 1).copied().unwrap_or(body.len() as u32);
        if shapes > at {
            end = end.min(shapes);
        }
        let mut array = Vec::new();
        let mut known = 0;
        let mut next = at;
        while next + 4 <= end {
            let target = body.u32(next, "NJS_CSHAPECV")?;
            let is_pointer = match listed {
                Some(listed) => listed.binary_search(&next).is_ok(),
                None => leads_to_shape(&body, target),
            };
            if !is_pointer && (target != 0 || listed.is_none()) {
                break;
            }
            if target > at {
                end = end.min(target);
            }
            array.push(target);
            next += 4;
            if is_pointer {
                known = array.len();
            }
        }
        array.truncate(known);
        if array.is_empty() {
            let found = "a word that is not a pointer".into();
            return Err(body.fail(at, "NJS_CSHAPECV", found, "a pointer to a vertex list".into()));
        }
        rec.claim(&body, at, array.len() * POINTER_BYTES)?;
        (at..)
            .step_by(4)
            .take(array.len())
            .for_each(|at| rec.listed_pointer(at));
        rec.piece(Part::Cvlist, i, at, array.len() * POINTER_BYTES);
        arrays.push(array);
    }
    Ok(arrays)
}

fn leads_to_shape(body: &Body<'_>, target: u32) -> bool {
    let head = body.u32(target, "shape chunk head").map(|head| head as u8);
    let known = head.is_ok_and(|id| u32::from(id) == END || ShapeKind::from_id(id).is_some());
    target != 0 && target.is_multiple_of(4) && known
}

fn read_vlist(
    rec: &mut Recorder<'_>,
    start: u32,
    index: usize,
    warnings: &mut Warnings,
) -> Result<ShapeVlist, Error> {
    let body = rec.body;
    body.aligned(start, 4, "NJS_CSHAPECV.cv")?;
    let mut list = ShapeVlist::default();
    let mut at = start;
    loop {
        let head = body.u32(at, "shape chunk head")?;
        if head & 0xFF == END {
            if head != END {
                warnings.push(body.warning(at, WarningKind::OddEnd(head)));
            }
            let size = at + 4 - start;
            rec.claim(&body, start, 4)?;
            let piece = Piece::new(Part::ShapeVlist, index as u32, start, size);
            rec.pieces.push(Piece { end: head, ..piece });
            return Ok(list);
        }
        let words = (head >> 16) as usize;
        body.slice(at, 4 + words * 4, "shape chunk")?;
        rec.claim(&body, at, 4 + words * 4)?;
        list.chunks.push(read_chunk(&body, at, head, warnings)?);
        at += 4 + words as u32 * 4;
    }
}

fn read_chunk(body: &Body<'_>, at: u32, head: u32, warnings: &mut Warnings) -> Result<ShapeChunk, Error> {
    let (id, headbits, size) = (head as u8, (head >> 8) as u8, (head >> 16) as usize);
    let Some(kind) = ShapeKind::from_id(id) else {
        let expected = "34, 35, 41, 42, 128, 129 or 130, or 255 for the end".into();
        return Err(body.fail(at, "shape chunk id", id.to_string(), expected));
    };
    if !size.is_multiple_of(kind.stride()) {
        let found = format!("{size} words for {}", kind.name());
        return Err(body.fail(
            at,
            "shape chunk size",
            found,
            format!("a multiple of {}", kind.stride()),
        ));
    }
    if headbits & FV_SHAPE == 0 {
        warnings.push(body.warning(at, WarningKind::NoShapeFlag));
    }
    let words = body.words32(at + 4, size, "shape chunk")?;
    Ok(ShapeChunk {
        kind,
        headbits,
        words,
    })
}

/// Size of the list in bytes, including its end word.
fn vlist_bytes(list: &ShapeVlist) -> usize {
    4 + list
        .chunks
        .iter()
        .map(|chunk| 4 + 4 * chunk.words.len())
        .sum::<usize>()
}

/// Order: list head, shapes, arrays and vertex lists.
impl Structures for CShapeList {
    fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let groups = self.shapes.len() * GROUP_BYTES;
        let cvlists = (0..).zip(&self.cvlists);
        let vlists = (0..).zip(&self.vlists);
        [(Part::ShapeList, 0, HEAD_BYTES, 4)]
            .into_iter()
            .chain((groups > 0).then_some((Part::KeyGroups, 0, groups, 4)))
            .chain(cvlists.map(|(i, array)| (Part::Cvlist, i, array.len() * POINTER_BYTES, 4)))
            .chain(vlists.map(|(i, list)| (Part::ShapeVlist, i, vlist_bytes(list), 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        let i = piece.index as usize;
        match piece.part {
            Part::ShapeList => {
                out.pointer(places.of(Part::KeyGroups, 0));
                out.u32(self.shapes.len() as u32);
            }
            Part::KeyGroups => {
                for shape in &self.shapes {
                    out.pointer(places.maybe(Part::Cvlist, shape.cvlist.map(|id| id.0)));
                    out.u16(shape.group_id);
                    out.u16(shape.reserved);
                }
            }
            Part::Cvlist => {
                for id in self.cvlists.get(i).into_iter().flatten() {
                    // Null entries are listed as well, because only the pointer list determines the length of
                    // the array.
                    out.listed_pointer(places.maybe(Part::ShapeVlist, id.map(|id| id.0)));
                }
            }
            Part::ShapeVlist => {
                if let Some(list) = self.vlists.get(i) {
                    put_vlist(list, piece.end, out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn put_vlist(list: &ShapeVlist, end: u32, out: &mut PieceOut<'_>) -> Result<(), Error> {
    for chunk in &list.chunks {
        let size = chunk.words.len();
        if !size.is_multiple_of(chunk.kind.stride()) || size > usize::from(u16::MAX) {
            let expected = format!("a multiple of {}, at most 65535", chunk.kind.stride());
            return Err(Error::parameter("shape chunk words", size, expected));
        }
        out.u32((size as u32) << 16 | u32::from(chunk.headbits) << 8 | u32::from(chunk.kind.id()));
        out.words32(&chunk.words);
    }
    out.u32(end);
    Ok(())
}
