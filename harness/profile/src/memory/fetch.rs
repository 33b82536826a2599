//! The instruction cache.

use super::bus::Request;
use super::cache::CacheSettings;
use super::ticks::Ticks;
use super::{Fill, MemoryModel, Stall, arrival, charge};
use crate::cause::Cause;
use sh4::Direction;

impl MemoryModel {
    /// Whether a fetch behind another from the same line costs nothing: the line is there, and nothing on its way.
    #[inline]
    #[must_use]
    pub fn has_fetched(&self, pc: u32) -> bool {
        self.instruction_fill.is_none() && self.caches_code(pc)
    }

    fn caches_code(&self, pc: u32) -> bool {
        self.settings.instruction && CacheSettings::cached(pc)
    }

    /// Whether all fetches of the `bytes` of code at `start` cost nothing. `known` is what was answered for them
    /// before, 0 at first.
    #[inline]
    pub(crate) fn holds_code(&self, start: u32, bytes: u32, known: &mut u64) -> bool {
        self.instruction_fill.is_none()
            && (*known == self.code_version || self.look_for_code(start, bytes, known))
    }

    #[cold]
    fn look_for_code(&self, start: u32, bytes: u32, known: &mut u64) -> bool {
        let last = start.wrapping_add(bytes).wrapping_sub(1);
        let mut lines = (start >> 5..=last >> 5).map(|line| line << 5);
        let there = |line: u32| {
            self.caches_code(line)
                && self.instruction[self.settings.instruction_entry(line)] == line & 0x1FFF_FFE0 | 1
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
        if !self.caches_code(pc) {
            self.read_past_cache(now, pc & !3, 4, Cause::InstructionMiss, &mut stall);
            return stall;
        }
        let entry = &mut self.instruction[self.settings.instruction_entry(pc)];
        let line = pc & 0x1FFF_FFE0 | 1;
        if *entry == line {
            self.wait_for_instruction(now, pc, &mut stall);
            return stall;
        }
        *entry = line;
        self.code_version += 1;
        let transfer = self.bus.transfer(&Request {
            at: Ticks::cycles(now),
            direction: Direction::Read,
            address: pc,
            bytes: 32,
            cause: Cause::InstructionMiss,
        });
        charge(&mut stall, now, &transfer, transfer.first, Cause::InstructionMiss);
        self.stats.instruction_misses += 1;
        self.stats.instruction_fill_ticks += transfer.end.since(transfer.start).0;
        self.instruction_fill = Some(Fill {
            line: line & !1,
            critical: pc >> 3 & 3,
            first: transfer.first,
            end: transfer.end,
            cause: Cause::InstructionMiss,
        });
        stall
    }

    fn wait_for_instruction(&mut self, now: u64, pc: u32, stall: &mut Stall) {
        if let Some(fill) = self.instruction_fill {
            if fill.line == pc & 0x1FFF_FFE0 {
                stall.until(now, arrival(&fill, pc), Cause::InstructionMiss);
            }
            if fill.end <= Ticks::cycles(now + stall.cycles) {
                self.instruction_fill = None;
            }
        }
    }
}
