//! Checks the files and manifest keys that a published package needs.

use crate::files::{packages, root, with_extensions};
use crate::ratchet::Violation;
use std::path::{Component, Path, PathBuf};

/// Keys that each manifest needs, in its own file or from the workspace.
const KEYS: [&str; 6] = [
    "description",
    "license",
    "readme",
    "keywords",
    "categories",
    "rust-version",
];
const FILES: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Manifests without a required key, packages without a required file, and includes of files outside their
/// package.
pub(crate) fn incomplete() -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages() {
        let path = format!("{package}/Cargo.toml");
        let manifest = std::fs::read_to_string(root().join(&path)).unwrap();
        let mut miss = |what: String| {
            found.push(Violation {
                path: path.clone(),
                line: 0,
                what,
            });
        };
        let has = |key: &str| manifest.lines().any(|line| line.starts_with(key));
        let published = !has("publish = false");
        for key in KEYS.iter().filter(|key| published && !has(key)) {
            miss(format!("no {key}"));
        }
        for file in FILES
            .iter()
            .filter(|file| published && !root().join(&package).join(file).exists())
        {
            miss(format!("no {file}"));
        }
    }
    found.extend(outside());
    found
}

/// `include_bytes!` and `include_str!` of files outside the package. Tests are exempt, because they are not
/// part of a build, and so are packages that are not published.
fn outside() -> Vec<Violation> {
    let mut found = Vec::new();
    let published = |package: &String| {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
        !manifest.lines().any(|line| line.starts_with("publish = false"))
    };
    let packages: Vec<String> = packages().into_iter().filter(published).collect();
    for file in with_extensions(&["rs"])
        .iter()
        .filter(|file| file.path.contains("/src/"))
    {
        let Some(package) = packages
            .iter()
            .find(|package| file.path.starts_with(&format!("{package}/")))
        else {
            continue;
        };
        let folder = Path::new(&file.path).parent().unwrap();
        for (line, text) in file.text.lines().enumerate() {
            let included = ["include_bytes!(\"", "include_str!(\""]
                .iter()
                .filter_map(|name| text.split_once(name));
            for name in included.filter_map(|(_, rest)| rest.split('"').next()) {
                if !normal(&folder.join(name)).starts_with(package) {
                    found.push(Violation {
                        path: file.path.clone(),
                        line: line + 1,
                        what: format!("{name} is outside of {package}"),
                    });
                }
            }
        }
    }
    found
}

/// Tests that print `0 files` but do not check for CI.
pub(crate) fn silent_absence() -> Vec<Violation> {
    let mut found = Vec::new();
    let tests = with_extensions(&["rs"])
        .into_iter()
        .filter(|file| file.path.contains("/tests/"));
    for file in tests.filter(|file| !file.path.contains("/tidy/") && !file.text.contains("\"CI\"")) {
        for (line, text) in file.text.lines().enumerate() {
            if text.contains("println!") && text.contains(", 0 files") {
                found.push(Violation {
                    path: file.path.clone(),
                    line: line + 1,
                    what: "prints 0 files in CI too".to_owned(),
                });
            }
        }
    }
    found
}

/// Returns a path without `..`.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, component| {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
        path
    })
}
