//! Cases and where they are.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Folders below which no cases are looked for, by depth: a tree that refers to itself must end.
const MAX_DEPTH: usize = 16;

/// A case.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// Its path below the directory that was asked for, with `/` between; `.` for that itself.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) kind: String,
    pub(super) input: PathBuf,
    pub(super) known_failure: bool,
    pub(super) max_different_pixels: u64,
    pub(super) file: File,
}

/// `case.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    kind: Option<String>,
    input: Option<PathBuf>,
    pub(super) textures: Vec<PathBuf>,
    pub(super) motion: Option<String>,
    pub(super) frames: Option<Vec<u32>>,
    pub(super) size: Option<String>,
    pub(super) yaw: Option<f32>,
    pub(super) pitch: Option<f32>,
    pub(super) kernels: Option<String>,
    pub(super) expect: Option<PathBuf>,
    max_different_pixels: u64,
    known_failure: bool,
}

/// All cases at or below a directory, by name.
pub(super) fn find(root: &Path) -> Result<Vec<Case>> {
    if !root.is_dir() {
        bail!("{}: not a directory", root.display());
    }
    let mut cases = Vec::new();
    search(root, root, 0, &mut cases)?;
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

fn search(root: &Path, folder: &Path, depth: usize, cases: &mut Vec<Case>) -> Result<()> {
    if let Some(case) = read(root, folder)? {
        cases.push(case);
        return Ok(());
    }
    if depth == MAX_DEPTH {
        bail!("{}: more than {MAX_DEPTH} folders deep", folder.display());
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("{}", folder.display()))?.path();
        if path.is_dir() {
            search(root, &path, depth + 1, cases)?;
        }
    }
    Ok(())
}

/// The case in a folder, if it is one.
fn read(root: &Path, folder: &Path) -> Result<Option<Case>> {
    let path = folder.join("case.toml");
    let file = if path.is_file() {
        let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{}", path.display()))?
    } else if folder.join("scene.txt").is_file() {
        File::default()
    } else {
        return Ok(None);
    };
    let below = folder.strip_prefix(root).unwrap_or(folder);
    let names: Vec<_> = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let input = file.input.clone().unwrap_or("scene.txt".into());
    Ok(Some(Case {
        name: if names.is_empty() {
            ".".to_owned()
        } else {
            names.join("/")
        },
        folder: folder.to_owned(),
        kind: file.kind.clone().unwrap_or("scene".to_owned()),
        input: folder.join(input),
        known_failure: file.known_failure,
        max_different_pixels: file.max_different_pixels,
        file,
    }))
}
