//! `swirl verify --elf --spec` on the worked example under tests/data/users, compiled here.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/users")
}

/// The program, or nothing where there is no compiler for it.
fn program() -> Option<PathBuf> {
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("users.elf");
    let built = Command::new("sh4-linux-gnu-gcc")
        .args(["-m4", "-ml", "-O2", "-ffreestanding", "-nostdlib", "-static"])
        .args(["-Wl,--build-id=none,-Ttext=0x8c010000,-e,0x8c010000", "-o"])
        .arg(&elf)
        .args([example().join("reference.c"), example().join("fast.s")])
        .output();
    match built {
        Ok(output) if output.status.success() => Some(elf),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "sh4-linux-gnu-gcc is not installed"
            );
            None
        }
    }
}

fn verify(elf: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(["verify", "--elf"])
        .arg(elf)
        .arg("--spec")
        .arg(example().join("kernels.toml"))
        .args(more)
        .output()
        .unwrap()
}

/// Failures and the smallest failing case, by kernel.
fn report(output: &Output, kernel: &str) -> (u64, String, Vec<String>) {
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = json["kernels"]
        .as_array()
        .unwrap()
        .iter()
        .find(|k| k["name"] == kernel)
        .unwrap();
    let problem = &row["first_problem"];
    let arguments = problem["arguments"].as_array().into_iter().flatten();
    (
        row["failures"].as_u64().unwrap(),
        problem["shrunk"].as_str().unwrap_or_default().to_owned(),
        arguments.map(|a| a.as_str().unwrap().to_owned()).collect(),
    )
}

#[test]
fn the_worked_example_behaves_as_its_readme_says() {
    let Some(elf) = program() else {
        println!("verify users: 0 kernels, no compiler");
        return;
    };
    let junit = Path::new(env!("CARGO_TARGET_TMPDIR")).join("users.xml");
    let output = verify(
        &elf,
        &["--cases=400", "--json", "--junit", junit.to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(1));

    assert_eq!(report(&output, "scale").0, 0);

    let (failures, shrunk, arguments) = report(&output, "twice");
    assert!(
        failures > 0 && arguments[1] == "n = 00000001 (1)",
        "{arguments:?}"
    );
    let bits = arguments[0]
        .trim_start_matches("data = [")
        .split(' ')
        .next()
        .unwrap();
    let magnitude = u32::from_str_radix(bits, 16).unwrap() & 0x7FFF_FFFF;
    assert!((1..0x0080_0000).contains(&magnitude), "a denormal: {arguments:?}");
    assert!(shrunk.starts_with("data[0] is "), "{shrunk}");

    let (failures, shrunk, _) = report(&output, "total");
    assert!(
        failures > 0 && shrunk.contains("returned with r8 changed from 5a5a0008"),
        "{shrunk}"
    );

    let (failures, _, arguments) = report(&output, "reverse");
    assert!(
        failures > 0 && arguments[2] == "n = 00000002 (2)",
        "{arguments:?}"
    );
    assert!(arguments[1].contains("output"), "{arguments:?}");

    assert!(report(&output, "transform").0 > 0);
    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(xml.contains("tests=\"5\" failures=\"4\""), "{xml}");
    println!("verify users: 5 kernels");
}

#[test]
fn one_kernel_that_passes_is_status_0() {
    let Some(elf) = program() else { return };
    let output = verify(&elf, &["scale", "--cases=50"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("scale_c"));
    let unknown = verify(&elf, &["scael"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&unknown.stderr)
            .contains("there are scale, twice, total, reverse, transform")
    );
}
