//! Traversal of a tree: next node, its matrix, and its vertex list for the vertex buffer.

use crate::vertex_buffer::VertexBuffer;
use crate::{NodePose, Pose, SceneError, Shapes, matrix};
use ninja::{EvalFlags, Model, Object, ObjectId, ObjectTree, WeightScale};
use sh4_kernels::{KernelError, Kernels, Matrix};

/// A node with its state in the current frame.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) id: ObjectId,
    pub(crate) object: &'a Object,
    pub(crate) pose: &'a NodePose,
    parent: Matrix,
}

impl Step<'_> {
    /// Creates an error for a chunk of one of the node's lists.
    pub(crate) fn fault(&self, list: &'static str, chunk: usize, cause: SceneError) -> SceneError {
        SceneError::At {
            node: self.id.index(),
            offset: self.object.offset,
            list,
            chunk,
            cause: Box::new(cause),
        }
    }
}

/// Traversal of a tree, children before siblings.
pub(crate) struct Descent<'a> {
    tree: &'a ObjectTree,
    pose: &'a Pose,
    shapes: &'a Shapes,
    /// Remaining nodes with the matrices of their parents. An explicit stack replaces recursion, because the
    /// depth of a tree is limited only by its file.
    pending: Vec<(ObjectId, Matrix)>,
    /// Matrix stored by the last node with ROTATE_BASE.
    rotation_base: Option<Matrix>,
    weight_scale: f32,
}

impl<'a> Descent<'a> {
    /// Starts at the first node of `tree`, if it has one, below the matrix `base`.
    pub(crate) fn new(tree: &'a ObjectTree, pose: &'a Pose, shapes: &'a Shapes, base: Matrix) -> Self {
        let root = tree.objects.first().map(|_| (ObjectId(0), base));
        Self {
            tree,
            pose,
            shapes,
            pending: root.into_iter().collect(),
            rotation_base: None,
            weight_scale: tree.weight_factor(WeightScale::Auto),
        }
    }

    /// Returns the next node; its children follow only after [`Descent::enter`].
    pub(crate) fn next(&mut self) -> Result<Option<Step<'a>>, SceneError> {
        let Some((id, parent)) = self.pending.pop() else {
            return Ok(None);
        };
        let tree = self.tree;
        let object = tree.object(id).ok_or(SceneError::Dangling("a node"))?;
        let pose = self.pose.node(id).ok_or(SceneError::Poseless {
            nodes: tree.objects.len(),
            poses: self.pose.nodes.len(),
        })?;
        self.pending
            .extend(object.sibling.map(|sibling| (sibling, parent)));
        Ok(Some(Step {
            id,
            object,
            pose,
            parent,
        }))
    }

    /// Continues with the children of a node, below its `matrix`.
    pub(crate) fn enter(&mut self, step: &Step<'_>, matrix: Matrix) {
        let child = step.object.child.filter(|_| !step.pose.childless);
        self.pending.extend(child.map(|child| (child, matrix)));
    }

    /// True if the node needs a stored rotation (ROTATE_SET) and no earlier node has stored one
    /// (ROTATE_BASE).
    pub(crate) fn lacks_base(&self, object: &Object) -> bool {
        let flags = object.evalflags;
        flags.contains(EvalFlags::ROTATE_SET)
            && !flags.contains(EvalFlags::ROTATE_BASE)
            && self.rotation_base.is_none()
    }

    /// Returns the node's matrix.
    pub(crate) fn matrix(
        &mut self,
        kernels: &mut dyn Kernels,
        step: &Step<'_>,
    ) -> Result<Matrix, KernelError> {
        let flags = step.object.evalflags;
        if flags.contains(EvalFlags::ROTATE_BASE) {
            self.rotation_base = Some(step.parent);
        }
        let base = self
            .rotation_base
            .filter(|_| flags.contains(EvalFlags::ROTATE_SET));
        let Some(base) = base else {
            return matrix::node(kernels, &step.parent, step.pose);
        };
        let place = step.pose.position.unwrap_or_default();
        let moved = matrix::translate(kernels, &step.parent, place)?;
        let start = [base[0], base[1], base[2], moved[3]];
        let unmoved = NodePose {
            position: None,
            ..*step.pose
        };
        matrix::node(kernels, &start, &unmoved)
    }

    /// Stores the vertex list of the node's `model` in `buffer`.
    pub(crate) fn fill(
        &self,
        kernels: &mut dyn Kernels,
        buffer: &mut VertexBuffer,
        step: &Step<'_>,
        model: &Model,
        matrix: &Matrix,
    ) -> Result<(), SceneError> {
        let Some(vlist) = model.vlist else {
            return Ok(());
        };
        let vlist = self.tree.vlist(vlist).ok_or(SceneError::Dangling("a vlist"))?;
        for (i, own) in vlist.chunks.iter().enumerate() {
            let chunk = self.shapes.get(step.id, i).unwrap_or(own);
            buffer
                .fill(kernels, matrix, chunk, self.weight_scale)
                .map_err(|source| step.fault("vlist", i, source))?;
        }
        Ok(())
    }
}
