//! Writes binary glTF 2.0: a JSON chunk, and a chunk of the bytes that it describes.

mod builder;
mod material;
mod motion;
mod text;

use serde::Serialize;
use serde_json::json;

use super::scene::Scene;
use crate::error::Error;
use crate::math::{Vec3, quat_of_rotation};
use crate::play::Local;
use builder::Builder;
use material::{gltf_material, sampler};
use ninja::StripFlags;
use text::{List, Object};

/// Writes a scene.
pub(super) fn write(scene: &Scene) -> Result<Vec<u8>, Error> {
    let mut builder = Builder::default();
    let (images, of_texture) = images(scene, &mut builder);
    let (mut meshes, mut skins) = (List::default(), List::default());
    let mut mesh_of = vec![None; scene.nodes.len()];
    let (mut mesh_nodes, mut skinned) = (Vec::new(), Vec::new());
    for (number, mesh) in scene.meshes.iter().enumerate() {
        meshes.push(&builder.mesh(mesh));
        match mesh.node {
            Some(node) => {
                mesh_of[node] = Some(number);
                mesh_nodes.push(node);
            }
            None => {
                let skin = skins.push(&builder.skin(scene, mesh));
                mesh_nodes.push(scene.nodes.len() + skinned.len());
                skinned.push(json!({ "name": mesh.name, "mesh": number, "skin": skin }));
            }
        }
    }
    let mut nodes = nodes(scene, &mesh_of);
    let tops: Vec<usize> = (0..scene.nodes.len())
        .filter(|n| scene.nodes[*n].parent.is_none())
        .collect();
    let mut roots: Vec<usize> = skinned.iter().map(|node| nodes.push(node)).collect();
    if let [one] = tops.as_slice() {
        roots.insert(0, *one);
    } else {
        // The joints of a skin need a common root.
        roots.insert(0, nodes.push(&json!({ "name": "root", "children": tops })));
    }
    let mut animations = List::default();
    for animation in &scene.animations {
        if let Some(animation) = builder.animation(scene, animation, &mesh_nodes) {
            animations.push(&animation);
        }
    }
    let (mut textures, mut materials, mut samplers) = (List::default(), List::default(), List::default());
    for (number, material) in scene.materials.iter().enumerate() {
        let image = material
            .tiny
            .and_then(|t| *of_texture.get(usize::from(t.texture))?);
        let texture = image.map(|image| textures.push(&json!({ "source": image, "sampler": number })));
        materials.push(&gltf_material(material, texture));
    }
    if !textures.is_empty() {
        scene.materials.iter().for_each(|material| {
            samplers.push(&sampler(material));
        });
    }
    let mut root = Object::default();
    root.insert("asset", &json!({ "version": "2.0", "generator": "swirl" }));
    root.insert("scene", &0);
    root.insert("scenes", &json!([{ "nodes": roots }]));
    if scene
        .materials
        .iter()
        .any(|m| m.flags.contains(StripFlags::IGNORE_LIGHT))
    {
        root.insert("extensionsUsed", &["KHR_materials_unlit"]);
    }
    if !builder.bytes.is_empty() {
        root.insert("buffers", &json!([{ "byteLength": builder.bytes.len() }]));
    }
    let lists = [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("materials", materials),
        ("samplers", samplers),
        ("textures", textures),
        ("images", images),
        ("accessors", builder.accessors),
        ("bufferViews", builder.views),
    ];
    for (name, list) in lists {
        root.insert_list(name, list);
    }
    container(root.finish(), builder.bytes)
}

/// Assembles the file: header, JSON padded with spaces, bytes padded with zeros (glTF 2.0, section 4.4).
fn container(mut text: Vec<u8>, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    let too_long = |_| Error::scene("file", format!("{length} bytes"), "less than 4 GiB");
    let mut file = Vec::with_capacity(length);
    file.extend(b"glTF");
    file.extend(2u32.to_le_bytes());
    file.extend(u32::try_from(length).map_err(too_long)?.to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bytes)] {
        if !chunk.is_empty() {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
    }
    Ok(file)
}

/// A node as glTF writes it.
#[derive(Serialize)]
struct NodeText<'a> {
    name: &'a str,
    translation: Vec3,
    rotation: [f32; 4],
    scale: Vec3,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<usize>,
}

fn nodes(scene: &Scene, mesh_of: &[Option<usize>]) -> List {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
    for (i, parent) in scene
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, n)| Some((i, n.parent?)))
    {
        children[parent].push(i);
    }
    let mut nodes = List::default();
    for ((node, children), mesh) in scene.nodes.iter().zip(children).zip(mesh_of) {
        let Local {
            position,
            turn,
            scale,
        } = node.rest;
        nodes.push(&NodeText {
            name: &node.name,
            translation: position,
            rotation: rotation(&turn),
            scale,
            children,
            mesh: *mesh,
        });
    }
    nodes
}

/// Returns a quaternion in glTF's order, with the real part last.
fn rotation(turn: &[Vec3; 3]) -> [f32; 4] {
    let [w, x, y, z] = quat_of_rotation(turn);
    [x, y, z, w].map(|c| c as f32)
}

/// Returns the images, and each texture's image number.
fn images(scene: &Scene, builder: &mut Builder) -> (List, Vec<Option<usize>>) {
    let (mut images, mut of_texture) = (List::default(), Vec::new());
    for texture in &scene.textures {
        of_texture.push(texture.png.as_ref().map(|png| {
            let view = builder.view(png);
            images.push(&json!({ "name": texture.name, "mimeType": "image/png", "bufferView": view }))
        }));
    }
    (images, of_texture)
}
