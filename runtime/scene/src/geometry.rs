//! Triangles drawn by a tree: collected in one traversal, and placed for any frame of a motion.

use crate::clip::triangle_corners;
use crate::descent::Descent;
use crate::draw::walk;
use crate::strips::StripRange;
use crate::{
    BoundTexture, Camera, Lights, Pose, SceneError, Settings, Shapes, TaLists, Textures, View, Viewport,
};
use ninja::{Bams, ObjectId, ObjectTree, StripFlags, VertexChunk, Vlist, Weight, WeightScale};
use pvr::TextureWord;
use sh4_kernels::{IDENTITY, Kernels, Matrix};

/// Maximum number of recorded contributions of nodes to vertices. Strips past this limit are omitted. Without
/// a limit, a file could exhaust memory by chunks that add to vertices, or by a vertex list that many nodes
/// share.
const PARTS_LIMIT: usize = 8_000_000;

/// Contribution of one node to a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    /// Index of the node in the order of the traversal.
    visit: usize,
    /// Index of the chunk in the node's vertex list, and of the vertex in the chunk.
    chunk: usize,
    vertex: usize,
    weight: f32,
}

/// A triangle of [`Geometry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeometryTriangle {
    /// Indices of its corners in the positions of [`Geometry::place`], counter-clockwise on its front.
    pub corners: [usize; 3],
    /// True if its back is drawn as well.
    pub double_sided: bool,
}

/// Vertices and triangles of a tree's strips, without camera, light and material. Modifier volumes are
/// omitted.
///
/// ```
/// use ninja::{Model, Object, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags, StripKind};
/// use ninja::{StripSource, Vertex, VertexChunk, VertexKind, Vlist};
/// use scene::{Geometry, Pose, Reference, Shapes};
///
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [9.0; 3]];
/// let vertices = corners.map(|position| Vertex { position, ..Vertex::default() });
/// let entries = (0..3).map(|index| StripEntry { index, ..StripEntry::default() }).collect();
/// let strip = StripSource { reversed: false, entries };
/// let strips = StripChunk::build(StripKind::Cs, StripFlags(0), &[strip])?;
/// let mut tree = ObjectTree::new();
/// let vlist = tree.push_vlist(Vlist { chunks: vec![VertexChunk::build(VertexKind::Cv, 0, 0, &vertices)?] });
/// let plist = tree.push_plist(Plist { chunks: vec![PolyChunk::Strip(strips)] });
/// let model = Model { vlist: Some(vlist), plist: Some(plist), ..Model::default() };
/// let model = Some(tree.push_model(model));
/// tree.push_object(Object { model, pos: [0.0, 0.0, 5.0], ..Object::default() });
///
/// let (pose, shapes) = (Pose::rest(&tree), Shapes::none());
/// let geometry = Geometry::gather(&tree, &pose, &shapes, &mut Reference)?;
/// // No strip uses the fourth vertex.
/// let placed = geometry.place(&tree, &pose, &shapes, &mut Reference)?;
/// assert_eq!(placed, [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]);
/// assert_eq!(geometry.triangles()[0].corners, [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    parts: Vec<Part>,
    /// End of each vertex's parts.
    ends: Vec<usize>,
    triangles: Vec<GeometryTriangle>,
}

impl Geometry {
    /// Traverses `tree` once like [`crate::draw`]. `pose` and `shapes` only determine which nodes are hidden.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn gather(
        tree: &ObjectTree,
        pose: &Pose,
        shapes: &Shapes,
        kernels: &mut dyn Kernels,
    ) -> Result<Self, SceneError> {
        let mut gather = Gather {
            weight_scale: tree.weight_factor(WeightScale::Auto),
            ..Gather::default()
        };
        let mut lists = TaLists::default();
        walk(
            tree,
            pose,
            shapes,
            &view_without_output(),
            kernels,
            &mut lists,
            Some(&mut gather),
        )?;
        Ok(gather.geometry)
    }

    /// Triangles in drawing order.
    pub fn triangles(&self) -> &[GeometryTriangle] {
        &self.triangles
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if the tree draws no triangle.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the weight of a node for every vertex; 0 for vertices that the node does not move. A vertex
    /// without weights has weight 1 for its node.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn weights(
        &self,
        tree: &ObjectTree,
        pose: &Pose,
        shapes: &Shapes,
        node: ObjectId,
    ) -> Result<Vec<f32>, SceneError> {
        let mut is_of_node = Vec::new();
        let mut descent = Descent::new(tree, pose, shapes, IDENTITY);
        while let Some(step) = descent.next()? {
            is_of_node.push(step.id == node);
            descent.enter(&step, IDENTITY);
        }
        let is_of_node = |part: &&Part| is_of_node.get(part.visit) == Some(&true);
        let mut start = 0;
        let weights = self.ends.iter().map(|end| {
            let parts = &self.parts[start..*end];
            start = *end;
            parts.iter().filter(is_of_node).map(|part| part.weight).sum()
        });
        Ok(weights.collect())
    }

    /// Returns x, y, z of every vertex in the space of the root, in the state of `pose` and `shapes` of the
    /// same tree. Use them only to choose a view: the host computes the sums, so rounding differs from the
    /// kernels.
    ///
    /// # Errors
    /// See [`SceneError`]; [`SceneError::Dangling`] if `pose` hides a node that was visible in
    /// [`Geometry::gather`].
    pub fn place(
        &self,
        tree: &ObjectTree,
        pose: &Pose,
        shapes: &Shapes,
        kernels: &mut dyn Kernels,
    ) -> Result<Vec<[f32; 3]>, SceneError> {
        let mut visits = Vec::new();
        let mut descent = Descent::new(tree, pose, shapes, IDENTITY);
        while let Some(step) = descent.next()? {
            let matrix = descent.matrix(kernels, &step)?;
            let vlist = step.object.model.filter(|_| !step.pose.hidden);
            let vlist = vlist.and_then(|model| tree.vlist(tree.model(model)?.vlist?));
            visits.push(vlist.map(|vlist| VisitedNode {
                id: step.id,
                matrix,
                vlist,
            }));
            descent.enter(&step, matrix);
        }
        let mut start = 0;
        let positions = self.ends.iter().map(|end| {
            let parts = &self.parts[start..*end];
            start = *end;
            let position = sum(parts, &visits, shapes);
            position.ok_or(SceneError::Dangling("a node that the pose hides"))
        });
        positions.collect()
    }
}

/// A node's vertex list with its matrix.
struct VisitedNode<'a> {
    id: ObjectId,
    matrix: Matrix,
    vlist: &'a Vlist,
}

fn sum(parts: &[Part], visits: &[Option<VisitedNode<'_>>], shapes: &Shapes) -> Option<[f32; 3]> {
    let mut position = [0.0; 3];
    for part in parts {
        let VisitedNode { id, matrix, vlist } = visits.get(part.visit)?.as_ref()?;
        let chunk = shapes.get(*id, part.chunk).or(vlist.chunks.get(part.chunk))?;
        let [x, y, z] = chunk.position(part.vertex);
        for (k, axis) in position.iter_mut().enumerate() {
            let moved = matrix[0][k] * x + matrix[1][k] * y + matrix[2][k] * z + matrix[3][k];
            *axis += part.weight * moved;
        }
    }
    Some(position)
}

/// Returns a view for traversals without output.
fn view_without_output() -> View {
    let checker = BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    };
    View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 0.0,
            roll: Bams(0),
        },
        viewport: Viewport::new(8, 8, 1.0, f32::NEG_INFINITY),
        lights: Lights {
            ambient: [0.0; 3],
            list: Vec::new(),
        },
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
        settings: Settings::default(),
    }
}

/// Contents of a slot of the vertex buffer.
#[derive(Clone, Debug, Default)]
struct Slot {
    parts: Vec<Part>,
    /// Index in the geometry, if a strip has used the slot.
    vertex: Option<usize>,
}

/// A geometry during the traversal.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    geometry: Geometry,
    slots: Vec<Slot>,
    weight_scale: f32,
    /// Number of parts recorded in slots and vertices.
    copied: usize,
}

impl Gather {
    /// Stores a node's vertex list in the buffer. The buffer has already rejected nonexistent slots.
    pub(crate) fn fill(&mut self, visit: usize, vlist: &Vlist) {
        for (number, chunk) in vlist.chunks.iter().enumerate() {
            for vertex in 0..usize::from(chunk.count) {
                let weighted = chunk.weight_status().map(|_| chunk.slot(vertex));
                let slot = weighted.unwrap_or(i32::from(chunk.index_offset) + vertex as i32);
                if let Ok(slot) = usize::try_from(slot) {
                    self.put(slot, visit, number, chunk, vertex);
                }
            }
        }
    }

    fn put(&mut self, slot: usize, visit: usize, number: usize, chunk: &VertexChunk, vertex: usize) {
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, Slot::default());
        }
        let slot = &mut self.slots[slot];
        let status = chunk.weight_status();
        if matches!(status, None | Some(Weight::Start)) {
            slot.parts.clear();
        }
        slot.vertex = None;
        self.copied += 1;
        if self.copied > PARTS_LIMIT {
            return;
        }
        let weight = status.and_then(|_| chunk.ninja_flags(vertex));
        slot.parts.push(Part {
            visit,
            chunk: number,
            vertex,
            weight: weight.map_or(1.0, |flags| f32::from(flags.weight) * self.weight_scale),
        });
    }

    /// Records a strip, or its remainder without hidden vertices.
    pub(crate) fn strip(&mut self, flags: StripFlags, range: &StripRange<'_>) {
        self.copied += range.slots.len();
        if self.copied > PARTS_LIMIT {
            return;
        }
        let vertices: Vec<usize> = range.slots.iter().map(|slot| self.vertex(*slot)).collect();
        let triangles = (0..vertices.len().saturating_sub(2)).map(|first| GeometryTriangle {
            corners: triangle_corners(first, range.reversed).map(|k| vertices[k]),
            double_sided: flags.contains(StripFlags::DOUBLE_SIDE),
        });
        self.geometry.triangles.extend(triangles);
    }

    /// Returns the index of the vertex currently in a slot.
    fn vertex(&mut self, slot: u16) -> usize {
        let Geometry { parts, ends, .. } = &mut self.geometry;
        let slot = &mut self.slots[usize::from(slot)];
        self.copied += slot.parts.len();
        *slot.vertex.get_or_insert_with(|| {
            parts.extend_from_slice(&slot.parts);
            ends.push(parts.len());
            ends.len() - 1
        })
    }
}
