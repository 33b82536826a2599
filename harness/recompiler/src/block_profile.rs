//! What blocks have been seen to do: they are compiled for it when a region is compiled again.

use std::collections::HashMap;

/// Addresses a branch is known to lead to, at most.
const ENDS: usize = 8;
/// How often a region is compiled again to grow.
const GROWTHS: u8 = 3;

/// How a block is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompileMode {
    /// It accesses memory outside the bus's window, or watched lines: such accesses are calls. Otherwise compiled code
    /// leaves in front of them, which is smaller and leaves the others faster.
    pub(crate) far: bool,
    /// Its FPU operations meet operands or results that the host's arithmetic is not right for: those are calls.
    pub(crate) odd: bool,
}

/// What is known of blocks, by the address they start at. It is never wrong, only more or less to the purpose.
#[derive(Debug, Default)]
pub(crate) struct BlockProfile {
    compile_modes: HashMap<u32, CompileMode>,
    ends: HashMap<u32, Vec<u32>>,
    growths: HashMap<u32, u8>,
}

impl BlockProfile {
    pub(crate) fn compile_mode(&self, start: u32) -> CompileMode {
        self.compile_modes.get(&start).copied().unwrap_or_default()
    }

    /// The compile_mode of the block at `start`, to be changed.
    pub(crate) fn compile_mode_mut(&mut self, start: u32) -> &mut CompileMode {
        self.compile_modes.entry(start).or_default()
    }

    /// Where the computed branch at the end of the block at `start` has been seen to lead.
    pub(crate) fn ends(&self, start: u32) -> &[u32] {
        self.ends.get(&start).map_or(&[], Vec::as_slice)
    }

    /// Notes that the block at `start` has led to `pc`.
    pub(crate) fn note_end(&mut self, start: u32, pc: u32) {
        let ends = self.ends.entry(start).or_default();
        if ends.len() < ENDS && !ends.contains(&pc) {
            ends.push(pc);
        }
    }

    /// Whether the region that begins at `start` may be compiled again to grow; that is then counted.
    pub(crate) fn may_grow(&mut self, start: u32) -> bool {
        let growths = self.growths.entry(start).or_default();
        *growths += u8::from(*growths <= GROWTHS);
        *growths <= GROWTHS
    }

    pub(crate) fn clear(&mut self) {
        self.compile_modes.clear();
        self.ends.clear();
        self.growths.clear();
    }
}
