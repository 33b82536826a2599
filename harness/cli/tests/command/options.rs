//! Every option of every verb, from the help texts, must have a line in `tests/data/options.txt`. The line
//! has a command on which the option has no effect and causes a warning or an error, or the option's effect.

use super::done;
use crate::common::text;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const LINES: &str = include_str!("../data/options.txt");

/// The options that the help text of a verb lists.
fn options(verb: &str) -> Vec<String> {
    let help = done(&[verb, "--help"]);
    let own = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("-")
            .filter(|line| !line.starts_with('-'))
            .map_or(line, |short| short.split_once(", ").map_or("", |(_, long)| long));
        let name = line.strip_prefix("--")?;
        let end = name
            .find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-')
            .unwrap_or(name.len());
        Some(format!("--{}", &name[..end]))
    });
    own.filter(|name| name.len() > 2 && name != "--help" && name != "--version")
        .collect()
}

fn verbs() -> Vec<String> {
    let help = done(&["--help"]);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        name.split_whitespace().next().map(str::to_owned)
    });
    names.filter(|name| name != "help").collect()
}

/// Parses rows of the form `VERB --option: rest`.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = LINES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (name, rest) = line.split_once(": ").unwrap();
        let (verb, option) = name.split_once(' ').unwrap();
        (verb, option, rest)
    })
}

#[test]
fn every_option_has_its_line() {
    let known: BTreeSet<String> = rows()
        .map(|(verb, option, _)| format!("{verb} {option}"))
        .collect();
    let there: BTreeSet<String> = verbs()
        .iter()
        .flat_map(|verb| {
            options(verb)
                .into_iter()
                .map(move |option| format!("{verb} {option}"))
        })
        .collect();
    let missing: Vec<_> = there.difference(&known).collect();
    let gone: Vec<_> = known.difference(&there).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "no line: {missing:?}\nno option: {gone:?}"
    );
    assert!(there.len() > 150, "{}", there.len());
}

/// Creates a folder with the files that the lines need.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("kernel")).unwrap();
    std::fs::write(folder.join("empty.toml"), "").unwrap();
    let case = "kind = \"kernel\"\nnames = [\"sincos\"]\ncases = 5\n";
    std::fs::write(folder.join("kernel/case.toml"), case).unwrap();
    folder
}

#[test]
fn options_without_effect_are_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = folder();
    let places = [
        ("{scene}", root.join("tests/data/scene")),
        ("{fbx}", root.join("runtime/convert/tests/data")),
        ("{roms}", root.join("roms")),
        ("{chip}", root.join("tests/data/pvr/fog_table/scene.txt")),
        ("{out}", out.clone()),
    ];
    let filled = |text: &str| {
        let one = |text: String, (name, path): &(&str, PathBuf)| text.replace(name, path.to_str().unwrap());
        places.iter().fold(text.to_owned(), one)
    };
    let arm = filled("{scene}/motions/arm.nja");
    done(&["convert", &arm, out.join("arm.nj").to_str().unwrap()]);
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for (_, option, rest) in rows().filter(|(_, _, rest)| !rest.starts_with("always: ")) {
        let words: Vec<String> = rest.split_whitespace().map(filled).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // Without a display, `view` ends at once.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_swirl"));
        let command = command
            .args(&words)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        let output = command.output().unwrap();
        let told = text(&output.stderr);
        // The parser's message contains the option, or the missing argument.
        let names_it = told.contains(option) || told.contains("required arguments were not provided");
        let is_warned = told
            .lines()
            .any(|line| line.contains("warning: ") && line.contains(option) && line.contains("no effect"));
        match is_warned || output.status.code() == Some(2) && names_it {
            true => refused += 1,
            false => wrong.push(format!("{rest}\n  {:?}: {told}", output.status.code())),
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused > 120, "{refused}");
}
