//! A watchpoint.

use gdbstub::target::ext::breakpoints::WatchKind;

/// Bytes that the debugger watches.
pub(super) struct Watch {
    pub(super) address: u32,
    pub(super) bytes: u32,
    pub(super) kind: WatchKind,
}
