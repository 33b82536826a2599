//! Kernels on the command line: verified, run individually, timed, disassembled.

use super::*;

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

/// The output must not depend on the engine.
#[test]
fn both_engines_verify_the_same() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engines");
    std::fs::create_dir_all(&folder).unwrap();
    let picture = folder.join("demo.png");
    let picture = picture.to_str().unwrap();
    let many = [
        "verify",
        "shade_colours",
        "crc32",
        "clip_near",
        "--cases=400",
        "--json",
    ];
    for args in [&many[..], &["demo", "--no-window", "--cases=5", "-o", picture]] {
        let compiler = if cfg!(target_arch = "x86_64") {
            "recompiler"
        } else {
            "auto"
        };
        let [interpreted, compiled, auto] = ["interpreter", compiler, "auto"].map(|engine| {
            let output = swirl(&[args, &["--engine", engine]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            (text(&output.stdout), std::fs::read(picture).ok())
        });
        assert!(interpreted == compiled && interpreted == auto, "{args:?}");
    }
}

#[test]
fn a_call_in_a_file_is_run_alone() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sincos.call.toml");
    let call = |angles: &str| {
        let file = format!(
            "kernel = \"sincos\"\n[[argument]]\nname = \"angles\"\ndata = \"{angles}\"\n\
             [[argument]]\nname = \"n\"\ndata = \"2\"\n[[argument]]\nname = \"out\"\ndata = \"0 0 0 0\"\n"
        );
        std::fs::write(&path, file).unwrap();
        swirl(&["verify", "--call", path.to_str().unwrap()])
    };
    let equal = call("4000 8000");
    assert_eq!(equal.status.code(), Some(0), "{}", text(&equal.stderr));
    assert!(
        text(&equal.stdout).contains("all 4 words"),
        "{}",
        text(&equal.stdout)
    );
    for (angles, message) in [("4000 80x0", "word 1: 80x0"), ("4000", "sincos")] {
        let refused = call(angles);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
        assert!(
            text(&refused.stderr).contains(message),
            "{}",
            text(&refused.stderr)
        );
    }
}

#[test]
fn a_frames_cycles_are_told_by_kernel_and_node() {
    let folder = assets("cycles");
    let [model, picture] = ["shark.nj", "shark.png"].map(|name| folder.join(name));
    let args = [
        "render",
        model.to_str().unwrap(),
        "-o",
        picture.to_str().unwrap(),
        "--cycles",
    ];
    assert_eq!(swirl(&args).status.code(), Some(2));
    let output = swirl(&[&args[..], &["--kernels", "checked"]].concat());
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // Both tables must have the same sum.
    let cold = |row: &str| {
        row.split_whitespace()
            .rev()
            .nth(5)
            .and_then(|word| word.parse::<u64>().ok())
    };
    let rows = |from: &str, to: &str| -> u64 {
        let part = table.split(from).nth(1).unwrap().split(to).next().unwrap();
        part.lines().filter_map(cold).sum()
    };
    let kernels = rows("\nkernel ", "\nall ");
    assert!(kernels > 10_000, "{table}");
    assert_eq!(kernels, rows("\nnode ", "\ncold:"), "{table}");
    assert!(table.contains("model 0, node 1 "), "{table}");
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
