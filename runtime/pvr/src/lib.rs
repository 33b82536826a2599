//! The PowerVR2 in software: tile accelerator, core, textures, framebuffer.

pub mod event;
pub mod param;
pub mod regs;
pub mod settings;
mod ta;
pub mod vram;

pub use param::*;
pub use event::{Event, Events, Warning, Warnings};
pub use regs::{Registers, reg};
pub use settings::Settings;
pub use vram::{VRAM_BYTES, Vram};

/// The chip.
#[derive(Debug)]
pub struct Pvr {
    /// Video memory.
    pub vram: Vram,
    /// Register file.
    pub regs: Registers,
    events: Events,
    warnings: Warnings,
    settings: Settings,
    ta: ta::Ta,
}

impl Pvr {
    /// A chip.
    pub fn new(settings: Settings) -> Self {
        Self { vram: Vram::new(), regs: Registers::new(), events: Events::default(), warnings: Warnings::default(), settings, ta: ta::Ta::new() }
    }

    /// TA_LIST_INIT
    pub fn list_init(&mut self) {
        self.ta.list_init(&mut self.regs);
    }

    /// Writes a register.
    pub fn write_register(&mut self, offset: u32, value: u32) {
        self.regs.set(offset, value);
        match offset {
            reg::TA_LIST_INIT if value >> 31 != 0 => self.list_init(),
            reg::TA_LIST_CONT if value >> 31 != 0 => self.ta.list_continue(&self.regs),
            _ => {}
        }
    }

    /// Takes one block.
    pub fn ta_block(&mut self, block: &[u32; 8]) {
        let mut chip = ta::Chip { vram: &mut self.vram, regs: &mut self.regs, events: &mut self.events, warnings: &mut self.warnings, settings: &self.settings };
        self.ta.block(&mut chip, block);
    }

    /// Events.
    pub fn events(&self) -> Events {
        self.events
    }

    /// Clears.
    pub fn take_events(&mut self) -> Events {
        std::mem::take(&mut self.events)
    }
}
