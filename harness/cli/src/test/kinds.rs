//! What each kind of case draws.

use super::case::Case;
use crate::chip::Chip;
use crate::engine::Engine;
use crate::frame::{Shot, Size, Stage};
use crate::{assets, scenes};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use pvr::Image;
use std::path::PathBuf;
use std::str::FromStr;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed(String),
    /// Not run, and why.
    Skipped(String),
    /// So many expected frames were written.
    Updated(usize),
}

impl Verdict {
    pub(super) fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    /// What is worth a line.
    pub(super) fn line(&self) -> Option<String> {
        match self {
            Self::Passed => None,
            Self::Failed(reason) => Some(format!("FAILED: {reason}")),
            Self::Skipped(reason) => Some(format!("skipped: {reason}")),
            Self::Updated(frames) => Some(format!("updated: {frames} frames")),
        }
    }

    /// A known failure must fail.
    pub(super) fn with_known_failure(self, known: bool) -> Self {
        match (known, self) {
            (true, Self::Failed(_)) => Self::Passed,
            (true, Self::Passed) => Self::Failed("a known failure passes: known_failure can go".to_owned()),
            (_, verdict) => verdict,
        }
    }
}

/// What a case draws.
pub(super) enum Drawn {
    /// Frames with the files that they are compared with.
    Frames {
        frames: Vec<(PathBuf, Image)>,
        warnings: Vec<String>,
    },
    /// Nothing, and why.
    Skipped(String),
}

/// Draws a case.
pub(super) fn draw(case: &Case, chip: &Chip) -> Result<Drawn> {
    match case.kind.as_str() {
        "scene" => scene(case, chip),
        "frame" => frame(case, chip),
        kind @ ("kernel" | "cycles" | "convert") => {
            Ok(Drawn::Skipped(format!("kind {kind} is not supported yet")))
        }
        kind => bail!("kind {kind}, expected frame, scene, kernel, cycles or convert"),
    }
}

/// A scene as text. One thread and two must draw the same.
fn scene(case: &Case, chip: &Chip) -> Result<Drawn> {
    let outcome = scenes::draw(&case.input, 1, chip)?;
    let two = scenes::draw(&case.input, 2, chip)?;
    if outcome.image != two.image {
        bail!("two threads draw another picture than one");
    }
    let file = case.file.expect.clone().unwrap_or("frame.png".into());
    Ok(Drawn::Frames {
        frames: vec![(case.folder.join(file), outcome.image)],
        warnings: outcome.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// Frames of a model.
fn frame(case: &Case, chip: &Chip) -> Result<Drawn> {
    if case.file.motion.is_some() {
        return Ok(Drawn::Skipped("motions are not supported yet".to_owned()));
    }
    let frames = case.file.frames.clone().unwrap_or(vec![0]);
    if frames != [0] {
        bail!("frames {frames:?} of a model without a motion, expected [0]");
    }
    let textures: Vec<PathBuf> = case
        .file
        .textures
        .iter()
        .map(|path| case.folder.join(path))
        .collect();
    let model = assets::load(&case.input, &textures)?;
    let size = case.file.size.as_deref().unwrap_or("640x480");
    let mut shot = Shot {
        size: Size::from_str(size).map_err(anyhow::Error::msg).context("size")?,
        chip: chip.clone(),
        ..Shot::parse(&[])?
    };
    shot.yaw = case.file.yaw.unwrap_or(shot.yaw);
    shot.pitch = case.file.pitch.unwrap_or(shot.pitch);
    let engine = match &case.file.kernels {
        None => Engine::default(),
        Some(name) => Engine::from_str(name, false)
            .map_err(anyhow::Error::msg)
            .context("kernels")?,
    };
    let mut stage = Stage::new(&model, &shot)?;
    let picture = stage.draw(engine.start()?.as_mut(), |_, _| Ok(()))?;
    let folder = case
        .folder
        .join(case.file.expect.clone().unwrap_or("expected".into()));
    let warnings = picture.chip.iter().map(ToString::to_string);
    let walk = picture
        .stats
        .warnings
        .iter()
        .map(|(warning, _)| warning.to_string());
    Ok(Drawn::Frames {
        warnings: warnings.chain(walk).collect(),
        frames: vec![(folder.join("frame_0000.png"), picture.image)],
    })
}
