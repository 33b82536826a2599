//! Frames of a model.

use super::{Kind, Made};
use crate::frame::options::RenderOptions;
use crate::frame::play_options::PlayOptions;
use crate::frame::textures::{TextureSources, TexturedModel};
use crate::frame::values::Size;
use crate::frame::viewport::SceneViewport;
use crate::frame::{motions, writer};
use crate::kernel_backend::KernelBackend;
use crate::pvr_options::PvrOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::{Case, Words};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub(super) const KIND: Kind = Kind {
    name: "frame",
    keys: &[
        "input",
        "textures",
        "options",
        "motion",
        "shape",
        "play",
        "last_key",
        "light",
        "frames",
        "size",
        "yaw",
        "pitch",
        "kernels",
        "pvr",
        "max_different_pixels",
    ],
    run,
};

fn run(case: &Case, chip: &PvrOptions) -> Result<Made> {
    let input = case.folder.join(case.input()?);
    let model = TexturedModel::load(&input, &sources(case))?;
    let render = render_options(case, chip)?;
    let motions = motions(case)?.load(&input, &model.file, &render.play)?;
    let mut viewport = SceneViewport::new(&model, &render, &motions)?;
    let mut kernels = backend(case)?.start(false)?;
    let folder = case.expect("expected");
    let mut warnings: BTreeSet<String> = viewport.warnings.iter().cloned().collect();
    let mut artifacts = Vec::new();
    for frame in case.file.frames.clone().unwrap_or(vec![0.0]) {
        viewport.scene.seek(frame);
        let picture = viewport
            .draw(kernels.kernels(), |_, _, _| Ok(()))
            .with_context(|| format!("frame {frame}"))?;
        warnings.extend(picture.rendered.warnings.iter().map(ToString::to_string));
        warnings.extend(picture.stats.warnings.keys().map(ToString::to_string));
        artifacts.push(Artifact {
            path: folder.join(writer::numbered(Path::new("frame.png"), frame)),
            content: Content::Picture {
                image: picture.rendered.image,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    Ok(Made {
        warnings: warnings.into_iter().collect(),
        budgets: Vec::new(),
        artifacts,
        folder: Some(folder),
    })
}

/// The case's textures and palettes.
pub(super) fn sources(case: &Case) -> TextureSources {
    let here = |path: &PathBuf| case.folder.join(path);
    TextureSources::from(case.file.textures.iter().map(here).collect::<Vec<_>>())
}

/// The case's motions as the command line would name them.
pub(super) fn motions(case: &Case) -> Result<motions::MotionOptions> {
    let source = |name: &Option<String>| -> Result<Option<motions::MotionSource>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(
            name.parse::<motions::MotionSource>()
                .map_err(anyhow::Error::msg)?
                .below(&case.folder),
        ))
    };
    let last_key = case.file.last_key.iter().map(|rule| format!("--last-key={rule}"));
    let mut options = motions::MotionOptions::parse(last_key)?;
    options.motion = source(&case.file.motion)?;
    options.shape = source(&case.file.shape)?;
    Ok(options)
}

pub(super) fn render_options(case: &Case, chip: &PvrOptions) -> Result<RenderOptions> {
    let options: Vec<&str> = case.file.options.iter().map(String::as_str).collect();
    let size = case.file.size.as_deref().unwrap_or("640x480");
    let mut render = RenderOptions {
        size: Size::from_str(size).map_err(anyhow::Error::msg).context("size")?,
        chip: chip.after(&case.file.pvr),
        ..RenderOptions::parse(&options)?
    };
    let play = case.file.play.as_ref().map(Words::list).unwrap_or_default();
    let command = PlayOptions {
        play: case.play.clone(),
    };
    render.play = command.after(&render.play.after(&play).play);
    render.light = case.file.light.or(render.light);
    render.yaw = case.file.yaw.or(render.yaw);
    render.pitch = case.file.pitch.or(render.pitch);
    Ok(render)
}

pub(super) fn backend(case: &Case) -> Result<KernelBackend> {
    match &case.file.kernels {
        None => Ok(KernelBackend::default()),
        Some(name) => KernelBackend::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("kernels"),
    }
}
