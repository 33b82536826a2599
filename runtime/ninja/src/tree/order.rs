//! One order for all trees that draw the same.

use super::{ModelId, ObjectId, ObjectTree, PlistId, VlistId};

/// New numbers of an arena, given in the order of first use.
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

    /// The new number of `old`; `None` if there is no such entry.
    fn of(&mut self, old: u32) -> Option<u32> {
        let new = self.new.get_mut(old as usize)?;
        if new.is_none() {
            *new = Some(self.used.len() as u32);
            self.used.push(old);
        }
        *new
    }

    fn pick<T: Clone>(&self, arena: &[T]) -> Vec<T> {
        self.used
            .iter()
            .filter_map(|old| arena.get(*old as usize))
            .cloned()
            .collect()
    }
}

impl ObjectTree {
    /// Numbers nodes in drawing order and models and lists by their first use in it, drops what no node leads to,
    /// and forgets where everything lay: trees that differ in their arrangement alone become equal, and are written
    /// to the same bytes.
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

#[cfg(test)]
mod tests {
    use super::super::{Model, Object};
    use super::*;
    use crate::vlist::Vlist;

    #[test]
    fn numbers_follow_the_drawing_order() {
        let mut tree = ObjectTree::new();
        let idle = tree.push_vlist(Vlist::default());
        let list = tree.push_vlist(Vlist::default());
        assert_eq!(idle, VlistId(0));
        let root = tree.push_object(Object::default());
        let model = tree.push_model(Model {
            vlist: Some(list),
            ..Model::default()
        });
        // The sibling is pushed before the child, which is drawn first.
        let a = tree.push_child(root, Object::default()).unwrap();
        tree.push_child(root, Object::default());
        let below = Object {
            model: Some(model),
            ..Object::default()
        };
        tree.push_child(a, below);
        tree.renumber();
        assert_eq!(tree.objects[1].child, Some(ObjectId(2)));
        assert_eq!(tree.objects[1].sibling, Some(ObjectId(3)));
        assert_eq!(
            (tree.objects[2].model, tree.models[0].vlist),
            (Some(ModelId(0)), Some(VlistId(0)))
        );
        assert_eq!(tree.vlists.len(), 1);
    }
}
