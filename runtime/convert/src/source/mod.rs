//! Reads scenes into plain data: FBX and OBJ files with ufbx, which no other module uses, and glTF files.

mod animation;
mod colour;
mod fbx_text;
mod frame;
mod gltf;
mod material;
mod mesh;
mod normals;
mod obj;
mod split;
pub(crate) mod srgb;
mod view;

pub(crate) use animation::Stack;
pub(crate) use frame::Frame;
pub(crate) use material::{Material, Texture};
pub(crate) use mesh::Mesh;
use normals::NormalMaps;
pub(crate) use view::{Camera, Light, LightKind};

use std::rc::Rc;

use crate::error::{Error, Warnings};
use crate::math::{Affine, Trs, Vec3};
use crate::options::{Options, SceneFormat};
use crate::settings::{NodeSettings, Property, Settings, Value};

/// Origin of a scene, for evaluation at other times.
enum Origin {
    /// FBX or OBJ.
    Ufbx(ufbx::SceneRoot),
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
    memory_limit: usize,
    normal_maps: Rc<NormalMaps>,
}

/// Program that wrote the file, if its colours and lights need special treatment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exporter {
    Blender,
    Other,
}

impl Exporter {
    fn of(file: &ufbx::Scene) -> Self {
        match file.metadata.exporter {
            ufbx::Exporter::BlenderBinary | ufbx::Exporter::BlenderAscii => Exporter::Blender,
            _ => Exporter::Other,
        }
    }
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
            SceneFormat::Fbx => Scene::load_ufbx(bytes, fbx_options(options), options, warnings)?,
            SceneFormat::Obj => {
                let materials = obj::materials(bytes, options.memory_limit, files, warnings)?;
                let opts = || obj::options(load_options(options), &materials);
                let refused = |error| obj::with_line(error, bytes, opts);
                let mut scene = match Scene::load_ufbx(bytes, opts(), options, warnings) {
                    Err(error) if !materials.is_empty() => {
                        let bare = obj::options(load_options(options), &[]);
                        let bare = Scene::load_ufbx(bytes, bare, options, warnings);
                        let scene = bare.map_err(|_| refused(error))?;
                        let text = "the material libraries (.mtl) are damaged: materials are left out";
                        warnings.add("", text);
                        scene
                    }
                    loaded => loaded.map_err(refused)?,
                };
                // Any text is a readable OBJ file.
                if scene.nodes.len() < 2 {
                    return Err(Error::scene("scene", "no faces", "at least one"));
                }
                scene.exporter = obj::exporter(bytes, &materials);
                scene
            }
        };
        scene.check_nodes()?;
        split::large_meshes(&mut scene, warnings);
        colour::choose(&mut scene, options, warnings);
        Ok(scene)
    }

    fn load_ufbx(
        bytes: &[u8],
        load_options: ufbx::LoadOpts<'_>,
        options: &Options,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let is_fbx = load_options.file_format == ufbx::FileFormat::Fbx;
        let place = || if is_fbx { damage(bytes) } else { String::new() };
        let file = ufbx::load_memory(bytes, load_options).map_err(|e| load_error(&e, &place()))?;
        for warning in &file.metadata.warnings {
            let times = match warning.count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            warnings.add("", format!("{}{times}", &*warning.description));
        }
        let settings = Settings::new(&options.sidecar);
        let (mut nodes, mut materials) = (Vec::new(), Vec::new());
        for source in &file.nodes {
            let mut node = node(source);
            node.settings = settings.node(&node.name, &properties(&source.element), warnings)?;
            nodes.push(node);
        }
        for source in &file.materials {
            let own = settings.material(&source.element.name, &properties(&source.element), warnings)?;
            materials.push(material::material(source, own));
        }
        let names = materials.iter().map(|m| m.name.as_str());
        settings.missing(names, nodes.iter().map(|n| n.name.as_str()), warnings);
        Ok(Scene {
            nodes,
            meshes: file.meshes.into_iter().map(|m| mesh::mesh(m, warnings)).collect(),
            materials,
            textures: file.textures.into_iter().map(material::texture).collect(),
            stacks: animation::stacks(&file),
            active: animation::active(&file),
            rate: file.settings.frames_per_second,
            memory_limit: options.memory_limit,
            exporter: Exporter::of(&file),
            nurbs: file.nurbs_curves.len() + file.nurbs_surfaces.len(),
            normal_maps: Rc::default(),
            origin: Origin::Ufbx(file),
        })
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

/// Always sets limits: without them, a mutated file of 20 KB requested 33 GB (docs/formats/fbx.md, section
/// 4).
fn load_options<'a>(options: &Options) -> ufbx::LoadOpts<'a> {
    ufbx::LoadOpts {
        temp_allocator: allocator(options.memory_limit),
        result_allocator: allocator(options.memory_limit),
        node_depth_limit: options.depth_limit,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: options.unit_meters,
        // Root nodes absorb the change of axes and units. The module `nodes` then decides where their scale
        // goes, as for all other scales.
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

fn fbx_options(options: &Options) -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        file_format: ufbx::FileFormat::Fbx,
        ..load_options(options)
    }
}

pub(crate) fn allocator(limit: usize) -> ufbx::AllocatorOpts {
    ufbx::AllocatorOpts {
        allocator: ufbx::Allocator::Libc,
        memory_limit: limit,
        ..ufbx::AllocatorOpts::default()
    }
}

/// Converts an error of ufbx. `place` is the location of the damage, or empty if it is unknown: ufbx reports
/// at most the kind of damage.
fn load_error(error: &ufbx::Error, place: &str) -> Error {
    if matches!(
        error.type_,
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::OutOfMemory
    ) {
        return Error::Scene {
            what: "the scene".to_owned(),
            found: "more data than the memory limit allows".to_owned(),
            expected: "a smaller scene".to_owned(),
        };
    }
    let info = error.info();
    let details = [info, place].into_iter().filter(|detail| !detail.is_empty());
    let details: String = details.map(|detail| format!("; {detail}")).collect();
    Error::Load {
        kind: "FBX or OBJ",
        cause: format!("{}{details}", &*error.description),
    }
}

/// Returns the location of damage in binary records or in text; empty if none is found.
fn damage(bytes: &[u8]) -> String {
    match fbx::read(bytes) {
        Ok(_) => String::new(),
        Err(error) if error.what != "magic" => error.to_string(),
        Err(_) if bytes.contains(&0) => String::new(),
        Err(_) => fbx_text::damage(bytes).unwrap_or_default(),
    }
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

/// Returns the properties that a program or user added to an element.
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
