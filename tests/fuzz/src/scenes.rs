//! Converts scenes of glTF and OBJ files, and exports models as glTF and FBX.

use crate::source::{Random, Source};
use convert::{Error, ExportOptions, Options, SceneFormat};
use ninja::{Chunk, File};
use serde_json::{Value, json};
use std::sync::OnceLock;

fn convert(format: SceneFormat, bytes: &[u8], beside: &[u8]) {
    let options = Options {
        memory_limit: 16 << 20,
        format: Some(format),
        // Long motions take most of the time; the target `fbx_scene` has them.
        range: Some(0..=255),
        ..Options::default()
    };
    let mut files = |_: &str| (!beside.is_empty()).then(|| beside.to_vec());
    if let Ok(conversion) = convert::convert(bytes, &options, &mut files) {
        let _ = conversion.model.write();
    }
}

/// An OBJ file. After the first null byte the input holds the file that the OBJ file finds under any name.
pub(crate) fn obj(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let scene = parts.next().unwrap_or_default();
    convert(SceneFormat::Obj, scene, parts.next().unwrap_or_default());
}

/// An unchanged glTF file, or a changed [`sample`]: changes of the JSON, then of the binary chunk.
pub(crate) fn gltf(bytes: &[u8]) {
    if matches!(bytes, [b'{' | b'g', ..]) {
        return convert(SceneFormat::Gltf, bytes, &[]);
    }
    let (sample, chunk) = sample();
    let (mut scene, mut chunk) = (sample.clone(), chunk.clone());
    let source = &mut Source::new(bytes);
    for _ in 0..source.below(12) {
        change(&mut scene, source);
    }
    for _ in 0..source.below(12) {
        let at = source.below(chunk.len() as u32 / 4) as usize * 4;
        let word = source.word();
        chunk[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    convert(SceneFormat::Gltf, &container(&scene, &chunk), &chunk);
}

/// Numbers and words that replace others.
const WHOLE: [i64; 14] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    9,
    255,
    5121,
    5125,
    5126,
    65_535,
    4_294_967_295,
];
const FRACTIONS: [f64; 8] = [0.0, -1.0, 0.5, 2.0, 1e-30, 1e9, 1e38, -1e300];
const WORDS: [&str; 20] = [
    "translation",
    "rotation",
    "scale",
    "weights",
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT4",
    "STEP",
    "LINEAR",
    "CUBICSPLINE",
    "OPAQUE",
    "BLEND",
    "image/jpeg",
    "spot",
    "directional",
    "perspective",
    "",
    "data:;base64,AAAA",
];

/// Changes one value of a tree: replaces it, exchanges it with another value of its list, copies another
/// value of its object to it, appends a copy to its list, or removes it.
fn change(tree: &mut Value, source: &mut Source<'_>) {
    let mut here = tree;
    for depth in 0.. {
        let count = match &*here {
            Value::Array(values) => values.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        if count == 0 || depth > 1 && source.chance(8) {
            break;
        }
        let (number, other) = (
            source.below(count as u32) as usize,
            source.below(count as u32) as usize,
        );
        // Members of the file itself stay, because the reader would refuse the file at once.
        let action = if depth == 0 { 3 } else { source.below(16) };
        here = match here {
            Value::Array(values) => {
                match action {
                    0 => return drop(values.remove(number)),
                    1 => return values.swap(number, other),
                    2 => return values.push(values[number].clone()),
                    _ => {}
                }
                &mut values[number]
            }
            Value::Object(members) => {
                let name = |number: usize| members.keys().nth(number).cloned().unwrap_or_default();
                let (name, other) = (name(number), name(other));
                match action {
                    0 => return drop(members.remove(&name)),
                    1 => {
                        let value = members[&other].clone();
                        members.insert(name, value);
                        return;
                    }
                    _ => {}
                }
                &mut members[&name]
            }
            _ => return,
        };
    }
    *here = match (&*here, source.below(24)) {
        (_, 0) => [Value::Null, json!([]), json!({})][source.below(3) as usize].clone(),
        (Value::Number(number), _) if number.is_f64() => json!(source.pick(&FRACTIONS)),
        (Value::Number(_), 1..4) => json!(source.pick(&FRACTIONS)),
        (Value::Number(_), _) => json!(source.pick(&WHOLE)),
        (Value::Bool(value), _) => json!(!value),
        _ => json!(source.pick(&WORDS)),
    };
}

/// A .glb file.
fn container(scene: &Value, chunk: &[u8]) -> Vec<u8> {
    let mut text = scene.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + text.len() as u32 + chunk.len() as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((chunk.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(chunk);
    bytes
}

/// Exports a model with its motions as glTF and FBX; both files must be readable.
pub(crate) fn exported(bytes: &[u8]) {
    let mut file = File::new(crate::playing::chunks(bytes));
    for chunk in &mut file.chunks {
        // Long motions take most of the time.
        match chunk {
            Chunk::Motion(motion) => motion.nb_frame = motion.nb_frame.min(256),
            Chunk::ShapeMotion(motion) => motion.nb_frame = motion.nb_frame.min(256),
            _ => {}
        }
    }
    let Ok(exported) = convert::export(&file, &[], &ExportOptions::default()) else {
        return;
    };
    if let Ok(bytes) = exported.fbx() {
        assert!(fbx::read(&bytes).is_ok(), "the records are not read");
    }
    if let Ok(bytes) = exported.glb() {
        let options = Options {
            format: Some(SceneFormat::Gltf),
            ..Options::default()
        };
        let again = convert::convert(&bytes, &options, &mut |_| None);
        if let Err(error @ Error::Load { .. }) = again {
            panic!("what was exported does not read: {error}");
        }
    }
}

/// A scene with every feature that the reader supports, and its binary chunk.
fn sample() -> &'static (Value, Vec<u8>) {
    static SAMPLE: OnceLock<(Value, Vec<u8>)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let (mut chunk, mut views, mut accessors) = (Vec::new(), Vec::new(), Vec::new());
        let mut view = |bytes: &[u8]| {
            views.push(json!({ "buffer": 0, "byteOffset": chunk.len(), "byteLength": bytes.len() }));
            chunk.extend(bytes);
            chunk.resize(chunk.len().next_multiple_of(4), 0);
            views.len() - 1
        };
        let mut accessor = |kind: &str, component: u32, count: usize, bytes: &[u8]| {
            accessors.push(json!({
                "bufferView": view(bytes), "componentType": component, "count": count, "type": kind,
                "normalized": component == 5121 && kind == "VEC4" && count == 4 && bytes[0] == 255,
            }));
            accessors.len() - 1
        };
        let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let positions = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.5]);
        let position = accessor("VEC3", 5126, 4, &positions);
        let normal = accessor("VEC3", 5126, 4, &floats(&[0.0, 0.0, 1.0].repeat(4)));
        let coordinates = accessor(
            "VEC2",
            5126,
            4,
            &floats(&[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]),
        );
        let joints = accessor("VEC4", 5121, 4, &[0, 1, 0, 0].repeat(4));
        let weights = accessor("VEC4", 5126, 4, &floats(&[0.5, 0.5, 0.0, 0.0].repeat(4)));
        let colors = accessor("VEC4", 5121, 4, &[255, 128, 0, 255].repeat(4));
        let indices = accessor("SCALAR", 5123, 6, &[0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0]);
        let target = accessor("VEC3", 5126, 4, &floats(&[0.0, 0.0, 1.0].repeat(4)));
        let identity = [
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ];
        let inverse = accessor("MAT4", 5126, 2, &floats(&identity.repeat(2)));
        let times = accessor("SCALAR", 5126, 3, &floats(&[0.0, 0.5, 1.0]));
        let places = accessor(
            "VEC3",
            5126,
            3,
            &floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, -1.0, 0.0, 0.0]),
        );
        let turns = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.8]);
        let turns = accessor("VEC4", 5126, 3, &turns);
        let shares = accessor(
            "SCALAR",
            5126,
            9,
            &floats(&[0.0, 0.5, 0.1, 0.0, 1.0, 0.1, 0.0, 0.0, 0.1]),
        );
        let picture = view(&crate::first_structured::pictures().swap_remove(0)[1..]);
        let sparse = [
            view(&[1, 0, 2, 0]),
            view(&floats(&[0.0, 2.0, 0.0, 2.0, 0.0, 0.0])),
        ];
        for number in [position, target] {
            accessors[number]["min"] = json!([0, 0, 0]);
            accessors[number]["max"] = json!([1, 1, 2]);
        }
        accessors[target]["sparse"] = json!({
            "count": 2, "indices": { "bufferView": sparse[0], "componentType": 5123 },
            "values": { "bufferView": sparse[1] },
        });
        let scene = json!({
            "asset": { "version": "2.0" },
            "extensionsUsed": ["KHR_lights_punctual", "KHR_texture_transform", "KHR_materials_unlit"],
            "scene": 0,
            "scenes": [{ "nodes": [0, 3, 4, 5] }],
            "nodes": [
                { "name": "body", "mesh": 0, "skin": 0, "children": [1], "weights": [0.25] },
                { "name": "bone", "translation": [0, 1, 0], "children": [2] },
                { "name": "tip", "rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 1] },
                { "name": "eye", "camera": 0, "matrix": identity },
                { "name": "lamp", "extensions": { "KHR_lights_punctual": { "light": 0 } } },
                { "name": "other", "mesh": 0, "camera": 1, "extras": { "ninja_hide": true } },
            ],
            "meshes": [{
                "name": "square",
                "weights": [0.5],
                "primitives": [
                    {
                        "attributes": {
                            "POSITION": position, "NORMAL": normal, "TEXCOORD_0": coordinates,
                            "JOINTS_0": joints,
                            "WEIGHTS_0": weights, "COLOR_0": colors,
                        },
                        "indices": indices, "material": 0, "mode": 4, "targets": [{ "POSITION": target }],
                    },
                    {
                        "attributes": { "POSITION": position }, "mode": 5, "material": 1,
                        "targets": [{ "POSITION": target, "NORMAL": normal }],
                    },
                ],
            }],
            "skins": [{ "joints": [1, 2], "inverseBindMatrices": inverse, "skeleton": 1 }],
            "animations": [{
                "name": "walk",
                "samplers": [
                    { "input": times, "output": places },
                    { "input": times, "output": turns, "interpolation": "STEP" },
                    { "input": times, "output": shares, "interpolation": "CUBICSPLINE" },
                ],
                "channels": [
                    { "sampler": 0, "target": { "node": 1, "path": "translation" } },
                    { "sampler": 1, "target": { "node": 2, "path": "rotation" } },
                    { "sampler": 0, "target": { "node": 2, "path": "scale" } },
                    { "sampler": 2, "target": { "node": 0, "path": "weights" } },
                ],
            }],
            "cameras": [
                { "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1, "aspectRatio": 1.5 } },
                { "type": "orthographic",
                  "orthographic": { "xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 10 } },
            ],
            "extensions": { "KHR_lights_punctual": { "lights": [
                { "type": "spot", "spot": { "innerConeAngle": 0.1, "outerConeAngle": 0.5 }, "range": 10 },
            ] } },
            "materials": [
                {
                    "name": "paint", "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true,
                    "emissiveFactor": [0, 0.5, 1],
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [1, 0.5, 0.25, 0.75], "metallicFactor": 0.5,
                        "roughnessFactor": 0.25,
                        "baseColorTexture": { "index": 0, "extensions": {
                            "KHR_texture_transform": { "offset": [0.5, 0], "scale": [2, 2], "rotation": 0.1 },
                        } },
                    },
                },
                { "name": "flat", "extensions": { "KHR_materials_unlit": {} }, "alphaMode": "BLEND" },
            ],
            "textures": [{ "source": 0, "sampler": 0 }],
            "samplers": [{ "wrapS": 33_071, "wrapT": 33_648, "magFilter": 9728 }],
            "images": [{ "bufferView": picture, "mimeType": "image/png" }],
            "bufferViews": views,
            "accessors": accessors,
            "buffers": [{ "byteLength": chunk.len() }],
        });
        (scene, chunk)
    })
}

/// The unchanged sample, and many changed copies.
pub(crate) fn gltf_files() -> Vec<Vec<u8>> {
    let (scene, chunk) = sample();
    let numbers = (0..64).map(|seed| {
        let mut random = Random(seed);
        (0..16 << random.below(4))
            .flat_map(|_| (random.next() as u32 >> 1).to_le_bytes())
            .collect()
    });
    numbers.chain([container(scene, chunk)]).collect()
}

/// Every supported statement, every form of a face's corner, and a material library.
pub(crate) fn obj_files() -> Vec<Vec<u8>> {
    let scene = "# a scene\nmtllib a.mtl b.mtl\no body\ng one two\nv 0 0 0\nv 1 0 0 1 0.5 0\nv 1 1 0\n\
                 v 0 1 0 1\nvt 0 0\nvt 1 0 0\nvt 1 1\nvn 0 0 1\ns 1\nusemtl paint\nf 1/1/1 2/2/1 3/3/1 4\n\
                 f -4//1 -3//-1 -2\ns off\ng other\nusemtl nothing\nf 1/1 2/2 \\\n 3/3\nl 1 2 3\np 1\n";
    let materials = "newmtl paint\nKa 0.1 0.1 0.1\nKd 1 0.5 0.25\nKs 1 1 1\nKe 0 0 0.5\nNs 32\nNi 1.5\n\
                     d 0.5\nTr 0.5\nillum 2\nTf 1 1 1\nmap_Kd -s 2 2 1 -o 0.5 0 0 -clamp on wood.png\n\
                     map_d leaf.png\nbump -bm 1 b.png\nnewmtl other\nPr 0.5\nPm 0.1\n";
    let whole = [scene.as_bytes(), b"\0", materials.as_bytes()].concat();
    vec![scene.into(), whole]
}

#[cfg(test)]
mod tests {
    use super::{container, obj_files, sample};
    use convert::{Options, SceneFormat, convert};
    use ninja::File;

    /// Without this test, the targets might only test files that are refused.
    #[test]
    fn the_samples_convert() {
        let (scene, chunk) = sample();
        let made = convert(&container(scene, chunk), &Options::default(), &mut |_| None).unwrap();
        assert!(made.shapes.is_some() && made.archive.is_some());
        assert_eq!((made.motions.len(), made.views.len()), (1, 2));
        let options = Options {
            format: Some(SceneFormat::Obj),
            ..Options::default()
        };
        for file in obj_files() {
            let scene = file.split(|byte| *byte == 0).next().unwrap();
            convert(scene, &options, &mut |_| None).unwrap();
        }
        let inputs = crate::first_structured::motions();
        let files = inputs
            .iter()
            .map(|bytes| File::new(crate::playing::chunks(bytes)));
        let exported = files.filter(|file| convert::export(file, &[], &Default::default()).is_ok());
        assert!(exported.count() >= 16);
    }
}
