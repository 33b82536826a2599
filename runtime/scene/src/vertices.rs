//! Access to the vertex buffer for tools, without a camera and without drawing.

use crate::descent::Descent;
use crate::vertex_buffer::VertexBuffer;
use crate::{Kernels, Pose, SceneError, Shapes};
use ninja::{ObjectId, ObjectTree};
use sh4_kernels::IDENTITY;

/// The vertex buffer after a node's vertex list was stored, in the space of the tree's root.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a>(&'a VertexBuffer);

impl Slots<'_> {
    /// Returns x, y, z in a slot; `None` if the slot is empty.
    pub fn position(&self, slot: u16) -> Option<[f32; 3]> {
        let held = self.0.is_filled(slot).then(|| self.0.position(slot));
        held.map(|[x, y, z, _]| [x, y, z])
    }

    /// Returns the normal in a slot, of any length; `None` if the slot is empty or has no normal.
    pub fn normal(&self, slot: u16) -> Option<[f32; 3]> {
        let held = self.0.has_normal(slot).then(|| self.0.normal(slot));
        held.map(|[x, y, z, _]| [x, y, z])
    }
}

/// Fills the vertex buffer from the nodes of `tree` like [`crate::draw`]. Calls `see` with the buffer for
/// every node with a visible model. Without a camera, CLIP removes no children. Only [`crate::draw`] reports
/// warnings about the tree.
///
/// ```
/// use ninja::{Model, Object, ObjectTree, Vertex, VertexChunk, VertexKind, Vlist};
/// use scene::{Pose, Reference, Shapes};
///
/// let vertex = Vertex { position: [1.0, 2.0, 3.0], ..Vertex::default() };
/// let mut tree = ObjectTree::new();
/// let vlist = tree.push_vlist(Vlist { chunks: vec![VertexChunk::build(VertexKind::Cv, 0, 7, &[vertex])?] });
/// let model = tree.push_model(Model { vlist: Some(vlist), ..Model::default() });
/// tree.push_object(Object { model: Some(model), pos: [10.0, 0.0, 0.0], ..Object::default() });
///
/// scene::vertices(&tree, &Pose::rest(&tree), &Shapes::none(), &mut Reference, &mut |_, slots| {
///     assert_eq!(slots.position(7), Some([11.0, 2.0, 3.0]));
///     assert_eq!(slots.position(6), None);
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`SceneError`].
pub fn vertices(
    tree: &ObjectTree,
    pose: &Pose,
    shapes: &Shapes,
    kernels: &mut dyn Kernels,
    see: &mut dyn FnMut(ObjectId, Slots<'_>),
) -> Result<(), SceneError> {
    let mut descent = Descent::new(tree, pose, shapes, IDENTITY);
    let mut buffer = VertexBuffer::default();
    while let Some(step) = descent.next()? {
        let matrix = descent.matrix(kernels, &step)?;
        if let Some(model) = step.object.model.filter(|_| !step.pose.hidden) {
            let model = tree.model(model).ok_or(SceneError::Dangling("a model"))?;
            descent.fill(kernels, &mut buffer, &step, model, &matrix)?;
            see(step.id, Slots(&buffer));
        }
        descent.enter(&step, matrix);
    }
    Ok(())
}
