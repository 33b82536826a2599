//! A program under a debugger: breakpoints and watchpoints, which never touch its memory.

use super::registers::{self, Block, Number, Sh4};
use super::watch::Watch;
use crate::run::debug::kos::{Layout, Thread};
use crate::run::session::{End, Session};
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadResume, MultiThreadResumeOps, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::single_register_access::{SingleRegisterAccess, SingleRegisterAccessOps};
use gdbstub::target::ext::breakpoints::{BreakpointsOps, WatchKind};
use gdbstub::target::ext::thread_extra_info::ThreadExtraInfoOps;
use gdbstub::target::{Target, TargetError, TargetResult};
use machine::{Observer, Retired};
use sh4::Access;
use std::collections::BTreeSet;

/// Instructions between looks at the connection.
const SLICE: u64 = 1 << 14;
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

/// See the module's head.
pub(crate) struct Debuggee<'a> {
    pub(super) session: &'a mut Session,
    /// Instructions that may still run.
    left: u64,
    /// By physical address, and as the debugger wrote them.
    pub(super) breakpoints: BTreeSet<(u32, u32)>,
    pub(super) watches: Vec<Watch>,
    stepping: bool,
    /// Where KallistiOS keeps its threads, if the program is KallistiOS's.
    pub(super) layout: Option<Layout>,
    /// The threads when they were last asked for.
    pub(super) threads: Vec<Thread>,
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
    pub(crate) fn new(session: &'a mut Session, max_instructions: u64, layout: Option<Layout>) -> Self {
        Self {
            session,
            left: max_instructions,
            breakpoints: BTreeSet::new(),
            watches: Vec::new(),
            stepping: false,
            layout,
            threads: Vec::new(),
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
        let before = self.session.executed();
        let end = self.session.go(count.min(self.left), observer)?;
        self.left = self.left.saturating_sub(self.session.executed() - before);
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
}

/// The signal that stands for why a program cannot go on.
pub(crate) fn fault_signal(why: &str) -> Signal {
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
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for Debuggee<'_> {
    fn read_registers(&mut self, block: &mut Block, tid: Tid) -> TargetResult<(), Self> {
        *block = self.registers_of(tid).ok_or(TargetError::NonFatal)?;
        Ok(())
    }

    fn write_registers(&mut self, block: &Block, tid: Tid) -> TargetResult<(), Self> {
        self.check_running(tid)?;
        block.put(self.session.cpu());
        Ok(())
    }

    fn list_active_threads(&mut self, thread_is_active: &mut dyn FnMut(Tid)) -> Result<(), anyhow::Error> {
        self.tids().into_iter().for_each(thread_is_active);
        Ok(())
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, Tid, Self>> {
        Some(self)
    }

    /// Memory, and registers whose reading has no effect.
    fn read_addrs(&mut self, start: u32, data: &mut [u8], _: Tid) -> TargetResult<usize, Self> {
        let mut count = 0;
        for (offset, target) in (0..).zip(data.iter_mut()) {
            let Some(byte) = self.peek(start.wrapping_add(offset)) else {
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

    fn write_addrs(&mut self, start: u32, data: &[u8], _: Tid) -> TargetResult<(), Self> {
        for (offset, byte) in (0..).zip(data) {
            if !self.session.console.poke(start.wrapping_add(offset), *byte) {
                return Err(TargetError::NonFatal);
            }
        }
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<Tid> for Debuggee<'_> {
    fn read_register(&mut self, tid: Tid, number: Number, buffer: &mut [u8]) -> TargetResult<usize, Self> {
        let block = self.registers_of(tid).ok_or(TargetError::NonFatal)?;
        let value = block.word(number).ok_or(TargetError::NonFatal)?;
        let target = buffer.get_mut(..4).ok_or(TargetError::NonFatal)?;
        target.copy_from_slice(&value.to_le_bytes());
        Ok(4)
    }

    fn write_register(&mut self, tid: Tid, number: Number, value: &[u8]) -> TargetResult<(), Self> {
        self.check_running(tid)?;
        let word = value.first_chunk().ok_or(TargetError::NonFatal)?;
        let written = registers::write(self.session.cpu(), number.0, u32::from_le_bytes(*word));
        written.ok_or(TargetError::NonFatal)
    }
}

/// There is one CPU: whatever thread is named, it is the CPU that continues or steps.
impl MultiThreadResume for Debuggee<'_> {
    fn resume(&mut self) -> Result<(), anyhow::Error> {
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), anyhow::Error> {
        self.stepping = false;
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> Result<(), anyhow::Error> {
        Ok(())
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSingleStep for Debuggee<'_> {
    fn set_resume_action_step(&mut self, _: Tid, _: Option<Signal>) -> Result<(), anyhow::Error> {
        self.stepping = true;
        Ok(())
    }
}

/// A debugger that steps one thread asks for the others to stand still. The program's own scheduler
/// decides: it runs on the same CPU.
impl MultiThreadSchedulerLocking for Debuggee<'_> {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), anyhow::Error> {
        Ok(())
    }
}
