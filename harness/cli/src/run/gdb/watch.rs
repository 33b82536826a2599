//! A watchpoint.

use dreamcast::debug::Watchpoint;
use gdbstub::target::ext::breakpoints::WatchKind;

/// Bytes that the debugger watches.
pub(super) struct Watch {
    pub(super) address: u32,
    pub(super) bytes: u32,
    pub(super) kind: WatchKind,
}

impl Watch {
    /// The watchpoint of the console.
    pub(super) fn point(&self) -> Watchpoint {
        Watchpoint {
            address: self.address,
            bytes: self.bytes,
            reads: self.kind != WatchKind::Write,
            writes: self.kind != WatchKind::Read,
        }
    }
}
