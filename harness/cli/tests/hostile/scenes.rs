//! Ninja models, textures, and scenes of other programs.

use super::{ends, folder, refused};
use base64::Engine as _;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn base() -> Value {
    let buffer = format!("data:application/octet-stream;base64,{}", "A".repeat(48));
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": 36, "uri": buffer}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0, 0, 0], "max": [0, 0, 0]}],
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut scene = base();
    *scene.pointer_mut(key).unwrap() = value;
    scene
}

fn convert(folder: &Path, name: &str, bytes: impl AsRef<[u8]>, statuses: &[i32]) {
    fs::write(folder.join(name), bytes).unwrap();
    fs::create_dir_all(folder.join("out")).unwrap();
    for options in [&[][..], &["--check"]] {
        ends(
            folder,
            &[&["convert", name, "out", "--force"], options].concat(),
            statuses,
        );
    }
}

#[test]
fn gltf_scenes_within_their_size() {
    let folder = folder("gltf");
    let gltf = |scene: Value, statuses: &[i32]| convert(&folder, "a.gltf", scene.to_string(), statuses);
    let nodes = |nodes: Vec<Value>| with("/nodes", nodes.into());
    gltf(with("/accessors/0/count", json!(1_000_000_000)), &[2]);
    let mut scene = with("/accessors/0/count", json!(1_000_000_000));
    scene["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    gltf(scene, &[2]);
    gltf(
        nodes(vec![json!({"children": [1]}), json!({"children": [0]})]),
        &[0],
    );
    gltf(nodes(vec![json!({"children": [0]})]), &[0]);
    let mut deep: Vec<Value> = (0..100_000).map(|n| json!({"children": [n + 1]})).collect();
    deep.push(json!({"mesh": 0}));
    gltf(nodes(deep), &[2]);
    let mut twice: Vec<Value> = (0..40).map(|n| json!({"children": [n + 1, n + 1]})).collect();
    twice.push(json!({"mesh": 0}));
    gltf(nodes(twice), &[2]);
    let uris = [
        "/etc/passwd",
        "../../../etc/passwd",
        "file:///etc/passwd",
        "/dev/zero",
        "/dev/stdin",
        "http://127.0.0.1:1/x",
        "data:;base64,",
        ".",
        "%2e%2e/x",
    ];
    for uri in uris {
        gltf(with("/buffers/0/uri", json!(uri)), &[2]);
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        // The reader skips `extras`, and the scene is empty.
        for (member, statuses) in [("extras", [0]), ("nodes", [2])] {
            let text = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{member}\":{open}1{close}}}");
            convert(&folder, "a.gltf", text, &statuses);
        }
    }
}

/// A node with children that share a mesh of one triangle.
fn wide(count: usize) -> String {
    let mut nodes = vec![json!({"children": (1..count).collect::<Vec<usize>>()})];
    nodes.resize(count, json!({"mesh": 0}));
    let mut scene = with("/nodes", nodes.into());
    let positions = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    scene["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{positions}"));
    scene["accessors"][0]["max"] = json!([1, 1, 0]);
    scene.to_string()
}

/// The work must be proportional to the nodes: the most nodes of a scene, played, compared and exported.
#[test]
fn wide_scenes_are_converted_in_proportion() {
    let folder = folder("wide");
    convert(&folder, "a.gltf", wide(16_384), &[0, 1]);
    let export = &["convert", "out/a.nj", "a.glb", "--force"];
    refused(&folder, export, "found more nodes, expected at most 10000");
    convert(&folder, "a.gltf", wide(10_000), &[0, 1]);
    for output in ["a.glb", "a.fbx"] {
        ends(&folder, &["convert", "out/a.nj", output, "--force"], &[0]);
    }
    fs::write(folder.join("a.gltf"), wide(200_000)).unwrap();
    for verb in [
        &["convert", "a.gltf", "out", "--force"][..],
        &["render", "a.gltf", "-o", "a.png"],
    ] {
        refused(&folder, verb, "nodes: found 200000, expected at most 16384");
    }
}

/// Animations that share two keys, 1,000 s apart. Sampling one of them gives 30,001 transforms.
#[test]
fn transforms_of_all_animations_are_counted_first() {
    let folder = folder("animations");
    let numbers: Vec<u8> = [0.0_f32, 1000.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let animated = |count: usize| {
        let mut scene = base();
        let data = base64::engine::general_purpose::STANDARD.encode(&numbers);
        scene["buffers"] = json!([
            scene["buffers"][0],
            {"byteLength": 32, "uri": format!("data:application/octet-stream;base64,{data}")},
        ]);
        scene["bufferViews"] = json!([
            scene["bufferViews"][0],
            {"buffer": 1, "byteLength": 8},
            {"buffer": 1, "byteOffset": 8, "byteLength": 24},
        ]);
        scene["accessors"] = json!([
            scene["accessors"][0],
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1000]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"},
        ]);
        let animation = json!({
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 1, "output": 2}],
        });
        scene["animations"] = vec![animation; count].into();
        fs::write(folder.join("a.gltf"), scene.to_string()).unwrap();
    };
    let all = ["convert", "a.gltf", "out", "--force", "--stack", "all"];
    animated(69);
    ends(&folder, &all, &[0]);
    animated(300);
    let expected = "at most 27083 more transforms within the memory limit of 268435456 bytes";
    refused(&folder, &all, expected);
}

/// Pictures of 64 MiB of texels and more must not be copied whole.
#[test]
fn large_pictures_are_not_copied() {
    let folder = folder("pictures");
    let png = |side: u32| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side, side);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        let mut writer = encoder.write_header().unwrap();
        writer
            .write_image_data(&vec![0xA5; (side * side / 8) as usize])
            .unwrap();
        writer.finish().unwrap();
        fs::write(folder.join("a.png"), bytes).unwrap();
    };
    png(4096);
    let resized = &["convert", "a.png", "a.pvr", "--force", "--resize"];
    ends(&folder, &[&resized[..], &["filtered"]].concat(), &[0]);
    ends(&folder, &[&resized[..], &["nearest"]].concat(), &[0]);
    ends(&folder, &["convert", "a.png", "a.pvr", "--layout", "rect"], &[2]);
}

/// Nodes share a mesh of 4,000 triangles: the triangles must be counted before the work starts.
#[test]
fn shared_meshes_are_counted_first() {
    let folder = folder("shared");
    fs::create_dir(folder.join("out")).unwrap();
    let bytes = 4 * 9 * 4_000;
    let buffer = format!(
        "data:application/octet-stream;base64,{}",
        "A".repeat(bytes / 3 * 4)
    );
    for count in [500_u32, 2_000] {
        let mut nodes = vec![json!({"children": (1..=count).collect::<Vec<u32>>()})];
        nodes.resize(count as usize + 1, json!({"mesh": 0}));
        let mut scene = with("/nodes", nodes.into());
        scene["buffers"][0] = json!({"byteLength": bytes, "uri": buffer});
        scene["bufferViews"][0]["byteLength"] = json!(bytes);
        scene["accessors"][0]["count"] = json!(3 * 4_000);
        fs::write(folder.join("a.gltf"), scene.to_string()).unwrap();
        for verb in [
            &["convert", "a.gltf", "out", "--force"][..],
            &["render", "a.gltf", "-o", "a.png"],
        ] {
            refused(&folder, verb, "triangles of all nodes");
        }
    }
}

#[test]
fn obj_scenes_open_no_devices() {
    let folder = folder("obj");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(folder.join("fifo"))
            .status()
            .unwrap()
            .success()
    );
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (text, statuses) in [
        (format!("f {}\n", vec!["1"; 500_000].join(" ")), &[2][..]),
        (
            "v 0 0 0\nf 4294967295 -2147483648 99999999999999999999\n".to_owned(),
            &[2],
        ),
        (
            format!("mtllib /dev/zero\nmtllib ../etc/passwd\nmtllib fifo\nmtllib a.obj\n{triangle}f 1 2 3\n"),
            &[0, 2],
        ),
        (
            format!("v {} 1e999999999 nan\nf 1 1 1\n", "9".repeat(1_000_000)),
            &[2],
        ),
    ] {
        convert(&folder, "a.obj", text, statuses);
    }
}

/// The parser's memory limit ends the first attempt; the search for a damaged line must not repeat it.
#[test]
fn obj_materials_within_the_memory_limit() {
    let folder = folder("obj_materials");
    let faces = (0..60_000).map(|n| format!("usemtl m{n}\ng g{n}\nf 1 2 3\n"));
    let scene: String = std::iter::once("v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned())
        .chain(faces)
        .collect();
    fs::write(folder.join("a.obj"), scene).unwrap();
    refused(&folder, &["convert", "a.obj", "out"], "memory limit");
}

fn pvrt(pixel: u8, format: u8, size: [u16; 2], bytes: usize) -> Vec<u8> {
    let mut texture = b"PVRT".to_vec();
    texture.extend((8 + bytes as u32).to_le_bytes());
    texture.extend([pixel, format, 0, 0]);
    texture.extend(size.iter().flat_map(|side| side.to_le_bytes()));
    texture.resize(texture.len() + bytes, 0);
    texture
}

#[test]
fn textures_are_as_large_as_their_files() {
    let folder = folder("textures");
    let all = |name: &str, bytes: &[u8], statuses: &[i32]| {
        fs::write(folder.join(name), bytes).unwrap();
        ends(&folder, &["info", name], &[0, 2]);
        ends(&folder, &["convert", name, "out.png", "--force"], statuses);
        ends(&folder, &["render", name, "-o", "out.png"], statuses);
    };
    all("a.pvr", &pvrt(1, 1, [u16::MAX; 2], 16), &[2]);
    all("a.pvr", &pvrt(1, 1, [0; 2], 0), &[2]);
    all("a.pvr", &pvrt(1, 2, [1024; 2], 16), &[2]);
    all(
        "a.pvm",
        &[&b"PVMH\xFF\xFF\xFF\xFF\x0F\0\xFF\xFF"[..], &[0; 1000]].concat(),
        &[2],
    );
    all("a.pvm", &b"PVMH\x04\0\0\0\0\0\x01\0".repeat(10_000), &[2]);
}

/// Offsets of pointers (docs/formats/ninja.md), for offsets close to each other.
fn chunk(id: &[u8; 4], data: &[u8], pointers: &[usize]) -> Vec<u8> {
    let mut offsets = Vec::new();
    let mut before = 0;
    for pointer in pointers {
        let step = (pointer - before) / 4;
        before = *pointer;
        match step {
            0..0x40 => offsets.push(0x40 | step as u8),
            _ => offsets.extend((0x8000 | step as u16).to_be_bytes()),
        }
    }
    offsets.resize(offsets.len().next_multiple_of(4), 0);
    let mut bytes = id.to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes.extend(b"POF0");
    bytes.extend((offsets.len() as u32).to_le_bytes());
    bytes.extend(offsets);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A list of `count` textures of one name, and a node with a square.
fn list(count: usize) -> Vec<u8> {
    let names = 8 + 12 * count;
    let mut body = words(&[8, count as u32]);
    let mut pointers = vec![0];
    for n in 0..count {
        pointers.push(8 + 12 * n);
        body.extend(words(&[names as u32, 0, 0]));
    }
    body.extend(b"A\0\0\0");
    let mut model = words(&[0, 52, 0, 0, 0, 0, 0, 0]);
    model.extend(
        [1.0_f32; 3]
            .map(f32::to_bits)
            .iter()
            .flat_map(|word| word.to_le_bytes()),
    );
    model.extend(words(&[0, 0]));
    // Vertices at 76, polygons after them.
    let mut vertices = vec![34, 0, 13, 0, 0, 0, 4, 0];
    let corners = [
        [-1.0_f32, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    vertices.extend(corners.iter().flatten().flat_map(|value| value.to_le_bytes()));
    vertices.extend(words(&[255, 0]));
    model.extend(words(&[
        76,
        76 + vertices.len() as u32,
        0,
        0,
        0,
        2.0_f32.to_bits(),
    ]));
    model.extend(vertices);
    let mut strip: Vec<u16> = vec![8, 0, 65, 14, 1, 4];
    for (n, [u, v]) in (0..).zip([[0, 0], [255, 0], [0, 255], [255, 255]]) {
        strip.extend([n, u, v]);
    }
    strip.extend([255, 0]);
    model.extend(strip.iter().flat_map(|half| half.to_le_bytes()));
    model.resize(model.len().next_multiple_of(4), 0);
    [
        chunk(b"NJTL", &body, &pointers),
        chunk(b"NJCM", &model, &[4, 52, 56]),
    ]
    .concat()
}

/// A list names one texture of 2 MB many times: the copies must be counted before the work starts.
#[test]
fn repeated_textures_are_counted_first() {
    let folder = folder("list");
    fs::write(folder.join("A.pvr"), pvrt(1, 1, [1024; 2], 2 << 20)).unwrap();
    for count in [1_000, 20_000] {
        fs::write(folder.join("a.nj"), list(count)).unwrap();
        refused(
            &folder,
            &["render", "a.nj", "-o", "a.png"],
            "the textures of the list have",
        );
    }
    fs::write(folder.join("A.pvr"), pvrt(1, 1, [8; 2], 128)).unwrap();
    fs::write(folder.join("a.nj"), list(1_000)).unwrap();
    ends(&folder, &["render", "a.nj", "-o", "a.png"], &[0]);
}
