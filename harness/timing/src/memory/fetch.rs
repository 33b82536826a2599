//! The instruction cache.

use super::cache::CacheSettings;
use super::stall::Wait;
use super::ticks::Ticks;
use super::{Fill, LINE, MemoryModel, Stall};
use crate::cause::Cause;
use sh4::Direction;

impl MemoryModel {
    /// True if a further fetch from the same line costs no time, because no fill is in flight.
    #[inline]
    #[must_use]
    pub fn has_fetched(&self, pc: u32) -> bool {
        self.instruction_fill.is_none() && self.caches_code(pc)
    }

    fn caches_code(&self, pc: u32) -> bool {
        self.settings.instruction && CacheSettings::cached(pc)
    }

    /// True if all fetches of the `bytes` of code at `start` cost no time. `known` caches the version of the
    /// last result; its initial value is 0.
    #[inline]
    pub(crate) fn holds_code(&self, start: u32, bytes: u32, known: &mut u64) -> bool {
        self.instruction_fill.is_none()
            && (*known == self.code_version || self.look_up_code(start, bytes, known))
    }

    #[cold]
    fn look_up_code(&self, start: u32, bytes: u32, known: &mut u64) -> bool {
        let last = start.wrapping_add(bytes).wrapping_sub(1);
        let mut lines = (start >> 5..=last >> 5).map(|line| line << 5);
        let there = |line: u32| {
            self.caches_code(line)
                && self.instruction[self.settings.instruction_entry(line)] == line & LINE | 1
        };
        let all = start <= last && lines.all(there);
        if all {
            *known = self.code_version;
        }
        all
    }

    /// Fetches the aligned pair of instructions around `pc` in cycle `now`.
    pub fn fetch(&mut self, now: u64, pc: u32) -> Stall {
        let mut stall = Stall::NONE;
        let mut wait = Wait::new(now, &mut stall);
        if !self.caches_code(pc) {
            self.read_uncached(pc & !3, 4, Cause::InstructionMiss, &mut wait);
            return stall;
        }
        let entry = &mut self.instruction[self.settings.instruction_entry(pc)];
        let line = pc & LINE;
        if *entry == line | 1 {
            self.wait_for_instruction(pc, &mut wait);
            return stall;
        }
        *entry = line | 1;
        self.code_version += 1;
        self.fill_code_line(pc, &mut wait);
        stall
    }

    fn fill_code_line(&mut self, pc: u32, wait: &mut Wait<'_>) {
        let burst = self.lines.targets.burst(Direction::Read, pc, 32);
        let transfer = self
            .transfers
            .bus
            .transfer(wait.at, Direction::Read, &burst, Cause::InstructionMiss);
        wait.until_end(&transfer, transfer.first, Cause::InstructionMiss);
        self.lines.stats.instruction_misses += 1;
        self.lines.stats.instruction_fill_ticks += transfer.end.since(transfer.start).0;
        self.instruction_fill = Some(Fill {
            line: pc & LINE,
            critical: pc >> 3 & 3,
            first: transfer.first,
            end: transfer.end,
        });
    }

    fn wait_for_instruction(&mut self, pc: u32, wait: &mut Wait<'_>) {
        if let Some(fill) = self.instruction_fill {
            if fill.line == pc & LINE {
                let beat = (pc >> 3).wrapping_sub(fill.critical) & 3;
                let arrival = (fill.first + Ticks::bus_cycles(beat)).min(fill.end);
                wait.until(arrival, Cause::InstructionMiss);
            }
            if fill.end <= wait.at {
                self.instruction_fill = None;
            }
        }
    }
}
