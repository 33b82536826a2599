//! The README lists the modules. The hardware page lists the settings and has the headings cited in comments.

use pvr::Settings;
use pvr::settings::Table;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const BEGIN: &str = "<!-- switches -->";
const END: &str = "<!-- end of switches -->";
const CITATION: &str = "docs/hardware/pvr2.md`";

fn page() -> String {
    fs::read_to_string(format!("{ROOT}/docs/hardware/pvr2.md")).expect("docs/hardware/pvr2.md")
}

/// Table of settings in the format of the page.
fn table() -> String {
    let mut table = String::from(
        "| switch | doubt | choices | evidence for the default | confidence |\n|---|---|---|---|---|\n",
    );
    for switch in Settings::default().rows() {
        let choices = switch.choices().iter().map(|choice| {
            let about = choice.about.trim_end_matches('.');
            format!("`{}`: {about}", choice.name)
        });
        table += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            switch.name,
            switch.about,
            choices.collect::<Vec<_>>().join("; "),
            switch.evidence,
            switch.confidence
        );
    }
    table
}

#[test]
fn the_page_lists_all_switches() {
    let page = page();
    let (_, rest) = page.split_once(BEGIN).expect("a mark");
    let (found, _) = rest.split_once(END).expect("a mark");
    let expected = table();
    assert!(
        found.trim() == expected.trim(),
        "expected between the marks:\n\n{expected}"
    );
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Comment lines of a source file.
fn comments(text: &str) -> String {
    let marks = |line: &str| line.trim_start().trim_start_matches(['/', '!']).trim().to_owned();
    let lines = text.lines().filter(|line| line.trim_start().starts_with("//"));
    lines.map(marks).collect::<Vec<_>>().join(" ")
}

/// Checks that every quoted word between a citation and the end of its sentence is a heading.
#[test]
fn comments_cite_headings_that_exist() {
    let page = page();
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix('#').map(|line| line.trim_matches(['#', ' '])))
        .collect();
    let mut files = Vec::new();
    for folder in ["runtime/pvr/src", "harness/pvr-scene/src"] {
        sources(&Path::new(ROOT).join(folder), &mut files);
    }
    let mut cited = 0;
    for file in &files {
        let text = fs::read_to_string(file).expect("a source");
        let text = comments(&text);
        for rest in text.split(CITATION).skip(1) {
            let rest = rest.split([')', '.']).next().unwrap_or_default();
            for heading in rest.split('"').skip(1).step_by(2) {
                assert!(
                    headings.contains(&heading),
                    "{}: no heading {heading:?}",
                    file.display()
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 20, "{cited} citations");
}

#[test]
fn the_readme_lists_the_modules() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("README.md");
    let (_, table) = readme
        .split_once("| module | holds |")
        .expect("a table of modules");
    let rows = table
        .trim_start()
        .lines()
        .take_while(|line| line.starts_with('|'));
    let mut listed: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules: Vec<String> = fs::read_dir(folder)
        .expect("src")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| name != "lib")
        .collect();
    modules.sort();
    modules.dedup();
    listed.sort_unstable();
    assert_eq!(listed, modules);
}
