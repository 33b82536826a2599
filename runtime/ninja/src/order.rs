//! Canonical numbering, so that files with equal content become equal.

use crate::cshape::{CShapeList, CShapeMotion, CvlistId, ShapeTrackId, ShapeVlistId};
use crate::motion::{Motion, PointsId, TrackId};
use crate::tree::{ModelId, ObjectId, ObjectTree, PlistId, VlistId};
use crate::{Chunk, File, Keys};

/// New numbers of an arena, in the order of first use.
struct Numbers {
    new: Vec<Option<u32>>,
    used: Vec<u32>,
}

impl Numbers {
    fn new(len: usize) -> Self {
        Numbers {
            new: vec![None; len],
            used: Vec::with_capacity(len),
        }
    }

    /// Returns the new number of `old`; `None` if there is no such entry.
    fn of(&mut self, old: u32) -> Option<u32> {
        let new = self.new.get_mut(old as usize)?;
        if new.is_none() {
            *new = Some(self.used.len() as u32);
            self.used.push(old);
        }
        *new
    }

    fn pick<T: Clone>(&self, arena: &[T]) -> Vec<T> {
        let entries = self.used.iter().filter_map(|old| arena.get(*old as usize));
        entries.cloned().collect()
    }
}

impl File {
    /// Numbers all structures by their first use from the top of their chunk, drops unreferenced ones, and
    /// discards the recorded layout and trailing bytes. Files that differ only in arrangement become equal
    /// and give the same bytes. Raw chunks do not change.
    pub fn renumber(&mut self) {
        for chunk in &mut self.chunks {
            match chunk {
                Chunk::Model(tree) => tree.renumber(),
                Chunk::Motion(motion) => motion.renumber(),
                Chunk::ShapeList(list) => list.renumber(),
                Chunk::ShapeMotion(motion) => motion.renumber(),
                Chunk::Texlist(_) | Chunk::CellSprite(_) | Chunk::CellStream(_) | Chunk::Raw(_) => {}
            }
        }
        self.trailing = 0;
        self.forget_layout();
    }
}

impl ObjectTree {
    /// Numbers nodes in drawing order, and models and lists by their first use in it; see [`File::renumber`].
    pub fn renumber(&mut self) {
        let mut objects = Numbers::new(self.objects.len());
        let order: Vec<ObjectId> = self.walk().map(|(id, _, _)| id).collect();
        for id in &order {
            objects.of(id.0);
        }
        let (mut models, mut vlists, mut plists) = (
            Numbers::new(self.models.len()),
            Numbers::new(self.vlists.len()),
            Numbers::new(self.plists.len()),
        );
        self.objects = objects.pick(&self.objects);
        for object in &mut self.objects {
            object.model = object.model.and_then(|id| models.of(id.0)).map(ModelId);
            object.child = object.child.and_then(|id| objects.of(id.0)).map(ObjectId);
            object.sibling = object.sibling.and_then(|id| objects.of(id.0)).map(ObjectId);
        }
        self.models = models.pick(&self.models);
        for model in &mut self.models {
            model.vlist = model.vlist.and_then(|id| vlists.of(id.0)).map(VlistId);
            model.plist = model.plist.and_then(|id| plists.of(id.0)).map(PlistId);
        }
        self.vlists = vlists.pick(&self.vlists);
        self.plists = plists.pick(&self.plists);
        self.forget_layout();
    }
}

impl Motion {
    /// Numbers key tables by the first node that uses them; see [`File::renumber`].
    pub fn renumber(&mut self) {
        let mut tracks = Numbers::new(self.tracks.len());
        for table in self.nodes.iter_mut().flat_map(|node| &mut node.tables) {
            *table = table.and_then(|id| tracks.of(id.0)).map(TrackId);
        }
        self.tracks = tracks.pick(&self.tracks);
        let mut points = Numbers::new(self.points.len());
        for keys in &mut self.tracks {
            if let Keys::P(keys) = keys {
                for key in keys {
                    key.value = key.value.and_then(|id| points.of(id.0)).map(PointsId);
                }
            }
        }
        self.points = points.pick(&self.points);
        self.forget_layout();
    }
}

impl CShapeList {
    /// Numbers lists by the first shape that uses them; see [`File::renumber`].
    pub fn renumber(&mut self) {
        let mut cvlists = Numbers::new(self.cvlists.len());
        for shape in &mut self.shapes {
            shape.cvlist = shape.cvlist.and_then(|id| cvlists.of(id.0)).map(CvlistId);
        }
        self.cvlists = cvlists.pick(&self.cvlists);
        let mut vlists = Numbers::new(self.vlists.len());
        for vlist in self.cvlists.iter_mut().flatten() {
            *vlist = vlist.and_then(|id| vlists.of(id.0)).map(ShapeVlistId);
        }
        self.vlists = vlists.pick(&self.vlists);
        self.forget_layout();
    }
}

impl CShapeMotion {
    /// Numbers key tables by the first node that uses them; see [`File::renumber`].
    pub fn renumber(&mut self) {
        let mut tracks = Numbers::new(self.tracks.len());
        for data in self.nodes.iter_mut().flatten() {
            data.keys = data.keys.and_then(|id| tracks.of(id.0)).map(ShapeTrackId);
        }
        self.tracks = tracks.pick(&self.tracks);
        self.forget_layout();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Model, Object};
    use crate::vlist::Vlist;

    #[test]
    fn numbers_follow_the_drawing_order() {
        let mut tree = ObjectTree::new();
        tree.push_vlist(Vlist::default());
        let list = tree.push_vlist(Vlist::default());
        let root = tree.push_object(Object::default());
        let model = tree.push_model(Model {
            vlist: Some(list),
            ..Model::default()
        });
        // The sibling is pushed before the child, but the child is drawn first.
        let a = tree.push_child(root, Object::default()).unwrap();
        tree.push_child(root, Object::default());
        let below = Object {
            model: Some(model),
            ..Object::default()
        };
        tree.push_child(a, below);
        tree.renumber();
        let (first, second) = (tree.objects[1], tree.objects[2]);
        assert_eq!(
            (first.child, first.sibling),
            (Some(ObjectId(2)), Some(ObjectId(3)))
        );
        assert_eq!(
            (second.model, tree.models[0].vlist),
            (Some(ModelId(0)), Some(VlistId(0)))
        );
        assert_eq!(tree.vlists.len(), 1);
    }
}
