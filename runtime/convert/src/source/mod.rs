//! Reading an FBX file into plain data. No other module knows ufbx.

mod animation;
mod material;
mod mesh;
mod split;
mod view;

pub(crate) use animation::{Frame, Stack};
pub(crate) use material::{Material, Texture};
pub(crate) use mesh::Mesh;
pub(crate) use view::{Camera, Light, LightKind};

use crate::error::{Error, Warnings};
use crate::math::{Affine, Trs, Vec3};
use crate::options::Options;
use crate::settings::{NodeSettings, Property, Settings, Value};

/// A scene. Nodes, meshes, materials and textures are referred to by their index.
pub(crate) struct Scene {
    file: ufbx::SceneRoot,
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) materials: Vec<Material>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) stacks: Vec<Stack>,
    /// The stack that the file opens with.
    pub(crate) active: Option<usize>,
    /// Frames a second that the file was made for.
    pub(crate) rate: f64,
    memory_limit: usize,
}

/// What hangs on a node beside a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Plain,
    Bone,
    Camera,
    Light,
}

impl NodeKind {
    /// A camera or a light.
    pub(crate) fn is_view(self) -> bool {
        matches!(self, NodeKind::Camera | NodeKind::Light)
    }
}

/// A node. Index 0 is the root of the scene, which no file names.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// In the file.
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) kind: NodeKind,
    pub(crate) mesh: Option<usize>,
    /// By the mesh's material numbers.
    pub(crate) materials: Vec<usize>,
    pub(crate) rest: Trs,
    /// From the mesh's space to the scene's, at rest.
    pub(crate) geometry_to_world: Affine,
    pub(crate) visible: bool,
    pub(crate) settings: NodeSettings,
}

impl Scene {
    pub(crate) fn load(bytes: &[u8], options: &Options, warnings: &mut Warnings) -> Result<Self, Error> {
        let file =
            ufbx::load_memory(bytes, load_options(options)).map_err(|e| load_error(&e, &damage(bytes)))?;
        if file.metadata.file_format != ufbx::FileFormat::Fbx {
            return Err(Error::Load(format!(
                "found {:?}, expected FBX",
                file.metadata.file_format
            )));
        }
        for warning in &file.metadata.warnings {
            let count = warning.count;
            warnings.add("", format!("{} ({count} times)", &*warning.description));
        }
        let mut scene = Scene {
            nodes: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            textures: file.textures.into_iter().map(material::texture).collect(),
            stacks: animation::stacks(&file),
            active: animation::active(&file),
            rate: file.settings.frames_per_second,
            memory_limit: options.memory_limit,
            file,
        };
        let settings = Settings::new(&options.sidecar);
        for source in &scene.file.nodes {
            let mut node = node(source);
            node.settings = settings.node(&node.name, &properties(&source.element), warnings)?;
            scene.nodes.push(node);
        }
        for source in &scene.file.materials {
            let own = settings.material(&source.element.name, &properties(&source.element), warnings)?;
            scene.materials.push(material::material(source, own));
        }
        let materials = scene.materials.iter().map(|m| m.name.as_str());
        settings.missing(materials, scene.nodes.iter().map(|n| n.name.as_str()), warnings);
        scene.check_nodes()?;
        scene.meshes = scene
            .file
            .meshes
            .into_iter()
            .map(|m| mesh::mesh(m, warnings))
            .collect();
        split::large_meshes(&mut scene, warnings);
        Ok(scene)
    }

    /// From a node's space to the scene's, at rest.
    pub(crate) fn world(&self, node: usize) -> Affine {
        self.file
            .nodes
            .as_ref()
            .get(node)
            .map_or(Affine::IDENTITY, |n| affine(&n.node_to_world))
    }

    fn check_nodes(&self) -> Result<(), Error> {
        match self
            .nodes
            .iter()
            .find(|n| !n.rest.finite() || n.rest.affine().columns.iter().any(|c| !crate::math::finite(*c)))
        {
            Some(node) => Err(Error::scene(
                format!("node {:?}", node.name),
                "a transform with numbers that are infinite or none",
                "finite numbers",
            )),
            None => Ok(()),
        }
    }
}

/// Limits are always set: without them a mutant of 20 KB asked for 33 GB (docs/formats/fbx.md, section 4).
fn load_options(options: &Options) -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        temp_allocator: allocator(options.memory_limit),
        result_allocator: allocator(options.memory_limit),
        node_depth_limit: options.depth_limit,
        file_format: ufbx::FileFormat::Fbx,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: options.unit_meters,
        // Root nodes take the change of axes and units; where their scale goes then is decided with all
        // other scales (`nodes`).
        space_conversion: ufbx::SpaceConversion::AdjustTransforms,
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        generate_missing_normals: true,
        normalize_normals: true,
        clean_skin_weights: true,
        ..ufbx::LoadOpts::default()
    }
}

pub(crate) fn allocator(limit: usize) -> ufbx::AllocatorOpts {
    ufbx::AllocatorOpts {
        allocator: ufbx::Allocator::Libc,
        memory_limit: limit,
        ..ufbx::AllocatorOpts::default()
    }
}

/// `place`: where the damage is, where that is known; `ufbx` tells only of what kind it is, if that.
fn load_error(error: &ufbx::Error, place: &str) -> Error {
    let info = error.info();
    let details = [info, place].into_iter().filter(|detail| !detail.is_empty());
    let details: String = details.map(|detail| format!("; {detail}")).collect();
    Error::Load(format!("{}{details}", &*error.description))
}

/// Where a binary file's records are broken; nothing where they are whole, or the file is text.
fn damage(bytes: &[u8]) -> String {
    let error = fbx::read(bytes).err().filter(|error| error.what != "magic");
    error.map_or(String::new(), |error| error.to_string())
}

fn node(node: &ufbx::Node) -> Node {
    let kind = if node.bone.is_some() {
        NodeKind::Bone
    } else if node.camera.is_some() {
        NodeKind::Camera
    } else if node.light.is_some() {
        NodeKind::Light
    } else {
        NodeKind::Plain
    };
    Node {
        number: index(&node.element),
        name: node.element.name.to_string(),
        parent: node.parent.as_ref().map(|p| index(&p.element)),
        children: node.children.into_iter().map(|c| index(&c.element)).collect(),
        kind,
        mesh: node.mesh.as_ref().map(|m| index(&m.element)),
        materials: node.materials.into_iter().map(|m| index(&m.element)).collect(),
        rest: trs(&node.local_transform),
        geometry_to_world: affine(&node.geometry_to_world),
        visible: node.visible,
        settings: NodeSettings::default(),
    }
}

/// The properties of an element that some program or user added.
fn properties(element: &ufbx::Element) -> Vec<Property> {
    let props = element.props.props.iter();
    props
        .filter(|p| p.name.starts_with("ninja_"))
        .map(|p| (p.name.to_string(), value(p)))
        .collect()
}

fn value(prop: &ufbx::Prop) -> Value {
    let v = prop.value_vec4;
    match prop.type_ {
        ufbx::PropType::Boolean => Value::Flag(prop.value_int != 0),
        ufbx::PropType::Integer => Value::Numbers(vec![prop.value_int as f64]),
        ufbx::PropType::Number | ufbx::PropType::Distance => Value::Numbers(vec![v.x]),
        ufbx::PropType::String => Value::Text(prop.value_str.to_string()),
        ufbx::PropType::ColorWithAlpha => Value::Numbers(vec![v.x, v.y, v.z, v.w]),
        _ => Value::Numbers(vec![v.x, v.y, v.z]),
    }
}

fn index(element: &ufbx::Element) -> usize {
    element.typed_id as usize
}

fn vec3(v: ufbx::Vec3) -> Vec3 {
    [v.x, v.y, v.z]
}

fn trs(t: &ufbx::Transform) -> Trs {
    let q = t.rotation;
    Trs {
        translation: vec3(t.translation),
        rotation: [q.w, q.x, q.y, q.z],
        scale: vec3(t.scale),
    }
}

fn affine(m: &ufbx::Matrix) -> Affine {
    Affine {
        columns: [
            [m.m00, m.m10, m.m20],
            [m.m01, m.m11, m.m21],
            [m.m02, m.m12, m.m22],
        ],
        origin: [m.m03, m.m13, m.m23],
    }
}
