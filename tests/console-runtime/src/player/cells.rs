//! Cell sprites in the console runtime: one sprite, and a list of streams over its cells.

use super::{FAULT, LIST_TABLE, Outcome, Player, SCENE};
use anyhow::Result;

/// struct swr_cell_settings and struct swr_cell_space.
const SETTINGS: u32 = 0x8C40_0200;
const SPACE: u32 = 0x8C40_0220;

/// The cells after a step, and its user events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Step {
    pub(in super::super) cells: Vec<u32>,
    /// For each event: time, number, stream, number of words, and the words.
    pub(in super::super) events: Vec<u32>,
}

impl Player {
    /// Loads a sprite of a file.
    pub(in super::super) fn load_sprite(&mut self, file: &[u8], number: u32) -> Result<Outcome<()>> {
        let [at, size] = self.put_file(file, 4)?;
        let work = self.layout.work;
        self.call("player_sprite", &[at, size, number, work.at, work.bytes, FAULT])
    }

    /// Loads the first streams of a file for the sprite and starts a list with them.
    pub(in super::super) fn load_streams(&mut self, file: &[u8], count: u32) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_streams", &[at, size, count, FAULT])
    }

    /// Loads the first motion of a file for the sprite.
    pub(in super::super) fn load_sprite_motion(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_sprite_motion", &[at, size, FAULT])
    }

    /// Moves the sprite to a frame. Returns the words for position and appearance that follow the cells and
    /// their count.
    pub(in super::super) fn move_sprite(&mut self, frame: f32) -> Result<Vec<u32>> {
        let at = self.start("player_move_sprite", &[frame.to_bits()])?;
        self.words(at + 8, 14)
    }

    /// Advances the time of the list by `step`, for a sprite of `cells` cells.
    pub(in super::super) fn advance(&mut self, step: u32, cells: u32) -> Result<Step> {
        let at = self.start("player_advance", &[step])?;
        let cells = self.words(at, 16 * cells)?;
        let at = self.start("player_events", &[])?;
        let used = self.word(at)?;
        let events = self.words(at + 4, used)?;
        Ok(Step { cells, events })
    }

    /// Draws the sprite. `settings` has the words of struct swr_cell_settings, `far` the far distance if the
    /// sprite is in a space.
    pub(in super::super) fn draw_cells(
        &mut self,
        scene: &[u32],
        settings: &[u32],
        far: Option<f32>,
    ) -> Result<Outcome<Vec<[u32; 8]>>> {
        self.put_scene(scene)?;
        self.put(SETTINGS, settings)?;
        self.put(SPACE, &[far.unwrap_or_default().to_bits()])?;
        let space = if far.is_some() { SPACE } else { 0 };
        match self.call("player_draw_cells", &[SCENE, LIST_TABLE, SETTINGS, space])? {
            Ok(()) => Ok(Ok(self.stream()?)),
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}
