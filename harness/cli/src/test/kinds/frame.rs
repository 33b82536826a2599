//! Frames of a model or of a cell sprite.

use super::{CaseOutput, Kind};
use crate::frame::assets::AssetOptions;
use crate::frame::options::RenderOptions;
use crate::frame::values;
use crate::frame::writer;
use crate::input::HostFiles;
use crate::kernel_backend::KernelBackend;
use crate::limits::CASE_PIXELS;
use crate::setting_options::SetOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::{Case, Words};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use player::{Assets, Input, MotionSource, Options, Player};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) const FRAME: Kind = Kind {
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

/// Frames of a cell sprite. `input` is the sprite, `inputs` are its streams and its motion.
pub(super) const CELLS: Kind = Kind {
    name: "cells",
    keys: &[
        "input",
        "inputs",
        "textures",
        "frames",
        "size",
        "yaw",
        "pitch",
        "cell_space",
        "options",
        "motion",
        "play",
        "last_key",
        "kernels",
        "pvr",
        "max_different_pixels",
    ],
    run,
};

fn run(case: &Case, chip: &SetOptions) -> Result<CaseOutput> {
    let here = |path: &PathBuf| case.folder.join(path);
    let assets = Assets {
        model: case.folder.join(case.input()?),
        textures: case.file.textures.iter().map(here).collect(),
        motion: source(case, &case.file.motion)?,
        shape: source(case, &case.file.shape)?,
        cells: case.file.inputs.iter().map(here).collect(),
        ..Assets::default()
    };
    let mut player = Player::open(&HostFiles, &assets, &options(case, chip)?)?;
    let mut kernels = match &case.file.kernels {
        None => KernelBackend::default(),
        Some(name) => KernelBackend::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("kernels")?,
    }
    .start(false)?;
    let folder = case.expect("expected");
    let (mut artifacts, mut pixels) = (Vec::new(), 0);
    for frame in case.file.frames.clone().unwrap_or(vec![0.0]) {
        let picture = player.draw(frame, kernels.kernels());
        let image = picture.with_context(|| format!("frame {frame}"))?.image;
        pixels += image.width as usize * image.height as usize;
        if pixels > CASE_PIXELS {
            bail!("frames: found {pixels} pixels of all frames together, expected at most {CASE_PIXELS}");
        }
        artifacts.push(Artifact {
            path: folder.join(writer::numbered(Path::new("frame.png"), frame)),
            content: Content::Picture {
                image,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    let warnings: BTreeSet<String> = player.warnings().map(|warning| warning.text).collect();
    Ok(CaseOutput {
        warnings: warnings.into_iter().collect(),
        artifacts,
        folder: Some(folder),
        ..CaseOutput::default()
    })
}

/// Returns a motion in the folder of the case.
fn source(case: &Case, name: &Option<String>) -> Result<Option<MotionSource>> {
    let Some(name) = name else { return Ok(None) };
    let source: MotionSource = name.parse()?;
    Ok(Some(MotionSource {
        file: source.file.map(|file| case.folder.join(file)),
        ..source
    }))
}

fn options(case: &Case, chip: &SetOptions) -> Result<Options> {
    let file = &case.file;
    let options: Vec<&str> = file.options.iter().map(String::as_str).collect();
    let size = values::size(file.size.as_deref().unwrap_or("640x480"));
    let mut render = RenderOptions {
        size: size.map_err(anyhow::Error::msg).context("size")?,
        ..RenderOptions::parse(&options)?
    };
    let play = file.play.as_ref().map(Words::list).unwrap_or_default();
    render.play.play = [render.play.play, play, case.play.clone()].concat();
    render.play.chip = chip.after(&file.pvr);
    render.light = file.light.or(render.light);
    render.yaw = file.yaw.or(render.yaw);
    render.pitch = file.pitch.or(render.pitch);
    // Cases show textures and pictures at the default angles of models, instead of from the front.
    if Input::named(case.input()?).is_some_and(Input::is_flat) {
        render.yaw.get_or_insert(30.0);
        render.pitch.get_or_insert(15.0);
    }
    let last_key = file.last_key.iter().map(|rule| format!("--last-key={rule}"));
    let space = file
        .cell_space
        .iter()
        .map(|space| format!("--cell-space={space}"));
    let is_scene = Input::named(case.input()?).is_some_and(Input::is_scene);
    AssetOptions::parse(last_key.chain(space))?.add_to(render.options(is_scene)?)
}
