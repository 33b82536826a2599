//! Interface to a player of the written files.

use ninja::{CShapeList, CShapeMotion, Chunk, File, Motion, ObjectTree};

use crate::error::Error;

/// Contents of written files, read back.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The model.
    pub tree: ObjectTree,
    /// Motion of the model's nodes.
    pub motion: Option<Motion>,
    /// Shape motion of the model's vertices.
    pub shape_motion: Option<CShapeMotion>,
    /// Shape list that the shape motion refers to.
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

/// Slots of the vertex buffer to read when a node is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Index of the node in drawing order.
    pub node: usize,
    /// Slots to read.
    pub slots: Vec<u16>,
}

/// A vertex in the vertex buffer, in the model's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// Position.
    pub position: [f64; 3],
    /// Normal of any length; zeros if the vertex has none.
    pub normal: [f64; 3],
}

/// A player that plays written files as a console would: [`crate::Plain`], or an adapter of the runtime in a
/// crate that imports the runtime and this crate.
pub trait Evaluator {
    /// Returns the triangles of the volume chunks that a node draws, as slots. `node` is the index of the
    /// node in drawing order.
    fn volume(&mut self, node: usize) -> Vec<[u16; 3]>;

    /// Opens files and replaces the previous ones.
    ///
    /// # Errors
    /// Returns a message if the files do not belong together, or if the player warns of their contents.
    fn open(&mut self, files: Written) -> Result<(), String>;

    /// Returns the contents of the slots of each of `wanted` at a frame; `None` for empty slots. Without
    /// motions, every frame shows the model at rest.
    ///
    /// # Errors
    /// Returns a message if there is no such frame or the files cannot be played.
    fn evaluate(&mut self, frame: u32, wanted: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String>;
}
