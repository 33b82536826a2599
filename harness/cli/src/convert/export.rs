//! `swirl convert model.nj model.glb` (or `.fbx`): a Ninja model for today's programs.

use super::ninja_files;
use crate::exit::ExitStatus;
use crate::frame::textures::TextureSet;
use crate::output;
use anyhow::{Context, Result, bail};
use convert::{ExportOptions, Exported};
use pvr::texture::Rgba;
use std::path::{Path, PathBuf};

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Glb,
    Fbx,
}

/// The format of an output, if it is one of these.
pub(crate) fn format(output: &Path) -> Option<Format> {
    match output.extension()?.to_str()?.to_lowercase().as_str() {
        "glb" => Some(Format::Glb),
        "fbx" => Some(Format::Fbx),
        _ => None,
    }
}

/// Files that hold textures.
fn is_texture(path: &Path) -> bool {
    path.extension()
        .is_some_and(|found| ["pvr", "pvm"].iter().any(|e| found.eq_ignore_ascii_case(e)))
}

/// Ninja files follow each other, a motion's shapes behind it; textures come from the archives and files
/// among the inputs, or lie beside the model.
pub(crate) fn run(
    inputs: &[PathBuf],
    target: &Path,
    format: Format,
    rate: Option<f64>,
) -> Result<ExitStatus> {
    if let Some(rate) = rate.filter(|r| !r.is_finite() || *r <= 0.0) {
        bail!("--rate {rate}: expected a number above 0");
    }
    let (sources, models): (Vec<PathBuf>, Vec<PathBuf>) = inputs.iter().cloned().partition(|p| is_texture(p));
    if let Some(path) = models.iter().find(|path| !ninja_files::is_ninja(path)) {
        bail!(
            "{}: expected a Ninja file or textures (.pvr, .pvm)",
            path.display()
        );
    }
    let Some(first) = models.first() else {
        bail!("{}: no model among the inputs", target.display());
    };
    let file = ninja_files::read_all(&models)?;
    let images = images(first, &file, &sources)?;
    let options = rate.map_or_else(ExportOptions::default, |rate| ExportOptions { rate });
    let exported = convert::export(&file, &images, &options).with_context(|| first.display().to_string())?;
    for warning in &exported.warnings {
        eprintln!("{}: warning: {warning}", first.display());
    }
    write(&exported, target, format)?;
    Ok(ExitStatus::Done)
}

/// By texture number.
fn images(model: &Path, file: &ninja::File, sources: &[PathBuf]) -> Result<Vec<Option<Rgba>>> {
    let textures = TextureSet::find(model, file, &sources.to_vec().into())?.textures;
    let decoded = |texture: Option<pvr::container::PvrTexture>| {
        let Some(texture) = texture else { return Ok(None) };
        let image = texture
            .decode(None)
            .with_context(|| model.display().to_string())?;
        Ok(Some(Rgba::from(image)))
    };
    textures.into_iter().map(decoded).collect()
}

fn write(exported: &Exported, target: &Path, format: Format) -> Result<()> {
    let name = target.display();
    let bytes = match format {
        Format::Glb => exported.glb(),
        Format::Fbx => exported.fbx(),
    }
    .with_context(|| name.to_string())?;
    output::write(target, &bytes)?;
    let counts = exported.counts();
    println!(
        "{name}: {} bytes, {} nodes, {} meshes, {} triangles, {} materials, {} animations",
        bytes.len(),
        counts.nodes,
        counts.meshes,
        counts.triangles,
        counts.materials,
        counts.animations
    );
    Ok(())
}
