//! Binary glTF 2.0: a JSON chunk and a chunk of bytes that it describes.

use serde_json::{Map, Value, json};

use super::scene::{Animation, Material, Mesh, Scene};
use crate::error::Error;
use crate::math::{Affine, Vec3, quat_of_turn};
use crate::play::Local;
use ninja::{Filter, StripFlags};

/// Names of numbers in glTF 2.0, section 3.6.2.2 and 5.26.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const UNSIGNED_SHORT: u32 = 5123;
const REPEAT: u32 = 10497;
const MIRRORED: u32 = 33648;
const CLAMP: u32 = 33071;
const NEAREST: u32 = 9728;
const LINEAR: u32 = 9729;

/// The JSON lists and the bytes that they describe.
#[derive(Default)]
struct Builder {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

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
    // Empty lists are not allowed.
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        root.insert(name.into(), Value::Array(list));
    }
    container(&Value::Object(root), builder.bytes)
}

/// Header, JSON chunk padded with spaces, chunk of bytes padded with zeros (glTF 2.0, section 4.4).
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

/// glTF has the real part last.
fn rotation(turn: &[Vec3; 3]) -> [f32; 4] {
    let [w, x, y, z] = quat_of_turn(turn);
    [x, y, z, w].map(|c| c as f32)
}

/// The images, and by texture number the image's.
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

fn sampler(material: &Material) -> Value {
    let Some(tiny) = material.tiny else {
        return json!({});
    };
    let wrap = |flip: bool, clamp: bool| match (flip, clamp) {
        (_, true) => CLAMP,
        (true, false) => MIRRORED,
        (false, false) => REPEAT,
    };
    let filter = if tiny.filter == Filter::Point {
        NEAREST
    } else {
        LINEAR
    };
    json!({
        "magFilter": filter,
        "minFilter": filter,
        "wrapS": wrap(tiny.flip_u, tiny.clamp_u),
        "wrapT": wrap(tiny.flip_v, tiny.clamp_v),
    })
}

fn gltf_material(material: &Material, texture: Option<usize>) -> Value {
    let d = material.diffuse;
    let color = [d.r(), d.g(), d.b(), d.a()].map(|c| f32::from(c) / 255.0);
    let mut pbr = json!({
        "baseColorFactor": color,
        "metallicFactor": 0,
        // The exponent 0 to 16 has no exact counterpart.
        "roughnessFactor": 1.0 - f32::from(material.specular.map_or(0, |s| s.exponent).min(16)) / 20.0,
    });
    if let Some(texture) = texture {
        pbr["baseColorTexture"] = json!({ "index": texture });
    }
    let alpha = material.flags.contains(StripFlags::USE_ALPHA);
    let mut made = json!({
        "name": material.name,
        "pbrMetallicRoughness": pbr,
        "alphaMode": if alpha { "BLEND" } else { "OPAQUE" },
        "doubleSided": material.flags.contains(StripFlags::DOUBLE_SIDE),
        "extras": material.properties().into_iter().collect::<Map<String, Value>>(),
    });
    if material.flags.contains(StripFlags::IGNORE_LIGHT) {
        made["extensions"] = json!({ "KHR_materials_unlit": {} });
    }
    made
}

impl Builder {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], count: usize, component: u32, kind: &str) -> usize {
        let view = self.view(bytes);
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
        self.accessor(&bytes, values.len(), FLOAT, kind)
    }

    /// With the least and the largest, which positions and times must have.
    fn bounded<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        let accessor = self.floats(values, kind);
        let bound = |of: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
            (0..N)
                .map(|k| values.iter().map(|v| v[k]).fold(from, of))
                .collect()
        };
        self.accessors[accessor]["min"] = json!(bound(f32::min, f32::INFINITY));
        self.accessors[accessor]["max"] = json!(bound(f32::max, f32::NEG_INFINITY));
        accessor
    }

    /// All materials of a mesh share its vertices.
    fn mesh(&mut self, mesh: &Mesh) -> Value {
        let single = |v: Vec3| v.map(|c| c as f32);
        let corners = || mesh.corners.iter();
        let positions: Vec<[f32; 3]> = corners()
            .map(|c| single(mesh.points[c.point as usize].position))
            .collect();
        let mut attributes = Map::new();
        attributes.insert("POSITION".into(), json!(self.bounded(&positions, "VEC3")));
        if mesh.has_normals() {
            let normals: Vec<_> = corners().map(|c| single(mesh.normal(c))).collect();
            attributes.insert("NORMAL".into(), json!(self.floats(&normals, "VEC3")));
        }
        let uv: Vec<[f32; 2]> = corners().map(|c| c.uv.map(|c| c as f32)).collect();
        attributes.insert("TEXCOORD_0".into(), json!(self.floats(&uv, "VEC2")));
        if mesh.has_colors() {
            let colors: Vec<_> = corners().map(|c| mesh.color(c).map(|c| c as f32)).collect();
            attributes.insert("COLOR_0".into(), json!(self.floats(&colors, "VEC4")));
        }
        if mesh.node.is_none() {
            self.influences(mesh, &mut attributes);
        }
        let targets: Vec<Value> = mesh
            .targets
            .iter()
            .map(|t| self.target(mesh, &t.deltas))
            .collect();
        let primitives: Vec<Value> = mesh
            .groups
            .iter()
            .map(|(material, triangles)| {
                let bytes: Vec<u8> = triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
                let indices = self.accessor(&bytes, triangles.len() * 3, UNSIGNED_INT, "SCALAR");
                let mut primitive =
                    json!({ "attributes": attributes, "indices": indices, "material": material });
                if !targets.is_empty() {
                    primitive["targets"] = json!(targets);
                }
                primitive
            })
            .collect();
        let mut made = json!({ "name": mesh.name, "primitives": primitives });
        if !targets.is_empty() {
            made["weights"] = json!(vec![0.0; targets.len()]);
            let names: Vec<&str> = mesh.targets.iter().map(|t| t.name.as_str()).collect();
            made["extras"] = json!({ "targetNames": names });
        }
        made
    }

    /// Four to a set, the largest first.
    fn influences(&mut self, mesh: &Mesh, attributes: &mut Map<String, Value>) {
        let joints = mesh.joints();
        let most = mesh.points.iter().map(|p| p.influences.len()).max().unwrap_or(0);
        for set in 0..most.div_ceil(4) {
            let (mut numbers, mut weights) = (Vec::new(), Vec::new());
            for corner in &mesh.corners {
                let mut influences = mesh.points[corner.point as usize].influences.clone();
                influences.sort_by(|a, b| b.1.total_cmp(&a.1));
                let mut weight = [0.0f32; 4];
                for (k, weight) in weight.iter_mut().enumerate() {
                    let influence = influences.get(set * 4 + k);
                    let joint = influence
                        .and_then(|i| joints.binary_search(&i.0).ok())
                        .unwrap_or(0);
                    numbers.extend((joint as u16).to_le_bytes());
                    *weight = influence.map_or(0.0, |i| i.1 as f32);
                }
                weights.push(weight);
            }
            let count = mesh.corners.len();
            let numbers = self.accessor(&numbers, count, UNSIGNED_SHORT, "VEC4");
            attributes.insert(format!("JOINTS_{set}"), json!(numbers));
            attributes.insert(format!("WEIGHTS_{set}"), json!(self.floats(&weights, "VEC4")));
        }
    }

    fn target(&mut self, mesh: &Mesh, deltas: &[(u32, Vec3)]) -> Value {
        let mut by_point = vec![[0.0f32; 3]; mesh.points.len()];
        for (point, delta) in deltas {
            let sum = &mut by_point[*point as usize];
            *sum = [0, 1, 2].map(|k| sum[k] + delta[k] as f32);
        }
        let all: Vec<[f32; 3]> = mesh.corners.iter().map(|c| by_point[c.point as usize]).collect();
        json!({ "POSITION": self.bounded(&all, "VEC3") })
    }

    fn skin(&mut self, scene: &Scene, mesh: &Mesh) -> Value {
        let joints = mesh.joints();
        let inverse = |node: &usize| {
            let inverse = scene.nodes[*node].world.inverse().unwrap_or(Affine::IDENTITY);
            let [x, y, z] = inverse.columns;
            let o = inverse.origin;
            let columns = [
                [x[0], x[1], x[2], 0.0],
                [y[0], y[1], y[2], 0.0],
                [z[0], z[1], z[2], 0.0],
            ];
            let [x, y, z] = columns.map(|c| c.map(|c| c as f32));
            let o = o.map(|c| c as f32);
            let mut all = [0.0f32; 16];
            for (to, from) in all.chunks_mut(4).zip([x, y, z, [o[0], o[1], o[2], 1.0]]) {
                to.copy_from_slice(&from);
            }
            all
        };
        let matrices: Vec<[f32; 16]> = joints.iter().map(inverse).collect();
        let matrices = self.floats(&matrices, "MAT4");
        json!({ "joints": joints, "inverseBindMatrices": matrices })
    }

    /// `None` if nothing moves: animations need a channel.
    fn animation(&mut self, scene: &Scene, animation: &Animation, mesh_nodes: &[usize]) -> Option<Value> {
        let times: Vec<[f32; 1]> = (0..animation.frames)
            .map(|f| [(f64::from(f) / scene.rate) as f32])
            .collect();
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut pending: Vec<(usize, &str, usize)> = Vec::new();
        for (node, locals) in animation.locals.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
            let rest = &scene.nodes[node].rest;
            let single = |v: Vec3| v.map(|c| c as f32);
            if locals.iter().any(|l| l.position != rest.position) {
                let values: Vec<_> = locals.iter().map(|l| single(l.position)).collect();
                pending.push((node, "translation", self.floats(&values, "VEC3")));
            }
            if locals.iter().any(|l| l.turn != rest.turn) {
                pending.push((node, "rotation", self.floats(&turns(locals), "VEC4")));
            }
            if locals.iter().any(|l| l.scale != rest.scale) {
                let values: Vec<_> = locals.iter().map(|l| single(l.scale)).collect();
                pending.push((node, "scale", self.floats(&values, "VEC3")));
            }
        }
        for (mesh, weights) in animation
            .weights
            .iter()
            .enumerate()
            .filter(|(_, w)| !w.is_empty())
        {
            let values: Vec<[f32; 1]> = weights.iter().flatten().map(|w| [*w as f32]).collect();
            pending.push((mesh_nodes[mesh], "weights", self.floats(&values, "SCALAR")));
        }
        if pending.is_empty() {
            return None;
        }
        let input = self.bounded(&times, "SCALAR");
        for (node, path, output) in pending {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
        Some(json!({ "name": animation.name, "channels": channels, "samplers": samplers }))
    }
}

/// Of one half of their sphere after the other, so that what is between two goes the shorter way.
fn turns(locals: &[Local]) -> Vec<[f32; 4]> {
    let mut before = [0.0f32; 4];
    let turn = |l: &Local| {
        let q = rotation(&l.turn);
        let dot: f32 = q.iter().zip(before).map(|(a, b)| a * b).sum();
        before = if dot < 0.0 { q.map(|c| -c) } else { q };
        before
    };
    locals.iter().map(turn).collect()
}
