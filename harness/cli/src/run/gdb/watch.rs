//! A watchpoint.

use dreamcast::debug::Watchpoint;
use gdbstub::target::ext::breakpoints::WatchKind;

/// Bytes watched by the debugger.
pub(super) struct Watch {
    pub(super) address: u32,
    pub(super) bytes: u32,
    pub(super) kind: WatchKind,
}

impl Watch {
    /// Returns the console's watchpoint.
    pub(super) fn point(&self) -> Watchpoint {
        Watchpoint {
            address: self.address,
            bytes: self.bytes,
            reads: self.kind != WatchKind::Write,
            writes: self.kind != WatchKind::Read,
        }
    }
}
