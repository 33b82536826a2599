//! Pipeline time of the same run with other parameters.

use super::{BlockTimer, EdgeTable};
use crate::code::BlockPath;
use crate::parameters::Parameters;
use crate::pipeline::START;
use sh4::RetiredBlock;

/// Maximum number of edges and states; then all are dropped.
const MAX: usize = 1 << 15;

/// A second pipeline with other parameters, without the time of memory.
#[derive(Clone, Debug)]
pub struct Shadow {
    edges: EdgeTable,
    /// Cycle in which the last instruction issued.
    base: u64,
    /// Number of cycles in completed measured spans, and the cycle in which the current span began.
    spent: u64,
    since: u64,
    /// Generation of the timer; see [`BlockTimer::generation`].
    generation: u64,
}

impl Shadow {
    /// Creates an empty pipeline.
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

    /// Processes `block`, which has the edge `edge` in `timer`.
    #[inline]
    pub fn execute(&mut self, timer: &BlockTimer, edge: u32, block: &RetiredBlock<'_>) {
        if self.generation != timer.generation() || self.edges.is_full(MAX) {
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

    /// Returns the number of cycles in the measured spans; `active` means that the last span is open.
    #[must_use]
    pub fn finish(mut self, active: bool) -> u64 {
        if active {
            self.toggle(false);
        }
        self.spent
    }
}
