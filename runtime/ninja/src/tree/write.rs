//! Object trees to bytes.

use super::{NodeFormat, Object, ObjectTree};
use crate::bytes::{ByteOrder, Out};
use crate::error::{Error, NodePlace};
use crate::layout::{Emitted, Layout, Part, Piece, Written};
use crate::pof0::Pof0;
use crate::{plist, vlist};

/// The offsets of the structures in a layout, by arena index.
struct Places {
    objects: Vec<u32>,
    models: Vec<u32>,
    vlists: Vec<u32>,
    plists: Vec<u32>,
}

impl Places {
    /// `None` if the layout does not place exactly what the tree holds.
    fn new(tree: &ObjectTree, layout: &Layout) -> Option<Self> {
        let mut places = Places {
            objects: vec![u32::MAX; tree.objects.len()],
            models: vec![u32::MAX; tree.models.len()],
            vlists: vec![u32::MAX; tree.vlists.len()],
            plists: vec![u32::MAX; tree.plists.len()],
        };
        for piece in &layout.pieces {
            let (all, i) = match piece.part {
                Part::Object(i) => (&mut places.objects, i),
                Part::Model(i) => (&mut places.models, i),
                Part::Vlist(i) => (&mut places.vlists, i),
                Part::Plist(i) => (&mut places.plists, i),
                _ => return None,
            };
            *all.get_mut(i as usize)? = piece.offset;
        }
        let all = [&places.objects, &places.models, &places.vlists, &places.plists];
        let placed = all.into_iter().flatten().all(|offset| *offset != u32::MAX);
        placed.then_some(places)
    }
}

impl ObjectTree {
    /// The tree as a body: in its recorded layout while every structure still fits there, else objects,
    /// models, vlists and plists one after the other in the order of the arenas, each on a multiple of 4.
    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.write_inner(order)
            .map_err(|error| error.within(self.kind.chunk_id(), None))
    }

    fn write_inner(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        // The new flag could make a reader take nodes with gaps behind them for larger ones.
        let fits = |l: &&Layout| l.order() == order && l.quaternions == self.has_quaternions();
        if let Some(layout) = self.layout.as_deref().filter(fits)
            && let Some((body, pointers)) = self.emit(layout)?
        {
            return Ok((body, layout.pof0_for(&pointers)));
        }
        let parts = (0..self.objects.len())
            .map(|i| (Part::Object(i as u32), self.kind.node_bytes(), true))
            .chain((0..self.models.len()).map(|i| (Part::Model(i as u32), 24, true)))
            .chain(
                self.vlists
                    .iter()
                    .enumerate()
                    .map(|(i, l)| (Part::Vlist(i as u32), vlist::size(l), true)),
            )
            .chain(
                self.plists
                    .iter()
                    .enumerate()
                    .map(|(i, l)| (Part::Plist(i as u32), plist::size(l), true)),
            );
        let layout = Layout::canonical(order, parts)?;
        let (body, pointers) = self
            .emit(&layout)?
            .ok_or_else(|| Error::parameter("tree", "sizes that do not add up", "a stable tree"))?;
        Ok((body, Pof0::from_offsets(&pointers)))
    }

    fn emit(&self, layout: &Layout) -> Result<Emitted, Error> {
        match Places::new(self, layout) {
            Some(places) => layout.emit(|piece, out, pointers| self.put(piece, &places, out, pointers)),
            None => Ok(None),
        }
    }

    fn put(
        &self,
        piece: &Piece,
        places: &Places,
        out: &mut Out,
        pointers: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let place =
            |all: &[u32], id: Option<u32>| id.and_then(|id| all.get(id as usize)).copied().unwrap_or(0);
        let mut field = |at: u32, value: u32| {
            if value != 0 {
                pointers.push(piece.offset + at);
            }
            value
        };
        match piece.part {
            Part::Object(i) => {
                let Some(object) = self.objects.get(i as usize) else {
                    return Ok(());
                };
                out.u32(object.evalflags.0);
                out.u32(field(4, place(&places.models, object.model.map(|id| id.0))));
                out.vec3(object.pos);
                object.ang.iter().for_each(|a| out.u32(a.0 as u32));
                out.vec3(object.scl);
                out.u32(field(44, place(&places.objects, object.child.map(|id| id.0))));
                out.u32(field(48, place(&places.objects, object.sibling.map(|id| id.0))));
                if self.kind.node_bytes() == 56 {
                    out.u32(object.re_quat.unwrap_or(0.0).to_bits());
                }
            }
            Part::Model(i) => {
                let Some(model) = self.models.get(i as usize) else {
                    return Ok(());
                };
                out.u32(field(0, place(&places.vlists, model.vlist.map(|id| id.0))));
                out.u32(field(4, place(&places.plists, model.plist.map(|id| id.0))));
                out.vec3(model.center);
                out.u32(model.radius.to_bits());
            }
            Part::Vlist(i) => self
                .vlists
                .get(i as usize)
                .map_or(Ok(()), |l| vlist::write(l, piece.end, out))?,
            Part::Plist(i) => self
                .plists
                .get(i as usize)
                .map_or(Ok(()), |l| plist::write(l, piece.end, out))?,
            _ => {}
        }
        Ok(())
    }

    /// Whether reading would give the same tree back: ids exist, nothing lies idle, no node is met twice.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.kind == NodeFormat::Ninja1Wide && !self.has_quaternions() {
            return Err(Error::parameter(
                "nodes",
                "56-byte nodes in NJCM without a quaternion",
                "one",
            ));
        }
        let mut objects = Used::new("object", self.objects.len());
        let mut models = Used::new("model", self.models.len());
        let mut vlists = Used::new("vlist", self.vlists.len());
        let mut plists = Used::new("plist", self.plists.len());
        let mut stack = vec![0];
        while let Some(id) = stack.pop() {
            if objects.visit(id)? {
                return Err(Error::parameter(
                    "object",
                    format!("object {id} reached twice"),
                    "a tree",
                ));
            }
            let Some(object) = self.objects.get(id as usize) else {
                break;
            };
            let node = Some(NodePlace {
                index: id as usize,
                offset: object.offset,
            });
            let within = |error: Error| error.within(self.kind.chunk_id(), node);
            self.check_real_part(object).map_err(within)?;
            if let Some(model) = object.model {
                models.visit(model.0).map_err(within)?;
            }
            stack.extend(object.sibling.iter().chain(&object.child).map(|next| next.0));
            if stack.iter().rev().take(2).any(|next| *next == 0) {
                return Err(within(Error::parameter(
                    "child or sibling",
                    "the root",
                    "another object",
                )));
            }
        }
        for model in &self.models {
            model.vlist.map_or(Ok(false), |id| vlists.visit(id.0))?;
            model.plist.map_or(Ok(false), |id| plists.visit(id.0))?;
        }
        [objects, models, vlists, plists].iter().try_for_each(Used::all)
    }

    fn check_real_part(&self, object: &Object) -> Result<(), Error> {
        match (self.kind.node_bytes(), object.re_quat) {
            (52, Some(_)) => Err(Error::parameter("re_quat", "a value", "none in 52-byte nodes")),
            (56, None) => Err(Error::parameter("re_quat", "none", "a value in 56-byte nodes")),
            _ => Ok(()),
        }
    }
}

/// Which items of an arena are referred to.
struct Used {
    what: &'static str,
    seen: Vec<bool>,
}

impl Used {
    fn new(what: &'static str, len: usize) -> Self {
        Used {
            what,
            seen: vec![false; len],
        }
    }

    /// Marks an item; whether it was marked before.
    fn visit(&mut self, id: u32) -> Result<bool, Error> {
        let len = self.seen.len();
        match self.seen.get_mut(id as usize) {
            Some(seen) => Ok(std::mem::replace(seen, true)),
            None => Err(Error::parameter(
                self.what,
                format!("id {id}"),
                format!("one of {len}"),
            )),
        }
    }

    fn all(&self) -> Result<(), Error> {
        match self.seen.iter().position(|seen| !seen) {
            Some(i) => Err(Error::parameter(
                self.what,
                format!("{} {i} unreachable", self.what),
                "all in use",
            )),
            None => Ok(()),
        }
    }
}
