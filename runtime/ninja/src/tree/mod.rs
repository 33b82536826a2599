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
            /// As a vector index.
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

/// The kind of nodes in a tree, which decides the chunk's name.
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
    /// Bytes per node.
    pub fn node_bytes(self) -> usize {
        match self {
            NodeFormat::Ninja1 => 52,
            NodeFormat::Ninja2 | NodeFormat::Ninja1Wide => 56,
        }
    }

    /// The name of the chunk.
    pub fn chunk_id(self) -> ChunkId {
        match self {
            NodeFormat::Ninja2 => ChunkId::N2CM,
            NodeFormat::Ninja1 | NodeFormat::Ninja1Wide => ChunkId::NJCM,
        }
    }
}

/// A tree of objects with all that hangs on it. The root is `objects[0]`.
///
/// Everything read is in the order of its offset in the file. Comparison disregards offsets and layout.
#[derive(Debug, Clone, Default)]
pub struct ObjectTree {
    /// The kind of nodes.
    pub kind: NodeFormat,
    /// The nodes.
    pub objects: Vec<Object>,
    /// The models; several objects may share one.
    pub models: Vec<Model>,
    /// The vertex lists; several models may share one.
    pub vlists: Vec<Vlist>,
    /// The polygon lists, likewise.
    pub plists: Vec<Plist>,
    /// Where all of it lay.
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
    /// How the node is evaluated.
    pub evalflags: EvalFlags,
    /// Its model, if it draws anything.
    pub model: Option<ModelId>,
    /// Translation.
    pub pos: [f32; 3],
    /// Rotation about x, y and z; with [`EvalFlags::QUATERNION`] the bits of the imaginary parts as floats.
    pub ang: [Bams; 3],
    /// Scale.
    pub scl: [f32; 3],
    /// First child.
    pub child: Option<ObjectId>,
    /// Next node with the same parent.
    pub sibling: Option<ObjectId>,
    /// The quaternion's real part; present in 56-byte nodes, whatever their flags.
    pub re_quat: Option<f32>,
    /// Byte offset in the chunk's body when read, 0 when made in code. Not part of comparison.
    pub offset: u32,
}

impl Default for Object {
    /// At the origin, without rotation, at scale 1, alone.
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
    /// The rotation as a quaternion, real part first, if the flag says that it is one and the real part is
    /// there.
    pub fn quaternion(&self) -> Option<[f32; 4]> {
        if !self.evalflags.contains(EvalFlags::QUATERNION) {
            return None;
        }
        let [x, y, z] = self.ang.map(|a| f32::from_bits(a.0 as u32));
        self.re_quat.map(|re| [re, x, y, z])
    }

    /// Sets the rotation to a quaternion, real part first, and the flag. Needs 56-byte nodes.
    pub fn set_quaternion(&mut self, [re, x, y, z]: [f32; 4]) {
        self.evalflags = self.evalflags | EvalFlags::QUATERNION;
        self.ang = [x, y, z].map(|im| Bams(im.to_bits() as i32));
        self.re_quat = Some(re);
    }
}

/// A model: NJS_CNK_MODEL. Floats are compared by their bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Model {
    /// Vertices.
    pub vlist: Option<VlistId>,
    /// Polygons.
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

/// Building. Everything pushed must in the end be reachable from the root, nodes exactly once.
impl ObjectTree {
    /// An empty tree of 52-byte nodes. The first object pushed is the root.
    pub fn new() -> Self {
        ObjectTree::default()
    }

    /// Adds a node.
    pub fn push_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Adds a node as the last child of `parent`; `None` if there is no such parent, or its children run in
    /// a circle.
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

/// Going from one format to the other.
impl ObjectTree {
    /// Makes the tree one of Ninja1 (`NJCM`) or Ninja2 (`N2CM`). In Ninja2 nodes that had no room for a
    /// quaternion get the real part 1.0, which counts only with the flag.
    ///
    /// # Errors
    /// If Ninja1 cannot hold the tree: it has no quaternion nodes and no vertex kinds above 50
    /// (docs/formats/ninja.md 1.5). Other evalflags of Ninja2 are kept, as files of late Ninja1 have them.
    /// The tree is then as it was.
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

/// Looking things up.
impl ObjectTree {
    /// A node.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.index())
    }

    /// A model.
    pub fn model(&self, id: ModelId) -> Option<&Model> {
        self.models.get(id.index())
    }

    /// A vertex list.
    pub fn vlist(&self, id: VlistId) -> Option<&Vlist> {
        self.vlists.get(id.index())
    }

    /// A polygon list.
    pub fn plist(&self, id: PlistId) -> Option<&Plist> {
        self.plists.get(id.index())
    }

    /// The nodes in drawing order: a node, its children, its siblings. Ends early where nodes form a circle.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// Whether any node's rotation is a quaternion.
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

    /// The pointer list that followed the chunk.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }

    /// The runtime's factor (observed, docs/formats/ninja.md 1.6): 1/255 cut off, one unit in the last place
    /// below the nearest float.
    const ONE_OVER_255: f32 = f32::from_bits(0x3B80_8080);

    /// What NinjaFlags weights are to be multiplied with.
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
