//! Builds, verifies, runs and profiles docs/c-library, the worked example of the C library, as its README
//! describes.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{swirl, text};
use std::path::{Path, PathBuf};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c-library")
}

/// Builds the program; `None` without a compiler.
fn program() -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-library");
    let words = format!("BUILD={}", build.display());
    corpus::sh4::make(&example(), &[&words]).then(|| build.join("mesh.elf"))
}

#[test]
fn the_example_is_verified_run_and_profiled() {
    let Some(elf) = program() else { return };
    let (elf, spec) = (elf.to_str().unwrap(), example().join("kernels.toml"));
    let spec = spec.to_str().unwrap();
    let verified = swirl(&["verify", "--elf", elf, "--spec", spec, "--cases", "300", "--json"]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
    let json: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    println!("cycles of 64 vertices   libswirl  plain C   gain");
    for kernel in json["kernels"].as_array().unwrap() {
        let [fast, plain] = ["candidate", "reference"].map(|side| kernel["cycles"][side].as_u64().unwrap());
        let gain = plain as f64 / fast as f64;
        println!(
            "{:<22} {fast:>9} {plain:>8} {gain:>6.1}",
            kernel["name"].as_str().unwrap()
        );
        assert!(gain > 1.2, "{kernel}");
    }

    let ran = swirl(&["run", elf]);
    let output = text(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{output}{}", text(&ran.stderr));
    assert!(output.contains("places agree within 0.01 pixels"), "{output}");
    let sums: Vec<&str> = output
        .lines()
        .filter_map(|l| l.strip_prefix("colours by "))
        .collect();
    let [fast, plain] = [0, 1].map(|i| sums[i].split_whitespace().next_back().unwrap());
    assert_eq!(fast, plain, "{output}");

    let profiled = swirl(&["profile", "--elf", elf, "--spec", spec, "transform"]);
    assert_eq!(profiled.status.code(), Some(0), "{}", text(&profiled.stderr));
    assert!(
        text(&profiled.stdout).contains("transform: "),
        "{}",
        text(&profiled.stdout)
    );
}
