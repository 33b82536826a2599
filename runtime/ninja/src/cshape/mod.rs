//! CompactShape: shape lists (`NJSL`) and the motions that refer to them (`CPSM`)
//! (docs/formats/compact-shape.md, docs/formats/ninja.md 1.10).

mod kind;
mod list_io;
mod motion_io;

pub use kind::ShapeKind;

use crate::color::Argb;
use crate::layout::Layout;
use crate::motion::{InpFn, Interpolation, Key, StrayCounts};
use crate::pof0::Pof0;

/// Index of a vertex list in [`CShapeList::vlists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeVlistId(pub u32);

/// Index of a list of vertex lists in [`CShapeList::cvlists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CvlistId(pub u32);

/// Index of a key table in [`CShapeMotion::tracks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeTrackId(pub u32);

/// A list of shapes: NJS_CSHAPELIST. Comparison ignores the layout.
#[derive(Debug, Clone, Default)]
pub struct CShapeList {
    /// Shapes, one NJS_CSHAPE_KEYGROUP each. The shape ids in motions are indices into this list.
    pub shapes: Vec<CShapeKeyGroup>,
    /// Arrays of NJS_CSHAPECV; several shapes may share one. An entry id in a motion is an index into one
    /// array. The file stores no array lengths, so the reader counts pointer list entries up to the next
    /// structure.
    pub cvlists: Vec<Vec<Option<ShapeVlistId>>>,
    /// The vertex lists.
    pub vlists: Vec<ShapeVlist>,
    layout: Option<Box<Layout>>,
}

impl PartialEq for CShapeList {
    fn eq(&self, other: &Self) -> bool {
        self.shapes == other.shapes && self.cvlists == other.cvlists && self.vlists == other.vlists
    }
}

/// One shape of a group of vertex lists: NJS_CSHAPE_KEYGROUP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CShapeKeyGroup {
    /// The vertex lists of the shape.
    pub cvlist: Option<CvlistId>,
    /// The group: shapes of one group are blended with each other.
    pub group_id: u16,
    /// Always 0.
    pub reserved: u16,
}

/// A vertex list of a shape. `chunks` does not include its end word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShapeVlist {
    /// The chunks; one in all samples of the specification.
    pub chunks: Vec<ShapeChunk>,
}

/// A vertex chunk of a shape, like [`VertexChunk`](crate::VertexChunk) without index offset and count.
///
/// In the file: `size << 16 | headbits << 8 | id`, then `size` words of data. The vertex count is `size`
/// divided by the kind's stride.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeChunk {
    /// Contents of each vertex.
    pub kind: ShapeKind,
    /// [`FV_SHAPE`](crate::FV_SHAPE) in all samples of the specification.
    pub headbits: u8,
    /// Data as numbers in host byte order.
    pub words: Vec<u32>,
}

/// Decoding on demand. `i` counts vertices; like slice indexing, these panic when `i >= count()`.
impl ShapeChunk {
    /// Number of vertices.
    pub fn count(&self) -> usize {
        self.words.len() / self.kind.stride()
    }

    /// The words of vertex `i`.
    pub fn vertex(&self, i: usize) -> &[u32] {
        &self.words[i * self.kind.stride()..][..self.kind.stride()]
    }

    fn floats(&self, i: usize, word: usize) -> [f32; 3] {
        let words = &self.vertex(i)[word..];
        [words[0], words[1], words[2]].map(f32::from_bits)
    }

    /// x, y, z, for kinds that have them.
    pub fn position(&self, i: usize) -> Option<[f32; 3]> {
        self.kind.position().map(|word| self.floats(i, word))
    }

    /// The normal, for kinds that have one.
    pub fn normal(&self, i: usize) -> Option<[f32; 3]> {
        self.kind.normal().map(|word| self.floats(i, word))
    }

    /// The diffuse colour, for kinds that have one.
    pub fn diffuse(&self, i: usize) -> Option<Argb> {
        self.kind.diffuse().map(|word| Argb(self.vertex(i)[word]))
    }
}

/// A motion through shapes: NJS_MOTION of type SHAPEID, `CPSM`. Comparison ignores the layout.
#[derive(Debug, Clone)]
pub struct CShapeMotion {
    /// Length in frames.
    pub nb_frame: u32,
    /// Interpolation and number of tables: linear, one table.
    pub inp_fn: InpFn,
    /// One NJS_MDATA1 for every node of the tree in drawing order, except nodes with
    /// [`EvalFlags::SHAPE_SKIP`](crate::EvalFlags::SHAPE_SKIP). An inner list is empty for a node without
    /// shapes. Otherwise its entries belong to the first chunks of the node's vertex list, in order.
    pub nodes: Vec<Vec<CShapeData>>,
    /// NJS_MKEY_SHAPEID tables: index of the shape in the list for each key frame.
    pub tracks: Vec<Vec<Key<u32>>>,
    layout: Option<Box<Layout>>,
    /// Counts stored next to null pointers; meaningless, but kept for the writer.
    stray_counts: StrayCounts,
}

/// NJS_CSHAPEDATA: keys for one vertex chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CShapeData {
    /// Key table.
    pub keys: Option<ShapeTrackId>,
    /// Index of the vertex list within each shape.
    pub entry_id: u16,
}

impl Default for CShapeMotion {
    fn default() -> Self {
        CShapeMotion {
            nb_frame: 0,
            inp_fn: InpFn::new(Interpolation::Linear, 1),
            nodes: Vec::new(),
            tracks: Vec::new(),
            layout: None,
            stray_counts: StrayCounts::new(),
        }
    }
}

impl PartialEq for CShapeMotion {
    fn eq(&self, other: &Self) -> bool {
        (self.nb_frame, self.inp_fn) == (other.nb_frame, other.inp_fn)
            && self.nodes == other.nodes
            && self.tracks == other.tracks
    }
}

impl CShapeList {
    /// Creates an empty list.
    pub fn new() -> Self {
        CShapeList::default()
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}

impl CShapeMotion {
    /// Creates a motion without nodes.
    pub fn new(nb_frame: u32) -> Self {
        CShapeMotion {
            nb_frame,
            ..CShapeMotion::default()
        }
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
        self.stray_counts.clear();
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}
