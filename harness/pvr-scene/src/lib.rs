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

/// How a scene is drawn.
#[derive(Debug, Clone)]
pub struct Options {
    /// Hardware switches that the scene's own `setting` statements change.
    pub settings: Settings,
    /// Threads; the picture does not depend on their number.
    pub threads: usize,
    /// Whether [`Outcome::blocks`] keeps the input of the tile accelerator.
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

/// The result of a scene.
#[derive(Debug)]
pub struct Outcome {
    /// The picture.
    pub image: Image,
    /// What the chip does not model, or a program hardly intends.
    pub warnings: Vec<Warning>,
    /// The input of the tile accelerator in 32-byte blocks; empty without [`Options::keep_blocks`].
    pub blocks: Vec<[u32; 8]>,
    /// Counts of the last render.
    pub stats: RenderStats,
    /// The chip after the last render, for looking into it.
    pub pvr: Pvr,
    /// Size of the last frame in pixels, before any scaling.
    pub frame: (u32, u32),
}

/// Reads a scene and draws it.
///
/// # Errors
/// The first statement that is not in the grammar or that cannot be done, with line and column.
pub fn run(text: &str, options: &Options) -> Result<Outcome, SceneError> {
    let mut machine = machine::Machine::new(options.settings, options);
    let mut last = text::Word::start();
    for mut statement in text::statements(text) {
        last = statement.keyword;
        machine.run(&mut statement)?;
    }
    machine.finish(&last)
}
