//! Object trees: nodes, models and their lists (docs/formats/ninja.md 1.4).

mod flags;
mod read;
mod walk;
mod write;

pub use flags::{Bams, EvalFlags};
pub use walk::Walk;

use crate::chunk_id::ChunkId;
use crate::error::Error;
use crate::layout::Layout;
use crate::plist::Plist;
use crate::pof0::Pof0;
use crate::settings::WeightScale;
use crate::vlist::{VertexKind, Vlist};

macro_rules! ids {
    ($($id:ident, $what:literal;)*) => {$(
        #[doc = concat!("Index of ", $what, " in its [`ObjectTree`].")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(pub u32);

        impl $id {
            /// Returns the id as a vector index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    ObjectId, "an object";
    ModelId, "a model";
    VlistId, "a vertex list";
    PlistId, "a polygon list";
}

/// Node format of a tree; it determines the chunk's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NodeFormat {
    /// `NJCM`, nodes of 52 bytes.
    #[default]
    Ninja1,
    /// `N2CM`, nodes of 56 bytes.
    Ninja2,
    /// `NJCM` with nodes of 56 bytes; see [`NjcmQuaternion`](crate::NjcmQuaternion).
    Ninja1Wide,
}

impl NodeFormat {
    /// Size of a node in bytes.
    pub fn node_bytes(self) -> usize {
        match self {
            NodeFormat::Ninja1 => 52,
            NodeFormat::Ninja2 | NodeFormat::Ninja1Wide => 56,
        }
    }

    /// Name of the chunk.
    pub fn chunk_id(self) -> ChunkId {
        match self {
            NodeFormat::Ninja2 => ChunkId::N2CM,
            NodeFormat::Ninja1 | NodeFormat::Ninja1Wide => ChunkId::NJCM,
        }
    }
}

/// A tree of objects with all structures that they refer to. The root is `objects[0]`.
///
/// Structures read from a file are in the order of their offsets. Comparison ignores offsets and layout.
#[derive(Debug, Clone, Default)]
pub struct ObjectTree {
    /// Node format.
    pub kind: NodeFormat,
    /// Nodes of the tree.
    pub objects: Vec<Object>,
    /// Models; several objects may share one.
    pub models: Vec<Model>,
    /// Vertex lists; several models may share one.
    pub vlists: Vec<Vlist>,
    /// Polygon lists; several models may share one.
    pub plists: Vec<Plist>,
    /// Recorded positions of the structures.
    layout: Option<Box<Layout>>,
}

impl PartialEq for ObjectTree {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.objects == other.objects
            && self.models == other.models
            && self.vlists == other.vlists
            && self.plists == other.plists
    }
}

/// A node: NJS_CNK_OBJECT. Floats are compared by their bits, so a NaN equals itself.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// Flags for the evaluation of the node.
    pub evalflags: EvalFlags,
    /// Model of the node, if it draws one.
    pub model: Option<ModelId>,
    /// Translation.
    pub pos: [f32; 3],
    /// Rotation about x, y and z. With [`EvalFlags::QUATERNION`], the float bits of the quaternion's
    /// imaginary parts.
    pub ang: [Bams; 3],
    /// Scale.
    pub scl: [f32; 3],
    /// First child.
    pub child: Option<ObjectId>,
    /// Next node with the same parent.
    pub sibling: Option<ObjectId>,
    /// Real part of the quaternion; present in all 56-byte nodes.
    pub re_quat: Option<f32>,
    /// Byte offset in the chunk's body; 0 for an object made in code. Comparison ignores it.
    pub offset: u32,
}

impl Default for Object {
    /// A node at the origin, without rotation, at scale 1, without links.
    fn default() -> Self {
        Object {
            evalflags: EvalFlags::default(),
            model: None,
            pos: [0.0; 3],
            ang: [Bams(0); 3],
            scl: [1.0; 3],
            child: None,
            sibling: None,
            re_quat: None,
            offset: 0,
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        let links = |o: &Object| (o.evalflags, o.model, o.ang, o.child, o.sibling);
        let floats = |o: &Object| {
            (
                o.pos.map(f32::to_bits),
                o.scl.map(f32::to_bits),
                o.re_quat.map(f32::to_bits),
            )
        };
        links(self) == links(other) && floats(self) == floats(other)
    }
}

impl Object {
    /// Returns the rotation as a quaternion, real part first, if the flag is set and the real part is
    /// present.
    pub fn quaternion(&self) -> Option<[f32; 4]> {
        if !self.evalflags.contains(EvalFlags::QUATERNION) {
            return None;
        }
        let [x, y, z] = self.ang.map(|a| f32::from_bits(a.0 as u32));
        self.re_quat.map(|re| [re, x, y, z])
    }

    /// Sets the rotation to a quaternion, real part first, and sets the flag. This needs 56-byte nodes.
    pub fn set_quaternion(&mut self, [re, x, y, z]: [f32; 4]) {
        self.evalflags = self.evalflags | EvalFlags::QUATERNION;
        self.ang = [x, y, z].map(|im| Bams(im.to_bits() as i32));
        self.re_quat = Some(re);
    }
}

/// A model: NJS_CNK_MODEL. Floats are compared by their bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Model {
    /// Vertex list.
    pub vlist: Option<VlistId>,
    /// Polygon list.
    pub plist: Option<PlistId>,
    /// Centre of the bounding sphere.
    pub center: [f32; 3],
    /// Radius of the bounding sphere.
    pub radius: f32,
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        let parts = |m: &Model| (m.vlist, m.plist, m.center.map(f32::to_bits), m.radius.to_bits());
        parts(self) == parts(other)
    }
}

/// Construction. In the end every pushed item must be reachable from the root, and every node exactly once.
impl ObjectTree {
    /// Creates an empty tree of 52-byte nodes. The first pushed object is the root.
    pub fn new() -> Self {
        ObjectTree::default()
    }

    /// Adds a node.
    pub fn push_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Adds a node as the last child of `parent`. Returns `None` if there is no such parent, or if its
    /// children form a cycle.
    pub fn push_child(&mut self, parent: ObjectId, object: Object) -> Option<ObjectId> {
        let mut last = self.object(parent)?.child;
        for _ in 0..=self.objects.len() {
            match last.and_then(|id| self.object(id)).map(|o| o.sibling) {
                Some(next @ Some(_)) => last = next,
                Some(None) | None => {
                    let id = self.push_object(object);
                    match last {
                        Some(last) => self.objects.get_mut(last.index())?.sibling = Some(id),
                        None => self.objects.get_mut(parent.index())?.child = Some(id),
                    }
                    return Some(id);
                }
            }
        }
        None
    }

    /// Adds a model.
    pub fn push_model(&mut self, model: Model) -> ModelId {
        self.models.push(model);
        ModelId(self.models.len() as u32 - 1)
    }

    /// Adds a vertex list.
    pub fn push_vlist(&mut self, vlist: Vlist) -> VlistId {
        self.vlists.push(vlist);
        VlistId(self.vlists.len() as u32 - 1)
    }

    /// Adds a polygon list.
    pub fn push_plist(&mut self, plist: Plist) -> PlistId {
        self.plists.push(plist);
        PlistId(self.plists.len() as u32 - 1)
    }
}

/// Conversion between formats.
impl ObjectTree {
    /// Converts the tree to Ninja1 (`NJCM`) or Ninja2 (`N2CM`). For Ninja2, nodes without a real part get
    /// 1.0, which takes effect only with the flag.
    ///
    /// # Errors
    /// Fails if Ninja1 cannot represent the tree: it has no quaternion nodes and no vertex kinds above 50
    /// (docs/formats/ninja.md 1.5). The tree is then unchanged. Other evalflags of Ninja2 are kept, because
    /// files of late Ninja1 have them.
    pub fn set_format(&mut self, format: NodeFormat) -> Result<(), Error> {
        if format == NodeFormat::Ninja1 {
            if let Some(i) = self
                .objects
                .iter()
                .position(|o| o.evalflags.contains(EvalFlags::QUATERNION))
            {
                return Err(Error::parameter(
                    "Ninja1 tree",
                    format!("node {i} with a quaternion"),
                    "angles",
                ));
            }
            let mut chunks = self.vlists.iter().flat_map(|list| &list.chunks);
            if let Some(chunk) = chunks.find(|chunk| chunk.kind >= VertexKind::CvD8S8) {
                return Err(Error::parameter(
                    "Ninja1 tree",
                    chunk.kind.name(),
                    "vertex kinds up to 50",
                ));
            }
        }
        self.kind = format;
        for object in &mut self.objects {
            object.re_quat = match format.node_bytes() {
                52 => None,
                _ => object.re_quat.or(Some(1.0)),
            };
        }
        Ok(())
    }
}

/// Access.
impl ObjectTree {
    /// Returns a node.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.index())
    }

    /// Returns a model.
    pub fn model(&self, id: ModelId) -> Option<&Model> {
        self.models.get(id.index())
    }

    /// Returns a vertex list.
    pub fn vlist(&self, id: VlistId) -> Option<&Vlist> {
        self.vlists.get(id.index())
    }

    /// Returns a polygon list.
    pub fn plist(&self, id: PlistId) -> Option<&Plist> {
        self.plists.get(id.index())
    }

    /// Iterates over the nodes in drawing order: a node, its children, its siblings. It stops early if nodes
    /// form a cycle.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// True if any node's rotation is a quaternion.
    pub fn has_quaternions(&self) -> bool {
        self.objects
            .iter()
            .any(|object| object.evalflags.contains(EvalFlags::QUATERNION))
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

    /// Factor of the runtime (observed, docs/formats/ninja.md 1.6): 1/255 truncated, one unit in the last
    /// place below the nearest float.
    const ONE_OVER_255: f32 = f32::from_bits(0x3B80_8080);

    /// Factor for NinjaFlags weights.
    pub fn weight_factor(&self, scale: WeightScale) -> f32 {
        let over_255 = || {
            let mut chunks = self.vlists.iter().flat_map(|list| &list.chunks);
            chunks
                .any(|c| (0..usize::from(c.count)).any(|i| c.ninja_flags(i).is_some_and(|f| f.weight > 255)))
        };
        match scale {
            WeightScale::Over255 => Self::ONE_OVER_255,
            WeightScale::Over65535 => 1.0 / 65535.0,
            WeightScale::Auto if over_255() => 1.0 / 65535.0,
            WeightScale::Auto => Self::ONE_OVER_255,
        }
    }
}
