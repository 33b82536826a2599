//! CellSprites: playing of streams on the cells of a sprite, and drawing of cells as quads
//! (docs/formats/cell-sprite.md).
//!
//! [`StreamList`] plays streams and returns plain cells. [`draw_sprite_2d`] and [`draw_sprite_3d`] convert
//! the cells to parameters for the tile accelerator.

mod compile;
mod draw;
mod events;
mod list;
mod material;
mod motion;
mod play;
mod schedule;
mod sprite;
mod stream;
mod visible;
mod warning;

pub use draw::{CellStats, SpriteSpace, draw_sprite_2d, draw_sprite_3d};
pub use events::{Event, Events};
pub use list::{MAX_STREAMS, StreamList};
pub use motion::SpriteMotion;
pub use sprite::{CellSprite, SpriteValue};
pub use stream::CellStream;
pub use warning::{CellWarning, CellWarnings, NotDrawn, StreamError};

use std::fmt;

/// A cell as 32-bit words, as seen by the SH4: [`ninja::Cell::words`].
pub type CellWords = [u32; ninja::Cell::WORDS];

/// Number of a stream in its list, counted from 0 in the order of addition and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u32);

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
