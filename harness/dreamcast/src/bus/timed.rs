//! Converts counts of instructions and cycles to times, and classifies registers that only need the time.

use super::physical;
use super::registers::FFST;
use crate::system::System;
use crate::time::Cycles;
use std::ops::RangeInclusive;

/// Register with the beam's position.
const SPG_STATUS: u32 = 0x005F_810C;

/// ISTNRM and ISTEXT. They need the time while the sound block has not computed its interrupt line up to now.
const ISTNRM: u32 = 0x005F_6900;
const ISTEXT: u32 = 0x005F_6904;

/// Registers of the sound block.
const AICA: RangeInclusive<u32> = 0x0070_0000..=0x0070_7FFF;
/// Loop flag and envelope of a channel. A read clears the loop flag.
const MONITOR_STATE: u32 = 0x0070_2810;

/// Returns whether an address is a register of the sound block that a read does not change.
pub(super) fn is_aica(address: u32) -> bool {
    AICA.contains(&physical(address)) && physical(address) & !3 != MONITOR_STATE
}

/// Returns whether reading an address needs the time and has no side effects: the timers, the watchdog,
/// SPG_STATUS, FFST, ISTNRM, ISTEXT, the clock, the sound block's registers and its memory.
pub(super) fn is_timed(address: u32) -> bool {
    match address {
        0xFFD8_0000..=0xFFD8_002C | 0xFFC0_0008 | 0xFFC0_000C => true,
        0xE000_0000.. => false,
        _ if is_aica(address) => true,
        _ => matches!(
            physical(address),
            SPG_STATUS | FFST | ISTNRM | ISTEXT | 0x0071_0000..=0x0071_0008 | 0x0080_0000..=0x009F_FFFF
        ),
    }
}

impl System {
    /// Converts a number of executed instructions to a time.
    pub(crate) fn time_at(&self, retired: u64) -> Cycles {
        let (time, before) = self.anchor;
        time + retired.saturating_sub(before) * self.settings.cycles_per_instruction
    }

    /// Returns the first number of instructions at which a time is reached.
    pub(super) fn retired_at(&self, time: Cycles) -> u64 {
        let (anchor, before) = self.anchor;
        before + time.since(anchor).div_ceil(self.settings.cycles_per_instruction)
    }

    /// Converts the model's cycles to a time.
    pub(crate) fn time_after(&self, cycles: u64) -> Cycles {
        let (time, before) = self.anchor;
        time + cycles.saturating_sub(before)
    }

    /// Returns [`sh4::TimedRead::until`] and [`sh4::TimedRead::period`] for a register that was read now.
    pub(super) fn next_change(&self, address: u32) -> (u64, u64) {
        let (time, cycles) = match physical(address) {
            SPG_STATUS => (self.spg.holds_until(self.now), 0),
            FFST => (self.fifo_until.max(self.now), 0),
            ISTNRM | ISTEXT | 0x0080_0000..=0x009F_FFFF => (self.sound.holds_until(), 0),
            _ if is_aica(address) => (self.sound.holds_until(), 0),
            _ => self.tmu.next_tick(address, self.now).unwrap_or((self.now, 0)),
        };
        let rate = self.settings.cycles_per_instruction;
        let period = if cycles.is_multiple_of(rate) {
            cycles / rate
        } else {
            0
        };
        (self.retired_at(time), period)
    }
}
