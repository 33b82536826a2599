//! Breakpoints and watchpoints.

use super::debuggee::Debuggee;
use super::watch::Watch;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use sh4::debug::PHYSICAL;

/// Maximum number of breakpoints, and of watchpoints.
const MOST: usize = 1 << 16;

impl Debuggee<'_> {
    /// Returns whether a breakpoint is at this address, in any area.
    pub(super) fn is_at_breakpoint(&self, pc: u32) -> bool {
        (0..8).any(|area| self.breakpoints.contains(&(area << 29 | pc & PHYSICAL)))
    }
}

impl Breakpoints for Debuggee<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl Debuggee<'_> {
    /// Adds a breakpoint. Instructions are at even addresses.
    fn add_breakpoint(&mut self, address: u32) -> bool {
        let taken = address & 1 == 0 && self.breakpoints.len() < MOST;
        if taken {
            self.breakpoints.insert(address);
        }
        taken
    }

    fn remove_breakpoint(&mut self, address: u32) -> bool {
        self.breakpoints.remove(&address)
    }
}

impl SwBreakpoint for Debuggee<'_> {
    fn add_sw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

impl HwBreakpoint for Debuggee<'_> {
    fn add_hw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_hw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

impl HwWatchpoint for Debuggee<'_> {
    fn add_hw_watchpoint(&mut self, address: u32, bytes: u32, kind: WatchKind) -> TargetResult<bool, Self> {
        let taken = bytes > 0 && self.watches.len() < MOST;
        if taken {
            self.watches.push(Watch { address, bytes, kind });
        }
        Ok(taken)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        bytes: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let wanted = |watch: &Watch| (watch.address, watch.bytes, watch.kind) == (address, bytes, kind);
        let Some(index) = self.watches.iter().position(wanted) else {
            return Ok(false);
        };
        self.watches.remove(index);
        Ok(true)
    }
}
