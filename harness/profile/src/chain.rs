//! The longest chain of results that wait for each other: what no rearrangement of instructions can shorten.

use crate::insn::Insn;

/// The moment at which each register is there if every instruction issues as soon as its operands are.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    ready: [u64; 64],
    longest: u64,
}

impl Chain {
    pub(crate) fn new() -> Chain {
        Chain {
            ready: [0; 64],
            longest: 0,
        }
    }

    #[inline]
    pub(crate) fn pass(&mut self, insn: &Insn) {
        let start = insn
            .reads
            .iter()
            .map(|bit| self.ready[usize::from(bit)])
            .max()
            .unwrap_or(0);
        for write in &insn.writes {
            let done = start + u64::from(write.latency);
            self.ready[usize::from(write.bit)] = done;
            self.longest = self.longest.max(done);
        }
    }

    /// Its length in cycles.
    pub(crate) fn length(&self) -> u64 {
        self.longest
    }
}
