//! Frames of a model.

use super::{Kind, Made};
use crate::assets;
use crate::chip::Chip;
use crate::engine::Engine;
use crate::frame::{Shot, Size, Stage};
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::path::PathBuf;
use std::str::FromStr;

pub(super) const KIND: Kind = Kind {
    name: "frame",
    keys: &[
        "input",
        "textures",
        "motion",
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
    if case.file.motion.is_some() {
        bail!("motions are not supported yet");
    }
    let frames = case.file.frames.clone().unwrap_or(vec![0]);
    if frames != [0] {
        bail!("frames {frames:?} of a model without a motion, expected [0]");
    }
    let textures = case.file.textures.iter();
    let textures: Vec<PathBuf> = textures.map(|path| case.folder.join(path)).collect();
    let model = assets::load(&case.folder.join(case.input()?), &textures)?;
    let mut stage = Stage::new(&model, &shot(case, chip)?)?;
    let picture = stage.draw(engine(case)?.start()?.as_mut(), |_, _| Ok(()))?;
    let folder = case.expect("expected");
    let warnings = picture.chip.iter().map(ToString::to_string);
    let walk = picture.stats.warnings.keys().map(ToString::to_string);
    Ok(Made {
        warnings: warnings.chain(walk).collect(),
        artifacts: vec![Artifact {
            path: folder.join("frame_0000.png"),
            content: Content::Picture {
                image: picture.image,
                allowed: case.file.max_different_pixels,
            },
        }],
        folder: Some(folder),
    })
}

fn shot(case: &Case, chip: &Chip) -> Result<Shot> {
    let size = case.file.size.as_deref().unwrap_or("640x480");
    let mut shot = Shot {
        size: Size::from_str(size).map_err(anyhow::Error::msg).context("size")?,
        chip: chip.after(&case.file.pvr),
        ..Shot::parse(&[])?
    };
    shot.yaw = case.file.yaw.unwrap_or(shot.yaw);
    shot.pitch = case.file.pitch.unwrap_or(shot.pitch);
    Ok(shot)
}

fn engine(case: &Case) -> Result<Engine> {
    match &case.file.kernels {
        None => Ok(Engine::default()),
        Some(name) => Engine::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("kernels"),
    }
}
