//! Blocks that ran in compiled code.

use super::{BlockTimer, TimingSink};
use crate::code::BlockPath;
use sh4::timing::{Cursor, ExecutedPart, RecordedAccess, TimingTables};

impl BlockTimer {
    /// Times a part of a block. Its accesses before `first` are counted already.
    pub(crate) fn execute_part<B: TimingSink>(
        &mut self,
        part: &ExecutedPart,
        first: usize,
        accesses: &[RecordedAccess],
        sink: &mut B,
    ) {
        let known = self.edges.timed.len();
        let edge = self.edges.follow(&self.blocks, part.block, BlockPath::new(part));
        if self.edges.timed.len() != known {
            self.compare_opcodes(edge);
        }
        self.count(edge, part.block);
        if first < accesses.len() {
            self.access_from(self.clock.base, first, edge, accesses, sink);
        }
        self.finish_edge(edge);
    }

    /// Follows the accesses from `first` on of an edge that is counted already; the pipeline's clock behind
    /// the edge is `base`. Returns [`Cursor::idle_from`], or nothing if [`BlockTimer::tables`] have changed.
    #[inline]
    pub(crate) fn stall<B: TimingSink>(
        &mut self,
        edge: u32,
        base: u64,
        first: usize,
        accesses: &[RecordedAccess],
        sink: &mut B,
    ) -> Option<u64> {
        let begin = base.saturating_sub(u64::from(self.edges.details[edge as usize].advance));
        let behind = self.access_run(begin, first, edge, accesses, sink);
        if behind >= accesses.len() {
            return Some(self.idle_from());
        }
        let version = self.memory.plain().code_version();
        self.access_others(begin, behind, edge, accesses, sink);
        (self.memory.plain().code_version() == version).then(|| self.idle_from())
    }

    /// Enters `code`. Returns false if its fetches cost time. `resident` as in
    /// [`CodeBlock`](super::CodeBlock).
    pub(crate) fn enter(&mut self, code: u32, resident: &mut u64) -> bool {
        if self.is_full() {
            return false;
        }
        if self.edges.timed[self.edges.left as usize].next != code {
            self.edges.enter(&self.blocks, code);
        }
        let here = &self.blocks.all[code as usize];
        self.memory.plain().holds_code(here.start, here.bytes(), resident)
    }

    /// The tables that compiled code counts in.
    pub(crate) fn tables(&mut self) -> TimingTables<'_> {
        let (cursor, code_version) = (self.cursor(), self.memory.plain().code_version());
        TimingTables {
            edges: &mut self.edges.timed,
            ends: &self.edges.ends,
            lines: self.memory.filter_lines(),
            code_version,
            cursor,
        }
    }

    /// The present position.
    #[inline]
    pub(crate) fn cursor(&self) -> Cursor {
        Cursor {
            edge: self.edges.left.into(),
            base: self.clock.base,
            fetches: 0,
            idle_from: self.idle_from(),
        }
    }

    /// [`Cursor::idle_from`].
    #[inline]
    fn idle_from(&self) -> u64 {
        self.memory.idle_from().saturating_sub(self.clock.frozen)
    }

    /// Changes with [`BlockTimer::tables`]. Edges and ends only grow; the filter moves when CCR is written,
    /// which also changes the code version.
    #[inline]
    pub(crate) fn version(&self) -> (usize, usize, u64) {
        (
            self.edges.timed.len(),
            self.edges.ends.len(),
            self.memory.plain().code_version(),
        )
    }

    /// Moves to a position that compiled code has reached. Slots are twice the cycles, plus those used in the
    /// last cycle.
    #[inline]
    pub(crate) fn advance_to(&mut self, cursor: &Cursor) {
        self.fetches += cursor.fetches;
        let edge = cursor.edge as u32;
        if cursor.base == self.clock.base && edge == self.edges.left {
            return;
        }
        let used = |edge: u32| self.edges.used(edge);
        let cycles = cursor.base - self.clock.base;
        self.clock.slots += 2 * cycles + used(edge);
        self.clock.slots -= used(self.edges.left);
        self.clock.base = cursor.base;
        self.edges.left = edge;
        self.last = self.edges.timed[edge as usize].last;
    }
}
