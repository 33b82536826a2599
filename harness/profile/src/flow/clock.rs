//! Time: the pipeline's and memory's together.

use super::Books;
use crate::code::{Code, Codes};
use crate::memory::{Episode, Stall};

/// How late it is.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// The pipeline's clock, and memory's part of the time together with the runs before.
    pub(super) base: u64,
    pub(super) frozen: u64,
    /// Whether what happens is counted.
    pub(crate) active: bool,
    /// Slots booked.
    pub(crate) slots: u64,
}

impl Clock {
    /// The cycle in which the youngest instruction issued, as memory counts them.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.base + self.frozen
    }

    /// Memory had to do with a run of accesses in the code number `code`.
    #[inline]
    pub(super) fn freeze_for<B: Books>(
        &mut self,
        codes: &Codes,
        code: u32,
        episode: &Episode,
        books: &mut B,
    ) {
        let cycles = u64::from(episode.cycles);
        self.frozen += cycles;
        if self.active {
            self.slots += 2 * cycles;
            books.episode(codes, code, episode);
        }
    }

    /// Memory had to do with the instruction at `index` of `code`.
    #[inline]
    pub(super) fn freeze<B: Books>(
        &mut self,
        code: &Code,
        index: u8,
        stall: &Stall,
        misses: (u64, u64),
        books: &mut B,
    ) {
        self.frozen += stall.cycles;
        if self.active && (stall.cycles > 0 || misses != (0, 0)) {
            self.slots += 2 * stall.cycles;
            books.memory(code, index, stall, misses);
        }
    }
}
