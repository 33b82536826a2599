//! A program under a debugger: breakpoints and watchpoints, which never touch its memory.

use super::registers::{self, Block, Number, Sh4};
use crate::run::session::{End, Session};
use gdbstub::common::Signal;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::single_register_access::{SingleRegisterAccess, SingleRegisterAccessOps};
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep,
    SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind,
};
use gdbstub::target::{Target, TargetError, TargetResult};
use machine::{Observer, Retired};
use sh4::{Access, Direction};
use std::collections::BTreeSet;

/// Instructions between looks at the connection.
const SLICE: u64 = 1 << 14;
/// An access or an instruction through P0, P1, P2 or P3 is at the same place.
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// Why the program stands still.
pub(crate) enum Pause {
    Stepped,
    Breakpoint,
    Watchpoint(WatchKind, u32),
    /// It has ended, or cannot go on.
    End(End),
    /// Nothing: the connection wants to be looked at.
    Slice,
}

struct Watch {
    address: u32,
    bytes: u32,
    kind: WatchKind,
}

/// See the module's head.
pub(crate) struct Debuggee<'a> {
    session: &'a mut Session,
    /// Instructions that may still run.
    left: u64,
    /// By physical address, and as the debugger wrote them.
    breakpoints: BTreeSet<(u32, u32)>,
    watches: Vec<Watch>,
    stepping: bool,
    /// How it ended, once it has.
    pub(crate) end: Option<End>,
}

/// The data accesses of a step.
#[derive(Default)]
struct Accesses(Vec<Access>);

impl Observer for Accesses {
    fn retire(&mut self, event: &Retired<'_>) {
        self.0.extend(event.accesses);
    }
}

impl<'a> Debuggee<'a> {
    pub(crate) fn new(session: &'a mut Session, max_instructions: u64) -> Self {
        Self {
            session,
            left: max_instructions,
            breakpoints: BTreeSet::new(),
            watches: Vec::new(),
            stepping: false,
            end: None,
        }
    }

    /// Runs until there is something to say, or for a slice.
    pub(crate) fn run(&mut self) -> anyhow::Result<Pause> {
        if self.stepping {
            let pause = self.step()?;
            return Ok(pause.unwrap_or(Pause::Stepped));
        }
        if self.breakpoints.is_empty() && self.watches.is_empty() {
            return Ok(self.go(SLICE, &mut ())?.map_or(Pause::Slice, Pause::End));
        }
        for _ in 0..SLICE {
            if let Some(pause) = self.step()? {
                return Ok(pause);
            }
            if self.is_at_breakpoint() {
                return Ok(Pause::Breakpoint);
            }
        }
        Ok(Pause::Slice)
    }

    fn go<O: Observer>(&mut self, count: u64, observer: &mut O) -> anyhow::Result<Option<End>> {
        if self.left == 0 {
            return Ok(Some(End::Limit));
        }
        let before = self.session.executed;
        let end = self.session.go(count.min(self.left), observer)?;
        self.left = self.left.saturating_sub(self.session.executed - before);
        self.end.clone_from(&end);
        Ok(end)
    }

    /// One instruction, a branch with its slot.
    fn step(&mut self) -> anyhow::Result<Option<Pause>> {
        if self.watches.is_empty() {
            return Ok(self.go(1, &mut ())?.map(Pause::End));
        }
        let mut accesses = Accesses::default();
        let end = self.go(1, &mut accesses)?;
        let hit = accesses.0.iter().find_map(|access| self.watched(access));
        Ok(match (end, hit) {
            (Some(end), _) => Some(Pause::End(end)),
            (None, Some((kind, address))) => Some(Pause::Watchpoint(kind, address)),
            (None, None) => None,
        })
    }

    /// The watchpoint that an access hits, and the first address of it that it touches, as the debugger wrote it.
    fn watched(&self, access: &Access) -> Option<(WatchKind, u32)> {
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
    fn is_at_breakpoint(&mut self) -> bool {
        let pc = self.session.machine.cpu.pc;
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
        let machine = &mut self.session.machine;
        let bytes = (machine.peek(pc), machine.peek(pc.wrapping_add(1)));
        let (Some(low), Some(high)) = bytes else {
            return false;
        };
        let op = sh4::decode(u16::from_le_bytes([low, high]), pc, machine.cpu.mode());
        op.and_then(|op| op.row())
            .is_some_and(|row| row.has(sh4::table::flag::DELAYED))
    }
}

/// The signal that stands for why a program cannot go on.
pub(crate) fn signal(why: &str) -> Signal {
    match () {
        () if why.contains("illegal") || why.contains("undefined") || why.contains("privileged") => {
            Signal::SIGILL
        }
        () if why.contains("FPU") => Signal::SIGFPE,
        () => Signal::SIGSEGV,
    }
}

impl Target for Debuggee<'_> {
    type Arch = Sh4;
    type Error = anyhow::Error;

    fn base_ops(&mut self) -> BaseOps<'_, Sh4, anyhow::Error> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadBase for Debuggee<'_> {
    fn read_registers(&mut self, block: &mut Block) -> TargetResult<(), Self> {
        *block = Block::of(&mut self.session.machine.cpu);
        Ok(())
    }

    fn write_registers(&mut self, block: &Block) -> TargetResult<(), Self> {
        block.put(&mut self.session.machine.cpu);
        Ok(())
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, (), Self>> {
        Some(self)
    }

    /// Without side effects: on-chip registers cannot be read.
    fn read_addrs(&mut self, start: u32, data: &mut [u8]) -> TargetResult<usize, Self> {
        let mut count = 0;
        for (offset, target) in (0..).zip(data.iter_mut()) {
            let Some(byte) = self.session.machine.peek(start.wrapping_add(offset)) else {
                break;
            };
            *target = byte;
            count += 1;
        }
        if count == 0 && !data.is_empty() {
            return Err(TargetError::NonFatal);
        }
        Ok(count)
    }

    fn write_addrs(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        for (offset, byte) in (0..).zip(data) {
            if !self.session.machine.poke(start.wrapping_add(offset), *byte) {
                return Err(TargetError::NonFatal);
            }
        }
        Ok(())
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<()> for Debuggee<'_> {
    fn read_register(&mut self, _: (), number: Number, buffer: &mut [u8]) -> TargetResult<usize, Self> {
        let value = registers::read(&mut self.session.machine.cpu, number.0).ok_or(TargetError::NonFatal)?;
        let target = buffer.get_mut(..4).ok_or(TargetError::NonFatal)?;
        target.copy_from_slice(&value.to_le_bytes());
        Ok(4)
    }

    fn write_register(&mut self, _: (), number: Number, value: &[u8]) -> TargetResult<(), Self> {
        let word = value.first_chunk().ok_or(TargetError::NonFatal)?;
        let written = registers::write(&mut self.session.machine.cpu, number.0, u32::from_le_bytes(*word));
        written.ok_or(TargetError::NonFatal)
    }
}

impl SingleThreadResume for Debuggee<'_> {
    fn resume(&mut self, _signal: Option<Signal>) -> Result<(), anyhow::Error> {
        self.stepping = false;
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Debuggee<'_> {
    fn step(&mut self, _signal: Option<Signal>) -> Result<(), anyhow::Error> {
        self.stepping = true;
        Ok(())
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
