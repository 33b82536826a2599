//! Breakpoints and watchpoints.

use super::debuggee::Debuggee;
use super::watch::Watch;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use sh4::{Access, Direction};

/// An access or an instruction through P0, P1, P2 or P3 is at the same place.
const PHYSICAL: u32 = 0x1FFF_FFFF;

impl Debuggee<'_> {
    /// The watchpoint that an access hits, and the first address of it that it touches, as the debugger wrote
    /// it.
    pub(super) fn watched(&self, access: &Access) -> Option<(WatchKind, u32)> {
        self.watches.iter().find_map(|watch| {
            let kind = match watch.kind {
                WatchKind::Read => access.direction == Direction::Read,
                WatchKind::Write => access.direction == Direction::Write,
                WatchKind::ReadWrite => true,
            };
            let into = (access.address & PHYSICAL).saturating_sub(watch.address & PHYSICAL);
            let before = (watch.address & PHYSICAL).saturating_sub(access.address & PHYSICAL);
            let overlaps = into < watch.bytes && before < access.size.into();
            (kind && overlaps && access.size <= 8).then(|| (watch.kind, watch.address.wrapping_add(into)))
        })
    }

    /// A breakpoint in a delay slot stops before the branch: the two are never parted.
    pub(super) fn is_at_breakpoint(&mut self) -> bool {
        let pc = self.session.console.cpu.pc;
        let there = |pc: u32| {
            let place = pc & PHYSICAL;
            self.breakpoints
                .range((place, 0)..=(place, u32::MAX))
                .next()
                .is_some()
        };
        let (here, behind) = (there(pc), there(pc.wrapping_add(2)));
        here || behind && self.is_delayed_branch(pc)
    }

    fn is_delayed_branch(&mut self, pc: u32) -> bool {
        let machine = &mut self.session.console;
        let bytes = (machine.peek(pc), machine.peek(pc.wrapping_add(1)));
        let (Some(low), Some(high)) = bytes else {
            return false;
        };
        let op = sh4::decode(u16::from_le_bytes([low, high]), pc, machine.cpu.mode());
        op.and_then(|op| op.row())
            .is_some_and(|row| row.has(sh4::table::flag::DELAYED))
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
    /// Instructions are at even addresses.
    fn add_breakpoint(&mut self, address: u32) -> bool {
        let even = address & 1 == 0;
        if even {
            self.breakpoints.insert((address & PHYSICAL, address));
        }
        even
    }

    fn remove_breakpoint(&mut self, address: u32) -> bool {
        self.breakpoints.remove(&(address & PHYSICAL, address))
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
        self.watches.push(Watch { address, bytes, kind });
        Ok(bytes > 0)
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
