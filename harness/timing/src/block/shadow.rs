//! The pipeline's time of the same run under other parameters.

use super::{BlockTimer, EdgeTable};
use crate::code::BlockPath;
use crate::parameters::Parameters;
use crate::pipeline::START;
use sh4::RetiredBlock;

/// Edges and states that are kept before all are dropped.
const MOST: usize = 1 << 15;

/// A second pipeline under other parameters. Memory's part of the time is not in it.
#[derive(Clone, Debug)]
pub struct Shadow {
    edges: EdgeTable,
    /// The cycle in which the last instruction issued.
    base: u64,
    /// Cycles of the measured spans that have ended, and the cycle in which the present one began.
    spent: u64,
    since: u64,
    /// See [`BlockTimer::generation`].
    generation: u64,
}

impl Shadow {
    /// An empty pipeline.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Shadow {
        Shadow {
            edges: EdgeTable::new(parameters),
            base: 0,
            spent: 0,
            since: 0,
            generation: 0,
        }
    }

    /// Follows `block`, whose edge in `timer` is `edge`.
    #[inline]
    pub fn execute(&mut self, timer: &BlockTimer, edge: u32, block: &RetiredBlock<'_>) {
        if self.generation != timer.generation() || self.edges.is_full(MOST) {
            self.edges.forget();
            self.generation = timer.generation();
        }
        let code = timer.edges.block(edge);
        let edge = self.edges.follow(&timer.blocks, code, BlockPath::of(block));
        self.base += u64::from(self.edges.all[edge as usize].advance);
    }

    fn end(&self) -> u64 {
        self.base + self.edges.pipeline().end() - START
    }

    /// Begins or ends a measured span.
    pub fn toggle(&mut self, inside: bool) {
        if inside {
            self.since = self.end();
        } else {
            self.spent += self.end() - self.since;
        }
    }

    /// Cycles of the measured spans; `active` if the last of them is open.
    #[must_use]
    pub fn finish(mut self, active: bool) -> u64 {
        if active {
            self.toggle(false);
        }
        self.spent
    }
}
