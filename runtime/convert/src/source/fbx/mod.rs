//! FBX and OBJ files, read with ufbx.

mod animation;
mod material;
mod mesh;
mod normals;
mod obj;
mod text;
mod view;

pub(super) use animation::FbxFrame;

use normals::NormalMaps;
use std::rc::Rc;

use super::{Exporter, Node, NodeKind, Origin, Scene};
use crate::error::{Error, Warnings};
use crate::limits::{FACE_STEPS, FREE_BYTES, SCENE_BYTES, SIZE_FACTOR};
use crate::math::{Affine, Trs, Vec3};
use crate::options::Options;
use crate::settings::{NodeSettings, Property, Settings, Value};

/// An open file, for evaluation at other times.
pub(super) struct File {
    root: ufbx::SceneRoot,
    normal_maps: Rc<NormalMaps>,
    memory_limit: usize,
}

impl File {
    /// Evaluates the scene at `time` of a stack, or at rest.
    pub(super) fn frame(&self, stack: Option<usize>, time: f64) -> Result<FbxFrame, Error> {
        FbxFrame::new(&self.root, &self.normal_maps, self.memory_limit, stack, time)
    }

    /// Returns the map from a node's space to the scene's, at rest.
    pub(super) fn world(&self, node: usize) -> Option<Affine> {
        let node = self.root.nodes.as_ref().get(node)?;
        Some(affine(&node.node_to_world))
    }
}

pub(super) fn load_fbx(bytes: &[u8], options: &Options, warnings: &mut Warnings) -> Result<Scene, Error> {
    load(bytes, fbx_options(options, bytes.len()), options, warnings)
}

/// Reads an OBJ file with the bytes of its material libraries.
pub(super) fn load_obj(
    bytes: &[u8],
    materials: &[u8],
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Scene, Error> {
    let bytes = &obj::with_placeholders(bytes);
    let size = bytes.len() + materials.len();
    let opts = || obj::options(load_options(options, size), materials);
    let refused = |error| obj::with_line(error, bytes, opts);
    match load(bytes, opts(), options, warnings) {
        Err(error) if !materials.is_empty() => {
            let bare = obj::options(load_options(options, size), &[]);
            let scene = load(bytes, bare, options, warnings).map_err(|_| refused(error))?;
            let text = "the material libraries (.mtl) are damaged: materials are left out";
            warnings.add("", text);
            Ok(scene)
        }
        loaded => loaded.map_err(refused),
    }
}

fn load(
    bytes: &[u8],
    load_options: ufbx::LoadOpts<'_>,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Scene, Error> {
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
    let mut steps = FACE_STEPS;
    let meshes = file.meshes.into_iter();
    let meshes = meshes.map(|m| mesh::mesh(m, !is_fbx, &mut steps, warnings));
    let meshes = meshes.collect::<Result<Vec<_>, _>>()?;
    settings.missing(names, nodes.iter().map(|n| n.name.as_str()), warnings);
    Ok(Scene {
        nodes,
        meshes,
        materials,
        textures: file.textures.into_iter().map(material::texture).collect(),
        stacks: animation::stacks(&file),
        active: animation::active(&file),
        rate: file.settings.frames_per_second,
        exporter: exporter(&file),
        nurbs: file.nurbs_curves.len() + file.nurbs_surfaces.len(),
        origin: Origin::Ufbx(File {
            root: file,
            normal_maps: Rc::default(),
            memory_limit: options.memory_limit,
        }),
    })
}

/// Always sets limits: without them, a mutated file of 20 KB requested 33 GB (docs/formats/fbx.md, section
/// 4).
fn load_options<'a>(options: &Options, size: usize) -> ufbx::LoadOpts<'a> {
    let limit = limit(options, size);
    ufbx::LoadOpts {
        temp_allocator: allocator(limit),
        result_allocator: allocator(limit),
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

fn fbx_options(options: &Options, size: usize) -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        file_format: ufbx::FileFormat::Fbx,
        ..load_options(options, size)
    }
}

/// Returns the bytes that temporary data, and the scene, may take. Without a larger limit from the caller,
/// both together take at most eight times the file and 64 MiB. Real scenes take less than a quarter of that.
fn limit(options: &Options, size: usize) -> usize {
    match options.memory_limit > SCENE_BYTES {
        true => options.memory_limit,
        false => options.memory_limit.min(FREE_BYTES + SIZE_FACTOR * size),
    }
}

fn allocator(limit: usize) -> ufbx::AllocatorOpts {
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
    match ::fbx::read(bytes) {
        Ok(_) => String::new(),
        Err(error) if error.what != "magic" => error.to_string(),
        Err(_) if bytes.contains(&0) => String::new(),
        Err(_) => text::damage(bytes).unwrap_or_default(),
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

/// Returns the properties of an element with the prefix `ninja_`.
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

/// Returns the program that wrote a file.
fn exporter(file: &ufbx::Scene) -> Exporter {
    match file.metadata.exporter {
        ufbx::Exporter::BlenderBinary | ufbx::Exporter::BlenderAscii => Exporter::Blender,
        _ => Exporter::Other,
    }
}
