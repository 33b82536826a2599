//! Motions through shapes.

use super::Shapes;
use super::bind::ShapeCache;
use super::error::{ShapeError, ShapeWarning};
use crate::motion::{KeyInterval, LastKey, Track};
use crate::{Kernels, SceneError};
use ninja::{
    Argb, CShapeList, CShapeMotion, EvalFlags, ObjectId, ObjectTree, ShapeChunk, ShapeKind, VertexChunk,
};
use sh4_kernels::shape_colours::shape_colours;
use sh4_kernels::shape_floats::shape_floats;

/// The vertices of one shape, what is blended alike lying together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vertices {
    /// x, y, z and the normal of each vertex, as far as the kind has them.
    floats: Vec<f32>,
    /// Colours, one a vertex if the kind has them.
    colours: Vec<u32>,
}

impl Vertices {
    pub(super) fn of(chunk: &ShapeChunk) -> Self {
        let mut vertices = Self::default();
        for i in 0..chunk.count() {
            vertices.floats.extend(chunk.position(i).into_iter().flatten());
            vertices.floats.extend(chunk.normal(i).into_iter().flatten());
            vertices.colours.extend(chunk.diffuse(i).map(|colour| colour.0));
        }
        vertices
    }

    fn put(&self, kind: ShapeKind, chunk: &mut VertexChunk) {
        let threes = self.floats.as_chunks::<3>().0;
        let of_vertex = usize::from(kind.position().is_some()) + usize::from(kind.normal().is_some());
        let normal = usize::from(kind.position().is_some());
        for (i, parts) in threes.chunks_exact(of_vertex.max(1)).enumerate() {
            if kind.position().is_some() {
                chunk.set_position(i, parts[0]);
            }
            // A chunk without room for normals or colours keeps what it has: binding has warned.
            if let Some(parts) = parts.get(normal) {
                let _ = chunk.set_normal(i, *parts);
            }
        }
        for (i, colour) in self.colours.iter().enumerate() {
            let _ = chunk.set_diffuse(i, Argb(*colour));
        }
    }
}

/// A vertex chunk that shapes move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MovedChunk {
    /// What the shapes consist of.
    pub(super) kind: ShapeKind,
    /// The chunk in the tree.
    pub(super) own: VertexChunk,
    /// Which shape holds at which frame.
    pub(super) keys: Track<usize>,
}

/// A CompactShape motion bound to the tree and the shape list that it goes through.
///
/// Every shape data of a node moves one of the leading chunks of its vertex list: the first vertices of the
/// chunk, as many as the shape has. What a shape does not have (it may be normals or colours alone) stays as
/// in the tree. Normals are blended without being brought back to length one, as nothing says that the
/// original does.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeMotion {
    length: u32,
    last_key: LastKey,
    moved: Vec<(ObjectId, usize, MovedChunk)>,
    vertices: Vec<Vertices>,
    pub(super) warnings: Vec<ShapeWarning>,
}

impl ShapeMotion {
    /// Finds the vertex chunks of every node and the shapes of every key.
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
                    .ok_or(at(super::error::ShapeFault::NoChunk { chunks: chunks.len() }))?;
                if let Some(moved) = cache.moved(source, data, own).map_err(at)? {
                    motion.check_room(id.index(), i, &moved);
                    motion.moved.push((id, i, moved));
                }
            }
        }
        motion.vertices = cache.vertices;
        Ok(motion)
    }

    /// The same with another rule for what comes after the last key.
    #[must_use]
    pub fn with_last_key(self, last_key: LastKey) -> Self {
        Self { last_key, ..self }
    }

    /// Length in frames; the last is one less.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// What is unusual about the motion.
    pub fn warnings(&self) -> &[ShapeWarning] {
        &self.warnings
    }

    /// The chunks at `frame`; `None` before the first frame and from `length` on, where the original draws
    /// nothing.
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
