//! Reads scenes into plain data: FBX and OBJ files with ufbx, which only `fbx` uses, and glTF files. ufbx is
//! a C library: builds without the feature `ufbx` read OBJ files with `plain` and no FBX files.

mod animation;
mod colour;
#[cfg(feature = "ufbx")]
mod fbx;
mod frame;
mod gltf;
mod material;
mod mesh;
mod obj;
#[cfg(any(not(feature = "ufbx"), test))]
mod plain;
mod split;
pub(crate) mod srgb;
mod view;

pub(crate) use animation::Stack;
pub(crate) use frame::Frame;
pub(crate) use material::{Material, TexelAlpha, Texture};
pub(crate) use mesh::Mesh;
pub(crate) use view::{Camera, Light, LightKind};

#[cfg(feature = "ufbx")]
use self::fbx::{load_fbx, load_obj};
#[cfg(not(feature = "ufbx"))]
use plain::{load_fbx, load_obj};

use std::rc::Rc;

use crate::error::{Error, Warnings};
use crate::math::{Affine, Trs};
use crate::options::{Options, SceneFormat};
use crate::settings::NodeSettings;

/// Data of a scene's file, kept for evaluation at other times.
enum Origin {
    #[cfg(feature = "ufbx")]
    Ufbx(fbx::File),
    /// glTF, or OBJ without ufbx.
    Gltf(Rc<gltf::Model>),
}

/// A scene. Nodes, meshes, materials and textures are identified by their index.
pub(crate) struct Scene {
    origin: Origin,
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) materials: Vec<Material>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) stacks: Vec<Stack>,
    /// Stack that is active when the file opens.
    pub(crate) active: Option<usize>,
    /// Frames per second of the file.
    pub(crate) rate: f64,
    pub(crate) exporter: Exporter,
    /// Number of curves and surfaces that are not polygons.
    pub(crate) nurbs: usize,
}

/// Program that wrote the file, if its colours and lights need special treatment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exporter {
    Blender,
    Other,
}

/// Attribute of a node other than a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Plain,
    Bone,
    Camera,
    Light,
}

impl NodeKind {
    /// Returns whether it is a camera or a light.
    pub(crate) fn is_view(self) -> bool {
        matches!(self, NodeKind::Camera | NodeKind::Light)
    }
}

/// A node. Index 0 is the root of the scene, which files do not name.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Number in the file.
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) kind: NodeKind,
    pub(crate) mesh: Option<usize>,
    /// Materials by the mesh's material numbers.
    pub(crate) materials: Vec<usize>,
    pub(crate) rest: Trs,
    /// Map from the mesh's space to the scene's, at rest.
    pub(crate) geometry_to_world: Affine,
    pub(crate) visible: bool,
    pub(crate) settings: NodeSettings,
}

impl Scene {
    /// Reads a file of any format. `files` finds buffers and material libraries.
    pub(crate) fn load(
        bytes: &[u8],
        options: &Options,
        files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let format = options.format.unwrap_or_else(|| SceneFormat::of(bytes));
        let mut scene = match format {
            SceneFormat::Gltf => gltf::load(bytes, options, files, warnings)?,
            SceneFormat::Fbx => load_fbx(bytes, options, warnings)?,
            SceneFormat::Obj => {
                let materials = obj::materials(bytes, options.memory_limit, files, warnings)?;
                let bytes = obj::without_absent(bytes, warnings);
                let mut scene = load_obj(&bytes, &materials, options, warnings)?;
                // Any text is a readable OBJ file, so a file of another format has no faces.
                if scene.nodes.len() < 2 {
                    return Err(Error::scene("scene", "no faces", "at least one"));
                }
                scene.exporter = obj::exporter(&bytes, &materials);
                scene
            }
        };
        scene.check_nodes()?;
        split::large_meshes(&mut scene, warnings);
        colour::choose(&mut scene, options, warnings);
        Ok(scene)
    }

    fn check_nodes(&self) -> Result<(), Error> {
        match self
            .nodes
            .iter()
            .find(|n| !n.rest.finite() || n.rest.affine().columns.iter().any(|c| !crate::math::finite(*c)))
        {
            Some(node) => Err(Error::scene(
                format!("node {:?}", node.name),
                "a transform with infinite or NaN values",
                "finite numbers",
            )),
            None => Ok(()),
        }
    }
}
