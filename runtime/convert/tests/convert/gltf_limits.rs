//! glTF files that need much more memory than their size.

use convert::Options;
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
