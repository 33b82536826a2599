//! The Sega Dreamcast as a headless, deterministic machine.
//!
//! [`Dreamcast`] owns the CPU, the bus with all devices, and time. It loads a program, runs it until a
//! condition, and leaves console text, an exit code and pictures.

pub mod access_log;
mod bus;
#[cfg(test)]
mod chaos;
pub mod checks;
pub mod clock;
mod config;
pub mod debug;
mod deinterlace;
pub mod diagnostics;
pub mod disc;
mod dma;
pub mod firmware;
pub mod holly;
pub mod input;
mod inspect;
mod limits;
mod load;
pub mod map;
pub mod onchip;
mod pacing;
pub mod peripherals;
mod pvr_time;
pub mod recording;
#[cfg(test)]
mod reports;
mod run;
pub mod scheduler;
pub mod settings;
pub mod snapshot;
mod sound;
mod steps;
mod system;
pub mod time;
mod timed;
pub mod usage;

pub use crate::settings::Settings;
pub use config::{Config, Ended, LoadError, Until};
pub use deinterlace::Deinterlace;
pub use disc::{Disc, DiscData, DiscError, DiscFiles, Layout};
pub use firmware::flash::Region;
pub use limits::LIMITS;
pub use run::Dreamcast;
pub use system::{Halt, System};
pub use time::{Clock, Cycles};
