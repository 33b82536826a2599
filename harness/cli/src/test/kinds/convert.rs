//! Checks conversions: runs `swirl convert` into an empty folder, and compares every file in it.

use super::verb::Verb;
use super::{CaseOutput, Kind};
use crate::input;
use crate::output;
use crate::setting_options::SetOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

pub(super) const KIND: Kind = Kind {
    name: "convert",
    keys: &["input", "inputs", "output", "options"],
    run,
};

fn run(case: &Case, _: &SetOptions) -> Result<CaseOutput> {
    let file = &case.file;
    let inputs: Vec<&PathBuf> = file.input.iter().chain(&file.inputs).collect();
    if inputs.is_empty() {
        bail!("found no input, expected one in a case of kind convert");
    }
    let made = tempfile::tempdir().context("a temporary folder")?;
    let mut verb = Verb::new(case, "convert")?;
    for word in &file.options {
        verb.arg(word);
    }
    for input in inputs {
        verb.arg(input);
    }
    // Without a name, the output is the folder itself.
    verb.arg(match &file.output {
        Some(name) => made.path().join(plain(name)?),
        None => made.path().to_owned(),
    });
    let (_, warnings) = verb.run().map_err(|error| named(&error, made.path()))?;
    let folder = case.expect("expected");
    let mut artifacts = Vec::new();
    for name in output::files(made.path())? {
        let content = content(&made.path().join(&name))?;
        let path = folder.join(name);
        artifacts.push(Artifact { path, content });
    }
    Ok(CaseOutput {
        artifacts,
        folder: Some(folder),
        warnings,
        ..CaseOutput::default()
    })
}

/// Removes the name of a temporary folder from an error.
fn named(error: &anyhow::Error, folder: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{}",
        format!("{error:#}").replace(&folder.display().to_string(), "out")
    )
}

/// Returns a file name without folders.
fn plain(name: &Path) -> Result<&Path> {
    match name.file_name() {
        Some(file) if file == name.as_os_str() => Ok(name),
        _ => bail!("output {}, expected a file name without folders", name.display()),
    }
}

/// Reads a file for comparison. Compares PNGs by pixels, because their compression depends on the library.
fn content(path: &Path) -> Result<Content> {
    if path.extension().is_some_and(|found| found == "png") {
        let image = output::read_png(path)?;
        return Ok(Content::Picture { image, allowed: 0 });
    }
    Ok(Content::Bytes(input::read(path)?))
}
