//! Memory access for debuggers, without side effects.

use super::{Place, physical};
use crate::map;
use crate::system::System;

impl System {
    /// Reads a byte of memory without side effects.
    pub(crate) fn peek(&self, address: u32) -> Option<u8> {
        match self.place(address) {
            Place::Ram(offset) => self.ram.get(offset).copied(),
            Place::OnChipRam => self.cache.ram_bytes::<1>(address).map(|[byte]| byte),
            Place::P4 => None,
            Place::Elsewhere => {
                let (device, _, at) = map::find(physical(address), 1, false);
                let bytes = self.peek_memory::<1>(device, at);
                bytes.map(|[byte]| byte)
            }
        }
    }

    /// Writes a byte of memory without side effects. Returns false if there is no memory.
    pub(crate) fn poke(&mut self, address: u32, value: u8) -> bool {
        self.drop_instructions_at(address);
        match self.place(address) {
            Place::Ram(_) => self.write_back_ram(physical(address), &[value]),
            Place::OnChipRam => self.cache.write_ram_bytes(address, &[value]),
            Place::P4 => false,
            Place::Elsewhere => {
                let (device, _, at) = map::find(physical(address), 1, true);
                self.store_memory(device, at, &[value]) == Ok(true)
            }
        }
    }
}
