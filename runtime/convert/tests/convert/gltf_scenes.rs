//! Compares converted glTF scenes with their contents.

use convert::{Conversion, Options, Plain, Stacks};
use serde_json::{Value, json};

use crate::glb::Glb;
use crate::{convert_bytes, warnings};

/// A square of two triangles in the xy plane, from 0 to 1.
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const FACES: [[u16; 1]; 6] = [[0], [1], [2], [0], [2], [3]];

/// A scene of one node with the mesh, and additional attributes.
pub(crate) fn square(glb: &mut Glb, attributes: Value) -> Value {
    let positions = glb.floats("VEC3", &SQUARE);
    let faces = glb.shorts("SCALAR", &FACES);
    let mut primitive = json!({ "attributes": { "POSITION": positions }, "indices": faces });
    if let Value::Object(more) = attributes {
        primitive["attributes"].as_object_mut().unwrap().extend(more);
    }
    json!({
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "plate", "mesh": 0 }],
        "meshes": [{ "name": "square", "primitives": [primitive] }],
    })
}

fn all_stacks() -> Options {
    Options {
        stacks: Stacks::All,
        ..Options::default()
    }
}

/// Converts and compares with the source.
fn checked(bytes: &[u8], options: &Options) -> Conversion {
    let mut conversion = convert_bytes(bytes, options).unwrap();
    let checked = conversion.check(&mut Plain::default()).unwrap();
    let worst = checked.motions.iter().map(|(_, d)| d.relative);
    let worst = worst.fold(checked.rest.relative, f64::max);
    assert!(
        worst < 1.0 / 2000.0 && checked.compared > 0,
        "1/{:.0}",
        1.0 / worst
    );
    conversion
}

/// Returns the vertex positions of the first mesh in the written files.
fn vertices(conversion: &Conversion, motion: Option<(usize, u32)>) -> Vec<[f64; 3]> {
    let positions = conversion.positions(motion).unwrap();
    positions[0].vertices.iter().flatten().copied().collect()
}

#[track_caller]
fn near(found: [f64; 3], wanted: [f64; 3]) {
    let off = found
        .iter()
        .zip(wanted)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(off < 1e-3, "{found:?}, expected {wanted:?}");
}

pub(crate) fn error_of(bytes: &[u8], options: &Options) -> String {
    match convert_bytes(bytes, options) {
        Ok(_) => panic!("a broken file was accepted"),
        Err(error) => error.to_string(),
    }
}

/// The square, animated by one sampler on its node.
fn moved(interpolation: &str, path: &str, times: &[[f32; 1]], values: &[[f32; 3]]) -> Vec<u8> {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let (input, output) = (glb.floats("SCALAR", times), glb.floats("VEC3", values));
    scene["animations"] = json!([{
        "name": "go",
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
        "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
    }]);
    glb.write(&scene)
}

#[test]
fn steps_lines_and_cubic_curves_are_played() {
    let times = [[0.0], [1.0]];
    let ends = [[0.0; 3], [2.0, 0.0, 4.0]];
    let at = |bytes: &[u8], frame| vertices(&checked(bytes, &all_stacks()), Some((0, frame)))[0];
    let line = moved("LINEAR", "translation", &times, &ends);
    near(at(&line, 15), [1.0, 0.0, 2.0]);
    let step = moved("STEP", "translation", &times, &ends);
    near(at(&step, 28), [0.0; 3]);
    near(at(&step, 30), [2.0, 0.0, 4.0]);
    // Tangent, value, tangent of each key. The tangents are level, so half a second gives half the distance,
    // a third 3 / 9 - 2 / 27 of it.
    let [a, b] = ends;
    let curve = moved(
        "CUBICSPLINE",
        "translation",
        &times,
        &[[0.0; 3], a, [0.0; 3], [0.0; 3], b, [0.0; 3]],
    );
    near(at(&curve, 15), [1.0, 0.0, 2.0]);
    near(at(&curve, 10), [2.0 * 7.0 / 27.0, 0.0, 4.0 * 7.0 / 27.0]);
    // The curve leaves the first key at three units per second along y.
    let slope = [0.0, 3.0, 0.0];
    let curve = moved(
        "CUBICSPLINE",
        "translation",
        &times,
        &[[0.0; 3], a, slope, [0.0; 3], b, [0.0; 3]],
    );
    near(at(&curve, 15), [1.0, 3.0 / 8.0, 2.0]);
    let scale = moved("LINEAR", "scale", &times, &[[1.0; 3], [3.0, 1.0, 1.0]]);
    let conversion = checked(&scale, &all_stacks());
    near(vertices(&conversion, Some((0, 15)))[1], [2.0, 0.0, 0.0]);
}

/// Two joints: the upper edge of the square follows the second, which rotates by a quarter turn about z.
fn bent() -> (Glb, Value) {
    let mut glb = Glb::default();
    let joints = glb.shorts("VEC4", &[[0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]);
    let weights = glb.floats(
        "VEC4",
        &[
            [0.75, 0.25, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
        ],
    );
    let mut scene = square(&mut glb, json!({ "JOINTS_0": joints, "WEIGHTS_0": weights }));
    let one = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let mut two = one;
    two[13] = -1.0;
    let matrices = glb.floats("MAT4", &[one, two]);
    let half = 0.5_f32.sqrt();
    let input = glb.floats("SCALAR", &[[0.0], [1.0]]);
    let output = glb.floats("VEC4", &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]]);
    scene["nodes"] = json!([
        { "name": "plate", "mesh": 0, "skin": 0, "translation": [50, 0, 0] },
        { "name": "hip", "children": [2] },
        { "name": "knee", "translation": [0, 1, 0] },
    ]);
    scene["scenes"][0]["nodes"] = json!([0, 1]);
    scene["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": matrices }]);
    scene["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }],
        "samplers": [{ "input": input, "output": output }],
    }]);
    (glb, scene)
}

#[test]
fn skins_follow_their_joints_and_not_their_node() {
    let (glb, scene) = bent();
    let conversion = checked(&glb.write(&scene), &all_stacks());
    assert_eq!(conversion.motions[0].name, "animation0");
    assert_eq!(conversion.report.weighted_vertices, 1);
    let rest = vertices(&conversion, None);
    near(rest[2], [1.0, 1.0, 0.0]);
    let end = vertices(&conversion, Some((0, 30)));
    // A quarter turn about (0, 1) moves (1, 0) to (0, 1), relative to the centre.
    near(end[2], [0.0, 2.0, 0.0]);
    near(end[1], [1.0, 0.0, 0.0]);
    // A vertex at (0, -1) from the joint, with a weight of a quarter, moves to (1, 0) from it.
    near(end[0], [0.25, 0.25, 0.0]);
    let middle = vertices(&conversion, Some((0, 15)));
    near(middle[2], [0.5_f64.sqrt(), 1.0 + 0.5_f64.sqrt(), 0.0]);
}

#[test]
fn joints_outside_the_scene_move_its_skins() {
    let (glb, mut scene) = bent();
    scene["scenes"][0]["nodes"] = json!([0]);
    let conversion = checked(&glb.write(&scene), &all_stacks());
    near(vertices(&conversion, Some((0, 30)))[2], [0.0, 2.0, 0.0]);
}

#[test]
fn a_text_file_with_its_buffer_beside_it_is_the_same_scene() {
    let (glb, scene) = bent();
    let whole = checked(&glb.write(&scene), &all_stacks());
    let (text, bin) = glb.text(&scene);
    let mut files = |path: &str| (path == "data.bin").then(|| bin.clone());
    let parts = convert::convert(&text, &all_stacks(), &mut files).unwrap();
    assert_eq!(parts.model.write().unwrap(), whole.model.write().unwrap());
    let error = error_of(&text, &Options::default());
    assert!(
        error.contains("buffer 0") && error.contains("data.bin"),
        "{error}"
    );
}

#[test]
fn morph_targets_become_shapes() {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let up = glb.floats("VEC3", &[[0.0; 3], [0.0; 3], [0.0, 2.0, 0.0], [0.0; 3]]);
    let away = glb.floats("VEC3", &[[0.0; 3], [0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]]);
    let input = glb.floats("SCALAR", &[[0.5], [1.5]]);
    let output = glb.floats("SCALAR", &[[0.0], [0.5], [1.0], [0.5]]);
    scene["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": up }, { "POSITION": away }]);
    scene["meshes"][0]["weights"] = json!([0.0, 0.5]);
    scene["animations"] = json!([{
        "name": "swell",
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
        "samplers": [{ "input": input, "output": output }],
    }]);
    let conversion = checked(&glb.write(&scene), &all_stacks());
    assert!(conversion.shapes.is_some());
    near(vertices(&conversion, None)[1], [1.0, 0.0, 0.5]);
    assert_eq!(conversion.report.motions[0].begin, 0.5);
    near(vertices(&conversion, Some((0, 15)))[2], [1.0, 2.0, 0.0]);
    near(vertices(&conversion, Some((0, 30)))[2], [1.0, 3.0, 0.0]);
}

/// A PNG of one colour and alpha.
pub(crate) fn png(alpha: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Rgba);
    let pixels = [255, 0, 0, alpha].repeat(64);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

#[test]
fn materials_have_colours_textures_and_wrapping() {
    let mut glb = Glb::default();
    let uv = glb.floats("VEC2", &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let mut scene = square(&mut glb, json!({ "TEXCOORD_0": uv }));
    let image = glb.view(&png(128));
    scene["images"] = json!([{ "bufferView": image, "mimeType": "image/png", "name": "skin" }]);
    scene["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33648 }]);
    scene["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    scene["materials"] = json!([{
        "name": "paint",
        "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorFactor": [1, 0.5, 0, 1], "baseColorTexture": { "index": 0 } },
        "extras": { "ninja_filter": "PS" },
    }]);
    scene["meshes"][0]["primitives"][0]["material"] = json!(0);
    let conversion = checked(&glb.write(&scene), &Options::default());
    let row = &conversion.report.textures[0];
    assert_eq!(
        (row.name.as_str(), row.image.as_ref().map(|i| i.2.as_str())),
        ("skin", Some("Rgb565"))
    );
    let tree = conversion.model.models().next().unwrap();
    let chunks = &tree.plists[0].chunks;
    let tiny = chunks.iter().find_map(|c| match c {
        ninja::PolyChunk::Texture(tiny) => Some(tiny),
        _ => None,
    });
    let tiny = tiny.unwrap();
    assert!(
        tiny.clamp_u && !tiny.clamp_v && tiny.flip_v && !tiny.flip_u,
        "{tiny:?}"
    );
    assert_eq!(tiny.filter, ninja::Filter::Point);
    let strip = chunks.iter().find_map(|c| match c {
        ninja::PolyChunk::Strip(strip) => Some(strip),
        _ => None,
    });
    let flags = strip.unwrap().flags;
    // alphaMode is OPAQUE by default, so the texture's alpha has no meaning.
    assert!(flags.contains(ninja::StripFlags::DOUBLE_SIDE) && !flags.contains(ninja::StripFlags::USE_ALPHA));
    let diffuse = chunks.iter().find_map(|c| match c {
        ninja::PolyChunk::Material(material) => material.diffuse,
        _ => None,
    });
    // Half of the light is 188 of 255 on the screen.
    assert_eq!(diffuse.unwrap().0, 0xffff_bc00);
    scene["materials"][0]["alphaMode"] = json!("BLEND");
    let conversion = checked(&glb.write(&scene), &Options::default());
    assert_eq!(
        conversion.report.textures[0].image.as_ref().unwrap().2,
        "Argb4444"
    );
}

#[test]
fn strips_fans_and_missing_normals_are_triangles() {
    for (mode, order) in [(5, [1, 2, 0, 3]), (6, [0, 1, 2, 3])] {
        let mut glb = Glb::default();
        let mut scene = square(&mut glb, json!({}));
        let faces = glb.shorts("SCALAR", &order.map(|i| [i]));
        scene["meshes"][0]["primitives"][0]["indices"] = json!(faces);
        scene["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let conversion = checked(&glb.write(&scene), &Options::default());
        assert_eq!(conversion.report.triangles, 2);
        let tree = conversion.model.models().next().unwrap();
        let chunk = &tree.vlists[0].chunks[0];
        assert!(
            (0..4).all(|i| chunk.normal(i) == Some([0.0, 0.0, 1.0])),
            "mode {mode}"
        );
    }
}

#[test]
fn a_camera_and_a_light_alone_give_their_motions() {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    scene.as_object_mut().unwrap().remove("meshes");
    scene["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }]);
    scene["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    scene["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "directional" }] } });
    let light = json!({ "KHR_lights_punctual": { "light": 0 } });
    scene["nodes"] = json!([{ "name": "eye", "camera": 0 }, { "name": "sun", "extensions": light }]);
    scene["scenes"][0]["nodes"] = json!([0, 1]);
    let conversion = convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
    assert!(conversion.model.chunks.is_empty());
    let names: Vec<&str> = conversion.views.iter().map(|v| v.node.as_str()).collect();
    assert_eq!(names, ["eye", "sun"]);
}

#[test]
fn broken_files_are_errors_with_their_place() {
    let (glb, scene) = bent();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut scene = scene.clone();
        change(&mut scene);
        error_of(&glb.write(&scene), &Options::default())
    };
    let two_parents = with(&|s| s["nodes"][0]["children"] = json!([2]));
    assert!(
        two_parents.contains("node 2: found a second parent"),
        "{two_parents}"
    );
    let shape = with(&|s| s["animations"][0]["samplers"][0]["output"] = json!(1));
    assert!(
        shape.contains("animation 0, channel 0: found 16 numbers"),
        "{shape}"
    );
    let path = with(&|s| s["animations"][0]["channels"][0]["target"]["path"] = json!("turn"));
    assert!(
        path.contains("animation 0, channel 0: found another path"),
        "{path}"
    );
    let extension = with(&|s| {
        s["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        s["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    });
    assert!(
        extension
            .contains("found KHR_draco_mesh_compression, compressed meshes, expected plain meshes: switch"),
        "{extension}"
    );
    let mut deep = scene.clone();
    let nodes = (0..600).map(|i| match i {
        599 => json!({ "mesh": 0 }),
        i => json!({ "children": [i + 1] }),
    });
    deep["nodes"] = nodes.collect();
    deep["scenes"][0]["nodes"] = json!([0]);
    for key in ["skins", "animations"] {
        deep.as_object_mut().unwrap().remove(key);
    }
    let deep = error_of(&glb.write(&deep), &Options::default());
    assert!(deep.contains("512 levels"), "{deep}");
    let short = glb.write(&scene);
    assert!(convert_bytes(&short[..short.len() - 40], &Options::default()).is_err());
    // A million elements without bytes: stopped by the limit, not by the memory.
    let mut many = scene;
    many["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(7);
    let (text, bin) = glb.text(&many);
    let mut json: Value = serde_json::from_slice(&text).unwrap();
    let all = json["accessors"].as_array_mut().unwrap();
    all.resize(
        8,
        json!({ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4_000_000_000_u32,
        "min": [0, 0, 0], "max": [0, 0, 0] }),
    );
    let error = convert::convert(json.to_string().as_bytes(), &Options::default(), &mut |_| {
        Some(bin.clone())
    });
    let Err(error) = error else {
        panic!("4,000,000,000 vertices were accepted");
    };
    assert!(error.to_string().contains("accessor 7"), "{error}");
}

#[test]
fn integers_are_positions_and_extensions_that_are_not_read_are_named() {
    let mut glb = Glb::default();
    let positions = glb.shorts("VEC3", &SQUARE.map(|p| p.map(|v| v as u16 * 300)));
    let faces = glb.shorts("SCALAR", &FACES);
    let scene = json!({
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "scale": [0.01, 0.01, 0.01] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions }, "indices": faces }] }],
        "extensionsUsed": ["KHR_mesh_quantization", "EXT_mesh_gpu_instancing"],
        "extensionsRequired": ["KHR_mesh_quantization"],
    });
    glb.bounds(positions, [0; 3], [300, 300, 0]);
    let conversion = checked(&glb.write(&scene), &Options::default());
    near(vertices(&conversion, None)[2], [3.0, 3.0, 0.0]);
    assert_eq!(
        warnings(&conversion),
        "extensionsUsed: not read: EXT_mesh_gpu_instancing\n"
    );
}

#[test]
fn files_of_the_first_version_are_named_so() {
    let text = json!({ "asset": { "version": "1.0" }, "nodes": { "a": {} }, "meshes": {} }).to_string();
    let error = error_of(text.as_bytes(), &Options::default());
    assert!(
        error.contains("asset.version: found 1.0, expected 2.0"),
        "{error}"
    );
    let error = error_of(br#"{ "nodes": { "a": {} } }"#, &Options::default());
    assert!(
        error.contains("found none, the form of 1.0, expected 2.0"),
        "{error}"
    );
    let mut glb = Glb::default();
    let scene = square(&mut glb, json!({}));
    let mut bytes = glb.write(&scene);
    bytes[4] = 1;
    let error = error_of(&bytes, &Options::default());
    assert!(
        error.contains("header: found version 1, expected version 2"),
        "{error}"
    );
    let pointer = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_animation_pointer"],
        "animations": [{ "samplers": [], "channels": [{ "target": { "node": 0, "path": "pointer" } }] }],
    });
    let error = error_of(pointer.to_string().as_bytes(), &Options::default());
    assert!(error.contains("not read: KHR_animation_pointer"), "{error}");
}

#[test]
fn two_thousand_damaged_copies_do_no_harm() {
    let (glb, scene) = bent();
    let (text, bin) = glb.text(&scene);
    let whole = glb.write(&scene);
    let options = Options {
        memory_limit: 16 << 20,
        ..all_stacks()
    };
    let mut state = 11_u64;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut read, mut refused) = (0, 0);
    for round in 0..2_000 {
        let source = if round % 2 == 0 { &whole } else { &text };
        let mut bytes = source.clone();
        match random(4) {
            0 => bytes.truncate(random(source.len())),
            1 => {
                let at = random(source.len());
                bytes[at] = b"0123456789[]{},\"-e"[random(18)];
            }
            _ => {
                let at = random(source.len());
                bytes[at] ^= 1 << random(8);
            }
        }
        match convert::convert(&bytes, &options, &mut |path| {
            (path == "data.bin").then(|| bin.clone())
        }) {
            Ok(mut conversion) => {
                conversion.model.write().unwrap();
                conversion.check(&mut Plain::default()).unwrap();
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    println!("{read} damaged files converted, {refused} refused");
    assert!(read > 100 && refused > 100, "{read} {refused}");
}
