//! CellSprites: streams that play over the cells of a sprite, and cells as quads
//! (docs/formats/cell-sprite.md).
//!
//! [`StreamList`] plays: plain cells come out, which [`draw_sprite_2d`] and [`draw_sprite_3d`] turn into
//! parameters for the tile accelerator.

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

/// A cell as 32-bit words, as the SH4 sees it: [`ninja::Cell::words`].
pub type CellWords = [u32; ninja::Cell::WORDS];

/// A stream's number in its list, counted from 0 in the order of adding and never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u32);

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
