//! A debugged program. Breakpoints and watchpoints do not modify its memory.

use super::Program;
use super::history::{History, HistoryStop};
use super::registers::{self, Block, Number, Sh4};
use super::watch::Watch;
use crate::run::debug::kos::{Layout, Thread};
use crate::run::session::{End, Position, Session, SessionSnapshot};
use crate::run::window::{DebugWindow, Shown};
use dreamcast::debug::{DebugStop, ExceptionSet};
use gdbstub::arch::Registers;
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{MultiThreadBase, MultiThreadResumeOps};
use gdbstub::target::ext::base::single_register_access::{SingleRegisterAccess, SingleRegisterAccessOps};
use gdbstub::target::ext::breakpoints::{BreakpointsOps, WatchKind};
use gdbstub::target::ext::exec_file::ExecFileOps;
use gdbstub::target::ext::extended_mode::ExtendedModeOps;
use gdbstub::target::ext::memory_map::MemoryMapOps;
use gdbstub::target::ext::monitor_cmd::MonitorCmdOps;
use gdbstub::target::ext::thread_extra_info::ThreadExtraInfoOps;
use gdbstub::target::{Target, TargetError, TargetResult};
use sh4::Event;
use std::collections::BTreeSet;

/// Maximum number of instructions between two polls of the connection.
const SLICE: u64 = 1 << 18;
/// Maximum number of steps between two polls, when stepping over a range of addresses.
const STEPS: u64 = 1 << 12;

/// Reason for a pause of the program.
pub(crate) enum Pause {
    Stepped,
    Breakpoint,
    Watchpoint(WatchKind, u32),
    /// The CPU is about to take an exception.
    Exception(Event),
    /// A rule of `--check` was broken.
    Check,
    /// Start of the recorded history.
    HistoryBegin,
    /// The program has ended, or cannot continue.
    End(End),
    /// Time to poll the connection.
    Slice,
}

/// Mode of resuming the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resume {
    Continue,
    Step,
    /// Steps until the program counter leaves the address range.
    StepRange(u32, u32),
    /// Runs back to the last breakpoint or watchpoint.
    Back,
    StepBack,
}

/// State of a debugged program.
pub(crate) struct Debuggee<'a> {
    pub(super) session: &'a mut Session,
    /// Number of instructions until the limit.
    left: u64,
    /// Breakpoints at the debugger's addresses.
    pub(super) breakpoints: BTreeSet<u32>,
    pub(super) watches: Vec<Watch>,
    pub(super) resume: Resume,
    /// Execution history, if the run can be repeated.
    pub(super) history: Option<History>,
    /// Set after the debugger has changed registers or memory, so that the history must restart.
    changed: bool,
    /// Set if the program has not run since the debugger resumed it.
    pub(super) fresh: bool,
    /// Address of the delay slot at which the program has stopped. The CPU's program counter is at the
    /// branch.
    pub(super) slot: Option<u32>,
    pub(super) exceptions: ExceptionSet,
    /// Messages for the user of the debugger.
    pub(super) messages: Vec<String>,
    /// Set if messages contain new broken rules.
    pub(super) tells_findings: bool,
    /// Number of broken rules that already have a message, or were skipped after `monitor checks off`.
    findings: usize,
    /// Location and layout of KallistiOS's threads, if the program uses KallistiOS.
    pub(super) layout: Option<Layout>,
    /// Threads at the last request.
    pub(super) threads: Vec<Thread>,
    /// Path of the program.
    pub(super) program: String,
    /// The program, if it is no disc.
    pub(super) elf: &'a [u8],
    /// See [`Program::may_use_files`].
    pub(super) may_use_files: bool,
    /// End of the program, after it has ended.
    pub(crate) end: Option<End>,
    /// Initial state of the program, and initial value of `left`.
    start: (SessionSnapshot, u64),
    /// gdb uses `target extended-remote`.
    pub(super) extended: bool,
}

impl<'a> Debuggee<'a> {
    pub(crate) fn new(
        session: &'a mut Session,
        program: &Program<'a>,
        history: usize,
        layout: Option<Layout>,
    ) -> Self {
        let history = (history > 0).then(|| History::new(session, history));
        Self {
            start: (session.snapshot(None), program.max_instructions),
            extended: false,
            history,
            changed: true,
            session,
            left: program.max_instructions,
            breakpoints: BTreeSet::new(),
            watches: Vec::new(),
            resume: Resume::Continue,
            fresh: false,
            slot: None,
            exceptions: ExceptionSet::default(),
            messages: Vec::new(),
            tells_findings: true,
            findings: 0,
            layout,
            threads: Vec::new(),
            program: program.path.clone(),
            elf: program.bytes,
            may_use_files: program.may_use_files,
            end: None,
        }
    }

    /// Runs until there is a reason to stop, or for a slice.
    pub(crate) fn run(&mut self) -> anyhow::Result<Pause> {
        if std::mem::take(&mut self.fresh) {
            (self.slot, self.end) = (None, None);
            if std::mem::take(&mut self.changed)
                && let Some(history) = &mut self.history
            {
                history.renew(self.session);
            }
            let console = &mut self.session.console;
            let watches = self.watches.iter().map(Watch::point).collect();
            console.set_watchpoints(watches);
            if matches!(self.resume, Resume::Continue | Resume::Back) {
                // A step needs no breakpoints. Leaving the console's breakpoints unchanged keeps compiled
                // code valid.
                console.set_breakpoints(self.breakpoints.iter().copied());
            }
            console.pass_stops();
        }
        match self.resume {
            Resume::Continue => Ok(self.go(SLICE)?.unwrap_or(Pause::Slice)),
            Resume::Step => self.step(),
            Resume::Back | Resume::StepBack => Ok(self.go_back()),
            Resume::StepRange(start, end) => {
                for _ in 0..STEPS {
                    let pause = self.step()?;
                    let pc = self.session.cpu().pc;
                    if !matches!(pause, Pause::Stepped) || !(start..end).contains(&pc) {
                        return Ok(pause);
                    }
                    if self.is_at_breakpoint(pc) {
                        return Ok(Pause::Breakpoint);
                    }
                    self.session.console.pass_stops();
                }
                Ok(Pause::Slice)
            }
        }
    }

    /// Runs one instruction; a branch together with its delay slot.
    fn step(&mut self) -> anyhow::Result<Pause> {
        Ok(match self.go(1)? {
            // An interrupt occurred, and its handler begins with a breakpoint.
            None | Some(Pause::Breakpoint) => Pause::Stepped,
            Some(pause) => pause,
        })
    }

    /// Runs back in the history.
    fn go_back(&mut self) -> Pause {
        let Some(history) = &mut self.history else {
            return Pause::HistoryBegin;
        };
        let watches: Vec<_> = self.watches.iter().map(Watch::point).collect();
        let past = match self.resume {
            Resume::Back => history.go_back(self.session, &mut |session| {
                session.console.set_watchpoints(watches.clone());
            }),
            _ => history.step(self.session),
        };
        match past {
            HistoryStop::Stop if self.resume == Resume::Back => Pause::Breakpoint,
            HistoryStop::Stop => Pause::Stepped,
            HistoryStop::Watchpoint(hit) => self.pause(End::Debug(DebugStop::Watchpoint(hit))),
            HistoryStop::Begin => Pause::HistoryBegin,
        }
    }

    /// Records that the debugger has changed registers or memory. The change may mend the cause of an
    /// exception.
    pub(super) fn changed(&mut self) {
        self.changed = true;
        self.session.cpu().retry_exception();
    }

    /// Repeats at most `count` recorded instructions; `None` if the current position is not in the history.
    fn repeat(&mut self, count: u64) -> Option<Option<Pause>> {
        let future = self.history.as_ref()?.future(self.session)?;
        let near = Position {
            retired: self.session.executed() + count,
            time: dreamcast::Cycles(0),
        };
        let before = self.session.position();
        let stop = self.session.replay(near.min(future));
        if stop.is_none() && self.session.position() == before {
            return None;
        }
        self.tell_findings(stop == Some(End::Check));
        Some(stop.map(|stop| self.pause(stop)))
    }

    /// Runs at most `count` instructions.
    fn go(&mut self, count: u64) -> anyhow::Result<Option<Pause>> {
        if let Some(pause) = self.repeat(count) {
            return Ok(pause);
        }
        if self.left == 0 {
            return Ok(Some(Pause::End(End::Limit)));
        }
        let before = self.session.executed();
        let end = self.session.go_in_frame(count.min(self.left))?;
        self.left = self.left.saturating_sub(self.session.executed() - before);
        if let Some(history) = &mut self.history {
            history.advance(self.session);
        }
        self.tell_findings(end == Some(End::Check));
        Ok(end.map(|end| self.pause(end)))
    }

    /// Adds messages for broken rules since the last call. If the last one stops the program, its message is
    /// never left out.
    fn tell_findings(&mut self, stops: bool) {
        let (findings, _) = self.session.console.findings();
        let last = findings.len().saturating_sub(usize::from(stops));
        let begin = match self.tells_findings {
            true => self.findings.min(last),
            false => last,
        };
        let new = findings[begin..].iter();
        self.messages
            .extend(new.map(|finding| self.session.describe_finding(finding)));
        self.findings = self.findings.max(findings.len());
    }

    fn pause(&mut self, end: End) -> Pause {
        match end {
            End::Debug(DebugStop::Breakpoint) => Pause::Breakpoint,
            End::Debug(DebugStop::Watchpoint(hit)) => {
                match hit.event {
                    Some(event) => self.messages.push(format!("written by {}", event.source())),
                    None if !hit.by_cpu => self.messages.push("written by the firmware".to_owned()),
                    None => {}
                }
                let kind = self.watches.get(hit.index).map(|watch| watch.kind);
                Pause::Watchpoint(kind.unwrap_or(WatchKind::ReadWrite), hit.address)
            }
            End::Debug(DebugStop::Exception { event, pc }) => {
                let (cpu, place) = (&self.session.console.cpu, self.session.name(pc));
                self.slot = (pc != cpu.pc && !matches!(event, Event::Trapa { .. })).then_some(pc);
                let blocked = match cpu.sr() & sh4::sr::BL {
                    0 => "",
                    _ => "; SR.BL = 1: continuing resets the CPU",
                };
                self.messages
                    .push(format!("before the exception {event} at {place}{blocked}"));
                Pause::Exception(event)
            }
            End::Check => Pause::Check,
            end => {
                if matches!(end, End::Fault(_)) {
                    // If a delay slot failed, the console's CPU is at the branch, and the stopped CPU is at
                    // the slot.
                    let slot = self.session.console.cpu.pc.wrapping_add(2);
                    self.slot = (self.session.stopped_cpu().pc == slot).then_some(slot);
                }
                self.end = Some(end.clone());
                Pause::End(end)
            }
        }
    }

    /// Prepares the program for a debugger that has connected.
    pub(super) fn attach(&mut self) {
        self.extended = false;
        let exceptions = Some(self.exceptions);
        self.session.console.stop_at_exceptions(exceptions);
    }

    /// Removes the debugger's breakpoints and watchpoints. The program can run without a debugger.
    pub(super) fn release(&mut self) {
        self.breakpoints.clear();
        self.watches.clear();
        self.session.console.stop_at_exceptions(None);
        (self.resume, self.fresh) = (Resume::Continue, true);
    }

    /// Shows the program in its window, and handles the window's keys.
    pub(super) fn show(&mut self, window: &mut DebugWindow, runs: bool) -> anyhow::Result<Shown> {
        let shown = window.show(self.session, runs)?;
        match shown {
            Shown::Loaded => {
                self.jumped();
                self.fresh = true;
            }
            Shown::Back => {
                if let Some(history) = &mut self.history {
                    history.rewind(self.session);
                }
                self.slot = None;
            }
            Shown::Picture | Shown::Held => {}
        }
        Ok(shown)
    }

    /// Forgets how the program stopped, after its state has been replaced.
    pub(super) fn jumped(&mut self) {
        (self.slot, self.end) = (None, None);
        self.changed();
    }

    /// Begins the program again.
    pub(super) fn begin_again(&mut self) {
        self.session.restore(&self.start.0);
        self.left = self.start.1;
        self.jumped();
    }

    /// Sets the program counter.
    pub(super) fn set_pc(&mut self, address: u32) {
        self.slot = None;
        self.session.cpu().pc = address;
        self.changed();
    }
}

/// Returns the signal for an exception.
pub(crate) fn exception_signal(event: Event) -> Signal {
    match event {
        Event::Illegal | Event::SlotIllegal => Signal::SIGILL,
        Event::FpuDisabled | Event::SlotFpuDisabled | Event::FpuException => Signal::SIGFPE,
        Event::Trapa { .. } | Event::UserBreak => Signal::SIGTRAP,
        _ => Signal::SIGSEGV,
    }
}

/// Returns the signal for the reason why a program cannot continue.
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

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_exec_file(&mut self) -> Option<ExecFileOps<'_, Self>> {
        Some(self)
    }

    fn support_memory_map(&mut self) -> Option<MemoryMapOps<'_, Self>> {
        Some(self)
    }

    fn support_extended_mode(&mut self) -> Option<ExtendedModeOps<'_, Self>> {
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
        let before = self.registers_of(tid).ok_or(TargetError::NonFatal)?;
        if block.pc() != before.pc() {
            self.slot = None;
        }
        block.put(&before, self.session.cpu());
        self.changed();
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

    /// Reads memory, and registers without side effects on reading.
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
        let console = &mut self.session.console;
        let pokes = (0..).zip(data);
        let poked = pokes
            .take_while(|(offset, byte)| console.poke(start.wrapping_add(*offset), **byte))
            .count();
        let written = match poked {
            0 if !data.is_empty() => console.write_register(start, data),
            _ => poked == data.len(),
        };
        self.changed();
        if written {
            Ok(())
        } else {
            Err(TargetError::NonFatal)
        }
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
        if number.0 == registers::PC {
            self.slot = None;
        }
        let written = registers::write(self.session.cpu(), number.0, u32::from_le_bytes(*word));
        self.changed();
        written.ok_or(TargetError::NonFatal)
    }
}
