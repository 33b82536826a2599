//! Draws text scenes for the PowerVR2.

use crate::input;
use crate::setting_options::SetOptions;
use anyhow::{Context, Result};
use pvr_scene::{Options, Outcome};
use std::path::Path;

/// Reads and draws a scene.
pub(crate) fn draw(path: &Path, threads: usize, chip: &SetOptions, keep_blocks: bool) -> Result<Outcome> {
    let name = || path.display().to_string();
    let text = input::read_text(path)?;
    let options = Options {
        threads,
        settings: chip.pvr(pvr::Settings::default())?,
        keep_blocks,
    };
    pvr_scene::run(&text, &options).with_context(name)
}
