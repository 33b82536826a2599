#![doc = include_str!("../README.md")]

mod header;
mod machine;
mod memory;
mod names;
mod show;
mod text;
mod texture;
mod vertex;

pub use text::SceneError;

use pvr::{Image, Pvr, RenderStats, Settings, Warning};

/// Options for drawing a scene.
#[derive(Debug, Clone)]
pub struct Options {
    /// Hardware settings; `setting` statements in the scene change them.
    pub settings: Settings,
    /// Number of threads; it does not affect the image.
    pub threads: usize,
    /// Keeps the input of the tile accelerator in [`Outcome::blocks`].
    pub keep_blocks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            threads: 1,
            keep_blocks: false,
        }
    }
}

/// Result of a scene.
#[derive(Debug)]
pub struct Outcome {
    /// Image of the scene.
    pub image: Image,
    /// Features of the scene that the emulation does not support, and probable mistakes.
    pub warnings: Vec<Warning>,
    /// Input of the tile accelerator in 32-byte blocks; empty without [`Options::keep_blocks`].
    pub blocks: Vec<[u32; 8]>,
    /// Statistics of the last render.
    pub stats: RenderStats,
    /// The chip after the last render, for inspection.
    pub pvr: Pvr,
    /// Size of the last frame in pixels, before any scaling.
    pub frame: (u32, u32),
}

/// Reads a scene and draws it.
///
/// # Errors
/// Returns the first invalid or failing statement, with line and column.
pub fn run(text: &str, options: &Options) -> Result<Outcome, SceneError> {
    let mut machine = machine::Machine::new(options.settings, options);
    let mut last = text::Word::start();
    for mut statement in text::statements(text) {
        last = statement.keyword;
        machine.run(&mut statement)?;
    }
    machine.finish(&last)
}
