//! `swirl profile` from outside.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

mod elf;
mod odd;
mod page;
mod program;
mod views;

use crate::common::{swirl, text};
use elf::elf;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Runs the command, which must succeed, and returns standard output.
fn told(args: &[&str]) -> String {
    let output = swirl(args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Writes a program to a new file.
fn program(name: &str, code: &[u16], symbols: &[(&str, u32)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    // Another test can read a program of the same name.
    let file = tempfile::NamedTempFile::new_in(&folder).unwrap();
    std::fs::write(file.path(), elf(code, symbols)).unwrap();
    file.persist(&path).unwrap();
    path
}

#[test]
fn a_profile_shows_the_settled_loop_and_writes_every_format() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile");
    std::fs::create_dir_all(&folder).unwrap();
    let kinds = [
        "callgrind",
        "folded",
        "svg",
        "speedscope",
        "perfetto",
        "konata",
        "csv",
        "events",
        "json",
        "html",
    ];
    let exports: Vec<String> = kinds
        .iter()
        .map(|kind| format!("--export={kind}={}", folder.join(kind).display()))
        .collect();
    let mut args = vec![
        "profile",
        "transform_points",
        "--view=summary,timeline,listing,ledger,memory,events",
    ];
    args.extend(exports.iter().map(String::as_str));
    let output = swirl(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let views = text(&output.stdout);
    for part in [
        "loop at",
        "flow_fpu",
        "issue slots",
        "ftrv xmtrx,fv0",
        "_transform_points",
        "not modelled",
    ] {
        assert!(views.contains(part), "{part}");
    }
    assert!(
        kinds
            .iter()
            .all(|kind| folder.join(kind).metadata().unwrap().len() > 0)
    );

    let json = swirl(&["profile", "transform_points", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let slots: u64 = report["lost"]
        .as_object()
        .unwrap()
        .values()
        .map(|lost| lost.as_u64().unwrap())
        .sum();
    assert_eq!(
        slots + report["used"].as_u64().unwrap(),
        2 * report["cycles"].as_u64().unwrap()
    );
    let counted = swirl(&["profile", "transform_points", "--count", "--json"]);
    let counted: serde_json::Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert_eq!(
        (&counted["events"], &counted["lost"]),
        (&report["events"], &report["lost"])
    );
}

#[test]
fn a_profile_can_guard_a_budget() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("budget");
    std::fs::create_dir_all(&folder).unwrap();
    let base = folder.join("base.json");
    let json = format!("--export=json={}", base.display());
    assert_eq!(swirl(&["profile", "sincos", &json]).status.code(), Some(0));
    let baseline = format!("--baseline={}", base.display());
    assert_eq!(
        swirl(&["profile", "sincos", &baseline, "--fail-above=1%"])
            .status
            .code(),
        Some(0)
    );
    let slower = swirl(&[
        "profile",
        "sincos",
        &baseline,
        "--fail-above=1%",
        "--set=fsca_latency=20",
    ]);
    assert_eq!(slower.status.code(), Some(1), "{}", text(&slower.stdout));
    assert!(text(&slower.stdout).contains("with changed parameters: fsca_latency=20"));
}

#[test]
fn a_profile_of_what_cannot_be_run_is_an_error() {
    let cases: [(&[&str], &str); 5] = [
        (&["profile", "nonsense"], "no kernel nonsense; there are"),
        (&["profile", "--elf", "Cargo.toml"], "not a readable ELF file"),
        (&["profile", "sincos", "--set", "speed=1"], "no setting 'speed'"),
        (
            &["profile", "sincos", "--region", "0x1000..0x2000"],
            "never reached the region",
        ),
        (
            &["profile", "sincos", "--count", "--view", "timeline"],
            "--count measures only totals",
        ),
    ];
    for (args, message) in cases {
        let output = swirl(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(message),
            "{args:?}: {}",
            text(&output.stderr)
        );
    }
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/speed/fpu_mixed.elf");
    let output = swirl(&[
        "profile",
        "--elf",
        program,
        "--call",
        "kmain",
        "--max-instructions=9000",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("did not return"),
        "{}",
        text(&output.stderr)
    );
}

/// `0:` BRA to itself; NOP.
const ENDLESS: [u16; 2] = [0xAFFE, 0x0009];

#[test]
fn bad_programs_are_told_by_place_and_symbol() {
    let start = elf::START;
    // mov #2,r3; mova 1f,r0; mov r0,r1; mov.w 2f,r2; 1: add #1,r0; mov.w r2,@r1; dt r3; bf 1b; sleep; 2: add
    // #5,r0
    let patching = [
        0xE302, 0xC701, 0x6103, 0x9204, 0x7001, 0x2121, 0x4310, 0x8BFB, 0x001B, 0x7005,
    ];
    let bare = program("bare", &ENDLESS, &[]);
    let endless = program("endless", &ENDLESS, &[("_wait", start)]);
    let patching = program("patching", &patching, &[("_patch", start)]);
    let illegal = program("illegal", &[0x0009, 0xFFFD], &[("_begin", start)]);
    let cases: [(&Path, &[&str], &[&str]); 7] = [
        (&bare, &["--call", "main"], &["has no symbols", "without -s"]),
        (
            &bare,
            &["--max-instructions=1000"],
            &["reached neither SLEEP nor its exit", "8c010000"],
        ),
        (
            &endless,
            &["--call", "nothing"],
            &["no symbol nothing or _nothing"],
        ),
        (
            &endless,
            &["--call", "wait", "--max-instructions=1000"],
            &[
                "_wait did not return",
                "8c010000",
                "_wait",
                "after 1000 instructions",
            ],
        ),
        (
            &endless,
            &["--max-instructions=1000", "--count"],
            &["reached neither SLEEP nor its exit", "8c010000", "_wait"],
        ),
        (
            &patching,
            &[],
            &["the code at 8c010008 (_patch+0x8) changed while it ran"],
        ),
        (&illegal, &["--call", "begin"], &["8c010002", "_begin+0x2"]),
    ];
    for (path, args, expected) in cases {
        let elf = ["profile", "--elf", path.to_str().unwrap()];
        let output = swirl(&[&elf[..], args].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path:?} {args:?}: {error}");
        for part in expected {
            assert!(error.contains(part), "{path:?} {args:?}: {part} in {error}");
        }
        assert!(output.stdout.is_empty(), "{path:?}");
    }
}

#[test]
fn colour_is_for_terminals() {
    let escape = '\x1b';
    assert!(!told(&["profile", "sincos"]).contains(escape));
    assert!(!told(&["profile", "sincos", "--color=never"]).contains(escape));
    assert!(told(&["profile", "sincos", "--color=always"]).contains(escape));
    let json = told(&["profile", "sincos", "--color=always", "--json"]);
    assert!(!json.contains(escape));
}

#[test]
fn what_if_tells_both_totals() {
    let json = |args: &[&str]| -> serde_json::Value {
        let text = told(&[&["profile", "sincos", "--cache=warm", "--json"], args].concat());
        serde_json::from_str(&text).unwrap()
    };
    let conditions = [
        "fsca_latency=20",
        "mode=no-caches",
        "align=2,fsca_latency=20",
        "swap=sincos+0x2c",
    ];
    let given: Vec<String> = conditions
        .iter()
        .map(|what| format!("--what-if={what}"))
        .collect();
    let base = json(&given.iter().map(String::as_str).collect::<Vec<_>>());
    let others = base["comparisons"].as_array().unwrap();
    assert_eq!(others.len(), conditions.len());
    for (condition, other) in conditions.iter().zip(others) {
        // Changing the run itself must give the same total.
        let sets: Vec<String> = condition.split(',').map(|set| format!("--set={set}")).collect();
        let set = json(&sets.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(
            (&other["what_if"], &other["cycles"]),
            (&(*condition).into(), &set["cycles"])
        );
        let difference = other["cycles"].as_i64().unwrap() - base["cycles"].as_i64().unwrap();
        assert_eq!(other["difference"], difference);
    }
    assert!(others[0]["difference"].as_i64().unwrap() > 0);
    assert!(others[1]["difference"].as_i64().unwrap() > 0);
    let table = told(&["profile", "sincos", "--what-if=align=4"]);
    assert!(
        table.contains("unchanged") && table.contains("align=4"),
        "{table}"
    );
}

/// Moved code must cost the same as code that the linker places there.
#[test]
fn moved_code_costs_what_linked_code_does() {
    // 1: add #1,r1; mov.l 2f,r0; dt r4; bf 1b; rts; nop; nop; nop; 2: .long 7
    let code = [
        0x7101, 0xD003, 0x4410, 0x8BFB, 0x000B, 0x0009, 0x0009, 0x0009, 7, 0,
    ];
    let cycles = |path: &Path, args: &[&str]| -> serde_json::Value {
        let elf = path.to_str().unwrap();
        let call = ["profile", "--elf", elf, "--call=f", "--arg=20", "--json"];
        let report: serde_json::Value = serde_json::from_str(&told(&[&call[..], args].concat())).unwrap();
        report["lost"].clone()
    };
    let here = program("here", &code, &[("_f", elf::START)]);
    for by in [4_u32, 16, 24] {
        let padding = vec![0x0009_u16; by as usize / 2];
        let name = format!("padded{by}");
        let there = program(&name, &[&padding[..], &code].concat(), &[("_f", elf::START + by)]);
        assert_eq!(
            cycles(&here, &[&format!("--set=align={by}")]),
            cycles(&there, &[]),
            "{by}"
        );
    }
    assert_ne!(cycles(&here, &["--set=align=24"]), cycles(&here, &[]));
}

#[test]
fn instructions_that_depend_on_each_other_are_not_exchanged_silently() {
    let swap = |place: &str| swirl(&["profile", "transform_points", &format!("--what-if=swap={place}")]);
    // fmov.s fr0,@-r6; add #32,r6
    let dependent = swap("transform_points+0x118");
    assert_eq!(dependent.status.code(), Some(0), "{}", text(&dependent.stderr));
    assert!(text(&dependent.stderr).contains("depend on each other through r6"));
    // fmov.s fr3,@-r6; add r1,r5
    assert!(swap("transform_points+0x10c").stderr.is_empty());
    for (place, expected) in [
        ("transform_points+0x122", "depends on its address"),
        (
            "transform_points+0x124",
            "in the delay slot of the previous branch",
        ),
        ("nowhere", "no symbol nowhere"),
    ] {
        let output = swap(place);
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert!(
            text(&output.stderr).contains(expected),
            "{place}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn two_kernels_are_compared_instruction_by_instruction() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let base = folder.join("two_kernels.json");
    told(&["profile", "sincos", &format!("--export=json={}", base.display())]);
    let baseline = format!("--baseline={}", base.display());
    let compared = told(&[
        "profile",
        "sincos",
        &baseline,
        "--set=fsca_latency=9",
        "--fail-above=1000%",
    ]);
    assert!(
        compared.contains("_sincos -> _sincos") && compared.contains("flow_fpu +"),
        "{compared}"
    );
    let compared = told(&["profile", "matrix_multiply", &baseline, "--fail-above=9999999%"]);
    assert!(compared.contains("_sincos -> _matrix_multiply"), "{compared}");
    assert!(
        compared.contains("sincos before, matrix_multiply now"),
        "{compared}"
    );
}

#[test]
fn console_counts_stand_beside_the_model() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let counts = folder.join("console.csv");
    let report: serde_json::Value = serde_json::from_str(&told(&["profile", "sincos", "--json"])).unwrap();
    let of = |key: &str| {
        let events = report["events"].as_array().unwrap();
        events.iter().find(|event| event["event"] == key).unwrap()["count"]
            .as_f64()
            .unwrap()
    };
    // Twice the modelled counts, in the format of KallistiOS's counters: code and count.
    let text = format!(
        "code,count\n0x23,{}\n15,{}\n",
        2.0 * of("elapsed"),
        of("fpu_instruction")
    );
    std::fs::write(&counts, text).unwrap();
    let told = told(&["profile", "sincos", &format!("--compare={}", counts.display())]);
    let line = |code: &str| told.lines().find(|line| line.starts_with(code)).unwrap();
    assert!(line("23 ").ends_with("-50.0 %"), "{told}");
    assert!(line("15 ").ends_with("+0.0 %"), "{told}");
}

#[test]
fn regions_are_named_by_labels() {
    let code = [0x7001, 0x7001, 0x7001, 0x7001, 0x000B, 0x0009];
    let symbols = [
        ("_f", elf::START),
        ("middle_begin", elf::START + 2),
        ("middle_end", elf::START + 6),
    ];
    let path = program("labels", &code, &symbols);
    let report = |region: &str| -> serde_json::Value {
        let elf = path.to_str().unwrap();
        let args = ["profile", "--elf", elf, "--call=f", "--json", "--region", region];
        serde_json::from_str(&told(&args)).unwrap()
    };
    assert_eq!(report("middle")["instructions"], 2);
    assert_eq!(report("f+2..middle_end")["instructions"], 2);
    assert_eq!(report("0x8c010000..0x8c010006")["instructions"], 3);
}

/// Runs the cases of the project itself.
#[test]
fn kept_cases_of_cycles_and_kernels_pass() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    for (folder, said) in [("cycles", "2 cases: 2 passed"), ("kernels", "1 case: 1 passed")] {
        let told = told(&["test", data.join(folder).to_str().unwrap()]);
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn a_kernel_s_budget_stands_beside_its_cost() {
    assert!(told(&["profile", "sincos"]).contains("cycles, kept"));
    assert!(told(&["profile", "sincos", "--seed=77"]).contains("budget: none for seed 77"));
    assert!(!told(&["profile", "sincos", "--set=fsca_latency=9"]).contains("budget:"));
}

/// `profile` must give the specification's kernel the same buffers as `verify`.
#[test]
fn a_specification_gives_the_arguments() {
    let elf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/kernels.elf");
    let spec = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels.toml");
    let words = "[[kernel]]\ncall = \"sincos\"\nagainst = \"builtin:sincos\"\n\
        [kernel.args]\nangles = { in = \"u32[n]\", values = \"bits\" }\n\
        n = { value = \"u32\", range = \"1..=32\" }\nout = { out = \"f32[2*n]\", align = 8 }\n\
        [kernel.check]\ncycles = { cache = \"warm\", at = { n = 20 }, max = 10 }\n";
    std::fs::write(&spec, words).unwrap();
    let (elf, spec) = (elf.to_str().unwrap(), spec.to_str().unwrap());
    let verified = swirl(&["verify", "--elf", elf, "--spec", spec, "--cases=2", "--json"]);
    // The limit of 10 cycles is exceeded.
    assert_eq!(verified.status.code(), Some(1), "{}", text_of(&verified));
    let verified: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    let cycles = &verified["kernels"][0]["cycles"];
    let profile = ["profile", "--elf", elf, "--spec", spec, "sincos", "--json"];
    let warm: serde_json::Value =
        serde_json::from_str(&told(&[&profile[..], &["--cache=warm"]].concat())).unwrap();
    assert_eq!(warm["cycles"], cycles["candidate"]);
    let table = swirl(&["verify", "--elf", elf, "--spec", spec, "--cases=2"]);
    assert!(
        text(&table.stdout).contains("at n = 20, at most 10 are allowed"),
        "{}",
        text_of(&table)
    );
    let unknown = swirl(&["profile", "--elf", elf, "--spec", spec, "nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("no kernel `nothing`; there are sincos"));
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// A program that waits forever unless its own elapsed-time counter has changed.
#[test]
fn the_program_reads_the_model_s_counters() {
    // mov.l 2f,r1; mov.l 3f,r2; mov.w 4f,r0; mov.w r0,@r1; mov #3,r4; 1: dt r4; bf 1b; mov.l @r2,r5; tst
    // r5,r5; 0: bt 0b; sleep; nop; 2: PMCR1; 3: PMCTR1L; 4: elapsed time, started
    let code = [
        0xD105, 0xD206, 0x900C, 0x2101, 0xE403, 0x4410, 0x8BFD, 0x6522, 0x2558, 0x89FE, 0x001B, 0x0009,
        0x0084, 0xFF00, 0x0008, 0xFF10, 0xC023, 0,
    ];
    let path = program("counters", &code, &[]);
    let elf = [
        "profile",
        "--elf",
        path.to_str().unwrap(),
        "--max-instructions=1000",
    ];
    for more in [&[][..], &["--count"], &["--set=align=2"], &["--cache=warm"]] {
        told(&[&elf[..], more].concat());
    }
}
