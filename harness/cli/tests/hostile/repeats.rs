//! Files with parts that repeat or multiply: long names in listings, shared pictures, and work that grows
//! with the product of two parts.

use super::{ends, folder, refused};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");
const ARM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/scene/motions/arm.nja"
);

/// A typed character takes 200 bytes until it is typed.
#[test]
fn typed_text_is_counted() {
    let folder = folder("typed");
    let run = ["run", SPIN, "--frames", "2", "--input", "a.txt"];
    let type_it = |count: usize| {
        let text = format!("1 type \"{}\"\n", "a".repeat(count));
        fs::write(folder.join("a.txt"), text).unwrap();
    };
    type_it(1_000_000);
    refused(&folder, &run, "expected at most 131072 keys and buttons");
    type_it(50_000);
    ends(&folder, &run, &[0]);
}

/// A value takes up to 500 bytes, and its text two.
#[test]
fn toml_files_are_counted_first() {
    let folder = folder("toml");
    fs::create_dir_all(folder.join("case")).unwrap();
    fs::write(folder.join("a.toml"), format!("a=[{}]\n", "1,".repeat(5_000_000))).unwrap();
    fs::copy(folder.join("a.toml"), folder.join("case/case.toml")).unwrap();
    fs::write(folder.join("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let found = "keys, tables and values, expected at most 131072";
    for arguments in [
        &["verify", "--elf", SPIN, "--spec", "a.toml"][..],
        &["profile", "--elf", SPIN, "k", "--spec", "a.toml"],
        &["verify", "--call", "a.toml"],
        &["convert", "a.obj", "out", "--sidecar", "a.toml"],
    ] {
        refused(&folder, arguments, found);
    }
    let output = super::limited(&folder, &["test", "case"]);
    let shown = crate::common::text(&output.stdout);
    assert!(
        output.status.code() == Some(1) && shown.contains(found),
        "{shown:.400}"
    );
}

/// A case of 100 bytes can ask for gigabytes of pictures.
#[test]
fn frames_of_a_case_are_counted() {
    let folder = folder("frames");
    fs::create_dir_all(folder.join("case")).unwrap();
    let frames: Vec<usize> = (0..40).collect();
    let text = format!("kind = \"frame\"\ninput = \"{ARM}\"\nsize = \"2048x1024\"\nframes = {frames:?}\n");
    fs::write(folder.join("case/case.toml"), text).unwrap();
    let output = super::limited(&folder, &["test", "case", "-j", "1"]);
    let shown = crate::common::text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown:.400}");
    assert!(shown.contains("pixels of all frames together"), "{shown:.400}");
}

#[test]
fn chunks_of_a_file_are_counted() {
    let folder = folder("chunks");
    let chunk = b"NJTL\x08\0\0\0\0\0\0\0\0\0\0\0";
    fs::write(folder.join("a.nj"), chunk.repeat(70_000)).unwrap();
    refused(&folder, &["info", "a.nj"], "at most 65536 chunks");
}

#[test]
fn marks_of_direction_are_escaped() {
    let folder = folder("marks");
    for mark in ["\u{200F}", "\u{200E}", "\u{061C}", "\u{202E}", "\u{2066}"] {
        let name = format!("a{mark}b.nj");
        let shown = ends(&folder, &["info", &name], &[2]);
        assert!(!shown.contains(mark), "{shown:?}");
    }
}

/// The header of a run-length coded TGA file, followed by runs of 128 equal pixels.
fn runs(side: u16, bits: u8) -> Vec<u8> {
    let mut bytes = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend(side.to_le_bytes());
    bytes.extend(side.to_le_bytes());
    bytes.extend([bits, 0]);
    let run = [&[0xFF][..], &vec![1; usize::from(bits / 8)]].concat();
    bytes.extend(run.repeat(usize::from(side) * usize::from(side) / 128));
    bytes
}

fn grey_png(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().unwrap();
    let rows = vec![0; (side * side / 8) as usize];
    writer.write_image_data(&rows).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Compressed pictures have a limit of pixels for each byte.
#[test]
fn compressed_pictures_are_refused_by_their_size() {
    let folder = folder("compressed");
    fs::write(folder.join("a.tga"), runs(8192, 24)).unwrap();
    fs::write(folder.join("a.png"), grey_png(8192)).unwrap();
    for name in ["a.tga", "a.png"] {
        for arguments in [
            &["info", name][..],
            &["convert", name, "b.pvr", "--resize", "filtered"],
            &["convert", name, "b.pvr", "--resize", "nearest"],
        ] {
            refused(&folder, arguments, "8192x8192 pixels, expected 1 to");
        }
    }
    fs::write(folder.join("a.tga"), runs(4096, 24)).unwrap();
    ends(
        &folder,
        &["convert", "a.tga", "b.pvr", "--resize", "nearest"],
        &[0],
    );
}

/// A scene with the attributes of one triangle, from a file.
fn scene(positions: usize, more: Value) -> Value {
    let mut scene = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": 12 * positions, "uri": "a.bin"}],
        "bufferViews": [{"buffer": 0, "byteLength": 12 * positions}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": positions, "type": "VEC3",
            "min": [0, 0, 0], "max": [1, 1, 1]}],
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

fn positions(folder: &Path, count: usize) {
    let value = |n: usize| ((n * 37 % 101) as f32 / 101.0).to_le_bytes();
    let bytes: Vec<u8> = (0..3 * count).flat_map(value).collect();
    fs::write(folder.join("a.bin"), bytes).unwrap();
}

/// Many images name one picture of 4096 x 4096 pixels, in different ways.
#[test]
fn shared_pictures_are_counted() {
    let folder = folder("shared_pictures");
    positions(&folder, 3);
    fs::write(folder.join("a.png"), grey_png(4096)).unwrap();
    let count = 200;
    let all = |of: &dyn Fn(usize) -> Value| -> Vec<Value> { (0..count).map(of).collect() };
    let more = json!({
        "images": all(&|n| json!({"uri": format!("{}a.png", "./".repeat(n))})),
        "textures": all(&|n| json!({"source": n})),
        "materials": all(&|n| json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": n}}})),
        "meshes": [{"primitives": all(&|n| json!({"attributes": {"POSITION": 0}, "material": n}))}],
    });
    fs::write(folder.join("a.gltf"), scene(3, more).to_string()).unwrap();
    let output = super::limited(&folder, &["convert", "a.gltf", "out"]);
    let shown = crate::common::text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown:.400}");
    assert!(shown.contains("left for the scene's pictures"), "{shown:.400}");
}

/// Each node of a skin gets a sphere around the whole skin.
#[test]
fn spheres_of_skins_are_counted() {
    let folder = folder("spheres");
    let (count, joints) = (12_000, 8_000);
    positions(&folder, count);
    let number = |n: usize| (n * 31 % joints) as u16;
    let numbers: Vec<u8> = (0..4 * count).flat_map(|n| number(n).to_le_bytes()).collect();
    fs::write(folder.join("b.bin"), numbers).unwrap();
    let weights: Vec<u8> = (0..4 * count).flat_map(|_| 0.25_f32.to_le_bytes()).collect();
    fs::write(folder.join("c.bin"), weights).unwrap();
    let four = |view: usize, kind: u32| {
        let mut four = json!({"bufferView": view, "componentType": kind, "type": "VEC4"});
        four["count"] = count.into();
        four
    };
    let mut more = scene(count, json!({}));
    let nodes = (0..joints).map(|_| json!({}));
    more["nodes"] = std::iter::once(json!({"mesh": 0, "skin": 0}))
        .chain(nodes)
        .collect();
    more["scenes"] = json!([{"nodes": (0..=joints).collect::<Vec<_>>()}]);
    more["skins"] = json!([{"joints": (1..=joints).collect::<Vec<_>>()}]);
    more["meshes"] =
        json!([{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}]);
    let list = |key: &str, values: [Value; 2]| -> Value {
        let own = more[key].as_array().unwrap().iter().cloned();
        own.chain(values).collect()
    };
    let (buffers, views, accessors) = (
        list(
            "buffers",
            [
                json!({"byteLength": 8 * count, "uri": "b.bin"}),
                json!({"byteLength": 16 * count, "uri": "c.bin"}),
            ],
        ),
        list(
            "bufferViews",
            [
                json!({"buffer": 1, "byteLength": 8 * count}),
                json!({"buffer": 2, "byteLength": 16 * count}),
            ],
        ),
        list("accessors", [four(1, 5123), four(2, 5126)]),
    );
    (more["buffers"], more["bufferViews"], more["accessors"]) = (buffers, views, accessors);
    fs::write(folder.join("a.gltf"), more.to_string()).unwrap();
    let found = "vertices in the spheres around their nodes";
    refused(&folder, &["convert", "a.gltf", "out"], found);
}

/// Dividing a face takes the square of its corners.
#[test]
fn corners_of_faces_are_counted() {
    let folder = folder("corners");
    let count = 70_000;
    let vertices: String = (0..count)
        .map(|n| format!("v {} {} {}\n", n % 977, n % 31, n % 7))
        .collect();
    let face: String = (1..=count).map(|n| format!(" {n}")).collect();
    fs::write(folder.join("a.obj"), format!("{vertices}f{face}\n")).unwrap();
    refused(
        &folder,
        &["convert", "a.obj", "out"],
        "a face of 70000 corners, expected",
    );
}

/// Names of missing pictures must be looked up in a folder of many files without reading its list for each.
#[test]
fn pictures_are_searched_in_proportion() {
    let folder = folder("search");
    let count = 3_000;
    let materials: String = (0..count)
        .map(|n| format!("newmtl m{n}\nmap_Kd missing{n}.png\n"))
        .collect();
    let faces: String = (0..count).map(|n| format!("usemtl m{n}\nf 1 2 3\n")).collect();
    fs::write(folder.join("a.mtl"), materials).unwrap();
    let vertices = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n";
    fs::write(folder.join("a.obj"), format!("{vertices}{faces}")).unwrap();
    (0..count).for_each(|n| fs::write(folder.join(format!("other{n}.png")), b"").unwrap());
    let output = super::limited(&folder, &["convert", "a.obj", "out"]);
    let shown = crate::common::text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown:.400}");
}

/// An array of 72 MB in a file of 80 KB.
#[test]
fn arrays_of_fbx_files_are_counted_first() {
    let folder = folder("fbx_arrays");
    let data = vec![0_u8; 80_000];
    let (elements, data_length) = (9_000_000_u32, data.len() as u32);
    let list_length = 13 + data_length;
    let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    file.extend(7400_u32.to_le_bytes());
    file.extend(
        [27 + 14 + list_length, 1, list_length]
            .map(u32::to_le_bytes)
            .concat(),
    );
    file.extend(b"\x01Ad");
    // Doubles, deflated.
    file.extend([elements, 1, data_length].map(u32::to_le_bytes).concat());
    file.extend(&data);
    file.resize(file.len() + 13 + 160, 0);
    let expected = 8 * file.len() + (64 << 20);
    fs::write(folder.join("a.fbx"), file).unwrap();
    let expected = format!("expected at most {expected} and");
    refused(&folder, &["info", "a.fbx", "--values"], &expected);
}
