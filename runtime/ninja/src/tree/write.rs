//! Writer for object trees.

use super::{NodeFormat, Object, ObjectTree};
use crate::bytes::ByteOrder;
use crate::error::{Error, NodePlace};
use crate::layout::{Layout, Part, Piece, PieceOut, Places, StructureEntry, Structures, Written};
use crate::{plist, vlist};

/// Order: objects, models, vlists and plists, each in arena order on a multiple of 4.
impl Structures for ObjectTree {
    fn layout(&self) -> Option<&Layout> {
        // With a new flag, a reader could take nodes followed by gaps for larger nodes.
        self.layout
            .as_deref()
            .filter(|layout| layout.quaternions == self.has_quaternions())
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let all = |part: Part, n: usize, size: usize| (0..n as u32).map(move |i| (part, i, size, 4));
        let vlists = self.vlists.iter().map(vlist::size);
        let plists = self.plists.iter().map(plist::size);
        all(Part::Object, self.objects.len(), self.kind.node_bytes())
            .chain(all(Part::Model, self.models.len(), 24))
            .chain((0..).zip(vlists).map(|(i, size)| (Part::Vlist, i, size, 4)))
            .chain((0..).zip(plists).map(|(i, size)| (Part::Plist, i, size, 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        let i = piece.index as usize;
        match piece.part {
            Part::Object => {
                if let Some(object) = self.objects.get(i) {
                    self.put_object(object, places, out);
                }
            }
            Part::Model => {
                if let Some(model) = self.models.get(i) {
                    out.pointer(places.maybe(Part::Vlist, model.vlist.map(|id| id.0)));
                    out.pointer(places.maybe(Part::Plist, model.plist.map(|id| id.0)));
                    out.out.vec3(model.center);
                    out.u32(model.radius.to_bits());
                }
            }
            Part::Vlist => {
                let list = self.vlists.get(i);
                list.map_or(Ok(()), |list| vlist::write(list, piece.end, out.out))?;
            }
            Part::Plist => {
                let list = self.plists.get(i);
                list.map_or(Ok(()), |list| plist::write(list, piece.end, out.out))?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl ObjectTree {
    /// Writes the tree as a chunk body.
    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()
            .and_then(|()| self.write_body(order))
            .map_err(|error| error.within(self.kind.chunk_id(), None))
    }

    fn put_object(&self, object: &Object, places: &Places, out: &mut PieceOut<'_>) {
        out.u32(object.evalflags.0);
        out.pointer(places.maybe(Part::Model, object.model.map(|id| id.0)));
        out.out.vec3(object.pos);
        object.ang.iter().for_each(|a| out.u32(a.0 as u32));
        out.out.vec3(object.scl);
        out.pointer(places.maybe(Part::Object, object.child.map(|id| id.0)));
        out.pointer(places.maybe(Part::Object, object.sibling.map(|id| id.0)));
        if self.kind.node_bytes() == 56 {
            out.u32(object.re_quat.unwrap_or(0.0).to_bits());
        }
    }

    /// Checks that the reader would return the same tree: all ids exist, all items are used, no node is
    /// reached twice.
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

/// Set of used items in an arena.
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

    /// Marks an item; returns whether it was marked before.
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
