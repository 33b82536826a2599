//! `sh4-kernels/c`: every kernel of the built library against its reference, called directly and by its stub
//! for -m4.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use sh4_kernels::KERNELS;
use verify::{Emulated, Rom, SH4, Verifier};

/// Cases of each kernel.
const CASES: u64 = 60;
/// FPSCR at entry of programs compiled with -m4-single, and with -m4.
const SINGLE: u32 = 0x0004_0000;
const DOUBLE: u32 = 0x000C_0000;

fn run(command: &mut Command) -> bool {
    match command.output() {
        Ok(output) => {
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            true
        }
        Err(_) => false,
    }
}

/// Builds the library. Returns `None` without a compiler.
fn library() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sh4-kernels/c");
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libswirl");
    let words = format!("BUILD={}", build.display());
    corpus::sh4::make(&source, &[&words]).then(|| build.join("libswirl.a"))
}

/// A program of the whole library in which the kernels' own names are those with `prefix`.
fn program(library: &Path, prefix: &str) -> Vec<u8> {
    let elf = library.with_file_name(format!("{prefix}.elf"));
    let mut link = Command::new("sh4-linux-gnu-ld");
    link.args([
        "-EL",
        "--build-id=none",
        "-z",
        "noexecstack",
        "-Ttext=0x8c010000",
        "-e",
        "0x8c010000",
    ]);
    for kernel in KERNELS {
        link.arg(format!("--defsym={}={prefix}{}", kernel.symbol, kernel.name));
    }
    link.arg("--whole-archive").arg(library).arg("-o").arg(&elf);
    assert!(run(&mut link));
    std::fs::read(elf).unwrap()
}

/// Cycles that the stubs add to a warm call, of kernels with none, two and six parameters on the stack.
fn stub_costs(library: &Path) -> String {
    let cost = |prefix: &str, fpscr, name| {
        let bytes = program(library, prefix);
        let mut emulated = Emulated::with_rom(&Rom {
            name: prefix,
            bytes: &bytes,
        })
        .unwrap();
        emulated.set_fpscr(fpscr);
        emulated.cost(sh4_kernels::find(name).unwrap(), 1).unwrap().warm
    };
    let stubs = ["matrix_multiply", "transform_points", "submit_strip"].map(|name| {
        let added = cost("_swirl_m4_", DOUBLE, name) - cost("_swirl_", SINGLE, name);
        // The header says so.
        assert!((10..=60).contains(&added), "{name}: {added}");
        format!("{name} {added}")
    });
    format!("cycles of the stubs, warm: {}", stubs.join(", "))
}

#[test]
fn every_kernel_of_the_library_is_right_directly_and_by_its_stub() {
    let Some(library) = library() else { return };
    for (prefix, fpscr) in [("_swirl_", SINGLE), ("_swirl_m4_", DOUBLE)] {
        let bytes = program(&library, prefix);
        let rom = Rom {
            name: prefix,
            bytes: &bytes,
        };
        let mut emulated = Emulated::open_rom(&SH4, &rom).unwrap();
        emulated.set_fpscr(fpscr);
        let mut verifier = Verifier::from(emulated);
        for kernel in KERNELS {
            let report = verifier.run(kernel, CASES, 1, |_| {});
            assert!(
                report.passed(),
                "{prefix}{}: {:?}",
                kernel.name,
                report.first_problem
            );
        }
        println!("{prefix}: {} kernels, {CASES} cases each", KERNELS.len());
    }
    println!("{}", stub_costs(&library));
    // The stubs are needed: without them a kernel that uses the FPU fails with PR = 1.
    let bytes = program(&library, "_swirl_");
    let rom = Rom {
        name: "direct",
        bytes: &bytes,
    };
    let mut emulated = Emulated::open_rom(&SH4, &rom).unwrap();
    emulated.set_fpscr(DOUBLE);
    let report = Verifier::from(emulated).run(sh4_kernels::find("transform_points").unwrap(), 1, 1, |_| {});
    assert!(!report.passed());
}
