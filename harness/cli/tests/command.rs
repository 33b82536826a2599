//! The command from outside: exit status, what goes where, and that outputs are whole.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn swirl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(args)
        .env_remove("DISPLAY")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with the demo's assets.
fn assets(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let picture = folder.join("demo.png");
    let output = swirl(&[
        "demo",
        "--cases=5",
        "--output",
        picture.to_str().unwrap(),
        "--assets",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("transform_points"));
    assert!(picture.metadata().unwrap().len() > 10_000);
    folder
}

#[test]
fn a_model_is_told_of_drawn_and_converted() {
    let folder = assets("model");
    let model = folder.join("shark.nj");
    let model = model.to_str().unwrap();

    let info = swirl(&["info", model, "--json"]);
    assert_eq!(info.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert!(json["triangles"].as_u64().unwrap() >= 1000);
    assert_eq!(json["textures"], serde_json::json!(["SKIN", "SAND", "SWIRL"]));
    assert_eq!(json["indices_unresolved"], 0);
    assert!(json["indices_through_dp"].as_u64().unwrap() > 0);

    let picture = folder.join("shark.png");
    let dump = folder.join("shark.ta");
    let (picture, dump) = (picture.to_str().unwrap(), dump.to_str().unwrap());
    let args = [
        "render",
        model,
        "-o",
        picture,
        "--kernels",
        "checked",
        "--ta-dump",
        dump,
        "--size",
        "320x240",
    ];
    let render = swirl(&args);
    assert_eq!(render.status.code(), Some(0), "{}", text(&render.stderr));
    // Its textures lie beside it, so nothing is missing.
    assert_eq!(text(&render.stderr), "");
    assert_eq!(std::fs::metadata(dump).unwrap().len() % 32, 0);
    let once = std::fs::read(picture).unwrap();
    let one_thread = [&args[..], &["--threads", "1"]].concat();
    assert_eq!(swirl(&one_thread).status.code(), Some(0));
    assert!(
        std::fs::read(picture).unwrap() == once,
        "one thread and two draw different pictures"
    );

    let copy = folder.join("copy.nj");
    let copy = copy.to_str().unwrap();
    assert_eq!(swirl(&["convert", model, copy]).status.code(), Some(0));
    assert!(std::fs::read(copy).unwrap() == std::fs::read(model).unwrap());
    assert_eq!(
        swirl(&["convert", model, copy, "--canonical"]).status.code(),
        Some(0)
    );
    assert_eq!(swirl(&["info", copy]).status.code(), Some(0));
}

#[test]
fn bad_input_is_status_2_with_file_and_place() {
    let folder = assets("bad");
    let model = std::fs::read(folder.join("shark.nj")).unwrap();
    let bad = folder.join("cut.nj");
    std::fs::write(&bad, &model[..model.len() / 2]).unwrap();
    let bad = bad.to_str().unwrap();
    let target = folder.join("none.png");
    for args in [
        vec!["info", bad],
        vec!["render", bad, "-o", target.to_str().unwrap()],
        vec!["convert", bad, "x.nj"],
        vec!["info", "no such file.nj"],
        vec!["disasm", bad],
    ] {
        let output = swirl(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(args[1]),
            "{args:?}: {}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "", "{args:?}");
    }
    assert!(!target.exists(), "a failed render left a picture");
}

#[test]
fn bad_usage_is_status_2() {
    for args in [
        &["render"][..],
        &["nonsense"],
        &["verify", "no_such_kernel"],
        &["render", "x.nj", "-o", "x.png", "--size", "5"],
    ] {
        assert_eq!(swirl(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_window_without_a_display_is_refused_with_a_way_out() {
    let folder = assets("window");
    let output = swirl(&["view", folder.join("shark.nj").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("swirl render"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn kernels_verify_with_json() {
    let output = swirl(&["verify", "sincos", "cell_corners", "--cases", "50", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let kernels = json["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 2);
    assert!(
        kernels
            .iter()
            .all(|kernel| kernel["cases"] == 50 && kernel["mismatches"] == 0)
    );
}

#[test]
fn disassembly_names_symbols() {
    let rom = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/kernels.elf");
    let output = swirl(&["disasm", rom.to_str().unwrap(), "--symbol", "transform_points"]);
    assert_eq!(output.status.code(), Some(0));
    let listing = text(&output.stdout);
    assert!(
        listing.contains("<_transform_points>:") && listing.contains("ftrv"),
        "{listing}"
    );
    assert!(!listing.contains("<_sincos>"));
}

#[test]
fn every_verb_has_an_example() {
    for verb in [
        "demo",
        "info",
        "convert",
        "render",
        "test",
        "view",
        "verify",
        "disasm",
        "pvr-settings",
    ] {
        let help = text(&swirl(&[verb, "--help"]).stdout);
        assert!(help.contains("Example"), "{verb}");
    }
}
