//! Shape motions: key frames that blend the vertices of a model from shape to shape.

use super::Shapes;
use super::bind::ShapeCache;
use super::error::{ShapeError, ShapeFault, ShapeWarning};
use super::moved_chunk::{MovedChunk, Vertices};
use crate::motion::{KeyInterval, LastKey};
use crate::{Kernels, SceneError};
use ninja::{Attribute, CShapeList, CShapeMotion, EvalFlags, Normal, ObjectId, ObjectTree, VertexChunk};
use sh4_kernels::shape_colours::shape_colours;
use sh4_kernels::shape_floats::shape_floats;

/// A CompactShape motion bound to its tree and shape list.
///
/// Shape data `i` of a node moves chunk `i` in the node's vertex list. A shape with `n` vertices moves the
/// first `n` vertices of the chunk. Attributes that a shape lacks (it may have only normals or only colours)
/// keep the tree's values. Blended normals are not normalised, because no source says that the original does
/// so.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeMotion {
    length: u32,
    last_key: LastKey,
    /// Node, index of the chunk in its vertex list, and keys of each moved chunk.
    moved: Vec<(ObjectId, usize, MovedChunk)>,
    /// Decoded shapes; the keys are indices.
    vertices: Vec<Vertices>,
    pub(super) warnings: Vec<ShapeWarning>,
}

impl ShapeMotion {
    /// Binds a motion: finds the vertex chunks of every node and the shapes of every key.
    ///
    /// # Errors
    /// See [`ShapeError`]: each names the node.
    pub fn bind(tree: &ObjectTree, list: &CShapeList, source: &CShapeMotion) -> Result<Self, ShapeError> {
        let mut warnings = Vec::new();
        let pairs = crate::motion::pair(tree, EvalFlags::SHAPE_SKIP, &source.nodes, &mut warnings)?;
        let mut motion = Self {
            length: source.nb_frame,
            last_key: LastKey::default(),
            moved: Vec::new(),
            vertices: Vec::new(),
            warnings: warnings.into_iter().map(ShapeWarning::Motion).collect(),
        };
        let mut cache = ShapeCache::new(list);
        for (id, entry) in pairs {
            let chunks = vertex_chunks(tree, id);
            for (i, data) in entry.iter().enumerate() {
                let at = |fault| ShapeError::At {
                    node: id.index(),
                    offset: tree.object(id).map_or(0, |object| object.offset),
                    data: i,
                    fault,
                };
                let own = chunks
                    .get(i)
                    .ok_or(at(ShapeFault::NoChunk { chunks: chunks.len() }))?;
                if let Some(moved) = cache.moved(source, data, own).map_err(at)? {
                    motion.check_room(id.index(), i, &moved);
                    motion.moved.push((id, i, moved));
                }
            }
        }
        motion.vertices = cache.vertices;
        Ok(motion)
    }

    /// Warns of attributes that the shapes have and the chunk does not support.
    fn check_room(&mut self, node: usize, chunk: usize, moved: &MovedChunk) {
        let kind = moved.own.kind;
        let lacks_normals = moved.kind.normal().is_some() && kind.normal() == Normal::None;
        let lacks_colours = moved.kind.diffuse().is_some() && !has_diffuse(kind.attribute());
        for (lacks, what) in [(lacks_normals, "normals"), (lacks_colours, "colours")] {
            if lacks {
                self.warnings.push(ShapeWarning::NoRoom { node, chunk, what });
            }
        }
    }

    /// Returns the motion with another rule for the time after the last key.
    #[must_use]
    pub fn with_last_key(self, last_key: LastKey) -> Self {
        Self { last_key, ..self }
    }

    /// Length in frames; the number of the last frame is `length - 1`.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Warnings about the motion.
    pub fn warnings(&self) -> &[ShapeWarning] {
        &self.warnings
    }

    /// Returns the chunks at `frame`; `None` before the first frame and from `length` on, where the original
    /// does not draw.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn shapes(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<Shapes>, SceneError> {
        if !(frame >= 0.0 && f64::from(frame) < f64::from(self.length)) {
            return Ok(None);
        }
        let mut shapes = Shapes::none();
        for (id, chunk, moved) in &self.moved {
            let mut own = moved.own.clone();
            match moved.keys.place(frame, self.length, self.last_key) {
                None => continue,
                Some(KeyInterval::At(key)) => self.vertices[moved.keys.values[key]].put(moved.kind, &mut own),
                Some(KeyInterval::Between { before, after, span }) => {
                    let [a, b] = [before, after].map(|key| &self.vertices[moved.keys.values[key]]);
                    let mixed = Vertices {
                        floats: shape_floats(kernels, frame, span, &a.floats, &b.floats)?,
                        colours: shape_colours(kernels, frame, span, &a.colours, &b.colours)?,
                    };
                    mixed.put(moved.kind, &mut own);
                }
            }
            shapes.set(*id, *chunk, own);
        }
        Ok(Some(shapes))
    }
}

fn vertex_chunks(tree: &ObjectTree, id: ObjectId) -> &[VertexChunk] {
    let model = tree.object(id).and_then(|object| tree.model(object.model?));
    let vlist = model.and_then(|model| tree.vlist(model.vlist?));
    vlist.map_or(&[], |vlist| &vlist.chunks)
}

/// True if a vertex has a colour that can be set.
fn has_diffuse(attribute: Attribute) -> bool {
    use Attribute::{D8, D8S8, Intensity, NinjaD8, S4, S5};
    matches!(
        attribute,
        D8(_) | D8S8(_) | NinjaD8(_) | S5(_) | S4(_) | Intensity(_)
    )
}
