//! The tables of modules in the crates' READMEs.

use crate::files::{packages, root};
use crate::ratchet::Violation;
use std::collections::BTreeSet;
use std::path::Path;

/// Titles of the first column that mark a table of modules.
const HEADS: [&str; 4] = ["module", "file", "kernel", "verb"];

/// Modules that a README does not list, and listed names that are not modules.
pub(crate) fn tables() -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages() {
        let modules = modules(&root().join(&package).join("src"));
        let path = format!("{package}/README.md");
        let Ok(readme) = std::fs::read_to_string(root().join(&path)) else {
            continue;
        };
        let listed = listed(&readme);
        let violation = |line, what| Violation {
            path: path.clone(),
            line,
            what,
        };
        let names: BTreeSet<&str> = listed.iter().map(|(_, name)| top(name)).collect();
        let missing = modules.iter().filter(|module| !names.contains(module.as_str()));
        found.extend(missing.map(|module| violation(0, format!("module {module} is not listed"))));
        let unknown = listed
            .iter()
            .filter(|(_, name)| !exists(&root().join(&package), name));
        found.extend(unknown.map(|(line, name)| violation(*line, format!("{name} is no module"))));
    }
    found
}

/// Files of tests that `tests/main.rs` does not name. Cargo would never build them.
pub(crate) fn unbuilt_tests() -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages() {
        let folder = root().join(&package).join("tests");
        let Ok(main) = std::fs::read_to_string(folder.join("main.rs")) else {
            continue;
        };
        let manifest = std::fs::read_to_string(root().join(&package).join("Cargo.toml")).unwrap();
        for name in modules(&folder) {
            let built = main.contains(&format!("mod {name};"))
                || main.contains(&format!("/{name}.rs\""))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            let shared = ["common", "data"].contains(&name.as_str());
            if !built && !shared {
                found.push(Violation {
                    path: format!("{package}/tests/main.rs"),
                    line: 0,
                    what: format!("test {name} is not listed"),
                });
            }
        }
    }
    found
}

/// Returns the modules at the top of a crate, without its root files.
fn modules(src: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(src).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let module = has_sources(&path) || path.extension().is_some_and(|extension| extension == "rs");
        if module && !["lib", "main", "tests", "bin"].contains(&name.as_str()) {
            found.insert(name);
        }
    }
    found
}

fn has_sources(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = files.map(|entry| entry.path());
    folder.is_dir()
        && paths.any(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"))
}

/// Returns names in backticks in the first column of tables of modules, with their lines.
fn listed(readme: &str) -> Vec<(usize, String)> {
    let (mut found, mut of_modules) = (Vec::new(), false);
    for (line, text) in readme.lines().enumerate() {
        let Some(row) = text.trim().strip_prefix('|') else {
            of_modules = false;
            continue;
        };
        let first = row.split('|').next().unwrap_or_default().trim();
        if HEADS.contains(&first) {
            of_modules = true;
        } else if of_modules {
            let quoted = first.split('`').skip(1).step_by(2);
            found.extend(quoted.map(|name| (line + 1, plain(name))));
        }
    }
    found
}

fn plain(name: &str) -> String {
    let name = name.strip_prefix("src/").unwrap_or(name);
    let name = name
        .strip_suffix(".rs")
        .or(name.strip_suffix('/'))
        .unwrap_or(name);
    name.replace("::", "/")
}

fn top(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Returns true if the crate has a module of this name, at the top or below another module. A table may list
/// the modules of a folder.
fn exists(package: &Path, name: &str) -> bool {
    name == "lib" || is_below(&package.join("src"), name)
}

fn is_below(folder: &Path, name: &str) -> bool {
    let path = folder.join(name);
    if path.is_dir() || path.with_extension("rs").exists() {
        return true;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
    folders.any(|folder| is_below(&folder, name))
}
