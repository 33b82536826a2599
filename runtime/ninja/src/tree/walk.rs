//! Drawing order of a tree.

use super::{Object, ObjectId, ObjectTree};

/// Iterator over the nodes of a tree in drawing order, each with its depth (the root has depth 0).
/// See [`ObjectTree::walk`].
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    tree: &'a ObjectTree,
    stack: Vec<(ObjectId, usize)>,
    /// Number of remaining nodes; it reaches 0 only if some node is visited twice.
    left: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(tree: &'a ObjectTree) -> Self {
        Walk {
            tree,
            stack: vec![(ObjectId(0), 0)],
            left: tree.objects.len(),
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = (ObjectId, usize, &'a Object);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (id, depth) = self.stack.pop()?;
        let object = self.tree.object(id)?;
        self.stack.extend(object.sibling.map(|next| (next, depth)));
        self.stack.extend(object.child.map(|child| (child, depth + 1)));
        Some((id, depth, object))
    }
}
