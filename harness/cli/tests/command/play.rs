//! Play settings, options without effect, shape motions in every split, and names of another kind.

use super::done;
use crate::common::{assets, swirl, text};
use std::path::{Path, PathBuf};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/scene")
        .join(name)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Checks for status 0 and a warning that contains `part`.
fn warned(args: &[&str], part: &str) {
    let output = swirl(args);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    let is_named = |line: &str| line.contains("warning: ") && line.contains(part);
    assert!(told.lines().any(is_named), "{args:?}: {told}");
}

/// Checks for status 2 and a message that contains `part`.
fn refused(args: &[&str], part: &str) {
    let output = swirl(args);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    assert!(told.contains(part), "{args:?}: {told}");
}

#[test]
fn play_settings_list_each_rule_with_both_readings() {
    let listing = done(&["play-settings"]);
    assert!(listing.contains("*keeps  restores\n"), "{listing}");
    assert!(
        listing.contains("Specification: docs/formats/cell-sprite.md 3.11"),
        "{listing}"
    );
    let json: serde_json::Value = serde_json::from_str(&done(&["play-settings", "--json"])).unwrap();
    let differing = json["switches"].as_array().unwrap().iter();
    assert_eq!(differing.filter(|row| row["seed"] != row["original"]).count(), 12);
    assert_eq!(json["presets"][1]["choices"]["stamps"], "held");
    let original = done(&["play-settings", "--play", "original", "--play", "stamps=reached"]);
    assert!(original.contains("(now restores)") && !original.contains("(now held)"));
    refused(
        &["play-settings", "--play", "ninja"],
        "no preset 'ninja', expected one of seed, original, default",
    );
    refused(
        &["play-settings", "--play", "stamps=x"],
        "expected one of reached, held",
    );
}

/// `swirl settings`: every group, one setting, wrong names, and one option for all groups.
#[test]
fn settings_of_all_groups_are_listed_explained_and_set() {
    let all = done(&["settings"]);
    for group in ["cpu", "console", "pvr", "aica", "timing", "play"] {
        assert!(all.contains(&format!("{group}: ")), "{all}");
    }
    assert!(all.lines().all(|line| line.len() < 160), "{all}");
    let json: serde_json::Value = serde_json::from_str(&done(&["settings", "--json"])).unwrap();
    let groups = json["groups"].as_array().unwrap();
    let rows: usize = groups
        .iter()
        .map(|group| group["settings"].as_array().unwrap().len())
        .sum();
    assert!(groups.len() == 6 && rows > 110, "{rows}");
    for row in groups
        .iter()
        .flat_map(|group| group["settings"].as_array().unwrap())
    {
        assert!(
            ["low", "medium", "high"].contains(&row["confidence"].as_str().unwrap()),
            "{row}"
        );
        let texts = ["name", "about", "default", "current", "evidence"];
        assert!(
            texts.iter().all(|key| !row[key].as_str().unwrap().is_empty()),
            "{row}"
        );
        assert!(row["choices"].is_array() != row["range"].is_array(), "{row}");
    }
    let one = done(&["settings", "fill-rule", "--set", "pvr=refsw2"]);
    for part in [
        "pvr.fill_rule\n",
        "  * top_left  ",
        "Evidence: ",
        "Confidence: low",
        "Now: top_left_raw",
        "Preset refsw2: ",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    refused(&["settings", "fill_rul"], "did you mean `fill_rule`?");
    refused(
        &["settings", "--set", "trilinear=off"],
        "expected pvr.trilinear or play.trilinear",
    );
    refused(
        &["settings", "--set", "pvr.cpu_hz=nominal"],
        "no setting 'cpu_hz'",
    );
}

/// A warning names every option that has no effect on an input.
#[test]
fn options_without_effect_are_named() {
    let folder = folder("unused");
    let picture = folder.join("x.png").display().to_string();
    let sprite = case("streams/three.spa").display().to_string();
    let model = case("vertex_colours/model.nja").display().to_string();
    let scene = std::fs::read_dir(case("../pvr"))
        .unwrap()
        .flatten()
        .next()
        .unwrap()
        .path()
        .join("scene.txt");
    let scene = scene.display().to_string();
    let nam = case("streams/slide.nam").display().to_string();
    let flat: [&[&str]; 10] = [
        &["--yaw", "3"],
        &["--pitch", "3"],
        &["--distance", "3"],
        &["--shape", &nam],
        &["--camera", &nam],
        &["--light-motion", &nam],
        &["--lamp", "directional:0,0,1"],
        &["--ambient", "102030"],
        &["--light", "3,4"],
        &["--draw", "cull=off"],
    ];
    for option in flat {
        let args = [&["render", &sprite, "-o", &picture][..], option].concat();
        warned(
            &args,
            &format!("{} has no effect on a cell sprite on the screen", option[0]),
        );
    }
    let still: [(&[&str], &str); 4] = [
        (
            &["--cell-space", "3d"],
            "--cell-space has no effect on this model",
        ),
        (&["--last-key", "hold"], "--last-key has no effect on this model"),
        (&["--fps", "30"], "--fps has no effect on this model"),
        (
            &["--play", "hold"],
            "--play has no effect on this model: no motion plays",
        ),
    ];
    for (option, message) in still {
        warned(
            &[&["render", &model, "-o", &picture][..], option].concat(),
            message,
        );
    }
    for option in [
        ["--size", "64x64"],
        ["--motion", &nam],
        ["--frame", "3"],
        ["--play", "seed"],
    ] {
        let args = [&["render", &scene, "-o", &picture][..], &option].concat();
        warned(
            &args,
            &format!("{} has no effect on a scene for the PowerVR2", option[0]),
        );
    }
    // In space the camera has an effect; a play setting has an effect everywhere.
    done(&[
        "render",
        &sprite,
        "-o",
        &picture,
        "--cell-space",
        "3d",
        "--yaw",
        "20",
        "--size",
        "64x64",
    ]);
    done(&[
        "render", &sprite, "-o", &picture, "--play", "original", "--size", "64x64",
    ]);
    done(&[
        "render",
        &model,
        "-o",
        &picture,
        "--play",
        "volumes=off",
        "--size",
        "64x64",
    ]);
}

#[test]
fn sprites_tell_why_nothing_is_seen() {
    let folder = folder("unseen");
    let picture = folder.join("x.png").display().to_string();
    let sprite = case("streams/z_zero.spa").display().to_string();
    let output = swirl(&["render", &sprite, "-o", &picture, "--size", "96x72"]);
    let told = text(&output.stderr);
    let reason = "cell 0 is not visible: the sprite's position z 0 plus its priority 0/32767 is not negative";
    assert!(told.contains(reason), "{told}");
}

/// docs/formats/compact-shape.md 1.4 and 4.2: the shape motion is in the file of the model's motion, or in a
/// separate one.
#[test]
fn shape_motions_are_taken_in_every_split() {
    let folder = assets("splits");
    let at = |name: &str| folder.join(name).display().to_string();
    let picture = |name: &str, options: &[&str]| {
        let (model, png) = (at("shark.nj"), at(name));
        let args = [
            &["render", &model, "-o", &png, "--size", "96x72", "--frame", "9"][..],
            options,
        ]
        .concat();
        done(&args);
        std::fs::read(&png).unwrap()
    };
    let (motions, shapes) = (at("shark.njm"), at("shark.njs"));
    let expected = picture("expected.png", &["--shape", &shapes, "--motion", &motions]);
    let still = picture("still.png", &["--motion", &motions]);
    assert_ne!(expected, still);
    done(&["convert", &motions, &at("parts"), "--split"]);
    let (nodes, vertices) = (at("parts/shark.njm"), at("parts/shark_1.njm"));
    let shapes_alone = picture("alone.png", &["--shape", &shapes, "--motion", &vertices]);
    // Shape list and shape motion in one file, binary and text; the model's motion in another.
    for (name, merged) in [
        ("both.njs", at("both.njs")),
        ("both.nas", at("both.nas")),
        ("both.nj", at("both.nj")),
    ] {
        done(&["convert", &shapes, &vertices, &merged]);
        let found = picture("found.png", &["--shape", &merged, "--motion", &nodes]);
        assert!(found == expected, "{name}");
        let found = picture("found.png", &["--shape", &merged]);
        assert!(found == shapes_alone, "{name}");
        let found = picture("found.png", &["--motion", &merged]);
        assert!(found == shapes_alone, "{name} as motion");
    }
    // The shape motion as text, and merged again.
    done(&["convert", &vertices, &at("vertices.nam")]);
    let found = picture(
        "found.png",
        &["--shape", &shapes, "--motion", &at("vertices.nam")],
    );
    assert!(found == shapes_alone);
    done(&["convert", &nodes, &vertices, &at("again.njm")]);
    let found = picture("found.png", &["--shape", &shapes, "--motion", &at("again.njm")]);
    assert!(found == expected);
    refused(
        &[
            "render",
            &at("shark.nj"),
            "-o",
            &at("x.png"),
            "--motion",
            &vertices,
        ],
        "no shape list (NJSL)",
    );
}

/// The case follows the specification, so it must fail with the original library's rule.
#[test]
fn cases_take_rules_of_the_command_line() {
    let order = case("streams/order").display().to_string();
    let out = folder("case-rules").display().to_string();
    done(&["test", &order]);
    let original = swirl(&["test", &order, "--play", "original", "--out", &out]);
    assert_eq!(original.status.code(), Some(1), "{}", text(&original.stderr));
    refused(
        &["test", &order, "--play", "stamps=never"],
        "expected one of reached, held",
    );
}

/// Textures computed by hand: the sprite's letter is 16x16 texels of 16 bits.
#[test]
fn info_describes_textures_palettes_and_key_frames() {
    let letter = case("streams/letter.pvr").display().to_string();
    let told = done(&["info", &letter]);
    assert!(
        told.contains("544 bytes") && told.contains("letter: 16x16, "),
        "{told}"
    );
    let json: serde_json::Value = serde_json::from_str(&done(&["info", &letter, "--json"])).unwrap();
    assert_eq!(json["textures"][0]["width"], 16);
    let palette = case("cells_palette4/sprite.pvp").display().to_string();
    assert!(done(&["info", &palette]).contains("64 entries from entry 0 of bank 0 on"));
    let motion = case("streams/short.nam").display().to_string();
    let told = done(&["info", &motion]);
    assert!(
        told.contains("NCSM: 11 frames, 1 node, linear; ANG_1 1 table with 2 keys"),
        "{told}"
    );
    let told = done(&["info", &motion, "--tree", "--values"]);
    assert!(told.contains("ANG_1 4: 90.000 degrees"), "{told}");
    let curve = case("streams/curve.nam").display().to_string();
    assert!(done(&["info", &curve]).contains("play setting spline-angles=linear"));
    refused(&["info", &motion, "--values"], "needs --tree");
}

#[test]
fn fbx_records_are_written_as_they_were() {
    let folder = folder("records");
    let copy = folder.join("copy.fbx").display().to_string();
    let source = super::scene("skin_anim.fbx").display().to_string();
    done(&["convert", &source, &copy]);
    assert!(std::fs::read(&source).unwrap() == std::fs::read(&copy).unwrap());
    let cut = done(&["info", &source, "--tree"]);
    let whole = done(&["info", &source, "--values"]);
    assert!(cut.contains(" x f64") && !whole.contains(" x f64") && whole.len() > cut.len());
    warned(
        &["convert", &source, &copy, "--rate", "30"],
        "--rate has no effect on FBX records: an option of scenes",
    );
    refused(
        &["convert", &source, &copy, "--dry-run"],
        "--dry-run is an option of scenes",
    );
    let top = done(&["info", &source]);
    assert!(
        top.lines().count() < 20 && top.contains("AnimationStack 1"),
        "{top}"
    );
}

/// Conversion through Ninja must give other records, but the same vertices in every frame.
#[test]
fn an_fbx_file_goes_through_a_scene() {
    let folder = folder("through");
    let at = |name: &str| folder.join(name).display().to_string();
    let source = super::scene("skin_shapes_anim.fbx").display().to_string();
    let told = done(&["convert", &source, &at("again.fbx"), "--scene"]);
    assert!(
        told.contains("1 mesh, 140 triangles") && told.contains("1 animation"),
        "{told}"
    );
    assert!(std::fs::read(&source).unwrap() != std::fs::read(at("again.fbx")).unwrap());
    let told = done(&["convert", &at("again.fbx"), &at("out"), "--check"]);
    assert!(
        told.contains("140 triangles") && told.contains("31 frames at 30"),
        "{told}"
    );
    done(&["convert", &source, &at("again.glb")]);
    let glb = std::fs::read(at("again.glb")).unwrap();
    assert!(glb.starts_with(b"glTF"));
}

/// Frame -1 must be the last frame of a looping motion.
#[test]
fn frames_before_0_are_counted_from_the_end() {
    let folder = folder("negative");
    let model = case("motions/arm.nja").display().to_string();
    let motion = case("motions/spline.nam").display().to_string();
    let seen = |frame: &str| {
        let picture = folder.join("x.png").display().to_string();
        let shot = ["--size", "64x64", "--frame", frame];
        done(
            &[
                &["render", &model, "--motion", &motion, "-o", &picture][..],
                &shot,
            ]
            .concat(),
        );
        std::fs::read(picture).unwrap()
    };
    assert!(seen("-1") == seen("30") && seen("-11") == seen("20") && seen("-1") != seen("20"));
}

/// Exports must apply the play setting to angles of a spline motion.
#[test]
fn exports_obey_the_rule_of_spline_angles() {
    let folder = folder("exported-angles");
    let at = |name: &str| folder.join(name).display().to_string();
    let model = case("motions/arm.nja").display().to_string();
    let motion = at("turn.nam");
    let text = "ROTATION r[] START MKEYA( 0, 0.0F, 0.0F, 0.0F ), MKEYA( 10, 0.0F, 0.0F, 90.0F ), \
        MKEYA( 20, 0.0F, 0.0F, 0.0F ), END MDATA1 d[] START NULL, 0, r, 3, NULL, 0, END MOTION m[] START \
        MdataArray d, MFrameNum 21, MotionBitF ( FMK_ANG1 ), InterpolFctF ( FMT_S|FMD_1 ), END";
    std::fs::write(&motion, text).unwrap();
    let made = |name: &str, play: &[&str]| {
        done(&[&["convert", &model, &motion, &at(name)][..], play].concat());
        std::fs::read(at(name)).unwrap()
    };
    let (seed, spline) = (
        made("a.glb", &[]),
        made("b.glb", &["--play", "spline-angles=spline"]),
    );
    let (linear, original) = (
        made("c.glb", &["--play", "spline-angles=linear"]),
        made("d.glb", &["--play", "original"]),
    );
    assert!(seed == spline && linear == original && seed != linear);
}

#[test]
fn names_of_another_kind_are_refused() {
    let folder = folder("kinds");
    let at = |name: &str| folder.join(name).display().to_string();
    let model = case("vertex_colours/model.nja").display().to_string();
    for name in [
        "x.njt", "x.spj", "x.njl", "x.njm", "x.njs", "x.csj", "x.nat", "x.nam",
    ] {
        refused(
            &["convert", &model, &at(name)],
            "files do not hold NJCM; name it .nj or .nja, or use --force",
        );
        assert!(!Path::new(&at(name)).exists());
    }
    done(&["convert", &model, &at("x.njt"), "--force"]);
    done(&["convert", &model, &at("model.nad")]);
    let text = std::fs::read_to_string(at("model.nad")).unwrap();
    assert!(
        text.starts_with("/* NAD 2.00.00 NinjaAsciiModel CnkModel"),
        "{text}"
    );
    done(&["convert", &at("model.nad"), &at("again.njd")]);
    for extension in ["vrs", "nrv", "mrs", "nre", "nsc", "nal", "nac"] {
        let name = at(&format!("x.{extension}"));
        std::fs::write(&name, "anything").unwrap();
        refused(&["info", &name], "no public document has");
        refused(&["convert", &name, &at("y.nj")], &name);
    }
}
