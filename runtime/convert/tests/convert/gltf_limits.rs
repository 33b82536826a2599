//! glTF files that need much more memory or time than their size.

use convert::{Options, Plain, Stacks};
use serde_json::{Value, json};

use crate::glb::Glb;
use crate::gltf_scenes::{error_of, square};

fn tight() -> Options {
    Options {
        memory_limit: 1 << 20,
        ..Options::default()
    }
}

#[test]
fn one_accessor_that_many_primitives_use_meets_the_memory_limit() {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let one = scene["meshes"][0]["primitives"][0].clone();
    scene["meshes"][0]["primitives"] = Value::Array(vec![one; 5_000]);
    let error = error_of(&glb.write(&scene), &tight());
    assert!(error.contains("memory limit of 1048576 bytes"), "{error}");
}

/// The default limit of 256 MiB allows 16,384 nodes.
#[test]
fn nodes_are_counted_before_their_models() {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let mut with = |count: usize| {
        scene["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); count]);
        scene["scenes"][0]["nodes"] = (0..count).collect();
        glb.write(&scene)
    };
    assert!(crate::convert_bytes(&with(16_384), &Options::default()).is_ok());
    let error = error_of(&with(16_385), &Options::default());
    let limit = "nodes: found 16385, expected at most 16384 within the memory limit of 268435456 bytes";
    assert!(error.contains(limit), "{error}");
    let twice = Options {
        memory_limit: 512 << 20,
        ..Options::default()
    };
    assert!(crate::convert_bytes(&with(16_385), &twice).is_ok());
}

#[test]
fn copies_meet_the_memory_limit() {
    let meets = |glb: &Glb, scene: &Value, place: &str| {
        let (text, bin) = glb.text(scene);
        let mut files = |_: &str| Some(bin.clone());
        let error = convert::convert(&text, &tight(), &mut files).err();
        let error = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(
            error.contains(place) && error.contains("memory limit of 1048576"),
            "{error}"
        );
    };
    // Many images of one view.
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let picture = glb.view(&[0; 10_000]);
    scene["images"] = json!(vec![
        json!({ "bufferView": picture, "mimeType": "image/png" });
        200
    ]);
    meets(&glb, &scene, "image 1");
    // Many textures of one image.
    scene["images"] = json!([{ "bufferView": picture, "mimeType": "image/png" }]);
    scene["textures"] = json!(vec![json!({ "source": 0 }); 200]);
    meets(&glb, &scene, "texture 1");
    // Many nodes with one skin of many joints.
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let node = |n: usize| json!({ "mesh": 0, "skin": 0, "weights": [n] });
    scene["nodes"] = (0..200).map(node).collect();
    scene["skins"] = json!([{ "joints": vec![0; 3000] }]);
    scene["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    meets(&glb, &scene, "skin 0");
    // A large primitive and a small one with many targets.
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    let small = scene["meshes"][0]["primitives"][0].clone();
    let many = glb.floats("VEC3", &[[0.0; 3]; 100]);
    scene["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": many } }, small]);
    scene["meshes"][0]["primitives"][1]["targets"] = json!(vec![json!({ "POSITION": 0 }); 100]);
    meets(&glb, &scene, "mesh 0, primitive 0");
}

#[test]
fn buffers_of_one_file_meet_the_memory_limit() {
    let mut glb = Glb::default();
    let scene = square(&mut glb, json!({}));
    let (text, bin) = glb.text(&scene);
    let mut scene: Value = serde_json::from_slice(&text).unwrap();
    let buffer = scene["buffers"][0].clone();
    scene["buffers"] = json!(vec![buffer; 200]);
    let large = [bin, vec![0; 10_000]].concat();
    let made = convert::convert(scene.to_string().as_bytes(), &tight(), &mut |_| {
        Some(large.clone())
    });
    let error = made.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        error.contains("buffer 10") && error.contains("memory limit"),
        "{error}"
    );
}

#[test]
fn a_length_below_the_header_is_an_error() {
    let mut glb = Glb::default();
    let scene = square(&mut glb, json!({}));
    let mut bytes = glb.write(&scene);
    bytes[8..12].copy_from_slice(&11_u32.to_le_bytes());
    let error = error_of(&bytes, &Options::default());
    assert!(error.contains("a length of 11, expected at least 12"), "{error}");
}

/// A strip of quadrilaterals with `columns` columns. A shape lifts its upper edge. The shape's weight changes
/// at the given times.
fn lifted(columns: u16, weights: &[[f32; 2]]) -> Vec<u8> {
    let mut glb = Glb::default();
    let place = |n: u16| [f32::from(n / 2), f32::from(n % 2), 0.0];
    let vertices: Vec<[f32; 3]> = (0..columns * 2).map(place).collect();
    let up = |n: u16| [0.0, f32::from(n % 2), 0.0];
    let offsets: Vec<[f32; 3]> = (0..columns * 2).map(up).collect();
    let quad = |n: u16| [0, 2, 1, 1, 2, 3].map(|k| [n * 2 + k]);
    let faces: Vec<[u16; 1]> = (0..columns - 1).flat_map(quad).collect();
    let (positions, offsets) = (glb.floats("VEC3", &vertices), glb.floats("VEC3", &offsets));
    let faces = glb.shorts("SCALAR", &faces);
    let times: Vec<[f32; 1]> = weights.iter().map(|[time, _]| [*time]).collect();
    let values: Vec<[f32; 1]> = weights.iter().map(|[_, weight]| [*weight]).collect();
    let (input, output) = (glb.floats("SCALAR", &times), glb.floats("SCALAR", &values));
    glb.write(&json!({
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "wave", "mesh": 0 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": positions },
            "indices": faces,
            "targets": [{ "POSITION": offsets }],
        }] }],
        "animations": [{
            "name": "lift",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            "samplers": [{ "input": input, "output": output }],
        }],
    }))
}

/// 10,000 vertices in 1,001 frames are sampled in windows of 200 frames. Keys are at the corners of the
/// curve, at the windows' ends after the first change, and at the start.
#[test]
fn long_shape_animations_are_sampled_in_windows() {
    let weights = [[0.0, 0.0], [15.0, 0.0], [20.0, 1.0], [100.0 / 3.0, 0.0]];
    let options = Options {
        stacks: Stacks::All,
        rate: Some(30.0),
        ..Options::default()
    };
    let mut conversion = crate::convert_bytes(&lifted(5000, &weights), &options).unwrap();
    let row = conversion.report.motions[0].clone();
    assert_eq!(row.frames, 1001);
    assert!((5..=12).contains(&row.shape_keys), "{} keys", row.shape_keys);
    let checked = conversion.check(&mut Plain::default()).unwrap();
    let [(_, worst)] = &checked.motions[..] else {
        panic!("{:?}", checked.motions);
    };
    assert!(worst.relative < 1.0 / 2000.0, "{worst:?}");
    // A weight that stays 0 needs no keys.
    let still = crate::convert_bytes(&lifted(5000, &[[0.0, 0.0], [30.0, 0.0]]), &options).unwrap();
    assert!(still.shapes.is_none());
}
