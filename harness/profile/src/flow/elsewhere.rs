//! Code that runs elsewhere: compiled code follows the books, and says what they do not.

use super::{Books, Flow};
use crate::code::Path;
use sh4::meter::{Noted, Part, Standing, Tables};

impl Flow {
    /// The same for code that has run elsewhere, whose accesses before the `first` are counted.
    pub(crate) fn settle<B: Books>(&mut self, part: &Part, first: usize, accesses: &[Noted], books: &mut B) {
        let known = self.outcomes.edges.len();
        let edge = self.outcomes.follow(&self.codes, part.block, Path::new(part));
        if self.outcomes.edges.len() != known {
            self.compare_opcodes(edge);
        }
        self.count(edge, part.block);
        if first < accesses.len() {
            self.access_from(self.clock.base, first, edge, accesses, books);
        }
        self.go_on(edge);
    }

    /// Follows the accesses from the `first` on of a way that was taken and counted elsewhere, up to `base`. From when on
    /// accesses pass, as [`Flow::standing`] has it; nothing if [`Flow::tables`] are others than before.
    #[inline]
    pub(crate) fn wait<B: Books>(
        &mut self,
        way: u32,
        base: u64,
        first: usize,
        accesses: &[Noted],
        books: &mut B,
    ) -> Option<u64> {
        let begin = base.saturating_sub(u64::from(self.outcomes.all[way as usize].advance));
        let behind = self.access_run(begin, first, way, accesses, books);
        if behind >= accesses.len() {
            return Some(self.quiet());
        }
        let version = self.memory.code_version();
        self.access_others(begin, behind, way, accesses, books);
        (self.memory.code_version() == version).then(|| self.quiet())
    }

    /// Execution comes to `code` elsewhere, whose fetches cost nothing if this is true; `resident` as in [`Code`].
    pub(crate) fn arrive(&mut self, code: u32, resident: &mut u64) -> bool {
        if self.is_full() {
            return false;
        }
        if self.outcomes.edges[self.outcomes.left as usize].next != code {
            self.outcomes.enter(&self.codes, code);
        }
        let here = &self.codes.all[code as usize];
        self.memory.holds_code(here.start, here.bytes(), resident)
    }

    /// What whoever follows a run elsewhere counts in.
    pub(crate) fn tables(&mut self) -> Tables<'_> {
        let standing = self.standing();
        let (lines, code_version) = self.memory.lines();
        Tables {
            ways: &mut self.outcomes.edges,
            ends: &self.outcomes.ends,
            lines,
            code_version,
            standing,
        }
    }

    /// How far the run has come, for whoever follows it elsewhere.
    #[inline]
    pub(crate) fn standing(&self) -> Standing {
        Standing {
            way: self.outcomes.left.into(),
            base: self.clock.base,
            fetches: 0,
            quiet: self.quiet(),
        }
    }

    /// From which moment of the pipeline's clock on accesses pass.
    #[inline]
    fn quiet(&self) -> u64 {
        self.memory.quiet_from().saturating_sub(self.clock.frozen)
    }

    /// Another one if [`Flow::tables`] are: ways and ends only become more, and lines lie elsewhere when the caches are set
    /// up anew.
    #[inline]
    pub(crate) fn version(&self) -> (usize, usize, u64) {
        (
            self.outcomes.edges.len(),
            self.outcomes.ends.len(),
            self.memory.code_version(),
        )
    }

    /// Takes over how far a run has come elsewhere. Slots are twice the cycles, and those used in the last cycle.
    #[inline]
    pub(crate) fn catch_up(&mut self, standing: &Standing) {
        self.fetches += standing.fetches;
        let way = standing.way as u32;
        if standing.base == self.clock.base && way == self.outcomes.left {
            return;
        }
        let used = |edge: u32| self.outcomes.used(edge);
        let cycles = standing.base - self.clock.base;
        self.clock.slots += 2 * cycles + used(way);
        self.clock.slots -= used(self.outcomes.left);
        self.clock.base = standing.base;
        self.outcomes.left = way;
        self.last = self.outcomes.edges[way as usize].last;
    }
}
