//! Models: pictures, overlays, exports.

use super::{fail, perform, root, session};
use serde_json::{Value, json};
use web::Session;

#[test]
fn a_model_is_drawn_as_the_player_draws_it() {
    let mut session = session(
        &["shark.nj", "shark.njm", "skin.pvr", "sand.pvr", "swirl.pvr"]
            .map(|name| format!("roms/src/demo/{name}")),
    );
    let open = json!({ "request": "open-model", "model": "shark.nj", "motion": "shark.njm" });
    let (info, _) = perform(&mut session, open, &[]);
    assert_eq!(info["textures"][0]["missing"], false);
    let (drawn, data) = perform(
        &mut session,
        json!({ "request": "draw", "frame": 3.0, "wireframe": true }),
        &[],
    );
    let mut assets = player::Assets::new(root().join("roms/src/demo/shark.nj"));
    let motion = root().join("roms/src/demo/shark.njm");
    assets.motion = Some(motion.to_str().expect("a path").parse().expect("a motion"));
    let mut direct =
        player::Player::open(&player::Disk, &assets, &player::Options::default()).expect("a model");
    let expected = direct.draw(3.0, &mut player::Reference).expect("a picture").image;
    assert_eq!(info["length"], direct.length());
    let (pixels, edges) = data.split_at(640 * 480 * 4);
    assert!(pixels == expected.rgba);
    assert_eq!(
        edges.len() as u64,
        drawn["edges"].as_u64().expect("a number") * 16
    );
    assert!(!edges.is_empty());
    // Another camera, and all nodes hidden.
    let (_, turned) = perform(
        &mut session,
        json!({ "request": "draw", "orbit": [90.0, 0.0], "zoom": 2.0 }),
        &[],
    );
    let hidden = vec![true; info["models"][0].as_array().expect("nodes").len()];
    let (_, empty) = perform(
        &mut session,
        json!({ "request": "draw", "hidden": [hidden] }),
        &[],
    );
    assert!(turned != pixels && empty != pixels && turned != empty);
    assert!(empty.chunks(4).all(|pixel| pixel == &empty[..4]));
    let (size, texels) = perform(&mut session, json!({ "request": "texture", "index": 0 }), &[]);
    let pixels = size["width"].as_u64().expect("a width") * size["height"].as_u64().expect("a height");
    assert_eq!(texels.len() as u64, 4 * pixels);
}

/// A session with the shark and its motion open.
fn shark() -> Session {
    let names = ["shark.nj", "shark.njm", "skin.pvr", "sand.pvr", "swirl.pvr"];
    let mut session = session(&names.map(|name| format!("roms/src/demo/{name}")));
    let open = json!({ "request": "open-model", "model": "shark.nj", "motion": "shark.njm" });
    let (info, _) = perform(&mut session, open, &[]);
    assert_eq!(info["exports"], json!(["glb", "nj", "nja"]));
    session
}

#[test]
fn overlays_follow_the_picture() {
    let mut session = shark();
    let draw = |view: Value| {
        let mut request = json!({ "request": "draw", "frame": 3.0 });
        let fields = view.as_object().expect("fields").clone();
        request.as_object_mut().expect("a request").extend(fields);
        request
    };
    let picture = 640 * 480 * 4;
    let numbers = |data: &[u8]| -> Vec<f32> {
        let (words, _) = data[picture..].as_chunks::<4>();
        words.iter().map(|word| f32::from_le_bytes(*word)).collect()
    };
    let mut ask = |view: Value| perform(&mut session, draw(view), &[]);
    // Each normal begins at a vertex, and the edges have the same vertices.
    let (reply, data) = ask(json!({ "wireframe": true, "normals": true }));
    let all = numbers(&data);
    let count = |name: &str| reply[name].as_u64().expect("a number") as usize;
    let (edges, normals) = all.split_at(4 * count("edges"));
    assert_eq!(normals.len(), 4 * count("normals"));
    let is_corner = |[x, y]: [f32; 2]| {
        let corners = edges.as_chunks::<2>().0.iter();
        corners
            .clone()
            .any(|[u, v]| (u - x).abs() < 0.01 && (v - y).abs() < 0.01)
    };
    let normals = normals.as_chunks::<4>().0;
    let on_corners = normals.iter().filter(|[x, y, _, _]| is_corner([*x, *y])).count();
    assert!(
        !normals.is_empty() && on_corners * 10 > normals.len() * 3,
        "{on_corners}"
    );
    // The weights of all nodes together are 1 for each vertex.
    let (info, _) = perform(
        &mut shark(),
        json!({ "request": "open-model", "model": "shark.nj" }),
        &[],
    );
    let nodes = info["models"][0].as_array().expect("nodes");
    let mut sums = std::collections::BTreeMap::<[u32; 2], f32>::new();
    for node in nodes {
        let (reply, data) = ask(json!({ "weights": [0, node["id"]] }));
        let points = numbers(&data);
        assert_eq!(
            points.len() as u64,
            3 * reply["weights"].as_u64().expect("a number")
        );
        for [x, y, weight] in points.as_chunks::<3>().0 {
            *sums.entry([x.to_bits(), y.to_bits()]).or_default() += weight;
        }
    }
    assert!(sums.len() > 100);
    // Several vertices can have one place.
    let whole = |sum: &f32| (sum - sum.round()).abs() < 0.01 && *sum > 0.99;
    assert!(sums.values().all(whole), "{sums:?}");
    // A heat map has the chip's six colours only.
    let (_, heat) = ask(json!({ "show": "overdraw" }));
    let colours: std::collections::BTreeSet<&[u8]> = heat.chunks(4).collect();
    assert!(
        (2..=6).contains(&colours.len()) && colours.contains(&[0, 0, 160, 255][..]),
        "{colours:?}"
    );
}

#[test]
fn a_model_is_exported() {
    let mut session = shark();
    let export = |format: &str| json!({ "request": "export", "format": format });
    // The binary and the text contain the model and its motion.
    let read = |name: &str| {
        let bytes = std::fs::read(root().join("roms/src/demo").join(name)).expect("a file");
        ninja::read(&bytes).expect("a Ninja file").chunks
    };
    let expected = [read("shark.nj"), read("shark.njm")].concat();
    let (warnings, binary) = perform(&mut session, export("nj"), &[]);
    assert_eq!(warnings, json!([]));
    assert_eq!(ninja::read(&binary).expect("a Ninja file").chunks, expected);
    let (_, text) = perform(&mut session, export("nja"), &[]);
    let file = ninja::ascii::read(&text).expect("a text").file;
    assert_eq!(file.chunks.len(), expected.len());
    // The glTF scene can be opened, and has the motion and the texture.
    let (_, glb) = perform(&mut session, export("glb"), &[]);
    let add = json!({ "request": "add-file", "name": "copy.glb" });
    perform(&mut session, add, &glb);
    let open = json!({ "request": "open-model", "model": "copy.glb" });
    let (info, _) = perform(&mut session, open, &[]);
    assert_eq!(
        (&info["exports"], &info["textures"][0]["missing"]),
        (&json!(["glb", "nj", "nja", "pvm"]), &json!(false))
    );
    assert!(!info["motions"].as_array().expect("motions").is_empty());
    let (_, archive) = perform(&mut session, export("pvm"), &[]);
    assert!(!pvr::container::read_pvm(&archive).expect("an archive").is_empty());
    // A texture has no model.
    let open = json!({ "request": "open-model", "model": "skin.pvr" });
    assert_eq!(perform(&mut session, open, &[]).0["exports"], json!([]));
    fail(&mut session, export("glb"), &[]);
}

#[test]
fn pictures_and_animations_are_encoded() {
    let mut session = shark();
    let at = |request: &str, frame: u32| json!({ "request": request, "frame": frame });
    let (_, drawn) = perform(&mut session, at("draw", 2), &[]);
    let (_, png) = perform(&mut session, at("model-png", 2), &[]);
    let image = pvr::Image {
        width: 640,
        height: 480,
        rgba: drawn,
    };
    assert_eq!(png, player::png_bytes(&image).expect("a picture"));
    perform(&mut session, json!({ "request": "start-gif" }), &[]);
    let mut expected = player::GifWriter::new(Vec::new(), [640, 480]).expect("a GIF");
    // Thirty pictures a second: delays of 3, 4 and 3 hundredths.
    for (frame, delay) in [(0, 3), (5, 4), (6, 3)] {
        perform(&mut session, at("add-to-gif", frame), &[]);
        let (_, drawn) = perform(&mut session, at("draw", frame), &[]);
        expected.add(&drawn, delay).expect("a picture");
    }
    let finish = json!({ "request": "finish-gif" });
    let (count, gif) = perform(&mut session, finish.clone(), &[]);
    assert_eq!(count, 3);
    assert!(gif == expected.finish().expect("a GIF"));
    assert_eq!(
        fail(&mut session, finish, &[]),
        "found a GIF without pictures, expected at least one"
    );
}
