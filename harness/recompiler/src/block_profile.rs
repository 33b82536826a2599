//! Profiles of blocks, used when a region is compiled again.

use std::collections::HashMap;

/// The compile mode of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompileMode {
    /// True if the block accesses memory outside the bus's window, or watched lines. Compiled code then calls
    /// the bus. Otherwise it exits before such an access: this code is smaller, and accesses to the window
    /// are faster.
    pub(crate) outside_window: bool,
    /// True if FPU operations of the block have operands or results that the host's arithmetic does not
    /// handle. Compiled code then calls the interpreter's operation.
    pub(crate) unusual_floats: bool,
}

/// Profiles by start address of the block. A stale profile only costs time.
#[derive(Debug, Default)]
pub(crate) struct BlockProfile {
    compile_modes: HashMap<u32, CompileMode>,
}

impl BlockProfile {
    pub(crate) fn compile_mode(&self, start: u32) -> CompileMode {
        self.compile_modes.get(&start).copied().unwrap_or_default()
    }

    /// Mutable compile mode of the block at `start`.
    pub(crate) fn compile_mode_mut(&mut self, start: u32) -> &mut CompileMode {
        self.compile_modes.entry(start).or_default()
    }

    pub(crate) fn clear(&mut self) {
        self.compile_modes.clear();
    }
}
