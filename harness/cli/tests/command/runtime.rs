//! Playing models and sprites: motions, cameras, and errors in their files.

use super::{assets, camera_motion, swirl, text};
use ninja::{CellChunk, Chunk, File};
use std::path::{Path, PathBuf};

#[test]
fn motions_are_linked_and_cameras_move() {
    let folder = assets("linked");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let picture = |options: &[&str]| {
        let (model, output) = (at("shark.nj"), at("picture.png"));
        let options = [&["render", &model, "-o", &output, "--size", "160x120"], options].concat();
        let render = swirl(&options);
        assert_eq!(render.status.code(), Some(0), "{}", text(&render.stderr));
        std::fs::read(output).unwrap()
    };
    let swims = at("shark.njm");
    // A given distance gives the camera the same position in all pictures.
    let still = ["--frame", "12", "--distance", "60"];
    let of = |options: &[&str]| picture(&[&still[..], options].concat());
    let alone = of(&["--motion", &swims]);
    let linked = |share| of(&["--motion", &swims, "--link", &swims, "--share", share]);
    assert!(
        linked("0") == alone && linked("1") == alone,
        "a motion linked to itself is itself"
    );
    let half = of(&["--link", &swims]);
    assert!(half != alone, "half of the motion is the motion");

    let flight = at("flight.njm");
    camera_motion(Path::new(&flight));
    let seen = |frame| picture(&["--camera", &flight, "--frame", frame]);
    let (front, side) = (seen("0"), seen("1"));
    assert!(front != side, "the camera stands still");

    let (model, output) = (at("shark.nj"), at("none.png"));
    let none = swirl(&["render", &model, "-o", &output, "--light-motion", &flight]);
    assert_eq!(none.status.code(), Some(2));
    let message = text(&none.stderr);
    assert!(
        message.contains("flight.njm") && message.contains("found no motion of kind NLIM"),
        "{message}"
    );
    assert!(!Path::new(&output).exists());
}

/// Reads a file, changes it and writes it under another name.
fn changed(from: &Path, to: &Path, change: impl FnOnce(&mut Vec<Chunk>)) {
    let mut chunks = ninja::read(&std::fs::read(from).unwrap()).unwrap().chunks;
    change(&mut chunks);
    std::fs::write(to, File::new(chunks).write().unwrap()).unwrap();
}

/// Returns a motion of the first nodes of another one.
fn first_nodes(motion: &ninja::Motion, nodes: usize) -> ninja::Motion {
    let mut first = ninja::Motion::new(motion.kind, motion.motion_type, motion.nb_frame);
    for node in motion.nodes.iter().take(nodes) {
        let keys = |table: &Option<_>| table.and_then(|table| motion.track(table)).cloned();
        let tables: Vec<_> = node.tables.iter().map(keys).collect();
        let tables: Vec<_> = tables
            .into_iter()
            .map(|keys| keys.map(|keys| first.push_track(keys)))
            .collect();
        first.push_node(&tables);
    }
    first
}

/// Checks the status and the messages of a command.
#[track_caller]
fn ends(args: &[&str], status: i32, parts: &[&str]) {
    let output = swirl(args);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {told}");
    for part in parts {
        assert!(told.contains(part), "{part} not in: {told}");
    }
}

#[test]
fn motions_and_shapes_for_other_models_name_the_node() {
    let folder = assets("misfits");
    let at = |name: &str| folder.join(name);
    changed(&at("shark.njm"), &at("fewer.njm"), |chunks| {
        for chunk in chunks {
            if let Chunk::Motion(motion) = chunk {
                *motion = first_nodes(motion, 3);
            }
        }
    });
    // Removes the second shape's last vertex, which is six words of CV_VN.
    changed(&at("shark.njs"), &at("fewer.njs"), |chunks| {
        for chunk in chunks {
            if let Chunk::ShapeList(list) = chunk {
                let chunk = &mut list.vlists[1].chunks[0];
                let words = chunk.words.len() - chunk.words.len() / chunk.count();
                chunk.words.truncate(words);
            }
        }
    });
    let [model, picture] = ["shark.nj", "none.png"].map(|name| at(name).display().to_string());
    let [motion, shape] = ["fewer.njm", "fewer.njs"].map(|name| at(name).display().to_string());
    let render = ["render", &model, "-o", &picture];
    let wrong = [&render[..], &["--motion", &motion]].concat();
    ends(&wrong, 2, &["shark.nj", "3 entries (NJS_MDATA)", "node 3 at 0x"]);
    let swims = at("shark.njm").display().to_string();
    let wrong = [&render[..], &["--motion", &swims, "--shape", &shape]].concat();
    ends(&wrong, 2, &["shark.nj", "node ", "shape 1 has", "as shape 0 has"]);
    assert!(!Path::new(&picture).exists());
}

#[test]
fn what_is_missing_is_told_once_and_the_rest_is_drawn() {
    let folder = assets("missing");
    let [model, picture] = ["shark.nj", "seen.png"].map(|name| folder.join(name).display().to_string());
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let elsewhere = elsewhere.display().to_string();
    let render = [
        "render",
        &model,
        "-o",
        &picture,
        "--size",
        "64x48",
        "--textures",
        &elsewhere,
    ];
    ends(
        &render,
        0,
        &["textures are missing: SKIN, SAND, SWIRL; found neither in the model's folder"],
    );
    assert!(Path::new(&picture).exists());
}

/// Writes the regression case's sprite, and a stream that names cell 40 although the sprite has four.
fn stray_stream(folder: &Path) -> [PathBuf; 3] {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene/cells_stream_repeat");
    let [sprite, stray] = ["sprite.spa", "stray.csj"].map(|name| folder.join(name));
    for name in ["sprite.spa", "letter.pvr"] {
        std::fs::copy(case.join(name), folder.join(name)).unwrap();
    }
    let chunks = vec![
        CellChunk::Stamp { words: 0, time: 0 },
        CellChunk::Texture { entry: 40, tex_id: 0 },
        CellChunk::Event {
            event: 9,
            data: vec![7],
        },
        CellChunk::End { dummy: 0, time: 4 },
    ];
    let mut stream = ninja::CellStream::new(chunks);
    stream.count_stamps().unwrap();
    std::fs::write(
        &stray,
        File::new(vec![Chunk::CellStream(stream)]).write().unwrap(),
    )
    .unwrap();
    [sprite, stray, folder.join("seen.png")]
}

#[test]
fn streams_that_name_cells_that_are_not_there_play_on() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stray");
    std::fs::create_dir_all(&folder).unwrap();
    let [sprite, stray, picture] = stray_stream(&folder).map(|path| path.display().to_string());
    let output = swirl(&["render", &sprite, "--cells", &stray, "-o", &picture]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    assert_eq!(told.matches("warning").count(), 1, "{told}");
    assert!(told.contains("stream 0: names cells that the sprite does not have (cell 40 is the first)"));
    assert!(text(&output.stdout).contains("time 0, stream 0: event 9 [0x00000007]"));
}

#[test]
fn textures_of_indices_without_a_palette_are_told_of() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("palettes");
    let alone = folder.join("alone");
    std::fs::create_dir_all(&alone).unwrap();
    std::fs::copy(case.join("cells_palette4/index.pvr"), alone.join("index.pvr")).unwrap();
    let model = case.join("palette_model/model.nja").display().to_string();
    let palette = case.join("cells_palette4/sprite.pvp").display().to_string();
    let [picture, alone] = [folder.join("seen.png"), alone].map(|path| path.display().to_string());
    let render = ["render", &model, "-o", &picture, "--textures", &alone];
    ends(
        &render,
        0,
        &[
            "texture index needs palette bank 1, but no palette (.pvp) contains it: its indices are drawn as \
             grey levels",
        ],
    );
    let expected = case.join("palette_model/expected/frame_0000.png");
    let shot = [
        "--size",
        "128x96",
        "--yaw",
        "0",
        "--pitch",
        "0",
        "--palette",
        &palette,
    ];
    ends(&[&render[..], &shot].concat(), 0, &[""]);
    assert!(pixels(Path::new(&picture)) == pixels(&expected));
}

fn pixels(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}
