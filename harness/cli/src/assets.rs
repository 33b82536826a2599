//! Ninja files from disk.

use crate::{file_kind, input};
use anyhow::{Context, Result, anyhow, bail};
use convert::SceneFormat;
use ninja::File;
use std::path::{Path, PathBuf};

/// Reads a model, binary or ASCII.
pub(crate) fn read_model(path: &Path) -> Result<File> {
    parse_model(path, &input::read(path)?)
}

/// Parses a model that was read from `path`. Prints its warnings.
pub(crate) fn parse_model(path: &Path, bytes: &[u8]) -> Result<File> {
    Ok(parse(path, bytes, &ninja::ascii::Settings::default())?.file)
}

/// A Ninja file, binary or ASCII.
pub(crate) struct Parsed {
    pub(crate) file: File,
    /// What was unusual in it, which has been told already.
    pub(crate) warnings: Vec<String>,
    /// For ASCII files, for which library's macros they were written.
    pub(crate) dialect: Option<ninja::ascii::Dialect>,
}

/// Parses a file that was read from `path` and warns of what is unusual in it. Whether it is text is told by
/// its bytes.
pub(crate) fn parse(path: &Path, bytes: &[u8], settings: &ninja::ascii::Settings) -> Result<Parsed> {
    let name = path.display();
    check_known(path)?;
    file_kind::expect_ninja(path, bytes)?;
    let parsed = if ninja::ascii::is_text(bytes) {
        // Places in texts are written file:line:column, as compilers do.
        let text = ninja::ascii::read_with(bytes, settings).map_err(|e| anyhow!("{name}:{e}"))?;
        let warnings: Vec<String> = text.warnings.iter().map(ToString::to_string).collect();
        for (warning, message) in text.warnings.iter().zip(&warnings) {
            let message = message
                .strip_prefix(&format!("{}: ", warning.place))
                .unwrap_or(message);
            eprintln!("{name}:{}: warning: {message}", warning.place);
        }
        Parsed {
            file: text.file,
            warnings,
            dialect: Some(text.dialect),
        }
    } else {
        let file = ninja::read(bytes).with_context(|| format!("{name}"))?;
        for warning in &file.warnings {
            eprintln!("{name}: warning: {warning}");
        }
        Parsed {
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
            file,
            dialect: None,
        }
    };
    Ok(parsed)
}

/// # Errors
/// If the extension is one of the library's tools whose files have no public format.
pub(crate) fn check_known(path: &Path) -> Result<()> {
    match OTHER_FILES
        .iter()
        .find(|(extension, _)| has_extension(path, extension))
    {
        Some((_, what)) => bail!("{}: {what}", path.display()),
        None => Ok(()),
    }
}

/// Files of the library's tools that are no Ninja files of a known layout (docs/formats/compact-shape.md 1.5
/// and 4.1).
const OTHER_FILES: [(&str, &str); 7] = [
    (
        "vrs",
        "a vertex resource file: the compressed vertex groups of a hierarchy; no public document has its \
         format",
    ),
    (
        "nrv",
        "a vertex resource file: the vertex groups of a scene; no public document has its format",
    ),
    (
        "mrs",
        "a motion resource file (text), which names a .vrs file; no public document has its format",
    ),
    (
        "nre",
        "a general resource file (text) of the converters; no public document has its format",
    ),
    (
        "nsc",
        "a scene file (text) of the converters; no public document has its format",
    ),
    (
        "nal",
        "a light as text; no public document has the structure of a light (NJLI)",
    ),
    (
        "nac",
        "a camera as text; no public document has the structure of a camera (NJCA)",
    ),
];

pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The folder that a file lies in.
pub(crate) fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// A file's name without folder and extension; `stdin` for standard input.
pub(crate) fn stem(path: &Path) -> String {
    if input::is_standard(path) {
        return "stdin".to_owned();
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_default()
}

/// The file `stem.extension` of a folder, in any case.
pub(crate) fn in_folder(folder: &Path, stem: &str, extension: &str) -> Result<Option<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut matching: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| has_extension(path, extension))
        .filter(|path| {
            path.file_stem()
                .is_some_and(|found| found.to_string_lossy().eq_ignore_ascii_case(stem))
        })
        .collect();
    // Folders list in any order; the result must not depend on it.
    matching.sort();
    Ok(matching.into_iter().next())
}

/// Whether a file is an FBX scene by its extension.
pub(crate) fn is_fbx(path: &Path) -> bool {
    has_extension(path, "fbx")
}

/// Extensions of scenes.
pub(crate) const SCENES: [(&str, SceneFormat); 4] = [
    ("fbx", SceneFormat::Fbx),
    ("gltf", SceneFormat::Gltf),
    ("glb", SceneFormat::Gltf),
    ("obj", SceneFormat::Obj),
];

/// The format of a scene by its extension; `None` for other files.
pub(crate) fn scene_format(path: &Path) -> Option<SceneFormat> {
    let known = SCENES
        .iter()
        .find(|(extension, _)| has_extension(path, extension));
    known.map(|(_, format)| *format)
}
