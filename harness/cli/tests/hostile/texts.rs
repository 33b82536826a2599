//! Specifications, captures, scripts and options.

use super::{ends, folder, refused};
use std::fs;
use std::path::Path;

const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");
const HEAD: &str = "[[kernel]]\ncall=\"main\"\nagainst=\"main\"\n";

fn verify(folder: &Path, specification: &str, found: &str) {
    fs::write(folder.join("a.toml"), specification).unwrap();
    refused(folder, &["verify", "--elf", SPIN, "--spec", "a.toml"], found);
}

#[test]
fn specifications_are_refused_with_their_line() {
    let folder = folder("specifications_toml");
    let count = |count: &str| format!("{HEAD}[kernel.args]\na={{in=\"u8[{count}]\"}}\n");
    for (text, found) in [
        (count("4000000000"), "a.toml:"),
        (
            count(&format!("{}1{}", "(".repeat(200_000), ")".repeat(200_000))),
            "a.toml:",
        ),
        (count(&vec!["1"; 300_000].join("+")), "a.toml:"),
        (count(&format!("{}1", "-".repeat(100_000))), "a.toml:"),
        (count(&"9".repeat(100_000)), "a.toml:"),
        (
            format!("{HEAD}[kernel.args]\nn={{value=\"u32\",range=\"0..=10 step 0\"}}\n"),
            "a.toml:",
        ),
        (
            format!("{HEAD}[kernel.args]\na={{in=\"u8[1]\",align=0}}\n"),
            "a.toml:",
        ),
        (
            format!("{HEAD}[kernel.args]\na={{in=\"u8[1]\",align=9223372036854775807}}\n"),
            "a.toml:",
        ),
        (
            format!("{HEAD}[kernel.args]\na={{in=\"u8[1]\",file=\"/dev/zero\"}}\n"),
            "a.toml",
        ),
        ((HEAD.to_owned() + "[kernel.args]\n").repeat(20_000), "a.toml:"),
        (
            format!("x={}{}", "[".repeat(100_000), "]".repeat(100_000)),
            "a.toml",
        ),
        (format!("[{}]\n", vec!["a"; 100_000].join(".")), "a.toml"),
        (
            format!("x={}1{}", "{a=".repeat(50_000), "}".repeat(50_000)),
            "a.toml",
        ),
        ("[[a]]\n".repeat(500_000), "a.toml"),
        ("x=1e999999999999\n".to_owned(), "a.toml"),
        ("x=9999-99-99T99:99:99\n".to_owned(), "a.toml"),
    ] {
        verify(&folder, &text, found);
    }
    let arguments = |count: usize| {
        let rows: String = (0..count)
            .map(|n| format!("a{n}={{inout=\"u8[8000]\"}}\n"))
            .collect();
        format!("{HEAD}[kernel.args]\n{rows}")
    };
    verify(
        &folder,
        &arguments(1_000),
        "a64: 1000 arguments, expected at most 64",
    );
    verify(&folder, &arguments(30_000), "expected at most 64");
    let name = "[[kernel]]\nname=\"\\u001b]0;pwn\\u0007\"\ncall=\"main\"\nagainst=\"main\"\n[kernel.args]\n";
    verify(&folder, name, "a.toml:");
}

#[test]
fn lines_are_quoted_in_part() {
    let folder = folder("captures");
    fs::write(folder.join("a.txt"), format!("truth {}\n", "A".repeat(5_000_000))).unwrap();
    refused(&folder, &["truth", "compare", "a.txt"], "… (5000000 bytes)");
    fs::write(folder.join("zeros.txt"), vec![0; 1_000_000]).unwrap();
    refused(&folder, &["truth", "compare", "zeros.txt"], "zeros.txt");
}

#[test]
fn scripts_and_scenes_are_refused_with_their_line() {
    let folder = folder("scripts");
    for text in [
        "99999999999999999999999 press a\n".to_owned(),
        "5..1 hold a\n".to_owned(),
        format!("1 hold {}\n", vec!["b1"; 100_000].join("+")),
        format!("1 hold {}\n", "\u{1b}[2J".repeat(1_000)),
    ] {
        fs::write(folder.join("in.txt"), text).unwrap();
        refused(
            &folder,
            &["run", SPIN, "--frames", "2", "--input", "in.txt"],
            "in.txt",
        );
    }
    for text in [
        "size 4294967295 4294967295\n".to_owned(),
        "polygon\n".repeat(1_000_000),
    ] {
        fs::write(folder.join("scene.txt"), text).unwrap();
        refused(&folder, &["render", "scene.txt", "-o", "a.png"], "scene.txt");
    }
}

#[test]
fn reports_that_are_read_back() {
    let folder = folder("reports");
    for text in [
        "[".repeat(1_000_000),
        "{\"a\":".repeat(200_000),
        format!("{{\"cycles\":1e999,\"instructions\":{}}}", "9".repeat(100_000)),
        "null".to_owned(),
        format!("[{}]", vec!["{}"; 300_000].join(",")),
    ] {
        fs::write(folder.join("a.json"), text).unwrap();
        for arguments in [
            &[
                "profile",
                "--elf",
                SPIN,
                "--frames",
                "0..2",
                "--baseline",
                "a.json",
            ][..],
            &["profile", "sincos", "--baseline", "a.json"],
            &["verify", "--merge", "a.json"],
            &["test", "--merge", "a.json"],
        ] {
            ends(&folder, arguments, &[2]);
        }
    }
}

#[test]
fn numbers_are_finite() {
    let folder = folder("numbers");
    for value in ["nan", "inf", "-inf", "1e999"] {
        for (verb, option) in [
            (&["render", "a.nj", "-o", "a.png"][..], "--yaw"),
            (&["render", "a.nj", "-o", "a.png"], "--pitch"),
            (&["render", "a.nj", "-o", "a.png"], "--distance"),
            (&["convert", "a.fbx", "b.nj"], "--rate"),
            (&["convert", "a.fbx", "b.nj"], "--unit"),
            (&["convert", "a.fbx", "b.nj"], "--position-tolerance"),
            (&["convert", "a.fbx", "b.nj"], "--angle-tolerance"),
            (&["run", SPIN], "--seconds"),
            (&["profile", "sincos", "--baseline", "a.json"], "--fail-above"),
        ] {
            let option = format!("{option}={value}");
            let shown = ends(&folder, &[verb, &[&option]].concat(), &[2]);
            assert!(
                shown.contains("expected a") && shown.contains(value),
                "{option}: {shown}"
            );
        }
    }
}

/// A pipe without a writer must be an error; a pipe with a writer must be read.
#[test]
fn pipes_do_not_block() {
    let folder = folder("pipes");
    for name in ["a.nj", "a.elf", "a"] {
        let pipe = folder.join(name);
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        refused(&folder, &["info", name], "found a pipe without a writer");
    }
    let writer = std::thread::spawn({
        let (pipe, bytes) = (folder.join("a.elf"), fs::read(SPIN).unwrap());
        move || fs::write(pipe, bytes).unwrap()
    });
    ends(&folder, &["info", "a.elf"], &[0]);
    writer.join().unwrap();
}

/// Untrusted cases must run no commands and access no files outside.
#[test]
fn untrusted_cases_are_confined() {
    let folder = folder("untrusted");
    fs::create_dir(folder.join("case")).unwrap();
    let case = |text: &str| fs::write(folder.join("case/case.toml"), text).unwrap();
    fs::write(folder.join("case/Makefile"), "all:\n\ttouch ../made\n").unwrap();
    fs::copy(SPIN, folder.join("case/a.elf")).unwrap();
    let limit = "kind = \"program\"\ninput = \"a.elf\"\nlimit = { frames = 2 }\n";
    case(&format!("{limit}make = {{ folder = \".\", target = \"all\" }}\n"));
    let run = ["test", "case", "--untrusted"];
    let output = super::limited(&folder, &run);
    let shown = crate::common::text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(
        shown.contains("make: found a command") && !folder.join("made").exists(),
        "{shown}"
    );
    case(&format!("{limit}options = [\"--screenshot=2=../made\"]\n"));
    let output = super::limited(&folder, &run);
    let shown = crate::common::text(&output.stdout);
    assert!(
        shown.contains("options: found --screenshot=2=../made") && !folder.join("made").exists(),
        "{shown}"
    );
    case(limit);
    let output = super::limited(&folder, &run);
    let shown = crate::common::text(&output.stdout);
    assert!(!shown.contains("--untrusted)"), "{shown}");
    std::os::unix::fs::symlink("..", folder.join("case/out")).unwrap();
    refused(&folder, &run, "case/out: found a link");
}
