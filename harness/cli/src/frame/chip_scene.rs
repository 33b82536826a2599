//! Scenes for the PowerVR2 as text files.

use crate::input;
use crate::pvr_options::PvrOptions;
use anyhow::{Context, Result};
use pvr_scene::{Options, Outcome};
use std::path::Path;

/// Whether a file is a scene: its extension is `.txt`.
pub(crate) fn is_scene(path: &Path) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case("txt"))
}

/// Reads and draws a scene.
pub(crate) fn draw(path: &Path, threads: usize, chip: &PvrOptions) -> Result<Outcome> {
    let name = || path.display().to_string();
    let text = input::read_text(path)?;
    let options = Options {
        threads,
        settings: chip.settings()?,
    };
    pvr_scene::run(&text, &options).with_context(name)
}
