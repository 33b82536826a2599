//! Standard input and output, kinds of files in messages, and protection of inputs.

use crate::common::{assets, swirl, text};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the command with `input` on standard input.
fn fed(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swirl"));
    command.args(args).env_remove("DISPLAY");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn rom(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../roms")
        .join(name)
}

fn scene(name: &str) -> PathBuf {
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

#[test]
fn a_dash_is_standard_input_or_output() {
    let folder = assets("dash");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let model = std::fs::read(path("shark.nj")).unwrap();
    let named = text(&swirl(&["info", &path("shark.nj")]).stdout);
    let piped = fed(&["info", "-"], &model);
    let behind_the_name = |said: &str| said.split_once(": ").unwrap().1.to_owned();
    assert_eq!(behind_the_name(&text(&piped.stdout)), behind_the_name(&named));
    let texture = std::fs::read(path("SKIN.pvr")).unwrap();
    assert!(text(&fed(&["info", "-"], &texture).stdout).contains("128x128, Rgb565"));
    let unknown = fed(&["info", "-"], b"GVMH\x04\0\0\0\0\0\0\0");
    assert!(text(&unknown.stderr).contains("found an archive of GameCube textures (.gvm)"));

    let same = fed(&["convert", "-", "-", "--to", "nj"], &model);
    assert!(same.stdout == model, "{}", text(&same.stderr));
    let to_png = fed(&["convert", "-", "-", "--to", "png"], &texture);
    assert!(to_png.stdout.starts_with(b"\x89PNG"), "{}", text(&to_png.stderr));

    let scene_file = super::scene("skin_anim.fbx");
    let converted = fed(
        &["convert", "-", &path("out")],
        &std::fs::read(scene_file).unwrap(),
    );
    assert!(
        folder.join("out/stdin.nj").exists(),
        "{}",
        text(&converted.stderr)
    );

    let args = ["--textures", folder.to_str().unwrap(), "--size", "64x48"];
    let picture = path("named.png");
    let to_file = swirl(&[&["render", &path("shark.nj"), "-o", &picture], &args[..]].concat());
    assert_eq!(to_file.status.code(), Some(0));
    let to_pipe = fed(&[&["render", "-", "-o", "-"], &args[..]].concat(), &model);
    assert!(
        to_pipe.stdout == std::fs::read(&picture).unwrap(),
        "{}",
        text(&to_pipe.stderr)
    );
    assert!(text(&to_pipe.stderr).contains("64x48"));

    let chip_scene = std::fs::read(scene("pvr/fog_table/scene.txt")).unwrap();
    let drawn = fed(&["render", "-", "-o", "-"], &chip_scene);
    assert!(drawn.stdout.starts_with(b"\x89PNG"), "{}", text(&drawn.stderr));

    let program = std::fs::read(rom("console/rtc.elf")).unwrap();
    assert_eq!(fed(&["run", "-"], &program).status.code(), Some(0));
    let listed = fed(&["disasm", "-"], &program);
    let by_name = swirl(&["disasm", rom("console/rtc.elf").to_str().unwrap()]);
    assert!(!listed.stdout.is_empty() && listed.stdout == by_name.stdout);
}

#[test]
fn standard_output_needs_a_kind_and_takes_one_file() {
    let folder = assets("dash-refused");
    let (model, motion) = (folder.join("shark.nj"), folder.join("shark.njm"));
    let (model, motion) = (model.to_str().unwrap(), motion.to_str().unwrap());
    for (args, why) in [
        (vec!["convert", model, "-"], "--to"),
        (
            vec!["render", model, "-o", "-", "--frames", "0..1", "--motion", motion],
            "standard output",
        ),
    ] {
        let output = swirl(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// An ELF header for x86-64: 64 bits, little-endian, a program.
fn foreign_elf(folder: &Path) -> PathBuf {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    bytes.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    bytes.resize(64, 0);
    let path = folder.join("foreign");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn messages_name_the_kind_that_was_found_and_those_that_fit() {
    let folder = folder("kinds-of-files");
    let foreign = foreign_elf(&folder);
    let picture = folder.join("a.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n").unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (gltf, unknown) = (write("a.gltf", "{}"), write("a.xyz", "?"));
    let obj = write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let (gltf, unknown, obj, gone) = (gltf.as_str(), unknown.as_str(), obj.as_str(), "gone.pvr");
    let (foreign, picture) = (foreign.to_str().unwrap(), picture.to_str().unwrap());
    let kernels = rom("kernels.elf");
    let kernels = kernels.to_str().unwrap();
    for (args, found) in [
        (
            vec!["run", foreign],
            "found an ELF file for x86-64, expected SH-4 or ARM",
        ),
        (
            vec!["disasm", foreign],
            "found an ELF file for x86-64, expected SH-4 or ARM",
        ),
        (
            vec!["run", picture],
            "found a PNG picture, expected an ELF file or a disc image",
        ),
        (
            vec!["disasm", picture],
            "found a PNG picture, expected an ELF file; swirl info",
        ),
        (vec!["info", unknown], "found text, expected a Ninja model"),
        (vec!["info", gltf], "asset"),
        (
            vec!["convert", unknown, "out.nj"],
            "found text, expected a Ninja model",
        ),
        (
            vec!["render", gone, "-o", "a.png"],
            "swirl: gone.pvr: No such file or directory",
        ),
        (
            vec!["render", obj, "-o", "a.png", "--size", "4096x2048"],
            "the chip's framebuffer has 1x1 to 2048x1024",
        ),
        (
            vec!["info", folder.to_str().unwrap()],
            "found a folder, expected a file",
        ),
        (
            vec!["render", kernels, "-o", "x.png"],
            "found an ELF file for SH-4, expected a Ninja model",
        ),
    ] {
        let output = swirl(&args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(found) && said.contains(args[1]), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "one message a fault: {said}");
        assert_eq!(said.matches(found).count(), 1, "{said}");
    }
}

#[test]
fn refusals_name_what_to_do_instead() {
    let folder = folder("instead");
    let obj = folder.join("a.obj");
    std::fs::write(&obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let (obj, kernels) = (obj.to_str().unwrap(), rom("kernels.elf"));
    for (args, instead) in [
        (
            vec!["convert", obj, "a.nj"],
            "a.nj: a scene becomes several files: name a folder, or a .glb or .fbx file",
        ),
        (
            vec!["convert", "a.nj", "a.gltf"],
            "a.gltf: scenes are written as .glb or .fbx",
        ),
        (
            vec!["verify", "--elf", kernels.to_str().unwrap()],
            "SYMBOL > FILE writes an initial one",
        ),
    ] {
        let output = swirl(&args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(instead) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn messages_hold_no_temporary_names() {
    let folder = folder("no-temporary-names");
    // A file has the name of a needed folder.
    std::fs::write(folder.join("file"), "").unwrap();
    let target = folder.join("file/a.nja");
    let arm = scene("scene/motions/arm.nja");
    let output = swirl(&["convert", arm.to_str().unwrap(), target.to_str().unwrap()]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.contains("file/a.nja: cannot be written") && !said.contains(".tmp"),
        "{said}"
    );
    #[cfg(target_os = "linux")]
    for video in ["/proc/a.gif", "/proc/a.y4m"] {
        let spin = rom("console/spin.elf");
        let output = swirl(&["run", spin.to_str().unwrap(), "--frames", "2", "--video", video]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(video) && !said.contains(".tmp"), "{said}");
    }
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = assets("overwritten");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let scene_copy = path("scene.png");
    std::fs::copy(scene("pvr/fog_table/scene.txt"), path("scene.txt")).unwrap();
    std::fs::copy(path("SKIN.pvr"), path("copy.pvr")).unwrap();
    let before = std::fs::read(path("shark.nj")).unwrap();
    for args in [
        vec!["convert", &path("shark.nj"), &path("shark.nj"), "--canonical"],
        vec!["convert", &path("copy.pvr"), &path("copy.pvr")],
        vec![
            "render",
            &path("scene.txt"),
            "-o",
            &scene_copy,
            "--ta-dump",
            &path("scene.txt"),
        ],
        vec![
            "render",
            &path("shark.nj"),
            "-o",
            &scene_copy,
            "--ta-dump",
            &path("shark.nj"),
        ],
    ] {
        let output = swirl(&args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("an input"), "{said}");
    }
    assert!(std::fs::read(path("shark.nj")).unwrap() == before);
    let forced = swirl(&[
        "convert",
        &path("shark.nj"),
        &path("shark.nj"),
        "--canonical",
        "--force",
    ]);
    assert_eq!(forced.status.code(), Some(0), "{}", text(&forced.stderr));
}

/// MOV #7,R0; RTS; NOP.
const SEVEN: [u8; 6] = [0x07, 0xE0, 0x0B, 0x00, 0x09, 0x00];

#[test]
fn raw_binaries_run_where_they_are_put() {
    let folder = folder("raw");
    let path = folder.join("seven.bin");
    std::fs::write(&path, SEVEN).unwrap();
    let path = path.to_str().unwrap();
    for at in [&[][..], &["--at", "8C020000"], &["--at", "0xAC300000"]] {
        let output = swirl(&[&["run", path, "--json"], at].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&json["ended"], &json["r0"]), (&"exit".into(), &7.into()));
    }
    for (args, why) in [
        (vec!["run", path, "--at", "8C010001"], "even hexadecimal address"),
        (vec!["run", path, "--at", "00000000"], "00000000"),
    ] {
        let output = swirl(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    // A text is no program unless --at says so.
    let words = folder.join("words");
    std::fs::write(&words, "\t\t\t\t").unwrap();
    let words = words.to_str().unwrap();
    let refused = swirl(&["run", words]);
    assert!(
        text(&refused.stderr).contains("found text"),
        "{}",
        text(&refused.stderr)
    );
    let run = swirl(&["run", words, "--at", "8C010000"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
}

#[test]
fn an_fpu_exception_has_its_cause_in_words() {
    let folder = folder("fpu");
    // MOV #64,R1; SHLL16 R1; SHLL8 R1; LDC R1,SR: SR.BL = 0, as in most programs. Then FPSCR.V is enabled:
    // MOV #8,R1; SHLL8 R1; LDS R1,FPSCR; and 0 / 0: FLDI0 FR0; FLDI0 FR1; FDIV FR0,FR1.
    let code: [u16; 10] = [
        0xE140, 0x4128, 0x4118, 0x410E, 0xE108, 0x4118, 0x416A, 0xF08D, 0xF18D, 0xF103,
    ];
    let bytes: Vec<u8> = code.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let path = folder.join("fpu.bin");
    std::fs::write(&path, bytes).unwrap();
    let said = text(&swirl(&["run", path.to_str().unwrap()]).stdout);
    assert!(said.contains("cause 10 (invalid operation)"), "{said}");
}

#[test]
fn shells_complete_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&swirl(&["completions", shell]).stdout);
        assert!(
            script.contains("max-instructions") && script.contains("render"),
            "{shell}"
        );
    }
    assert_eq!(swirl(&["completions", "nonsense"]).status.code(), Some(2));
    let folder = folder("man");
    let output = swirl(&["man", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.join("swirl-run.1")).unwrap();
    assert!(
        page.contains(".TH swirl-run 1") && page.contains("max\\-instructions"),
        "{page}"
    );
    for verb in ["", "-info", "-convert", "-render", "-completions", "-man"] {
        assert!(folder.join(format!("swirl{verb}.1")).is_file(), "{verb}");
    }
    assert!(!folder.join("swirl-help.1").exists());
}

#[test]
fn missing_textures_are_named() {
    let folder = assets("missing-textures");
    std::fs::remove_file(folder.join("SAND.pvr")).unwrap();
    let (model, picture) = (folder.join("shark.nj"), folder.join("a.png"));
    let output = swirl(&["render", model.to_str().unwrap(), "-o", picture.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("textures are missing: SAND;"), "{said}");
}

#[test]
fn angles_of_keys_are_degrees() {
    let arm = scene("scene/motions/arm.nja");
    let mut seen = 0;
    for entry in std::fs::read_dir(arm.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "nam") {
            continue;
        }
        let said = text(&swirl(&["info", path.to_str().unwrap(), "--tree", "--values"]).stdout);
        assert!(!said.contains("Bams("), "{said}");
        seen += said.matches(" degrees").count();
    }
    assert!(seen > 0);
}
