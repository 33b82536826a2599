//! The Sega Dreamcast as a headless, deterministic machine.
//!
//! [`Dreamcast`] owns the CPU, the bus with all devices, and time. It loads a program, runs it until a
//! condition, and leaves console text, an exit code and pictures.

mod bus;
#[cfg(test)]
mod chaos;
pub mod checks;
pub mod clock;
pub mod diagnostics;
mod dma;
pub mod firmware;
pub mod holly;
pub mod input;
pub mod map;
pub mod onchip;
pub mod peripherals;
mod pvr_time;
mod run;
pub mod scheduler;
pub mod settings;
mod sound;
mod system;
pub mod time;

pub use run::{Config, Dreamcast, Ended, LoadError, Until};
pub use settings::Settings;
pub use system::{Halt, System};
pub use time::Cycles;
