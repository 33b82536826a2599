//! The library `player` and the verbs that use it: equal pictures, every kind of file, options in any order.

use super::{done, scene};
use crate::common::{assets, swirl, text};
use player::{Assets, Disk, Options, Player, Reference};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data")
        .join(name)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the pixels of a picture from the command.
fn pixels(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

/// Draws models with textures, motions and shapes, a sprite with streams, a scene, a texture and a picture.
#[test]
fn the_library_draws_the_pictures_of_the_command() {
    let shark = assets("library");
    let of = |name: &str| shark.join(name);
    let source = |path: PathBuf| Some(path.to_str().unwrap().parse().unwrap());
    let mut swims = Assets::new(of("shark.nj"));
    (swims.motion, swims.shape) = (source(of("shark.njm")), source(of("shark.njs")));
    swims.cells = vec![of("swirl.spj"), of("swirl.csj")];
    let mut bends = Assets::new(data("scene/motions/arm.nja"));
    bends.motion = source(data("scene/motions/spline.nam"));
    let mut turns = Assets::new(data("scene/streams/three.spa"));
    turns.cells = vec![data("scene/streams/early.csa")];
    turns.textures = vec![data("scene/streams/letter.pvr")];
    let mut moves = Assets::new(scene("skin_anim.fbx"));
    moves.motion = Some(":0".parse().unwrap());
    let (skin, checker) = (Assets::new(of("SKIN.pvr")), Assets::new(scene("checker.png")));
    let options = Options {
        size: [160, 120],
        ..Options::default()
    };
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for (assets, frame) in [
        (swims, 9),
        (bends, 7),
        (turns, 1),
        (moves, 3),
        (skin, 0),
        (checker, 0),
    ] {
        let mut player = Player::open(&Disk, &assets, &options).unwrap();
        let drawn = player.draw(frame as f32, &mut Reference).unwrap();
        let name = |path: &PathBuf| path.to_str().unwrap().to_owned();
        let output = of("picture.png");
        let mut args = vec![
            "render".to_owned(),
            name(&assets.model),
            "-o".to_owned(),
            name(&output),
        ];
        args.extend(["--size", "160x120"].map(str::to_owned));
        let mut add = |option: &str, value: String| args.extend([option.to_owned(), value]);
        if player.length() > 0 {
            add("--frame", frame.to_string());
        }
        for (option, motion) in [("--motion", &assets.motion), ("--shape", &assets.shape)] {
            if let Some(motion) = motion {
                let file = motion.file.as_ref().map_or(String::new(), name);
                add(option, format!("{file}:{}", motion.number));
            }
        }
        assets.cells.iter().for_each(|path| add("--cells", name(path)));
        assets
            .textures
            .iter()
            .for_each(|path| add("--textures", name(path)));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        done(&args);
        assert!(pixels(&output) == drawn.image.rgba, "{args:?}");
        assert!(
            !seen.contains(&drawn.image.rgba),
            "{args:?} draws another picture's pixels"
        );
        seen.push(drawn.image.rgba);
    }
}

/// Every kind of file that a verb reads, with an expected figure.
#[test]
fn info_describes_every_kind_of_file() {
    let folder = folder("every-kind");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).unwrap();
        at(name)
    };
    let figure = |file: &str, pointer: &str| {
        let json = done(&["info", file, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        // Also as text.
        assert!(done(&["info", file]).starts_with(file), "{file}");
        json.pointer(pointer)
            .unwrap_or_else(|| panic!("{file}: no {pointer} in {json}"))
            .clone()
    };
    let obj = write("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(figure(&obj, "/report/triangles"), 1);
    let fbx = scene("skin_anim.fbx").to_str().unwrap().to_owned();
    done(&["convert", &fbx, &at("a.glb")]);
    assert!(figure(&at("a.glb"), "/report/triangles").as_u64().unwrap() > 0);
    let picture = scene("checker.png").to_str().unwrap().to_owned();
    assert_eq!(figure(&picture, "/width"), 16);
    let chip = data("pvr/fog_table/scene.txt").to_str().unwrap().to_owned();
    assert!(figure(&chip, "/pixels").as_u64().unwrap() > 0);
    done(&["render", &chip, "-o", &at("a.png"), "--ta-dump", &at("a.ta")]);
    assert_eq!(figure(&at("a.ta"), "/blocks"), figure(&chip, "/blocks"));
    let roms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms");
    let program = roms.join("console/rtc.elf").to_str().unwrap().to_owned();
    assert_eq!(figure(&program, "/entry"), "8c010000");
    let raw = write("a.bin", &[7, 0xE0, 0x0B, 0, 9, 0]);
    assert_eq!(figure(&raw, "/bytes"), 6);
    let capture = data("truth/captures/emulated.txt");
    let text = std::fs::read_to_string(&capture).unwrap();
    let observations = text.lines().filter(|line| line.starts_with("obs ")).count();
    assert_eq!(figure(capture.to_str().unwrap(), "/observations"), observations);
    write("track.bin", &[0; 2048 * 20]);
    let disc = write("a.gdi", b"1\n1 0 4 2048 track.bin 0\n");
    assert_eq!(
        figure(&disc, "/tracks"),
        serde_json::json!(["1: data from frame address 150, 20 sectors"])
    );
}

/// Text of an ASCII FBX file with one triangle.
#[test]
fn info_describes_an_fbx_file_in_ascii() {
    let text = "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\nObjects: {\n \
        Geometry: 1, \"Geometry::g\", \"Mesh\" {\n  Vertices: *9 {\n   a: 0,0,0,1,0,0,0,1,0\n  }\n  \
        PolygonVertexIndex: *3 {\n   a: 0,1,-3\n  }\n }\n Model: 2, \"Model::m\", \"Mesh\" {\n }\n}\n\
        Connections: {\n C: \"OO\",1,2\n C: \"OO\",2,0\n}\n";
    let path = folder("ascii-fbx").join("a.fbx");
    std::fs::write(&path, text).unwrap();
    let json = done(&["info", path.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["report"]["triangles"], 1);
}

#[test]
fn a_verb_names_the_verbs_that_take_a_file() {
    let folder = folder("other-verbs");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let motion = data("scene/motions/spline.nam").to_str().unwrap().to_owned();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/rtc.elf");
    let program = program.to_str().unwrap().to_owned();
    let output = folder.join("a.png").to_str().unwrap().to_owned();
    for (args, parts) in [
        (
            vec!["render", &motion, "-o", &output],
            ["found a Ninja motion", "swirl info or swirl convert takes it"],
        ),
        (
            vec!["view", &program],
            ["found an ELF file for SH-4", "swirl run"],
        ),
        (
            vec!["convert", &program, &output],
            ["found an ELF file for SH-4", "swirl disasm"],
        ),
        (
            vec!["run", &motion],
            ["found a Ninja motion", "expected an ELF file or a disc image"],
        ),
        (
            vec!["info", &write("a.zip", b"PK\x03\x04")],
            ["found a ZIP archive", "expected a Ninja model"],
        ),
    ] {
        let output = swirl(&args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{args:?}: {said}");
    }
}

/// An option before, between and after the files.
#[test]
fn options_may_appear_anywhere() {
    let folder = folder("anywhere");
    let out = folder.to_str().unwrap().to_owned();
    let fbx = scene("skin_anim.fbx").to_str().unwrap().to_owned();
    let rom = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/kernels.elf");
    let rom = rom.to_str().unwrap().to_owned();
    for args in [
        ["convert", "--unit", "0.01", &fbx, &out],
        ["convert", &fbx, "--unit", "0.01", &out],
        ["convert", &fbx, &out, "--unit", "0.01"],
    ] {
        done(&args);
    }
    let listed = done(&["disasm", &rom, "--symbol", "sincos"]);
    assert_eq!(listed, done(&["disasm", "--symbol", "sincos", &rom]));
    // An option with an optional value must not take the file as its value.
    let source = swirl(&["disasm", "--source", &rom]);
    assert!(text(&source.stderr).contains("no debug information"));
    let program = rom.replace("kernels.elf", "console/rtc.elf");
    done(&["run", "--ports", "mouse,none", &program]);
    let one = swirl(&["convert", &fbx]);
    assert!(text(&one.stderr).contains("expected inputs and an output") && one.status.code() == Some(2));
}
