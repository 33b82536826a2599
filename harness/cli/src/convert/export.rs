//! `swirl convert model.nj model.glb` (or `.fbx`): exports a Ninja model to glTF or FBX.

use super::ninja_files;
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input::HostFiles;
use crate::output;
use crate::plural::plural;
use crate::setting_options::PlayOptions;
use anyhow::{Context, Result, bail};
use convert::{ExportOptions, Exported};
use ninja::Chunk;
use player::{Assets, Input};
use scene::SplineAngles;
use std::path::{Path, PathBuf};

/// Output format of an export.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Glb,
    Fbx,
}

/// Returns the export format of an output path, if it has one.
pub(crate) fn format(output: &Path) -> Option<Format> {
    match output.extension()?.to_str()?.to_lowercase().as_str() {
        "glb" => Some(Format::Glb),
        "fbx" => Some(Format::Fbx),
        _ => None,
    }
}

/// Exports Ninja files. Merges the chunks of all inputs in their order: a shape motion follows the motion to
/// which it belongs. Textures come from archives and files among the inputs, or from the model's folder.
pub(crate) fn run(
    inputs: &[PathBuf],
    target: &Path,
    format: Format,
    options: &ExportOptions,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    let (sources, models): (Vec<PathBuf>, Vec<PathBuf>) = inputs
        .iter()
        .cloned()
        .partition(|path| matches!(Input::named(path), Some(Input::Texture | Input::Archive)));
    if let Some(path) = models
        .iter()
        .find(|path| !Input::named(path).is_some_and(Input::is_ninja))
    {
        bail!(
            "{}: expected a Ninja file or textures (.pvr, .pvm)",
            path.display()
        );
    }
    let Some(first) = models.first() else {
        bail!(
            "{}: found no model among the inputs, expected one",
            target.display()
        );
    };
    let file = ninja_files::read_all(&models)?;
    let moves = |chunk: &Chunk| matches!(chunk, Chunk::Motion(_) | Chunk::ShapeMotion(_));
    let why = format!("on {}: no motion is among the inputs", target.display());
    given.warn(!file.chunks.iter().any(moves), &["rate", "play", "set"], &why);
    let assets = Assets {
        textures: sources,
        ..Assets::default()
    };
    let exported = player::export(&HostFiles, std::slice::from_ref(first), &file, &assets, options)?;
    write(first, &exported, target, format)
}

/// Parses export options from `--rate`, `--play` and `--set`.
///
/// # Errors
/// If the rate is not positive, or a setting is unknown.
pub(crate) fn options(rate: Option<f64>, play: &[String], set: &[String]) -> Result<ExportOptions> {
    if let Some(rate) = rate.filter(|r| !r.is_finite() || *r <= 0.0) {
        bail!("--rate {rate}: expected a number above 0");
    }
    let play = PlayOptions::of(play, set);
    if let Some(other) = play.names().iter().find(|name| **name != "spline-angles") {
        eprintln!(
            "swirl: warning: --set {other} has no effect on an export; the only play setting that \
            affects exports is spline-angles"
        );
    }
    let defaults = ExportOptions::default();
    Ok(ExportOptions {
        rate: rate.unwrap_or(defaults.rate),
        spline_angles: play.settings()?.spline_angles == SplineAngles::Spline,
    })
}

/// Writes a model that was read from `source`, and prints its warnings.
pub(crate) fn write(source: &Path, exported: &Exported, target: &Path, format: Format) -> Result<ExitStatus> {
    for warning in &exported.warnings {
        eprintln!("{}: warning: {warning}", source.display());
    }
    let name = target.display();
    let bytes = match format {
        Format::Glb => exported.glb(),
        Format::Fbx => exported.fbx(),
    }
    .with_context(|| name.to_string())?;
    output::write(target, &bytes)?;
    let counts = exported.counts();
    println!(
        "{name}: {}, {}, {}, {}, {}, {}",
        plural(bytes.len(), "byte"),
        plural(counts.nodes, "node"),
        plural(counts.meshes, "mesh"),
        plural(counts.triangles, "triangle"),
        plural(counts.materials, "material"),
        plural(counts.animations, "animation")
    );
    Ok(ExitStatus::Done)
}
