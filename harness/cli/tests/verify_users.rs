//! `swirl verify --elf --spec` on the worked example in tests/data/users, compiled here.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use crate::common::{swirl, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/users")
}

/// Builds the program once; `None` without a compiler. Tests run in parallel, and must not read the file
/// while another test writes it.
fn program() -> Option<PathBuf> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(build_program).clone()
}

fn build_program() -> Option<PathBuf> {
    let sources = [example().join("reference.c"), example().join("fast.s")];
    build("users.elf", &[], &sources)
}

fn build(name: &str, options: &[&str], sources: &[PathBuf]) -> Option<PathBuf> {
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let all = [&["-O2", "-Wl,-e,0x8c010000"], options].concat();
    corpus::sh4::compile(&elf, &all, sources).then_some(elf)
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

/// Returns failures and the smallest failing case, by kernel.
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
fn a_profiled_function_has_the_fpscr_of_its_compiler() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale.c");
    let text = "void scale(float *p, float s) { for (int i = 0; i < 4; i++) p[i] *= s; }\n";
    std::fs::write(&source, text).unwrap();
    let Some(elf) = build("scale.elf", &["-g"], &[source]) else {
        return;
    };
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(["profile", "--call", "scale", "--arg", "0x8c100000", "--elf"])
        .arg(&elf)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("fpscr = \"double, nearest, flush\" (scale is compiled with -m4)"),
        "{said}"
    );
    assert!(!said.contains("fpscr changed"), "{said}");
}

/// The linker puts the file's headers into the code segment.
#[test]
fn a_disassembly_begins_with_code() {
    let Some(elf) = program() else { return };
    let bytes = std::fs::read(&elf).unwrap();
    let image = machine::Image::parse(&bytes).unwrap();
    assert!(image.segments[0].bytes.starts_with(b"\x7fELF"));
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .arg("disasm")
        .arg(&elf)
        .output()
        .unwrap();
    let listing = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = listing.lines().find(|line| !line.is_empty()).unwrap();
    assert!(first.starts_with("8c010000 <"), "{first}");
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
        failures > 0 && shrunk.contains("returned with r8 changed from "),
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
            .contains("; did you mean `scale`?; there are scale, twice, total, reverse, transform")
    );
}

#[test]
fn kernels_are_listed() {
    let output = swirl(&["verify", "--list"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stdout);
    let line = lines
        .lines()
        .find(|line| line.starts_with("SH4   transform_points "))
        .unwrap();
    assert!(line.ends_with("matrix, src, dst, n, stride, w"), "{line}");
    let json = swirl(&["verify", "sincos", "--list", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json[0]["name"], "sincos");
    assert_eq!(json.as_array().unwrap().len(), 1);
    let wrong = swirl(&["verify", "transform_pionts"]);
    assert_eq!(wrong.status.code(), Some(2));
    let message = text(&wrong.stderr);
    assert!(message.contains("did you mean `transform_points`?"), "{message}");
    let option = text(&swirl(&["verify", "--cses", "3"]).stderr);
    assert!(option.contains("--cases"), "{option}");
    let Some(elf) = program() else { return };
    let listed = text(&verify(&elf, &["--list"]).stdout);
    assert!(
        listed
            .lines()
            .any(|l| l.split_whitespace().eq(["twice", "twice", "twice_c"])),
        "{listed}"
    );
}

/// Other verbs must suggest names too.
#[test]
fn the_closest_name_is_suggested() {
    let kernels = example().join("../../../roms/kernels.elf");
    let kernels = kernels.to_str().unwrap();
    for (args, hint) in [
        (
            &["profile", "sincos", "--set", "bus_turnaruond=700"][..],
            "`bus_turnaround`",
        ),
        (&["profile", "sincso"], "`sincos`"),
        (&["profile", "--elf", kernels, "--call", "sincso"], "`_sincos`"),
        (&["disasm", kernels, "--symbol", "sincso"], "`_sincos`"),
        (&["demo", "--no-window", "--pvr", "refws2"], "`refsw2`"),
    ] {
        let output = swirl(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = text(&output.stderr);
        assert!(
            message.contains(&format!("did you mean {hint}?")),
            "{args:?}: {message}"
        );
    }
}

/// The text and JSON reports of a failing case.
#[test]
fn a_failing_case_is_shown_whole() {
    let Some(elf) = program() else { return };
    let output = verify(&elf, &["transform", "--cases=300"]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    for part in [
        "differ; candidate | expected",
        "furthest off: dst[",
        " ulp, ",
        "matrix   [12]",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    let output = verify(&elf, &["transform", "--cases=300", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let problem = &json["kernels"][0]["first_problem"];
    let [inputs, outputs] = ["inputs", "outputs"].map(|key| problem[key].as_array().unwrap());
    assert_eq!(
        (inputs[0]["name"].as_str(), inputs[0]["type"].as_str()),
        (Some("matrix"), Some("f32"))
    );
    assert_eq!(inputs[0]["elements"].as_array().unwrap().len(), 16);
    let at = outputs[0]["differing"][0].as_u64().unwrap() as usize;
    assert_ne!(outputs[0]["candidate"][at], outputs[0]["expected"][at]);
    assert!(problem["worst"]["ulp"].as_u64() >= Some(1));
}

/// A specification written by --scaffold must run unchanged.
#[test]
fn a_scaffold_runs() {
    let sources = [example().join("reference.c"), example().join("fast.s")];
    let Some(elf) = build("users-g.elf", &["-g"], &sources) else {
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let output = swirl(&["verify", "--scaffold", elf.to_str().unwrap(), "scale"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let spec = folder.join("scaffold.toml");
    std::fs::write(&spec, &output.stdout).unwrap();
    let args = [
        "verify",
        "--elf",
        elf.to_str().unwrap(),
        "--spec",
        spec.to_str().unwrap(),
        "--cases=50",
    ];
    let output = swirl(&args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    let report = text(&output.stdout);
    assert!(
        report.contains("scale: against_fpscr = \"double, nearest, flush\" (scale_c is compiled with -m4)")
    );
    let wrong = swirl(&["verify", "--scaffold", elf.to_str().unwrap(), "scael"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("did you mean `scale`?"),
        "{}",
        text(&wrong.stderr)
    );
}

/// Without a terminal, progress is a line every 10 s. The time limit must end a run that would take years.
#[test]
fn long_runs_report_and_end() {
    let start = std::time::Instant::now();
    let output = swirl(&[
        "verify",
        "sincos",
        "--cases",
        "1000000000000",
        "--time-limit",
        "11",
    ]);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stderr);
    let line = lines.lines().find(|line| line.starts_with("sincos: ")).unwrap();
    assert!(line.contains(" of 1000000000000 after 1"), "{line}");
    assert!(text(&output.stdout).contains("stopped by the time limit after "));
}
