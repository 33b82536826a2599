//! The last instructions of a run.

use timing::Cause;
use timing::memory::Stall;

/// One instruction as it issued.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Index of the site.
    pub site: u32,
    /// Cycle of issue, memory stalls included, counted from the start of the run.
    pub cycle: u64,
    /// True for the second instruction of a pair.
    pub second: bool,
    /// Set if the instruction could not pair with the previous one.
    pub unpaired: bool,
    /// Slots lost before it because of `cause`.
    pub lost: u32,
    /// The cause.
    pub cause: Cause,
    /// Register that it waited for.
    pub register: Option<u8>,
    /// Cycles during which memory froze the CPU.
    pub frozen: u64,
}

/// Number of recorded steps. It suffices for the last iterations of most loops.
pub(crate) const KEPT: usize = 1 << 14;

/// A ring of the last steps.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    steps: Vec<Step>,
    /// Stalls of the steps, at the same index.
    stalls: Vec<Stall>,
    /// Number of steps up to now.
    count: usize,
}

impl Steps {
    #[inline]
    pub(crate) fn push(&mut self, step: Step) {
        let place = self.count % KEPT;
        self.count += 1;
        match self.steps.get_mut(place) {
            Some(old) => *old = step,
            None => self.steps.push(step),
        }
    }

    /// Adds a stall to the last step.
    pub(crate) fn stalled(&mut self, stall: &Stall) {
        self.stalls.resize(KEPT, Stall::NONE);
        self.stalls[(self.count - 1) % KEPT] = *stall;
    }

    /// Replaces each site by `place[site]`.
    pub(crate) fn renumber(&mut self, place: &[u32]) {
        for step in &mut self.steps {
            step.site = place[step.site as usize];
        }
    }

    /// The steps with their stalls, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Step, Stall)> + ExactSizeIterator {
        let oldest = self.count - self.steps.len();
        (0..self.steps.len()).map(move |i| {
            let place = (oldest + i) % KEPT;
            let step = &self.steps[place];
            let stall = if step.frozen > 0 {
                self.stalls[place]
            } else {
                Stall::NONE
            };
            (step, stall)
        })
    }

    /// Returns the last whole iteration of the loop that begins at `site`, followed by the first step of the
    /// next iteration.
    #[must_use]
    pub fn iteration(&self, site: u32) -> Option<Vec<(Step, Stall)>> {
        let all: Vec<(Step, Stall)> = self.iter().map(|(step, stall)| (*step, stall)).collect();
        let heads: Vec<usize> = (0..all.len()).filter(|i| all[*i].0.site == site).collect();
        let [.., from, to] = heads[..] else { return None };
        all.get(from..=to).map(<[_]>::to_vec)
    }
}
