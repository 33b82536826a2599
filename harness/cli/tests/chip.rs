//! Verbs for the PowerVR2: scenes, regression cases, textures, settings, inspecting a frame.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{swirl, text};
use std::path::{Path, PathBuf};

/// Runs the command and returns standard output; prints standard error on a failure.
fn done(args: &[&str]) -> String {
    let output = swirl(args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Checks that the command fails with status 2, and returns standard error.
fn refused(args: &[&str]) -> String {
    let output = swirl(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    text(&output.stderr)
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn at(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pvr")
}

/// The gallery: every scene must draw its expected picture.
#[test]
fn scenes_of_the_chip() {
    let folder = folder("gallery");
    let (sheet, report) = (at(&folder, "sheet.png"), at(&folder, "report.xml"));
    let scenes = scenes();
    let scenes = scenes.to_str().unwrap();
    let out = at(&folder, "out");
    let told = done(&[
        "test",
        scenes,
        "--contact-sheet",
        &sheet,
        "--junit",
        &report,
        "--out",
        &out,
    ]);
    println!("{told}");
    let passed = told.lines().last().unwrap().split_whitespace().next().unwrap();
    assert!(passed.parse::<u32>().unwrap() >= 120, "{told}");
    assert!(
        std::fs::read_to_string(&report)
            .unwrap()
            .contains("failures=\"0\"")
    );
    assert!(std::fs::metadata(&sheet).unwrap().len() > 50_000);
    assert!(!folder.join("out").exists());
    // The parts must be disjoint and complete.
    let count = |shard: &str| -> u32 {
        let told = done(&["test", scenes, "--part", shard, "-j", "1"]);
        told.lines()
            .last()
            .unwrap()
            .split_whitespace()
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    assert_eq!(
        (1..=3).map(|n| count(&format!("{n}/3"))).sum::<u32>(),
        passed.parse::<u32>().unwrap()
    );
}

/// Every case of a model, motion or cell sprite must draw its expected picture, with kernels compared bit for
/// bit.
#[test]
fn scenes_of_models() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene");
    let told = done(&[
        "test",
        scenes.to_str().unwrap(),
        "--out",
        &at(&folder("scene-cases"), "out"),
    ]);
    println!("{told}");
    let passed = told.lines().last().unwrap().split_whitespace().next().unwrap();
    assert!(passed.parse::<u32>().unwrap() >= 42, "{told}");
}

#[test]
fn cases_fail_with_pictures_and_are_updated() {
    let folder = folder("cases");
    for (name, colour) in [("red", "FF0000"), ("blue", "0000FF")] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        let scene = format!("size 8x8\nbackground {colour}\nlist opaque\nend\nrender\n");
        std::fs::write(folder.join(name).join("scene.txt"), scene).unwrap();
    }
    let (root, out) = (folder.to_str().unwrap(), at(&folder, "out"));
    let run = |more: &[&str]| swirl(&[&["test", root, "--out", &out], more].concat());
    let first = run(&[]);
    assert_eq!(first.status.code(), Some(1));
    assert!(text(&first.stdout).contains("--update writes it"));
    assert!(text(&run(&["--update"]).stdout).contains("2 updated"));
    assert_eq!(run(&[]).status.code(), Some(0));
    // A different picture gives a line with the difference and the command, three pictures, and a failure in
    // the report.
    std::fs::copy(folder.join("red/frame.png"), folder.join("blue/frame.png")).unwrap();
    let report = at(&folder, "report.xml");
    let failed = run(&["--junit", &report]);
    let told = text(&failed.stdout);
    assert_eq!(failed.status.code(), Some(1));
    assert!(
        told.contains("blue: FAILED: frame.png: 64 of 64 pixels differ, the first at (0, 0), by at most 255"),
        "{told}"
    );
    assert!(told.contains(&format!("swirl test {root}/blue")), "{told}");
    for what in ["expected", "actual", "difference"] {
        assert!(
            folder.join(format!("out/blue/frame.{what}.png")).exists(),
            "{what}"
        );
    }
    assert!(
        std::fs::read_to_string(&report)
            .unwrap()
            .contains("failures=\"1\"")
    );
    // A known failure must fail.
    let case = |text: &str| std::fs::write(folder.join("blue/case.toml"), text).unwrap();
    case("known_failure = true\n");
    assert_eq!(run(&[]).status.code(), Some(0));
    case("max_different_pixels = 64\n");
    assert_eq!(run(&[]).status.code(), Some(0));
    case("no_such_key = 1\n");
    let wrong = run(&[]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stdout).contains("no_such_key"));
    assert!(refused(&["test", &at(&folder, "out/none")]).contains("not a directory"));
}

#[test]
fn frames_of_models_are_cases() {
    let folder = folder("models");
    let root = folder.to_str().unwrap();
    done(&[
        "demo",
        "--cases=1",
        "--no-window",
        "--output",
        &at(&folder, "demo.png"),
        "--assets",
        root,
    ]);
    let case =
        "kind = \"frame\"\ninput = \"shark.nj\"\nsize = \"64x48\"\nyaw = 55.0\nkernels = \"checked\"\n";
    std::fs::write(folder.join("case.toml"), case).unwrap();
    done(&["test", root, "--update"]);
    assert!(folder.join("expected/frame_0000.png").exists());
    assert!(done(&["test", root]).contains("1 case: 1 passed"));
    // Another setting of the chip gives another picture.
    let other = swirl(&["test", root, "--pvr", "flycast", "--out", &at(&folder, "out")]);
    std::fs::write(folder.join("case.toml"), format!("{case}pvr = [\"no\"]\n")).unwrap();
    let unknown = swirl(&["test", root]);
    assert!(
        text(&unknown.stdout).contains("no preset 'no'"),
        "{}",
        text(&unknown.stdout)
    );
    assert_eq!(other.status.code(), Some(1), "{}", text(&other.stdout));
}

#[test]
fn a_frame_can_be_looked_into() {
    let folder = folder("look");
    let scene = scenes().join("punch_through_under_translucent/scene.txt");
    let scene = scene.to_str().unwrap();
    let pictures = ["overdraw", "wireframe", "lists"].map(|name| at(&folder, &format!("{name}.png")));
    let told = done(&[
        "render",
        scene,
        "-o",
        &at(&folder, "frame.png"),
        "--inspect",
        "32,20",
        "--stats",
        "--ta-dump",
        &at(&folder, "frame.ta"),
        "--overdraw",
        &pictures[0],
        "--wireframe",
        &pictures[1],
        "--lists",
        &pictures[2],
    ]);
    for part in [
        "alpha test failed",
        "FF404040 -> BF375090",
        "flushed BF375090",
        "tile entries         16",
        "chip time",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(pictures.iter().all(|path| Path::new(path).exists()));
    assert_eq!(std::fs::metadata(folder.join("frame.ta")).unwrap().len() % 32, 0);
    assert!(refused(&["render", scene, "-o", &at(&folder, "x.png"), "--inspect", "64,0"]).contains("64,0"));
}

#[test]
fn switches_are_listed_and_set() {
    let told = done(&["pvr-settings"]);
    assert!(
        told.contains("fill_rule") && told.contains("low     *top_left  ") && told.contains("preset flycast")
    );
    let json: serde_json::Value = serde_json::from_str(&done(&[
        "pvr-settings",
        "--json",
        "--pvr",
        "dither_matrix=refsw2",
    ]))
    .unwrap();
    let switches = json["switches"].as_array().unwrap();
    assert!(switches.len() >= 25);
    let dither = switches
        .iter()
        .find(|row| row["name"] == "dither_matrix")
        .unwrap();
    assert_eq!(
        (&dither["default"], &dither["current"]),
        (&"flycast".into(), &"refsw2".into())
    );
    assert!(refused(&["pvr-settings", "--pvr", "fill_rule=x"]).contains("top_left, top_left_raw, inclusive"));
    assert!(refused(&["pvr-settings", "--pvr", "nonsense"]).contains("refsw2, flycast, default"));
}

/// Writes the picture of a scene that shows a texture.
fn picture(folder: &Path, name: &str, texture: &str) -> String {
    let path = at(folder, name);
    let scene = at(folder, "scene.txt");
    std::fs::write(&scene, format!("texture t {texture}\nshow texture=t\n")).unwrap();
    done(&["render", &scene, "-o", &path]);
    path
}

#[test]
fn textures_are_converted_and_come_back() {
    let folder = folder("textures");
    let square = picture(
        &folder,
        "square.png",
        "64x64 565 twiddled gradient FF0000 00FF00 0000FF FFFFFF",
    );
    let letter = picture(&folder, "letter.png", "64x64 565 twiddled glyph F8FC00 0000F8");
    let wide = picture(&folder, "wide.png", "64x32 565 twiddled glyph F8FC00 0000F8");
    let bytes = |path: &str| std::fs::read(path).unwrap();
    let back = |pvr: &str| {
        let png = at(&folder, "back.png");
        done(&["convert", pvr, &png]);
        png
    };
    // Every format can store the letter's colours, so they must be exact.
    let (pvr, plain) = (
        at(&folder, "letter.pvr"),
        ["convert", &letter, &at(&folder, "letter.pvr")],
    );
    for (format, layout, mips, codes) in [
        ("565", "twiddled", false, [1, 0x01]),
        ("565", "twiddled", true, [1, 0x02]),
        ("565", "vq", false, [1, 0x03]),
        ("565", "vq", true, [1, 0x04]),
        ("565", "rect", false, [1, 0x09]),
        ("565", "stride", false, [1, 0x0B]),
        ("565", "small-vq", false, [1, 0x10]),
        ("565", "small-vq", true, [1, 0x11]),
        ("565", "dma", false, [1, 0x12]),
    ] {
        let mut args = [&plain[..], &["--format", format, "--layout", layout]].concat();
        if mips {
            args.push("--mipmaps");
        }
        done(&args);
        assert_eq!(bytes(&pvr)[8..10], codes, "{layout}");
        let png = bytes(&back(&pvr));
        // The chip fills the low bits of linear textures with zeros, so the colours are darker.
        if !["rect", "stride"].contains(&layout) {
            assert_eq!(png, bytes(&letter), "{format} {layout} {mips}");
        }
    }
    for (format, code) in [("1555", 0), ("4444", 2), ("yuv422", 3), ("bump", 4)] {
        done(&[&plain[..], &["--format", format]].concat());
        assert_eq!(bytes(&pvr)[8], code, "{format}");
        done(&["convert", &pvr, &at(&folder, "back.png")]);
    }
    done(&[
        "convert",
        &wide,
        &at(&folder, "wide.pvr"),
        "--global-index",
        "7",
        "--bank",
        "3",
    ]);
    let wide_pvr = bytes(&at(&folder, "wide.pvr"));
    assert_eq!(wide_pvr[..16], *b"GBIX\x08\0\0\0\x07\0\0\0\x03\0\0\0");
    assert_eq!(wide_pvr[24..26], [1, 0x0D]);
    assert_eq!(bytes(&back(&at(&folder, "wide.pvr"))), bytes(&wide));
    // Palettes: one for both images in an archive. A dithered gradient must differ from a plain one.
    let (pvm, pvp) = (at(&folder, "both.pvm"), at(&folder, "both.pvp"));
    done(&["convert", &letter, &square, &pvm, "--format", "pal8", "--mipmaps"]);
    assert!(Path::new(&pvp).exists());
    let unpacked = folder.join("unpacked");
    std::fs::create_dir(&unpacked).unwrap();
    done(&["convert", &pvm, unpacked.to_str().unwrap()]);
    assert!(unpacked.join("letter.png").exists() && unpacked.join("square.png").exists());
    done(&[
        "convert",
        &letter,
        &at(&folder, "small.pvr"),
        "--format",
        "pal4",
        "--palette-format",
        "565",
    ]);
    assert_eq!(bytes(&back(&at(&folder, "small.pvr"))), bytes(&letter));
    let gradient = |name: &str, more: &[&str]| {
        let path = at(&folder, name);
        done(&[&["convert", &square, &path, "--format", "4444"], more].concat());
        bytes(&path)
    };
    assert_ne!(gradient("plain.pvr", &[]), gradient("dither.pvr", &["--dither"]));
    assert!(done(&["convert", &square, &letter, &pvp, "--format", "pal4"]).contains("16 colours"));
    done(&["convert", &pvp, &at(&folder, "palette.png")]);
    // Conversions that are impossible.
    assert!(refused(&["convert", &wide, &pvr, "--mipmaps"]).contains("square"));
    assert!(refused(&["convert", &wide, &pvr, "--layout", "rect", "--mipmaps"]).contains("no agreed layout"));
    assert!(refused(&["convert", &pvm, &at(&folder, "x.png")]).contains("folder"));
    assert!(refused(&["convert", &letter, &at(&folder, "x.png")]).contains("already"));
}

/// The texture coordinates of the rectangle are the centre of one texel, 486CFF. The bilinear filter must
/// return its 565 colour.
#[test]
fn a_texel_at_its_centre_is_exact() {
    let folder = folder("half-texel");
    let model = scenes().join("../half_texel/q.obj");
    let out = at(&folder, "q.png");
    let model = model.to_str().unwrap();
    let told = done(&[
        "render",
        model,
        "-o",
        &out,
        "--yaw",
        "0",
        "--pitch",
        "0",
        "--inspect",
        "320,240",
    ]);
    assert!(told.contains("texel FF4A6DFF"), "{told}");
}

/// VQ with mip levels: the scan-order bit, TCW bit 26, must have no effect.
#[test]
fn vq_with_mip_levels_has_one_texel_order() {
    let folder = folder("scan-order");
    let scene = std::fs::read_to_string(scenes().join("texture_vq_mips_scan_order/scene.txt")).unwrap();
    assert!(scene.contains("CC0C0000"));
    let [linear, twiddled] =
        [("1", scene.clone()), ("0", scene.replace("CC0C0000", "C80C0000"))].map(|(name, scene)| {
            let path = at(&folder, &format!("{name}.txt"));
            std::fs::write(&path, scene).unwrap();
            let out = at(&folder, &format!("{name}.png"));
            done(&["render", &path, "-o", &out]);
            std::fs::read(&out).unwrap()
        });
    assert!(linear == twiddled);
}
