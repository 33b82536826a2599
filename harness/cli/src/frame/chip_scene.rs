//! Scenes for the PowerVR2 as text files.

use crate::input;
use crate::pvr_options::PvrOptions;
use anyhow::{Context, Result};
use pvr_scene::{Options, Outcome};
use std::path::Path;

/// Reads and draws a scene.
pub(crate) fn draw(path: &Path, threads: usize, chip: &PvrOptions, keep_blocks: bool) -> Result<Outcome> {
    let name = || path.display().to_string();
    let text = input::read_text(path)?;
    let options = Options {
        threads,
        settings: chip.settings()?,
        keep_blocks,
    };
    pvr_scene::run(&text, &options).with_context(name)
}
