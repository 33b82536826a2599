#![doc = include_str!("../README.md")]

mod error;
mod groups;
mod macros;
mod nearest;
mod setting;
mod table;

pub use error::Error;
pub use groups::{Applied, Group, apply};
pub use nearest::nearest;
pub use setting::{Choice, Confidence, Number, Setting, Unit, Value, Values};
pub use table::{Preset, Table};
