#![doc = include_str!("../README.md")]

pub mod sh4;

use std::path::{Path, PathBuf};

/// The folder `part` of the real files, which may not exist.
///
/// ```
/// assert!(corpus::folder("ninja").ends_with("shared/corpus/ninja"));
/// ```
#[must_use]
pub fn folder(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/corpus")
        .join(part)
}

/// Returns the folder that the environment variable `variable` names, or else the folder `part` of the real
/// files.
#[must_use]
pub fn folder_or(variable: &str, part: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| folder(part), PathBuf::from)
}

/// Returns all files below `folder` that have one of the extensions, in upper or lower case, in the order of
/// their names. Empty if the folder does not exist.
#[must_use]
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if extensions
                .iter()
                .any(|other| extension.eq_ignore_ascii_case(other))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Prints that a test ran no files of `what`.
///
/// # Panics
/// Under `CI`, because a missing corpus must not look like a passed test. `SWIRL_CORPUS=absent` prevents the
/// panic.
pub fn absent(what: &str) {
    let said = std::env::var_os("SWIRL_CORPUS").is_some_and(|value| value == "absent");
    assert!(
        said || std::env::var_os("CI").is_none(),
        "{what}: corpus not present"
    );
    println!("{what}: corpus not present, 0 files");
}
