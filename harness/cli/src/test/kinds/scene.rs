//! Checks text scenes for the PowerVR2. One thread and two must draw the same picture.

use super::{CaseOutput, Kind};
use crate::frame::chip_scene;
use crate::setting_options::SetOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Result, bail};
use std::path::Path;

pub(super) const KIND: Kind = Kind {
    name: "scene",
    keys: &["input", "pvr", "max_different_pixels"],
    run,
};

fn run(case: &Case, chip: &SetOptions) -> Result<CaseOutput> {
    let input = case.file.input.as_deref().unwrap_or(Path::new("scene.txt"));
    let (input, chip) = (case.folder.join(input), &chip.after(&case.file.pvr));
    let outcome = chip_scene::draw(&input, 1, chip, false)?;
    let two = chip_scene::draw(&input, 2, chip, false)?;
    if outcome.image != two.image {
        bail!("two threads draw a different picture than one thread");
    }
    Ok(CaseOutput {
        artifacts: vec![Artifact {
            path: case.expect("frame.png"),
            content: Content::Picture {
                image: outcome.image,
                allowed: case.file.max_different_pixels,
            },
        }],
        folder: None,
        warnings: outcome.warnings.iter().map(ToString::to_string).collect(),
        ..CaseOutput::default()
    })
}
