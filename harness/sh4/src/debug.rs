//! Stops for a debugger: breakpoints, and exceptions that the CPU has not taken yet.
//!
//! A breakpoint costs time only in the decoded blocks that contain it. Such a block has a key that never
//! equals the CPU's key. Neither the run loop nor an accelerator therefore finds it, and `prepare` runs it in
//! parts.

use crate::block::{BasicBlock, BlockCache};
use crate::cpu::sr;
use crate::exception::Event;
use crate::stop::Stop;
use crate::{Cpu, Exceptions};
use std::collections::BTreeSet;

/// The address bits that breakpoints compare: P0 to P3 show the same code.
pub const PHYSICAL: u32 = 0x1FFF_FFFF;

/// Exceptions that stop a run before the CPU takes them ([`Stop::Caught`]). Interrupts and user breaks never
/// stop a run in this way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Catch {
    /// None.
    #[default]
    Nothing,
    /// Exceptions that reset the CPU.
    Resets,
    /// All.
    All,
}

/// State that a debugger sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Debug {
    /// Physical addresses.
    breakpoints: BTreeSet<u32>,
    catch: Catch,
    /// Address of the breakpoint that the next instruction passes.
    passed_breakpoint: Option<u32>,
    /// Address of the instruction at which the last run stopped, before its exception.
    caught_exception: Option<u32>,
    /// Address of the instruction that takes its exception once without a stop.
    passed_exception: Option<u32>,
}

impl Cpu {
    /// Replaces the breakpoints, physical addresses of instructions. A run stops before such an instruction,
    /// and before the branch if the instruction is in a delay slot ([`Stop::Breakpoint`]).
    ///
    /// The decoded blocks are discarded. An accelerator has to be replaced too.
    pub fn set_breakpoints(&mut self, breakpoints: BTreeSet<u32>) {
        self.debug.breakpoints = breakpoints;
        self.blocks = BlockCache::default();
    }

    /// The breakpoints.
    #[must_use]
    pub fn breakpoints(&self) -> &BTreeSet<u32> {
        &self.debug.breakpoints
    }

    /// Chooses the exceptions that stop a run.
    pub fn catch_exceptions(&mut self, catch: Catch) {
        self.debug.catch = catch;
    }

    /// Lets the next run pass the breakpoint of the instruction at the program counter, and its exception if
    /// the last run stopped before it.
    pub fn pass_stops(&mut self) {
        let caught = self.debug.caught_exception.take();
        self.debug.passed_exception = caught.filter(|pc| *pc == self.pc);
        self.debug.passed_breakpoint = Some(self.pc);
    }

    /// Stops the next run again before the exception at which the last run stopped, if it still occurs.
    pub fn retry_exception(&mut self) {
        self.debug.caught_exception = None;
    }

    /// Lets the next run take the exception of the instruction at the program counter.
    pub fn pass_exception(&mut self) {
        (self.debug.caught_exception, self.debug.passed_exception) = (None, Some(self.pc));
    }

    /// Registers before the last exception or interrupt, if no instruction has run since. The program counter
    /// is the instruction that raised it, in a delay slot too.
    #[must_use]
    pub fn before_exception(&self) -> Cpu {
        let mut cpu = self.clone();
        cpu.set_sr(self.ssr);
        cpu.pc = self.raised_at;
        cpu
    }

    /// Copies the state of another CPU. Breakpoints stay. Decoded blocks stay too, because the bus notices
    /// changed code.
    pub fn restore(&mut self, saved: &Cpu) {
        let (blocks, debug) = (std::mem::take(&mut self.blocks), std::mem::take(&mut self.debug));
        *self = saved.clone();
        (self.blocks, self.debug) = (blocks, debug);
        self.debug.passed_breakpoint = None;
        (self.debug.caught_exception, self.debug.passed_exception) = (None, None);
        self.refresh_key();
    }

    /// Returns whether a breakpoint is at the program counter.
    pub(crate) fn is_at_breakpoint(&self) -> bool {
        !self.debug.breakpoints.is_empty()
            && self.debug.passed_breakpoint != Some(self.pc)
            && self.debug.breakpoints.contains(&(self.pc & PHYSICAL))
    }

    /// Returns whether a breakpoint is on an instruction of `code`.
    pub(crate) fn breaks_in(&self, code: &BasicBlock) -> bool {
        !self.debug.breakpoints.is_empty() && self.breaks(code).next().is_some()
    }

    /// Returns the address before which a run of `code` from its start must stop; an error if it is the
    /// start.
    pub(crate) fn next_break(&mut self, code: &BasicBlock) -> Result<Option<u32>, Stop> {
        let passed = self.debug.passed_breakpoint.take() == Some(code.start);
        let mut breaks = self.breaks(code);
        let first = breaks.next();
        if first == Some(0) && !passed {
            return Err(Stop::Breakpoint);
        }
        let next = first.into_iter().chain(breaks).find(|distance| *distance > 0);
        Ok(next.map(|distance| code.start.wrapping_add(distance)))
    }

    /// Returns the offsets of breakpoints from the start of `code`. A breakpoint in the delay slot counts as
    /// one on the branch.
    fn breaks(&self, code: &BasicBlock) -> impl Iterator<Item = u32> {
        let (start, bytes) = (code.start & PHYSICAL, code.end.wrapping_sub(code.start));
        let slot = if code.slot { bytes.wrapping_sub(2) } else { bytes };
        let inside = self.debug.breakpoints.range(start..start.saturating_add(bytes));
        inside.map(move |address| match address - start {
            distance if distance == slot => distance.saturating_sub(2),
            distance => distance,
        })
    }

    /// Returns the stop before `event` of the instruction at `place`, if the debugger requested it. The
    /// program counter is then the value that the exception would save.
    pub(crate) fn caught(&mut self, event: Event, place: u32) -> Option<Stop> {
        let resets = event.resets() || self.status & sr::BL != 0;
        let wanted = match self.debug.catch {
            Catch::Nothing => false,
            Catch::Resets => resets,
            Catch::All => true,
        };
        if !wanted || self.settings().exceptions == Exceptions::Stop {
            return None;
        }
        if self.debug.passed_exception.take() == Some(self.pc) {
            return None;
        }
        self.debug.caught_exception = Some(self.pc);
        Some(Stop::Caught {
            event,
            pc: place,
            resets,
        })
    }
}
