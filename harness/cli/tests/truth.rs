//! `swirl truth`: the report of `roms/truth.elf`, comparison of captures, discrimination of switches.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{swirl, text};
use std::path::Path;
use std::process::Output;

fn predicted(set: &[&str]) -> String {
    let output = swirl(&[&["truth", "run"], set].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a verb with a capture and the switches of the CPU; the others would take minutes.
fn with_capture(verb: &str, path: &Path) -> Output {
    swirl(&["truth", verb, path.to_str().unwrap(), "--part", "cpu"])
}

/// Returns standard output, standard error and status.
fn compare(folder: &Path, capture: &str) -> (String, String, Option<i32>) {
    let path = folder.join("capture.txt");
    std::fs::write(&path, capture).unwrap();
    let output = with_capture("compare", &path);
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn an_edited_capture_differs_where_it_was_edited() {
    let folder = tempfile::tempdir().unwrap();
    let report = predicted(&[]);
    let edits = [
        ("fschg 00140000", "fschg 00040000"),
        ("mac_w.top 00000011", "mac_w.top 00000001"),
        ("div1.zero ffff", "div1.zero fffe"),
    ];
    let mut edited = report.clone();
    for (from, to) in edits {
        assert_eq!(edited.matches(from).count(), 1, "{from}\n{report}");
        edited = edited.replace(from, to);
    }
    let (output, warnings, status) = compare(folder.path(), &edited);
    let different: Vec<&str> = output
        .lines()
        .filter_map(|line| line.strip_prefix("different ")?.split(':').next())
        .collect();
    assert_eq!(different, ["div1.zero", "fschg", "mac_w.top"]);
    assert!(warnings.contains("the capture was changed"), "{warnings}");
    assert_eq!(status, Some(1));
    assert!(output.contains("fipr_model confirmed: hardware"), "{output}");
}

#[test]
fn a_capture_under_other_switches_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let set = [
        "--set",
        "macw_mach_flag=write_one",
        "--set",
        "fsub_trap_sign=as_written",
    ];
    let capture = predicted(&set);
    let (output, ..) = compare(folder.path(), &capture);
    assert!(
        output.contains("macw_mach_flag refuted: write_one fits"),
        "{output}"
    );
    assert!(
        output.contains("fsub_trap_sign refuted: as_written fits"),
        "{output}"
    );
    assert_eq!(output.matches(" refuted: ").count(), 2, "{output}");
    let path = folder.path().join("capture.txt");
    let output = with_capture("settings", &path);
    let settings = text(&output.stdout);
    assert!(
        settings.ends_with("0 still different\nmacw_mach_flag=write_one\nfsub_trap_sign=as_written\n"),
        "{settings}"
    );
}

#[test]
fn bad_captures_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    for (capture, found) in [
        ("", "found no line 'truth 00000001'"),
        ("truth 00000002\n", "line 1: found 'truth 00000002'"),
        ("truth 00000001\nobs x 12\n", "line 2: found '12'"),
        (
            "truth 00000001\nobs x 00000012\nobs x 00000012\n",
            "line 3: found x again",
        ),
        ("obs x 00000012\n", "line 1: found 'obs x 00000012'"),
        ("truth 00000001\nend 00000000\n", "line 2: found 'end 00000000'"),
    ] {
        let (_, error, status) = compare(folder.path(), capture);
        assert!(error.contains(found), "{capture}: {error}");
        assert_eq!(status, Some(2), "{capture}");
    }
}

/// Every switch must have either an experiment that distinguishes all its choices, or a reason for having
/// none. All must be in `docs/hardware/truth-switches.md`. `SWIRL_WRITE_DOCS=1` writes its table.
#[test]
fn every_switch_has_an_experiment_or_a_reason_and_a_row_in_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.md");
    let output = swirl(&["truth", "switches", "--markdown", table.to_str().unwrap()]);
    let list = text(&output.stdout);
    print!("{list}");
    assert!(output.status.success(), "{list}{}", text(&output.stderr));
    let table = std::fs::read_to_string(table).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hardware/truth-switches.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let begin = page.find("| switch |").unwrap();
    if std::env::var_os("SWIRL_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{}{table}", &page[..begin])).unwrap();
        return;
    }
    assert!(page[begin..] == table, "SWIRL_WRITE_DOCS=1 writes the table anew");
}

/// Checks the captures in `tests/data/truth/captures`. The first line of each states the number of lines that
/// differ from the prediction.
#[test]
fn captures_differ_from_the_prediction_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/truth/captures");
    let report = predicted(&[]);
    let lines = |text: &str| -> Vec<String> {
        let observations = text.lines().filter(|line| line.starts_with("obs "));
        observations.map(str::to_owned).collect()
    };
    let predicted = lines(&report);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let capture = std::fs::read_to_string(&path).unwrap();
        let first = capture.lines().next().unwrap();
        let expected = first.split(": ").last().unwrap();
        let found = lines(&capture);
        let differ = found.iter().filter(|line| !predicted.contains(line)).count();
        assert_eq!(format!("{differ} lines differ."), expected, "{}", path.display());
        assert!(found.len() >= 100, "{}", path.display());
        count += 1;
    }
    assert!(count > 0);
}
