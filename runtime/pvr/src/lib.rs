//! The PowerVR2 in software: tile accelerator, core, textures, framebuffer.
//!
//! - [`Pvr`] is the chip: memory, registers, 32-byte blocks in, pixels out.
//! - [`Frame`] is what a program does around it: lays out memory, feeds lists, reads an [`Image`].
//! - [`param`] holds the bit layouts of everything that goes in; [`Settings`] the doubtful behaviour.
//!
//! The scalar code here is the definition: no fused multiply-add, exact division, integer colours. The number of
//! threads changes nothing.

pub mod container;
mod core;
mod effect;
pub mod event;
mod frame;
pub mod param;
pub mod probe;
mod pvr;
pub mod regs;
mod scan_out;
pub mod settings;
mod sort_dma;
mod ta;
pub mod texture;
pub mod vram;
mod yuv;

pub use self::core::RenderStats;
pub use effect::Effect;
pub use event::{Event, Events, Warning, Warnings};
pub use frame::{Frame, FrameError, Image};
pub use param::*;
pub use pvr::Pvr;
pub use regs::{Registers, reg};
pub use scan_out::{Border, Field};
pub use settings::Settings;
pub use sort_dma::{SortDma, SortDmaMoved};
pub use vram::{Area, VRAM_BYTES, Vram};

/// The example in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
