//! Frames of a cell sprite.

use super::frame::{engine, shot, sources};
use super::{Kind, Made};
use crate::cells::{Options, Place, SpriteStage};
use crate::chip::Chip;
use crate::film;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

pub(super) const KIND: Kind = Kind {
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
        "kernels",
        "pvr",
        "max_different_pixels",
    ],
    run,
};

/// `input` is the sprite, `inputs` are its streams and its motion.
fn run(case: &Case, chip: &Chip) -> Result<Made> {
    let here = |path: &PathBuf| case.folder.join(path);
    let sprite = case.folder.join(case.input()?);
    let files: Vec<PathBuf> = std::iter::once(sprite)
        .chain(case.file.inputs.iter().map(here))
        .collect();
    let options = Options {
        sources: sources(case),
        cell_space: place(case)?,
        ..Options::default()
    };
    let mut stage = SpriteStage::new(&files, &options, &shot(case, chip)?)?;
    let mut kernels = engine(case)?.start(false)?;
    let folder = case.expect("expected");
    let mut artifacts = Vec::new();
    for frame in case.file.frames.clone().unwrap_or(vec![0.0]) {
        let picture = stage
            .draw(frame, kernels.kernels())
            .with_context(|| format!("frame {frame}"))?;
        artifacts.push(Artifact {
            path: folder.join(film::numbered(Path::new("frame.png"), frame)),
            content: Content::Picture {
                image: picture.image,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    Ok(Made {
        warnings: stage.layer.warnings(),
        artifacts,
        folder: Some(folder),
    })
}

fn place(case: &Case) -> Result<Place> {
    match &case.file.cell_space {
        None => Ok(Place::default()),
        Some(name) => Place::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("cell_space"),
    }
}
