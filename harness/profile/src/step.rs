//! The last instructions of a run, one by one.

use crate::cause::Cause;
use crate::memory::Stall;
use std::collections::VecDeque;

/// One instruction as it issued.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Index of its site.
    pub site: u32,
    /// Cycle of issue, memory stalls included, counted from the start of the run.
    pub cycle: u64,
    /// Whether it was the second of a pair.
    pub second: bool,
    /// Whether it could not pair with the one before.
    pub unpaired: bool,
    /// Slots lost before it for `cause`.
    pub lost: u32,
    /// Why.
    pub cause: Cause,
    /// The register it waited for.
    pub register: Option<u8>,
    /// How long memory froze the CPU at it.
    pub stall: Stall,
}

/// Steps kept: enough for the last iterations of any loop worth looking at.
const KEPT: usize = 1 << 14;

/// The last steps.
#[derive(Clone, Debug, Default)]
pub struct Steps(VecDeque<Step>);

impl Steps {
    #[inline]
    pub(crate) fn push(&mut self, step: Step) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(step);
    }

    /// Puts `place[site]` in the place of `site`.
    pub(crate) fn renumber(&mut self, place: &[u32]) {
        for step in &mut self.0 {
            step.site = place[step.site as usize];
        }
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Step> + ExactSizeIterator {
        self.0.iter()
    }

    /// The last whole iteration of the loop that begins at `site`, with the step that begins the next one.
    #[must_use]
    pub fn iteration(&self, site: u32) -> Option<Vec<Step>> {
        let heads: Vec<usize> = (0..self.0.len()).filter(|i| self.0[*i].site == site).collect();
        let [.., from, to] = heads[..] else { return None };
        Some(self.0.range(from..=to).copied().collect())
    }
}
