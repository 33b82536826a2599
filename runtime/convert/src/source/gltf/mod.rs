//! Reads a glTF file into plain data. The crate `gltf` parses the JSON and the container; only this module
//! uses it. Node 0 is an added root, as in FBX files.

mod animation;
mod buffers;
mod document;
mod material;
mod mesh;
mod pose;
mod sound;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gltf::scene::Transform;

use super::mesh::Skin;
use super::{Exporter, Node, NodeKind, Origin, Scene, Stack};
use crate::error::{Error, Warnings, plural};
use crate::limits::{NODE_BYTES, SCENE_NODES};
use crate::math::{Affine, Trs, Vec3, length};
use crate::options::Options;
use crate::settings::{NodeSettings, Property, Settings, Value};
use animation::Channel;
use buffers::Buffers;
use mesh::Target;
pub(super) use pose::Pose;
use pose::View;

/// Finds a file by a path in the scene.
pub(super) type Files<'a> = &'a mut dyn FnMut(&str) -> Option<Vec<u8>>;

/// Data for evaluating the scene at a time.
#[derive(Debug)]
pub(super) struct Model {
    /// Parent by node. Parents can follow their children.
    parents: Vec<Option<usize>>,
    /// All nodes; parents precede children.
    order: Vec<usize>,
    rest: Vec<Trs>,
    /// Target weights at rest, by node.
    weights: Vec<Vec<f64>>,
    views: Vec<Option<View>>,
    meshes: Vec<Shape>,
    /// Channels by stack.
    channels: Vec<Vec<Channel>>,
    /// Units of the model per metre.
    scale: f64,
}

/// A mesh before deformation.
#[derive(Debug)]
struct Shape {
    positions: Vec<Vec3>,
    /// Normals by corner.
    normals: Vec<Vec3>,
    targets: Vec<Target>,
    skin: Option<Skin>,
    /// Vertex by corner.
    vertices: Vec<u32>,
}

/// Creates an error with its place in the file.
fn wrong(place: &str, found: impl std::fmt::Display, expected: impl std::fmt::Display) -> Error {
    Error::Load {
        kind: "glTF",
        cause: format!("{place}: found {found}, expected {expected}"),
    }
}

impl Model {
    /// Returns a model without motion: a root, and a node below it for each mesh.
    #[cfg(any(not(feature = "ufbx"), test))]
    pub(super) fn still(meshes: &[super::Mesh], scale: f64) -> Self {
        let nodes = meshes.len() + 1;
        Model {
            parents: (0..nodes).map(|node| (node > 0).then_some(0)).collect(),
            order: (0..nodes).collect(),
            rest: vec![Trs::IDENTITY; nodes],
            weights: vec![Vec::new(); nodes],
            views: vec![None; nodes],
            meshes: meshes
                .iter()
                .map(|mesh| Shape {
                    positions: mesh.positions.to_vec(),
                    normals: mesh.corners.normal.clone().unwrap_or_default(),
                    targets: Vec::new(),
                    skin: None,
                    vertices: mesh.corners.vertex.clone(),
                })
                .collect(),
            channels: Vec::new(),
            scale,
        }
    }

    /// Sets the transforms of nodes at rest.
    pub(super) fn place(model: &Rc<Self>, nodes: &mut [Node]) {
        let rest = Pose::new(model, None, 0.0);
        for (node, (local, world)) in nodes.iter_mut().zip(rest.locals().into_iter().zip(rest.worlds())) {
            node.rest = local;
            node.geometry_to_world = *world;
        }
    }
}

pub(super) fn load(
    bytes: &[u8],
    options: &Options,
    files: Files<'_>,
    warnings: &mut Warnings,
) -> Result<Scene, Error> {
    let (document, blob) = document::open(bytes, warnings)?;
    count_nodes(document.nodes().len(), options)?;
    let buffers = Buffers::load(&document, blob, options.memory_limit, files)?;
    let settings = Settings::new(&options.sidecar);
    let variants = material::Variants::new(&document);
    let mut materials = Vec::new();
    for source in document.materials() {
        materials.push(material::material(&source, &variants, &settings, warnings)?);
    }
    let textures = material::textures(&document, &variants, &buffers, files)?;
    let mut model = Model {
        parents: Vec::new(),
        order: Vec::new(),
        rest: vec![Trs::IDENTITY],
        weights: vec![Vec::new()],
        views: vec![None],
        meshes: Vec::new(),
        channels: Vec::new(),
        scale: 1.0 / options.unit_meters,
    };
    let mut nodes = nodes(&document, &settings, &mut model, options, warnings)?;
    let mut meshes = Vec::new();
    // A mesh with another skin or other target weights counts as another mesh.
    let mut numbers: HashMap<(usize, Option<usize>, Vec<u64>), usize> = HashMap::new();
    let mut own_materials: Vec<Vec<usize>> = Vec::new();
    for source in document.nodes() {
        let Some(mesh) = source.mesh() else { continue };
        let at = source.index() + 1;
        let key = (
            mesh.index(),
            source.skin().map(|s| s.index()),
            model.weights[at].iter().map(|weight| weight.to_bits()).collect(),
        );
        let number = match numbers.get(&key) {
            Some(number) => *number,
            None => {
                let joints = source.skin().map(|s| joints(&s, &buffers)).transpose()?;
                let name = mesh.name().map_or_else(|| nodes[at].name.clone(), str::to_owned);
                let weights = &model.weights[at];
                let made = mesh::mesh(&mesh, (meshes.len(), name), joints, weights, &buffers, warnings)?;
                let corners = &made.mesh.corners;
                model.meshes.push(Shape {
                    positions: made.positions,
                    normals: corners.normal.clone().unwrap_or_default(),
                    targets: made.targets,
                    skin: made.mesh.skin.clone(),
                    vertices: corners.vertex.clone(),
                });
                meshes.push(made.mesh);
                numbers.insert(key, meshes.len() - 1);
                own_materials.push(mesh.primitives().map(|p| material_of(&p, &materials)).collect());
                meshes.len() - 1
            }
        };
        nodes[at].mesh = Some(number);
        nodes[at].materials.clone_from(&own_materials[number]);
    }
    if own_materials.iter().flatten().any(|m| *m == materials.len()) {
        materials.push(material::default());
    }
    let mut stacks: Vec<Stack> = Vec::new();
    for source in document.animations() {
        let targets = |node: usize| model.weights.get(node).map_or(0, Vec::len);
        let (stack, channels) = animation::animation(&source, &buffers, targets)?;
        stacks.push(stack);
        model.channels.push(channels);
    }
    settings.missing(
        materials.iter().map(|m| m.name.as_str()),
        nodes.iter().map(|n| n.name.as_str()),
        warnings,
    );
    let model = Rc::new(model);
    Model::place(&model, &mut nodes);
    Ok(Scene {
        active: (!stacks.is_empty()).then_some(0),
        origin: Origin::Gltf(model),
        nodes,
        meshes,
        materials,
        textures,
        stacks,
        // A default: glTF stores seconds, not frames.
        rate: 30.0,
        exporter: exporter(&document),
        nurbs: 0,
    })
}

/// Limits the number of nodes before memory is allocated for their models. A node can be as short as 12 bytes
/// in a glTF file, so the size of the file does not limit this memory.
fn count_nodes(found: usize, options: &Options) -> Result<(), Error> {
    let most = SCENE_NODES.max(options.memory_limit / NODE_BYTES);
    match found > most {
        true => Err(wrong(
            "nodes",
            found,
            format!(
                "at most {most} within the memory limit of {} bytes",
                options.memory_limit
            ),
        )),
        false => Ok(()),
    }
}

/// Detects Blender's exporter, which writes its name as the generator.
fn exporter(document: &gltf::Document) -> Exporter {
    let generator = document.as_json().asset.generator.as_deref().unwrap_or_default();
    match generator.contains("Blender") {
        true => Exporter::Blender,
        false => Exporter::Other,
    }
}

/// Returns the material of a primitive; the default is one past the last.
fn material_of(primitive: &gltf::Primitive<'_>, materials: &[super::Material]) -> usize {
    primitive.material().index().unwrap_or(materials.len())
}

/// Reads the nodes and adds the root. Stores their transforms, views and weights in `model`.
fn nodes(
    document: &gltf::Document,
    settings: &Settings<'_>,
    model: &mut Model,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<Node>, Error> {
    let exporter = exporter(document);
    let mut nodes = vec![bare(0, String::new(), NodeSettings::default())];
    let mut shares = 0_usize;
    for source in document.nodes() {
        let number = source.index() + 1;
        let name = source
            .name()
            .map_or_else(|| format!("node{}", source.index()), str::to_owned);
        let own = settings.node(&name, &properties(source.extras()), warnings)?;
        let mut node = bare(number, name, own);
        node.children = source.children().map(|c| c.index() + 1).collect();
        let view = View::of(&source, exporter);
        node.kind = match view {
            Some(View::Camera { .. }) => NodeKind::Camera,
            Some(View::Light(_)) => NodeKind::Light,
            None => NodeKind::Plain,
        };
        model
            .rest
            .push(local(&source, &format!("node {:?}", node.name), warnings));
        let mesh = source.mesh();
        let targets = mesh.as_ref().map_or(0, |m| {
            m.primitives().map(|p| p.morph_targets().len()).max().unwrap_or(0)
        });
        shares = shares.saturating_add(targets);
        if shares.saturating_mul(2 * size_of::<f64>()) > options.memory_limit {
            let expected = format!("those within the memory limit of {} bytes", options.memory_limit);
            let place = format!("node {:?}", node.name);
            return Err(wrong(
                &place,
                format!("{shares} weights of morph targets"),
                expected,
            ));
        }
        let stated = source.weights().or(mesh.as_ref().and_then(gltf::Mesh::weights));
        let mut weights: Vec<f64> = stated.unwrap_or_default().iter().map(|w| f64::from(*w)).collect();
        weights.resize(targets, 0.0);
        model.weights.push(weights);
        model.views.push(view);
        nodes.push(node);
    }
    for joint in document.skins().flat_map(|s| s.joints().collect::<Vec<_>>()) {
        let node = &mut nodes[joint.index() + 1];
        if node.kind == NodeKind::Plain {
            node.kind = NodeKind::Bone;
        }
    }
    for parent in 0..nodes.len() {
        for child in nodes[parent].children.clone() {
            if let Some(other) = nodes[child].parent.replace(parent) {
                let found = format!("a second parent, node {}, after node {}", parent - 1, other - 1);
                return Err(wrong(&format!("node {}", child - 1), found, "one at most"));
            }
        }
    }
    let scene = document.default_scene().or(document.scenes().next());
    let mut tops: Vec<usize> = match scene {
        Some(scene) => scene.nodes().map(|n| n.index() + 1).collect(),
        None => (1..nodes.len()).filter(|n| nodes[*n].parent.is_none()).collect(),
    };
    add_skeletons(document, &nodes, options.depth_limit, &mut tops);
    nodes[0].children = roots(&mut nodes, &tops, options.depth_limit, warnings);
    model.parents = nodes.iter().map(|n| n.parent).collect();
    let mut pending = vec![(0, 0)];
    while let Some((node, depth)) = pending.pop() {
        if depth > options.depth_limit {
            let found = format!("more than {} levels of nodes", options.depth_limit);
            return Err(wrong(&format!("node {:?}", nodes[node].name), found, "fewer"));
        }
        model.order.push(node);
        pending.extend(nodes[node].children.iter().rev().map(|c| (*c, depth + 1)));
    }
    let outside = nodes.len() - model.order.len();
    if outside > 0 {
        let outside = plural(outside, "node", "nodes");
        warnings.add("", format!("{outside} outside the scene left out"));
    }
    Ok(nodes)
}

/// Adds the topmost nodes above the joints of the scene's skins. A file can leave them out of the scene.
fn add_skeletons(document: &gltf::Document, nodes: &[Node], depth_limit: u32, tops: &mut Vec<usize>) {
    let listed: HashSet<usize> = tops.iter().copied().collect();
    let top = |node: gltf::Node<'_>| {
        let mut top = node.index() + 1;
        // The limit ends the search in a cycle.
        for _ in 0..depth_limit {
            match nodes[top].parent {
                Some(parent) if !listed.contains(&top) => top = parent,
                _ => break,
            }
        }
        top
    };
    let skinned = document.nodes().filter(|node| node.skin().is_some());
    let skins: HashSet<usize> = skinned
        .filter(|node| listed.contains(&top(node.clone())))
        .filter_map(|node| Some(node.skin()?.index()))
        .collect();
    let mut known = listed.clone();
    for skin in document.skins().filter(|skin| skins.contains(&skin.index())) {
        let outside = skin.joints().map(top).filter(|top| known.insert(*top));
        tops.extend(outside);
    }
}

/// Attaches the scene's root nodes to the added root, and returns them. Some programs (UniGLTF) also list
/// nodes as roots that are children of others. Such a node stays a child if its parent is in the scene,
/// otherwise it leaves its parent.
fn roots(nodes: &mut [Node], tops: &[usize], depth_limit: u32, warnings: &mut Warnings) -> Vec<usize> {
    let (mut roots, mut seen, mut left) = (Vec::new(), HashSet::new(), HashSet::new());
    let listed: HashSet<usize> = tops.iter().copied().collect();
    for top in tops {
        if !seen.insert(*top) {
            warnings.add(
                format!("node {}", top - 1),
                "the scene lists this root node twice; the second entry is ignored",
            );
            continue;
        }
        let Some(parent) = nodes[*top].parent else {
            nodes[*top].parent = Some(0);
            roots.push(*top);
            continue;
        };
        let mut above = Some(parent);
        let mut steps = 0;
        while let Some(node) = above.filter(|node| *node != 0 && !listed.contains(node)) {
            steps += 1;
            above = nodes[node].parent.filter(|_| steps <= depth_limit);
        }
        let is_below = above.is_some_and(|node| node != *top);
        let message = match is_below {
            true => "a root of the scene, and a child of another node in it: it stays a child",
            false => "a root of the scene, and a child of a node outside it: it leaves that node",
        };
        warnings.add(format!("node {}", top - 1), message);
        if !is_below {
            nodes[*top].parent = Some(0);
            roots.push(*top);
            left.insert(*top);
        }
    }
    if !left.is_empty() {
        let leave = |node: &mut Node| node.children.retain(|child| !left.contains(child));
        nodes.iter_mut().for_each(leave);
    }
    roots
}

pub(super) fn bare(number: usize, name: String, settings: NodeSettings) -> Node {
    Node {
        number,
        name,
        parent: None,
        children: Vec::new(),
        kind: NodeKind::Plain,
        mesh: None,
        materials: Vec::new(),
        rest: Trs::IDENTITY,
        geometry_to_world: Affine::IDENTITY,
        visible: true,
        settings,
    }
}

fn local(source: &gltf::Node<'_>, place: &str, warnings: &mut Warnings) -> Trs {
    match source.transform() {
        Transform::Decomposed {
            translation,
            rotation,
            scale,
        } => Trs {
            translation: translation.map(f64::from),
            rotation: animation::rotation(&rotation.map(f64::from)),
            scale: scale.map(f64::from),
        },
        Transform::Matrix { matrix } => {
            let column = |k: usize| [0, 1, 2].map(|i| f64::from(matrix[k][i]));
            decomposed([column(0), column(1), column(2)], column(3), place, warnings)
        }
    }
}

/// Decomposes a matrix into translation, rotation and scale. Shear is lost.
fn decomposed(columns: [Vec3; 3], translation: Vec3, place: &str, warnings: &mut Warnings) -> Trs {
    let matrix = Affine {
        columns,
        origin: translation,
    };
    let Some((trs, shear)) = matrix.decomposed() else {
        warnings.add(place, "its matrix flattens space: its rotation is lost");
        return Trs {
            translation,
            rotation: [1.0, 0.0, 0.0, 0.0],
            scale: columns.map(length),
        };
    };
    if shear > 1e-4 {
        warnings.add(
            place,
            "its matrix shears, but nodes of the format cannot: the shear is lost",
        );
    }
    trs
}

/// Returns the joints: the node of each, and its inverse bind matrix.
fn joints(skin: &gltf::Skin<'_>, buffers: &Buffers) -> Result<mesh::Joints, Error> {
    let matrices = skin
        .inverse_bind_matrices()
        .map(|a| buffers.numbers(&a, &[gltf::accessor::Dimensions::Mat4]))
        .transpose()?;
    let count = skin.joints().len();
    let place = format!("skin {}", skin.index());
    // The joints are stored twice: here and in the mesh.
    buffers.charge(count.saturating_mul(2 * size_of::<(usize, Affine)>()), &place)?;
    if let Some(matrices) = matrices.as_ref().filter(|m| m.len() < count) {
        let found = format!("{} inverse bind matrices", matrices.len());
        return Err(wrong(&place, found, format!("{count}, one a joint")));
    }
    let way = |(i, joint): (usize, gltf::Node<'_>)| {
        let way = matrices.as_ref().map_or(Affine::IDENTITY, |m| {
            let m = m.of(i);
            let column = |k: usize| [m[4 * k], m[4 * k + 1], m[4 * k + 2]];
            Affine {
                columns: [column(0), column(1), column(2)],
                origin: column(3),
            }
        });
        (joint.index() + 1, way)
    };
    Ok(skin.joints().enumerate().map(way).collect())
}

/// Returns the properties of an element with the prefix `ninja_`.
fn properties(extras: &gltf::json::Extras) -> Vec<Property> {
    let Some(extras) = extras else {
        return Vec::new();
    };
    let Ok(serde_json::Value::Object(all)) = serde_json::from_str(extras.get()) else {
        return Vec::new();
    };
    let number = |v: &serde_json::Value| v.as_f64();
    let value = |v: &serde_json::Value| {
        Some(match v {
            serde_json::Value::Bool(flag) => Value::Flag(*flag),
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(all) => Value::Numbers(all.iter().map(number).collect::<Option<_>>()?),
            other => Value::Numbers(vec![number(other)?]),
        })
    };
    all.iter()
        .filter(|(key, _)| key.starts_with("ninja_"))
        .filter_map(|(key, v)| Some((key.clone(), value(v)?)))
        .collect()
}
