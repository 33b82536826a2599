//! The same run under other parameters.

use crate::code::{Codes, Path};
use crate::outcome::Outcomes;
use crate::parameters::Parameters;
use crate::pipeline::START;

/// Edges and states that are kept before all are worked out anew.
const MOST: usize = 1 << 15;

/// The pipeline under other parameters, beside the one that counts. Memory's part of the time is the same.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    outcomes: Outcomes,
    /// The cycle in which its youngest instruction issued.
    base: u64,
    /// Cycles spent before the measured region was left last, and where the present one began.
    spent: u64,
    since: u64,
    /// What the codes that its outcomes are about belong to.
    serial: u64,
}

impl Shadow {
    pub(crate) fn new(parameters: &Parameters) -> Shadow {
        Shadow {
            outcomes: Outcomes::new(parameters),
            base: 0,
            spent: 0,
            since: 0,
            serial: 0,
        }
    }

    /// Goes on through `code` by `path`.
    #[inline]
    pub(crate) fn pass(&mut self, codes: &Codes, serial: u64, code: u32, path: Path) {
        if self.serial != serial || self.outcomes.is_full(MOST) {
            self.outcomes.forget();
            self.serial = serial;
        }
        let edge = self.outcomes.follow(codes, code, path);
        self.base += u64::from(self.outcomes.edges[edge as usize].advance);
    }

    fn end(&self) -> u64 {
        self.base + self.outcomes.pipeline().end() - START
    }

    /// Begins or ends a measured span.
    pub(crate) fn toggle(&mut self, inside: bool) {
        if inside {
            self.since = self.end();
        } else {
            self.spent += self.end() - self.since;
        }
    }

    /// Cycles in measured spans; whether the last of them is open.
    pub(crate) fn finish(mut self, active: bool) -> u64 {
        if active {
            self.toggle(false);
        }
        self.spent
    }
}
