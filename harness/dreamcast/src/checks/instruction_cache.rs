//! Content of the instruction cache, without its size limit of 8 KB.
//!
//! A line stays from its first fetch until the program invalidates it through CCR.ICI or the address array at
//! F0000000 (SH7750 manual 4.4, 4.5.1). The chip also evicts lines when it needs their index for another
//! line. Changed code therefore becomes visible at some time, but a program must not rely on that. The CPU
//! reports the decoding of a block, not each execution. A decoded block counts as fetched while its line is
//! present.

use super::Rule;
use crate::bus::physical;
use crate::system::{System, ram_offset};
use sh4::BusError;
use std::collections::BTreeMap;

const LINE: u32 = 32;
/// CCR.ICE, as in `machine::cache::ccr`.
const ICE: u32 = 1 << 8;
/// Tag bits of an address.
const TAG: u32 = 0x1FFF_FC00;
/// Index bits of an address in the address array.
const INDEX: u32 = 0x1FE0;

/// Lines by offset in RAM.
#[derive(Clone, Debug, Default)]
pub(crate) struct InstructionCache {
    lines: BTreeMap<u32, [u8; LINE as usize]>,
}

state::fields!(InstructionCache { lines });

impl System {
    /// Fetches an instruction in RAM, from the cache's line if the cache is on and covers the address.
    pub(crate) fn fetch_ram(&mut self, address: u32, offset: usize) -> Result<u16, BusError> {
        let through = self.cache.ccr() & ICE != 0 && address >> 29 != 5;
        if !through || self.instructions.is_none() {
            return halfword(&self.ram, offset);
        }
        let line = offset as u32 & !(LINE - 1);
        let memory = self.ram_line(line);
        let Some(cache) = &mut self.instructions else {
            return Err(BusError::Unmapped);
        };
        let held = *cache.lines.entry(line).or_insert(memory);
        let at = offset % LINE as usize;
        let (old, word) = (halfword(&held, at)?, halfword(&memory, at)?);
        let stored = self.cache.dirty_line(address).map(|(line, _)| halfword(line, at));
        let newest = stored.unwrap_or(Ok(word))?;
        if newest != old {
            self.stale_code(address, old, newest, stored.is_some());
        }
        Ok(old)
    }

    fn ram_line(&self, offset: u32) -> [u8; LINE as usize] {
        let line = self
            .ram
            .get(offset as usize..)
            .and_then(|rest| rest.first_chunk());
        line.copied().unwrap_or_default()
    }

    /// Reports stale code at the instruction's address. The time is approximate, because the CPU is decoding
    /// ahead.
    fn stale_code(&mut self, address: u32, old: u16, newest: u16, in_line: bool) {
        let place = if in_line {
            "a dirty line of the operand cache"
        } else {
            "memory"
        };
        self.pc = address;
        self.broken(Rule::StaleCode, &[address], || {
            format!(
                "the instruction at {address:08x} is {old:04x} in the instruction cache and \
              {newest:04x} in {place}"
            )
        });
    }

    /// Invalidates all lines, as a write of CCR.ICI does.
    pub(crate) fn invalidate_instructions(&mut self) {
        let lines = self
            .instructions
            .as_mut()
            .map(|cache| std::mem::take(&mut cache.lines));
        for line in lines.unwrap_or_default().into_keys() {
            self.code.written(line, LINE);
        }
    }

    /// Handles a write to the address array of the instruction cache (SH7750 manual 4.5.1). With address bit
    /// 3 it affects the line with a matching tag, else all lines of the index.
    pub(crate) fn write_instruction_array(&mut self, address: u32, value: u32) {
        let associative = address & 8 != 0;
        if value & 1 != 0 && associative {
            return;
        }
        let wanted = |line: u32| match associative {
            true => (line | 0x0C00_0000) & TAG == value & TAG,
            false => true,
        };
        let chosen = |line: &u32| line & INDEX == address & INDEX && wanted(*line);
        let lines = self
            .instructions
            .as_ref()
            .map(|cache| cache.lines.keys().copied());
        let lines: Vec<u32> = lines.into_iter().flatten().filter(chosen).collect();
        for line in lines {
            self.forget_instructions(line);
        }
    }

    /// Removes the line that contains an offset in RAM.
    fn forget_instructions(&mut self, offset: u32) {
        if let Some(cache) = &mut self.instructions {
            cache.lines.remove(&(offset & !(LINE - 1)));
        }
        self.code.written(offset & !(LINE - 1), LINE);
    }

    /// Removes code that a debugger or loader has overwritten, so that the CPU fetches the new code.
    pub(crate) fn drop_instructions_at(&mut self, address: u32) {
        if let Some(offset) = ram_offset(physical(address)) {
            self.forget_instructions(offset as u32);
        }
    }
}

fn halfword(bytes: &[u8], offset: usize) -> Result<u16, BusError> {
    let bytes = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    bytes.copied().map(u16::from_le_bytes).ok_or(BusError::Unmapped)
}
