//! The command: exit status, output streams, and complete outputs.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

mod cases;
mod cells;
mod files;
mod kernels;
mod library;
mod onto;
mod options;
mod pictures;
mod play;
mod runtime;
mod scene_options;
mod scenes;

use crate::common::{assets, camera_motion, swirl, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Path of a scene from the converter's own tests.
fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../runtime/convert/tests/data")
        .join(name)
}

/// Converts and draws a file. Both must have the same exit status; returns true if it is 0.
fn accepted_by_both(input: &str, output: &[&str], picture: &str) -> bool {
    let converted = swirl(&[&["convert", input], output].concat());
    let drawn = swirl(&["render", input, "-o", picture, "--size", "32x24"]);
    assert_eq!(
        converted.status.code(),
        drawn.status.code(),
        "{input}: {}{}",
        text(&converted.stderr),
        text(&drawn.stderr)
    );
    drawn.status.success()
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
    // Its textures are in its folder, so no texture is missing.
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
        vec!["run", "no such program.elf"],
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
fn a_reader_that_has_seen_enough_is_no_error() {
    let roms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms");
    let (kernels, program) = (roms.join("kernels.elf"), roms.join("console/rtc.elf"));
    let program = program.to_str().unwrap();
    let folder = assets("closed");
    let (model, copy) = (folder.join("shark.nj"), folder.join("copy.nj"));
    let [kernels, model, copy] = [&kernels, &model, &copy].map(|path| path.to_str().unwrap());
    for args in [
        vec!["disasm", kernels],
        vec!["info", model, "--chunks"],
        vec!["convert", model, copy],
        vec!["run", program],
    ] {
        // The pipe has no reader from the start.
        let (output, said) = std::io::pipe().unwrap();
        let errors = said.try_clone().unwrap();
        let mut swirl = Command::new(env!("CARGO_BIN_EXE_swirl"));
        swirl.args(&args).stdout(said).stderr(errors);
        drop(output);
        assert_eq!(swirl.status().unwrap().code(), Some(0), "{args:?}");
    }
    assert!(std::fs::read(copy).unwrap() == std::fs::read(model).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_status_2() {
    let mut swirl = Command::new(env!("CARGO_BIN_EXE_swirl"));
    swirl
        .arg("pvr-settings")
        .stdout(std::fs::File::create("/dev/full").unwrap());
    let output = swirl.stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("standard output") && !said.contains("panicked"),
        "{said}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_without_end_is_status_2() {
    let output = swirl(&["info", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("/dev/zero: no end"), "{said}");
}

/// Writes the annotated hex texts of the format tests as files, and returns their names.
fn ninja_samples(folder: &str) -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/ninja/tests/data/hex");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let data = lines.flat_map(|line| {
            line.split_once(':')
                .unwrap()
                .1
                .split_once(';')
                .unwrap()
                .0
                .split_whitespace()
        });
        let bytes: Vec<u8> = data.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        let name = path
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .replace(".le", "")
            .replace('.', "_");
        let file = folder.join(name).with_extension("nj");
        std::fs::write(&file, bytes).unwrap();
        files.push(file);
    }
    files.sort();
    files
}

/// Runs the command and returns its standard output.
fn done(args: &[&str]) -> String {
    let output = swirl(args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn every_ninja_kind_is_told_of() {
    let files = ninja_samples("kinds");
    for file in &files {
        let file = file.to_str().unwrap();
        // The hand-made tree has strips with missing vertices.
        let status = i32::from(file.contains("ninja2")) * 2;
        for option in [&["--tree"][..], &["--json"], &[]] {
            let output = swirl(&[&["info", file][..], option].concat());
            assert_eq!(
                output.status.code(),
                Some(status),
                "{file}: {}",
                text(&output.stderr)
            );
        }
        let hex = done(&["info", file, "--chunks"]);
        assert!(hex.lines().all(|line| line.contains(" ; ")), "{file}");
    }
    let told = |name: &str| {
        let file = files
            .iter()
            .find(|file| file.file_name().unwrap().to_str().unwrap().starts_with(name))
            .unwrap();
        done(&["info", file.to_str().unwrap(), "--tree"])
    };
    assert!(told("cell_stream").contains("CC_CZ: cell 101, zang 0x8e39"));
    assert!(told("cell_sprite").contains("chunk 1: 1 references to textures beyond the 1"));
    assert!(told("shape_motion").contains("entry 1 of the shapes 0 at 0, 1 at 9, 0 at 25"));
    assert!(told("motion.").contains("SANG_1 2 tables with 6 keys"));
    assert!(told("pso_motion").contains("none: one motion with a trailer"));
    println!("{} samples", files.len());
}

#[test]
fn ninja_files_are_split_merged_and_turned_around() {
    let files = ninja_samples("merge");
    let folder = files[0].parent().unwrap();
    let of = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (stream, parts) = (of("cell_stream.nj"), of("parts"));
    done(&[
        "convert",
        &of("cell_stream_be.nj"),
        &of("little.nj"),
        "--little-endian",
    ]);
    assert!(std::fs::read(of("little.nj")).unwrap() == std::fs::read(&stream).unwrap());
    done(&["convert", &of("little.nj"), &parts, "--split"]);
    let (csj, njm, merged) = (of("parts/little.csj"), of("parts/little.njm"), of("merged.nj"));
    done(&["convert", &csj, &njm, &merged]);
    assert!(std::fs::read(&merged).unwrap() == std::fs::read(of("little.nj")).unwrap());
    done(&["convert", &merged, &of("big.nj"), "--big-endian"]);
    assert!(done(&["info", &of("big.nj")]).contains("big-endian"));
    // Converts a motion without chunks to one with chunks, and back.
    let bare = of("pso_motion.nj");
    done(&["convert", &bare, &of("chunked.njm"), "--container", "iff"]);
    done(&[
        "convert",
        &of("chunked.njm"),
        &of("bare.njm"),
        "--container",
        "pso",
    ]);
    assert!(std::fs::read(of("bare.njm")).unwrap() == std::fs::read(&bare).unwrap());
    // Trees can change their generation unless they contain features that the other lacks.
    let refused = swirl(&["convert", &of("ninja2_tree.nj"), &of("old.nj"), "--ninja1"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("quaternion"));
    let shark = assets("generations").join("shark.nj");
    done(&["convert", shark.to_str().unwrap(), &of("shark2.nj"), "--ninja2"]);
    assert!(done(&["info", &of("shark2.nj")]).contains("N2CM: "));
    done(&[
        "convert",
        &of("shark2.nj"),
        &of("shark1.nj"),
        "--ninja1",
        "--canonical",
    ]);
    done(&[
        "convert",
        shark.to_str().unwrap(),
        &of("shark0.nj"),
        "--canonical",
    ]);
    assert!(std::fs::read(of("shark1.nj")).unwrap() == std::fs::read(of("shark0.nj")).unwrap());
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
fn every_verb_has_an_example() {
    for verb in [
        "demo",
        "info",
        "convert",
        "render",
        "test",
        "view",
        "verify",
        "profile",
        "run",
        "disasm",
        "settings",
        "limits",
        "completions",
        "man",
    ] {
        let help = text(&swirl(&[verb, "--help"]).stdout);
        assert!(help.contains("Example"), "{verb}");
    }
}

#[test]
fn ascii_files_are_converted_both_ways() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/ninja/tests/data/seeds");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ascii");
    let kinds = [
        ("nat", "njt"),
        ("spa", "spj"),
        ("nam", "njm"),
        ("csa", "csj"),
        ("nas", "njs"),
    ];
    let mut converted = 0;
    for part in ["", "with_nat", "with_nam", "rotation"] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
        for entry in std::fs::read_dir(samples.join(part)).unwrap().flatten() {
            let input = entry.path();
            let extension = input.extension().unwrap_or_default();
            let Some((_, binary)) = kinds.iter().find(|(ascii, _)| extension == *ascii) else {
                continue;
            };
            let output = folder.join(part).join(entry.file_name());
            let binary = output.with_extension(binary);
            let [input, output, binary] = [&input, &output, &binary].map(|path| path.to_str().unwrap());
            done(&["convert", input, binary]);
            done(&["convert", binary, output]);
            let expected = samples.join("corrected").join(part).join(entry.file_name());
            assert!(
                std::fs::read(output).unwrap() == std::fs::read(expected).unwrap(),
                "{output}"
            );
            assert!(done(&["info", output]).contains("ascii, ninja2"));
            assert_eq!(
                done(&["info", output, "--chunks"]),
                done(&["info", binary, "--chunks"])
            );
            converted += 1;
        }
    }
    println!("{converted} samples");
    assert_eq!(converted, 10);
}

#[test]
fn ascii_messages_tell_file_line_and_column() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ascii-messages");
    std::fs::create_dir_all(&folder).unwrap();
    let of = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(of("a.nja"), "VLIST v[]\nSTART\n  CnkV_VM( 0x0, 1 ),\nEND\n").unwrap();
    let refused = swirl(&["convert", &of("a.nja"), &of("a.nj")]);
    assert_eq!(refused.status.code(), Some(2));
    let expected = format!("{}:3:3: macro: found CnkV_VM, expected CnkV_VN", of("a.nja"));
    assert!(
        text(&refused.stderr).contains(&expected),
        "{}",
        text(&refused.stderr)
    );
    let warned =
        "TEXTURENAME t[] START TEXN( \"a\" ), END\nTEXTURELIST l START TextureList t, TextureNum 3, END\n";
    std::fs::write(of("b.nat"), warned).unwrap();
    let output = swirl(&["convert", &of("b.nat"), &of("b.njt")]);
    assert_eq!(output.status.code(), Some(0));
    let expected = format!(
        "{}:2:33: warning: the count next to a pointer is given as 3",
        of("b.nat")
    );
    assert!(
        text(&output.stderr).contains(&expected),
        "{}",
        text(&output.stderr)
    );
    let header = of("ninja.h");
    assert!(done(&["convert", "--c-header", &header]).contains("ninja.h"));
    assert!(
        std::fs::read_to_string(&header)
            .unwrap()
            .contains("#define VERT(_x, _y, _z)")
    );
}

#[test]
fn a_warning_names_options_of_other_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other_options");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (scene, out) = (scene("skin_anim.fbx"), path(""));
    let (model, copy, picture, texture) = (path("skin_anim.nj"), path("b.nj"), path("a.png"), path("a.pvr"));
    let scene = scene.to_str().unwrap();
    assert_eq!(swirl(&["convert", scene, &out]).status.code(), Some(0));
    let size = ["--size", "64x64"];
    assert_eq!(
        swirl(&["render", &model, "-o", &picture, size[0], size[1]])
            .status
            .code(),
        Some(0)
    );
    for (args, option) in [
        (vec!["convert", scene, &out, "--big-endian"], "--big-endian"),
        (vec!["convert", scene, &out, "--layout", "vq"], "--layout"),
        (vec!["convert", &model, &copy, "--quaternions"], "--quaternions"),
        (vec!["convert", &model, &copy, "--unit", "1"], "--unit"),
        (vec!["convert", &model, &copy, "--mipmaps"], "--mipmaps"),
        (vec!["convert", &picture, &texture, "--canonical"], "--canonical"),
    ] {
        let output = swirl(&args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        let warning = format!("swirl: warning: {option} has no effect on ");
        assert!(
            text(&output.stderr).contains(&warning),
            "{}",
            text(&output.stderr)
        );
    }
    // The option applies to a folder of scenes.
    let one = swirl(&["convert", scene, &out, "--may-refuse", "x"]);
    assert_eq!(one.status.code(), Some(2));
    assert!(
        text(&one.stderr).contains("expected a folder"),
        "{}",
        text(&one.stderr)
    );
    let mipmaps = swirl(&["convert", scene, &out, "--mipmaps"]);
    assert_eq!(mipmaps.status.code(), Some(0), "{}", text(&mipmaps.stderr));
}
