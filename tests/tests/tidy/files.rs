//! The files of the repository.

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folders that hold no sources of the project.
const SKIPPED: [&str; 4] = ["target", ".git", "book", "node_modules"];

/// A text file.
pub(crate) struct Text {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// All text files with one of the extensions, in the order of their paths.
pub(crate) fn with_extensions(extensions: &[&str]) -> Vec<Text> {
    let mut paths = Vec::new();
    walk(&root(), &mut paths);
    paths.sort();
    let wanted = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        extensions.iter().any(|wanted| extension == *wanted)
    };
    paths
        .iter()
        .filter(|path| wanted(path))
        .map(|path| read(path))
        .collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if !SKIPPED.iter().any(|skipped| name == *skipped) {
                walk(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> Text {
    let relative = path.strip_prefix(root()).unwrap();
    Text {
        path: relative.to_str().unwrap().replace('\\', "/"),
        text: String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned(),
    }
}

/// The crate, or the top folder, that a path belongs to.
pub(crate) fn part(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        ["runtime" | "harness", name, _, ..] => format!("{}/{name}", parts[0]),
        [first, _, ..] => first.to_owned(),
        _ => ".".to_owned(),
    }
}

/// Folders of all packages, relative to the workspace.
pub(crate) fn packages() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = manifest.split_once("members = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    let quoted = members.split('"').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}
