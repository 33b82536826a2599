//! Frames of a model.

use super::{Kind, Made};
use crate::chip::Chip;
use crate::engine::Engine;
use crate::frame::Stage;
use crate::pictures::{Model, Sources};
use crate::shot::{Shot, Size};
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use crate::{film, motions};
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

fn run(case: &Case, chip: &Chip) -> Result<Made> {
    let input = case.folder.join(case.input()?);
    let model = Model::load(&input, &sources(case))?;
    let motions = motions(case)?.load(&input, &model.file)?;
    let mut stage = Stage::new(&model, &shot(case, chip)?, &motions)?;
    let mut kernels = engine(case)?.start(false)?;
    let folder = case.expect("expected");
    let mut warnings: BTreeSet<String> = stage.warnings.iter().cloned().collect();
    let mut artifacts = Vec::new();
    for frame in case.file.frames.clone().unwrap_or(vec![0.0]) {
        stage.scene.seek(frame);
        let picture = stage
            .draw(kernels.kernels(), |_, _, _| Ok(()))
            .with_context(|| format!("frame {frame}"))?;
        warnings.extend(picture.rendered.warnings.iter().map(ToString::to_string));
        warnings.extend(picture.stats.warnings.keys().map(ToString::to_string));
        artifacts.push(Artifact {
            path: folder.join(film::numbered(Path::new("frame.png"), frame)),
            content: Content::Picture {
                image: picture.rendered.image,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    Ok(Made {
        warnings: warnings.into_iter().collect(),
        artifacts,
        folder: Some(folder),
    })
}

/// The case's textures and palettes.
pub(super) fn sources(case: &Case) -> Sources {
    let here = |path: &PathBuf| case.folder.join(path);
    Sources::from(case.file.textures.iter().map(here).collect::<Vec<_>>())
}

/// The case's motions as the command line would name them.
fn motions(case: &Case) -> Result<motions::Options> {
    let source = |name: &Option<String>| -> Result<Option<motions::Source>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(
            name.parse::<motions::Source>()
                .map_err(anyhow::Error::msg)?
                .below(&case.folder),
        ))
    };
    let options = [("--play", &case.file.play), ("--last-key", &case.file.last_key)];
    let options = options
        .iter()
        .filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)));
    let mut options = motions::Options::parse(options)?;
    options.motion = source(&case.file.motion)?;
    options.shape = source(&case.file.shape)?;
    Ok(options)
}

pub(super) fn shot(case: &Case, chip: &Chip) -> Result<Shot> {
    let options: Vec<&str> = case.file.options.iter().map(String::as_str).collect();
    let size = case.file.size.as_deref().unwrap_or("640x480");
    let mut shot = Shot {
        size: Size::from_str(size).map_err(anyhow::Error::msg).context("size")?,
        chip: chip.after(&case.file.pvr),
        ..Shot::parse(&options)?
    };
    shot.light = case.file.light.or(shot.light);
    shot.yaw = case.file.yaw.unwrap_or(shot.yaw);
    shot.pitch = case.file.pitch.unwrap_or(shot.pitch);
    Ok(shot)
}

pub(super) fn engine(case: &Case) -> Result<Engine> {
    match &case.file.kernels {
        None => Ok(Engine::default()),
        Some(name) => Engine::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("kernels"),
    }
}
