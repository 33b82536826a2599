//! Frames of a cell sprite.

use super::frame::{backend, motions, render_options, sources};
use super::{Kind, Made};
use crate::frame::cells::{self, CellSpace, SpriteOptions};
use crate::frame::writer;
use crate::pvr_options::PvrOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::collections::BTreeSet;
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

/// `input` is the sprite, `inputs` are its streams and its motion.
fn run(case: &Case, chip: &PvrOptions) -> Result<Made> {
    let here = |path: &PathBuf| case.folder.join(path);
    let sprite = case.folder.join(case.input()?);
    let files: Vec<PathBuf> = std::iter::once(sprite)
        .chain(case.file.inputs.iter().map(here))
        .collect();
    let options = SpriteOptions {
        sources: sources(case),
        cell_space: place(case)?,
        ..SpriteOptions::default()
    };
    let render = render_options(case, chip)?;
    let (mut viewport, mut layer) = cells::alone(&files, &options, &motions(case)?, &render)?;
    let mut kernels = backend(case)?.start(false)?;
    let folder = case.expect("expected");
    let (mut artifacts, mut warnings) = (Vec::new(), BTreeSet::new());
    for frame in case.file.frames.clone().unwrap_or(vec![0.0]) {
        let picture = viewport
            .draw(kernels.kernels(), |view, kernels, lists| {
                layer.draw(frame, view, kernels, lists)
            })
            .with_context(|| format!("frame {frame}"))?;
        warnings.extend(picture.rendered.warnings.iter().map(ToString::to_string));
        artifacts.push(Artifact {
            path: folder.join(writer::numbered(Path::new("frame.png"), frame)),
            content: Content::Picture {
                image: picture.rendered.image,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    Ok(Made {
        warnings: layer.warnings().into_iter().chain(warnings).collect(),
        budgets: Vec::new(),
        artifacts,
        folder: Some(folder),
    })
}

fn place(case: &Case) -> Result<CellSpace> {
    match &case.file.cell_space {
        None => Ok(CellSpace::default()),
        Some(name) => CellSpace::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("cell_space"),
    }
}
