//! The state of the heap for saved states of the console.

use super::{Block, CALLS, Call, Heap};
use crate::system::RAM_BYTES;

state::fields!(Call {
    function,
    arguments,
    return_address,
    stack
});

state::fields!(Block { size, freed });

state::fields!(Heap {
    calls,
    unwatched_entry,
    blocks,
    closed,
    guard,
} keep { entries } check(Heap::is_possible));

impl Heap {
    /// Returns false for blocks that no sequence of calls can produce.
    fn is_possible(&self) -> bool {
        let ends = |(offset, block): (&u32, &Block)| u64::from(*offset) + u64::from(block.size);
        self.calls.len() <= CALLS
            && self.closed.len() == RAM_BYTES / 64
            && self.blocks.iter().map(ends).all(|end| end <= RAM_BYTES as u64)
            && self.guard.start <= self.guard.end
            && self.guard.end as usize <= RAM_BYTES
    }
}
