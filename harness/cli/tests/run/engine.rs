//! `--engine`: both engines must give the same results, counts and messages for every program.

use super::{json, swirl, text};
use std::path::{Path, PathBuf};
use std::process::Output;

/// Returns the SH-4 programs of `roms` and `roms/speed`.
fn programs() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        (here.join("../../roms"), "elf"),
        (here.join("../../roms/speed"), "elf"),
    ];
    let mut all = Vec::new();
    for (folder, extension) in folders {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        found.sort();
        println!("engine: {} programs in {}", found.len(), folder.display());
        all.extend(found);
    }
    all
}

/// ELF's e_machine: 42 is SH.
fn is_sh(path: &Path) -> bool {
    std::fs::read(path).unwrap().get(18..20) == Some(&[42, 0])
}

fn run_on(engine: &str, program: &Path) -> Output {
    let program = program.to_str().unwrap();
    swirl(&[
        "run",
        program,
        "--engine",
        engine,
        "--max-instructions",
        "30000000",
        "--json",
    ])
}

#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "there is one engine on this host")]
fn engines_say_the_same() {
    let mut compared = 0;
    for program in programs() {
        if !is_sh(&program) {
            println!("engine: {} left out: another processor's", program.display());
            continue;
        }
        let one = run_on("interpreter", &program);
        let other = run_on("recompiler", &program);
        assert_eq!(one.status, other.status, "{}", program.display());
        // The last line has the host's speed.
        let warnings = |output: &Output| {
            let said = text(&output.stderr);
            let lines = said.lines().filter(|line| !line.ends_with(" MIPS"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(warnings(&one), warnings(&other), "{}", program.display());
        assert_eq!(json(&one), json(&other), "{}", program.display());
        compared += 1;
    }
    println!("engine: {compared} programs the same");
    assert!(compared > 0);
}
