//! Programs that once revealed errors of `run --check`, `profile` and `verify`, with the correct results.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use crate::common::{swirl, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_cases")
}

/// Builds a program from sources in `verify_cases` with its own start-up code; `None` without a compiler.
fn build(name: &str, options: &[&str], sources: &[&str]) -> Option<PathBuf> {
    let common = folder().join("common");
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("case-{name}.elf"));
    let start = ["start.S", "hw.c", "crtc.c"].map(|name| common.join(name));
    let sources = sources.iter().map(|name| folder().join(name));
    let sources: Vec<PathBuf> = start.into_iter().chain(sources).collect();
    compile(&elf, options, &sources).then_some(elf)
}

/// Compiles with the folder of shared headers.
fn compile(elf: &Path, options: &[&str], sources: &[PathBuf]) -> bool {
    let common = folder().join("common");
    let include = [
        "-O2",
        "-g",
        "-fno-builtin",
        "-fno-strict-aliasing",
        "-Wl,-e,start",
        "-I",
    ];
    let all = [&include[..], &[common.to_str().unwrap()], options].concat();
    corpus::sh4::compile(elf, &all, sources)
}

fn run(elf: &Path, more: &[&str]) -> Output {
    let mut words = vec!["run", elf.to_str().unwrap(), "--frames", "30"];
    words.extend(more);
    swirl(&words)
}

/// Returns standard error of a run with all checks.
fn checked(name: &str, sources: &[&str]) -> Option<String> {
    let elf = build(name, &[], sources)?;
    Some(text(&run(&elf, &["--check", "all"]).stderr))
}

/// The loader leaves SR.BL = 1, so the exception resets the CPU.
#[test]
fn an_exception_that_ends_the_run_is_reported() {
    let Some(said) = checked("unal", &["checks/unal.c"]) else {
        return;
    };
    assert!(said.contains("error: misaligned at"), "{said}");
    assert!(said.contains("unal.c:3"), "{said}");
}

/// An on-chip register that cannot be accessed as words: the run ends, also in a delay slot.
#[test]
fn a_refused_access_that_ends_the_run_is_reported() {
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("case-slotdev.elf");
    let source = folder().join("fault_in_slot/slotdev.S");
    if !compile(&elf, &["-Wl,-e,crt_main"], &[source]) {
        return;
    }
    let said = text(&run(&elf, &["--check", "all"]).stderr);
    assert!(
        said.contains("error: access-width at 8c010008 (crt_main+0x8)"),
        "{said}"
    );
    assert!(said.contains("ff000084 does not accept an access"), "{said}");
}

#[test]
fn a_stack_overflow_ends_the_run_at_once_and_its_calls_are_one_line() {
    let Some(elf) = build("stack", &[], &["checks/stack.c"]) else {
        return;
    };
    let output = run(&elf, &["--check", "all"]);
    let said = text(&output.stderr);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(said.contains("error: stack-overflow at"), "{said}");
    assert!(said.contains(" times]"), "{said}");
    assert!(said.matches("called from").count() < 10, "{said}");
    assert!(
        text(&output.stdout).contains("ended at the first report"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_division_by_zero_is_named() {
    let Some(said) = checked("div0", &["checks/div0.c"]) else {
        return;
    };
    assert!(said.contains("error: division-by-zero at"), "{said}");
    assert!(said.contains("divides 00000007 by zero"), "{said}");
}

#[test]
fn a_value_below_the_stack_pointer_is_reported() {
    let sources = ["checks/under.c", "red_zone/redzone.S", "common/vec.S"];
    let Some(said) = checked("under", &sources) else {
        return;
    };
    assert!(said.contains("error: red-zone at"), "{said}");
    assert!(said.contains("(redzone+0xc)"), "{said}");
    assert!(said.contains("8 bytes below R15"), "{said}");
}

#[test]
fn a_missed_vertical_blank_names_the_mask() {
    let Some(elf) = build("hang", &[], &["checks/hang.c"]) else {
        return;
    };
    let said = text(&run(&elf, &["--until", "done"]).stderr);
    assert!(said.contains("SR.BL = 1 holds every interrupt back"), "{said}");
}

#[test]
fn stop_at_first_ends_at_the_first_report() {
    let Some(elf) = build("div0-first", &[], &["checks/div0.c"]) else {
        return;
    };
    let output = run(&elf, &["--check", "all", "--stop-at-first"]);
    let said = text(&output.stderr);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    let left = [
        "--check",
        "division-by-zero",
        "--allow",
        "division-by-zero",
        "--stop-at-first",
    ];
    let output = run(&elf, &left);
    assert!(
        !text(&output.stdout).contains("first report"),
        "{}",
        text(&output.stdout)
    );
}

fn profile(elf: &Path, frames: &str) -> Value {
    let output = swirl(&[
        "profile",
        "--elf",
        elf.to_str().unwrap(),
        "--frames",
        frames,
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn activity(profile: &Value, name: &str) -> f64 {
    let all = profile["activities"].as_object().unwrap();
    let sum: f64 = all.values().filter_map(Value::as_f64).sum();
    all[name].as_f64().unwrap_or(0.0) / sum
}

/// The wait for the vertical blank must be recognised, by the event register and by the beam's position.
#[test]
fn both_waits_for_the_vertical_blank_are_such_waits() {
    for (name, optimisation) in [("vbl", "-O2"), ("vbl", "-O0"), ("vbl2", "-O2"), ("vbl2", "-O0")] {
        let Some(elf) = build_alone(name, optimisation) else {
            return;
        };
        let found = profile(&elf, "4..8");
        let part = activity(&found, "wait_vblank");
        assert!(part > 0.95, "{name} {optimisation}: {part}");
    }
}

/// A measurement that begins inside a function must know the function's callers.
#[test]
fn the_call_tree_begins_with_the_callers() {
    let Some(elf) = build("spin2", &["-O0"], &["checks/spin2.c"]) else {
        return;
    };
    let found = profile(&elf, "2..4");
    let calls: Vec<(&str, u64)> = found["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["depth"].as_u64().unwrap()))
        .collect();
    let expected = [("start", 0), ("crt_main", 1), ("main", 2), ("hash", 3)];
    assert_eq!(calls[..4], expected, "{calls:?}");
}

/// The sources of `vblank_wait` contain the second half of the start-up code.
fn build_alone(name: &str, optimisation: &str) -> Option<PathBuf> {
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("case-{name}{optimisation}.elf"));
    let sources = ["common/start.S".to_owned(), format!("vblank_wait/{name}.c")];
    compile(&elf, &[optimisation], &sources.map(|name| folder().join(name))).then_some(elf)
}

/// Merged parts of a run must equal the report of the whole run, with any number of threads.
#[test]
fn parts_and_threads_give_the_report_of_the_whole_run() {
    let spec = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parts.toml");
    let kernel = |name: &str, output: &str| {
        format!(
            "[[kernel]]\nname = \"{name}\"\ncall = \"transform_points\"\nagainst = \"_transform_points\"\n\
             [kernel.args]\n\
             matrix = {{ in = \"f32[16]\", align = 8, values = \"matrix\" }}\nsrc = {{ in = \"f32[3*n]\" }}\n\
             dst = {{ out = \"f32[{output}]\", align = 8 }}\nn = {{ value = \"u32\", range = \"1..=40\" }}\n\
             stride = {{ value = \"u32\", range = \"12..=12\" }}\n\
             w = {{ value = \"u32\", range = \"0x3f800000..=0x3f800000\" }}\n"
        )
    };
    std::fs::write(&spec, kernel("right", "4*n") + &kernel("short", "4*n-1")).unwrap();
    let rom = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/kernels.elf");
    let user = [
        "verify",
        "--elf",
        rom.to_str().unwrap(),
        "--spec",
        spec.to_str().unwrap(),
        "--cases",
        "500",
    ];
    let built_in = ["verify", "transform_points", "sincos", "--cases", "500"];
    for words in [&user[..], &built_in[..]] {
        let whole = swirl(&[words, &["-j", "1"]].concat());
        let threads = swirl(&[words, &["-j", "3"]].concat());
        assert_eq!(text(&threads.stdout), text(&whole.stdout));
        let mut files = Vec::new();
        for part in ["1/3", "2/3", "3/3"] {
            let output = swirl(&[words, &["--part", part, "--json"]].concat());
            let name = format!("part-{}-{}.json", words.len(), part.replace('/', "-"));
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            std::fs::write(&path, &output.stdout).unwrap();
            files.push(path.to_str().unwrap().to_owned());
        }
        let mut merge = vec!["verify", "--merge"];
        merge.extend(files.iter().map(String::as_str));
        let merged = swirl(&merge);
        assert_eq!(text(&merged.stdout), text(&whole.stdout));
        assert_eq!(merged.status.code(), whole.status.code());
        let missing = swirl(&merge[..merge.len() - 1]);
        assert_eq!(missing.status.code(), Some(2));
        assert!(
            text(&missing.stderr).contains("number 3 is missing"),
            "{}",
            text(&missing.stderr)
        );
    }
}

/// The capture in the guide: `swirl run roms/truth.elf` with the default clock.
#[test]
fn a_capture_by_run_has_its_clock() {
    let rom = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/truth.elf");
    let output = swirl(&["run", rom.to_str().unwrap(), "--seconds", "60"]);
    let capture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run-capture.txt");
    assert!(
        text(&output.stdout).contains("clock fast, caches coherent\n"),
        "{}",
        text(&output.stdout)
    );
    std::fs::write(&capture, &output.stdout).unwrap();
    let compared = swirl(&["truth", "compare", capture.to_str().unwrap(), "--part", "timing"]);
    let found = text(&compared.stdout);
    assert!(found.contains(" lines, 0 different;"), "{found}");
    assert_eq!(compared.status.code(), Some(0), "{found}");
}
