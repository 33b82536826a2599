//! Writes binary glTF 2.0: a JSON chunk, and a chunk of the bytes that it describes.

mod builder;
mod material;
mod motion;

use serde_json::{Map, Value, json};

use super::scene::Scene;
use crate::error::Error;
use crate::math::{Vec3, quat_of_turn};
use crate::play::Local;
use builder::Builder;
use material::{gltf_material, sampler};
use ninja::StripFlags;

/// Writes a scene.
pub(super) fn write(scene: &Scene) -> Result<Vec<u8>, Error> {
    let mut builder = Builder::default();
    let (images, of_texture) = images(scene, &mut builder);
    let mut nodes = nodes(scene);
    let (mut meshes, mut skins) = (Vec::new(), Vec::new());
    let mut mesh_nodes = Vec::new();
    for (number, mesh) in scene.meshes.iter().enumerate() {
        meshes.push(builder.mesh(mesh));
        match mesh.node {
            Some(node) => {
                nodes[node]["mesh"] = json!(number);
                mesh_nodes.push(node);
            }
            None => {
                skins.push(builder.skin(scene, mesh));
                mesh_nodes.push(nodes.len());
                nodes.push(json!({ "name": mesh.name, "mesh": number, "skin": skins.len() - 1 }));
            }
        }
    }
    let tops: Vec<usize> = (0..scene.nodes.len())
        .filter(|n| scene.nodes[*n].parent.is_none())
        .collect();
    let mut roots: Vec<usize> = (scene.nodes.len()..nodes.len()).collect();
    if let [one] = tops.as_slice() {
        roots.insert(0, *one);
    } else {
        // The joints of a skin need a common root.
        roots.insert(0, nodes.len());
        nodes.push(json!({ "name": "root", "children": tops }));
    }
    let animations: Vec<Value> = scene
        .animations
        .iter()
        .filter_map(|a| builder.animation(scene, a, &mesh_nodes))
        .collect();
    let samplers: Vec<Value> = scene.materials.iter().map(sampler).collect();
    let (mut textures, mut materials) = (Vec::new(), Vec::new());
    for (number, material) in scene.materials.iter().enumerate() {
        let image = material
            .tiny
            .and_then(|t| *of_texture.get(usize::from(t.texture))?);
        let texture = image.map(|image| {
            textures.push(json!({ "source": image, "sampler": number }));
            textures.len() - 1
        });
        materials.push(gltf_material(material, texture));
    }
    let mut root = Map::new();
    root.insert("asset".into(), json!({ "version": "2.0", "generator": "swirl" }));
    root.insert("scene".into(), json!(0));
    root.insert("scenes".into(), json!([{ "nodes": roots }]));
    if scene
        .materials
        .iter()
        .any(|m| m.flags.contains(StripFlags::IGNORE_LIGHT))
    {
        root.insert("extensionsUsed".into(), json!(["KHR_materials_unlit"]));
    }
    if !builder.bytes.is_empty() {
        root.insert("buffers".into(), json!([{ "byteLength": builder.bytes.len() }]));
    }
    let lists = [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("materials", materials),
        (
            "samplers",
            if textures.is_empty() { Vec::new() } else { samplers },
        ),
        ("textures", textures),
        ("images", images),
        ("accessors", builder.accessors),
        ("bufferViews", builder.views),
    ];
    // glTF allows no empty lists.
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        root.insert(name.into(), Value::Array(list));
    }
    container(&Value::Object(root), builder.bytes)
}

/// Assembles the file: header, JSON padded with spaces, bytes padded with zeros (glTF 2.0, section 4.4).
fn container(json: &Value, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    let too_long = |_| Error::scene("file", format!("{length} bytes"), "less than 4 GiB");
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend(u32::try_from(length).map_err(too_long)?.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
        if !chunk.is_empty() {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
    }
    Ok(file)
}

fn nodes(scene: &Scene) -> Vec<Value> {
    let mut nodes: Vec<Value> = scene
        .nodes
        .iter()
        .map(|node| {
            let Local {
                position,
                turn,
                scale,
            } = node.rest;
            json!({ "name": node.name, "translation": position, "rotation": rotation(&turn), "scale": scale })
        })
        .collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (i, parent) in scene
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, n)| Some((i, n.parent?)))
    {
        children[parent].push(i);
    }
    for (node, children) in nodes.iter_mut().zip(children).filter(|(_, c)| !c.is_empty()) {
        node["children"] = json!(children);
    }
    nodes
}

/// Returns a quaternion in glTF's order, with the real part last.
fn rotation(turn: &[Vec3; 3]) -> [f32; 4] {
    let [w, x, y, z] = quat_of_turn(turn);
    [x, y, z, w].map(|c| c as f32)
}

/// Returns the images, and each texture's image number.
fn images(scene: &Scene, builder: &mut Builder) -> (Vec<Value>, Vec<Option<usize>>) {
    let (mut images, mut of_texture) = (Vec::new(), Vec::new());
    for texture in &scene.textures {
        of_texture.push(texture.png.as_ref().map(|png| {
            let view = builder.view(png);
            images.push(json!({ "name": texture.name, "mimeType": "image/png", "bufferView": view }));
            images.len() - 1
        }));
    }
    (images, of_texture)
}
