//! Mapped memory with its hooks, as the CPU's bus.

use crate::hooks::Hooks;
use crate::{Mapped, MemoryEvent};
use sh4::{Bus, BusError, Direction};

/// The memory with its hooks, as the CPU's bus.
pub(crate) struct Hooked<'a> {
    pub(crate) memory: &'a mut Mapped,
    pub(crate) hooks: &'a mut Hooks,
    pub(crate) pc: u32,
    /// The last store, which an error report shows.
    pub(crate) stored: Option<MemoryEvent>,
}

impl Hooked<'_> {
    fn note(&mut self, direction: Direction, address: u32, size: u8, value: u64) {
        let event = MemoryEvent {
            direction,
            address,
            size,
            value,
            pc: self.pc,
        };
        if direction == Direction::Write {
            self.stored = Some(event);
        }
        if self.hooks.has_memory() {
            self.hooks.call_memory(self.memory, &event);
        }
    }
}

macro_rules! hooked {
    ($($read:ident $write:ident $size:literal $value:ty;)+) => {$(
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.note(Direction::Read, address, $size, 0);
            self.memory.$read(address)
        }

        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.note(Direction::Write, address, $size, value.into());
            self.memory.$write(address, value)
        }
    )+};
}

impl Bus for Hooked<'_> {
    hooked! {
        read8 write8 1 u8;
        read16 write16 2 u16;
        read32 write32 4 u32;
        read64 write64 8 u64;
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.memory.fetch(address)
    }

    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        self.memory.prefetch(address)
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.memory.code_watch(address, bytes);
    }

    fn code_epoch(&self) -> u64 {
        self.memory.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.memory.code_version(address)
    }
}
