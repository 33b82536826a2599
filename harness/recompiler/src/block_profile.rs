//! Profiles of blocks, used when a region is compiled again.

use std::collections::HashMap;

/// Known targets of a computed branch, at most.
const ENDS: usize = 8;
/// The most times that a region is compiled again to grow.
const GROWTHS: u8 = 3;

/// The compile mode of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompileMode {
    /// The block accesses memory outside the bus's window, or watched lines: such accesses are calls.
    /// Otherwise compiled code exits before such an access; that code is smaller, and other accesses are
    /// faster.
    pub(crate) far: bool,
    /// Its FPU operations meet operands or results that the host's arithmetic does not handle: those are
    /// calls.
    pub(crate) odd: bool,
}

/// Profiles by the start address of a block. A stale profile costs time only.
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

    /// The compile mode of the block at `start`, to be changed.
    pub(crate) fn compile_mode_mut(&mut self, start: u32) -> &mut CompileMode {
        self.compile_modes.entry(start).or_default()
    }

    /// The known targets of the computed branch at the end of the block at `start`.
    pub(crate) fn ends(&self, start: u32) -> &[u32] {
        self.ends.get(&start).map_or(&[], Vec::as_slice)
    }

    /// Notes a target of the block at `start`.
    pub(crate) fn note_end(&mut self, start: u32, pc: u32) {
        let ends = self.ends.entry(start).or_default();
        if ends.len() < ENDS && !ends.contains(&pc) {
            ends.push(pc);
        }
    }

    /// Whether the region that begins at `start` may be compiled again to grow. Counts the call.
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
