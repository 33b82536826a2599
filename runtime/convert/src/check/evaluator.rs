//! What plays written files.

use ninja::{CShapeList, CShapeMotion, Chunk, File, Motion, ObjectTree};

use crate::error::Error;

/// Written files, read again.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The model.
    pub tree: ObjectTree,
    /// What moves its nodes.
    pub motion: Option<Motion>,
    /// What moves its vertices.
    pub shape_motion: Option<CShapeMotion>,
    /// Between which shapes.
    pub shapes: Option<CShapeList>,
}

impl Written {
    pub(super) fn read(model: &[u8], motion: Option<&[u8]>, shapes: Option<&[u8]>) -> Result<Self, Error> {
        let mut written = Written::default();
        for bytes in [Some(model), motion, shapes].into_iter().flatten() {
            written.take(ninja::read(bytes)?);
        }
        Ok(written)
    }

    fn take(&mut self, file: File) {
        for chunk in file.chunks {
            match chunk {
                Chunk::Model(tree) => self.tree = tree,
                Chunk::Motion(motion) => self.motion = Some(motion),
                Chunk::ShapeMotion(motion) => self.shape_motion = Some(motion),
                Chunk::ShapeList(list) => self.shapes = Some(list),
                _ => {}
            }
        }
    }
}

/// Slots of the vertex buffer that are asked for when a node draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The node's place in drawing order.
    pub node: usize,
    /// The slots.
    pub slots: Vec<u16>,
}

/// A vertex in the buffer, in the model's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// Where it is.
    pub position: [f64; 3],
    /// Its normal, of any length; zeros where it has none.
    pub normal: [f64; 3],
}

/// Something that plays written files as a console would: [`crate::Plain`], or the runtime through an adapter
/// in a crate that imports both.
pub trait Evaluator {
    /// The triangles of the volume chunks that a node draws, by slots. `node` is the node's place in drawing
    /// order.
    fn volume(&mut self, node: usize) -> Vec<[u16; 3]>;

    /// Takes up files in place of those before.
    ///
    /// # Errors
    /// If they do not belong together or are unusual; in words.
    fn open(&mut self, files: Written) -> Result<(), String>;

    /// What the slots of each of `wanted` hold at a frame, `None` for those that nothing was put into.
    /// Without motions every frame is the model at rest.
    ///
    /// # Errors
    /// If there is no such frame, or the files cannot be played; in words.
    fn evaluate(&mut self, frame: u32, wanted: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String>;
}
