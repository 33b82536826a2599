//! Runs of an engine: in long slices without hooks on instructions, one instruction at a time with them.

use std::time::{Duration, Instant};

use crate::hooked::Hooked;
use crate::{Engine, EngineError, MemoryError, MemoryEvent};
use sh4::table::flag;
use sh4::{Bus, Direction, Event, Fault, FaultKind, Observer, Op, Retired, Run, Stop, Taken, decode};

/// Instructions between two checks of the clock and the stop handle, without hooks on instructions.
const SLICE: u64 = 1 << 16;
/// The same with hooks on instructions.
const STEPS: u64 = 256;
/// Instructions a block, at most, as the CPU cuts them.
const LONGEST_BLOCK: u32 = 64;

/// Why a run ended in good order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The program counter is `until`.
    Until,
    /// `count` instructions have run.
    Count,
    /// The time is over.
    Timeout,
    /// [`StopHandle::emu_stop`](crate::StopHandle::emu_stop).
    Stopped,
    /// SLEEP, with no interrupt to be accepted.
    Sleep,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Why.
    pub reason: Reason,
    /// Instructions that ran.
    pub executed: u64,
}

/// Collects the exceptions that were entered.
#[derive(Default)]
struct Entries(Vec<u32>);

impl Observer for Entries {
    fn retire(&mut self, _event: &Retired<'_>) {}

    fn taken(&mut self, taken: &Taken) {
        self.0.push(taken.event.code());
    }
}

/// A run under way.
struct Session {
    until: u32,
    /// Instructions that may still run.
    left: u64,
    executed: u64,
    deadline: Option<Instant>,
    /// What was handled last, and after how many instructions: the same again is not handled.
    handled: Option<(Stop, u64)>,
    /// The next instruction begins a block.
    block: bool,
}

impl Engine {
    /// Runs from `begin` until the program counter is `until`, `timeout` is over, `count` instructions have
    /// run or the program stops. As in Unicorn a `timeout` of zero and a `count` of 0 are no limit. What a
    /// hook takes care of counts as one instruction more, so that `count` ends every run.
    ///
    /// # Errors
    /// [`EngineError::Stopped`] if the program stopped for a reason that no hook took care of; the program
    /// counter is at the instruction.
    pub fn emu_start(
        &mut self,
        begin: u32,
        until: u32,
        timeout: Duration,
        count: u64,
    ) -> Result<Ended, EngineError> {
        self.cpu.pc = begin;
        self.stop.take();
        let mut session = Session {
            until,
            left: if count == 0 { u64::MAX } else { count },
            executed: 0,
            deadline: (!timeout.is_zero())
                .then(|| Instant::now().checked_add(timeout))
                .flatten(),
            handled: None,
            block: true,
        };
        loop {
            if let Some(reason) = self.go_on(&mut session)? {
                let executed = session.executed;
                return Ok(Ended { reason, executed });
            }
        }
    }

    /// Runs a slice, or steps; a reason if that was the end.
    fn go_on(&mut self, session: &mut Session) -> Result<Option<Reason>, EngineError> {
        if session
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Ok(Some(Reason::Timeout));
        }
        if !self.hooks.need_steps() {
            if let Some(reason) = self.over(session) {
                return Ok(Some(reason));
            }
            let slice = session.left.min(SLICE);
            return self.run_for(session, Some(session.until), slice);
        }
        for _ in 0..STEPS {
            if let Some(reason) = self.over(session) {
                return Ok(Some(reason));
            }
            if let Some(reason) = self.step_hooked(session)? {
                return Ok(Some(reason));
            }
        }
        Ok(None)
    }

    fn over(&self, session: &Session) -> Option<Reason> {
        if self.stop.take() {
            return Some(Reason::Stopped);
        }
        if self.cpu.pc == session.until {
            return Some(Reason::Until);
        }
        (session.left == 0).then_some(Reason::Count)
    }

    fn step_hooked(&mut self, session: &mut Session) -> Result<Option<Reason>, EngineError> {
        let pc = self.cpu.pc;
        if session.block && self.hooks.need_blocks() {
            let size = self.block_size(pc);
            self.call_block(pc, size);
        }
        let slot = has(self.op(pc), flag::DELAYED);
        self.call_fetch(pc);
        if slot && self.cpu.pc == pc {
            self.call_fetch(pc.wrapping_add(2));
        }
        session.block = has(self.op(pc), flag::BRANCH);
        // A hook may have ended the run, or gone elsewhere.
        if self.cpu.pc != pc || self.stop.peek() {
            session.block = true;
            return Ok(None);
        }
        let before = session.executed;
        let end = self.run_for(session, None, 1);
        let straight = pc.wrapping_add(2 * (session.executed - before) as u32);
        session.block |= self.cpu.pc != straight;
        end
    }

    fn call_fetch(&mut self, pc: u32) {
        let event = MemoryEvent {
            direction: Direction::Fetch,
            address: pc,
            size: 2,
            value: 0,
            pc,
        };
        self.hooks.call_memory(&mut self.memory, &event);
        self.call_code(pc);
    }

    fn op(&mut self, pc: u32) -> Option<Op> {
        decode(self.memory.fetch(pc).ok()?, pc, self.cpu.mode())
    }

    /// Bytes up to the first branch and its slot.
    fn block_size(&mut self, pc: u32) -> u32 {
        let ends = flag::BRANCH | flag::LAST | flag::MODE;
        let mut count = 0;
        while count < LONGEST_BLOCK {
            let op = self.op(pc.wrapping_add(2 * count));
            count += 1;
            if op.is_none() || has(op, ends) {
                count += u32::from(has(op, flag::DELAYED));
                break;
            }
        }
        2 * count
    }

    /// Lets the CPU run, and deals with what stopped it.
    fn run_for(
        &mut self,
        session: &mut Session,
        until: Option<u32>,
        count: u64,
    ) -> Result<Option<Reason>, EngineError> {
        let mut bus = Hooked {
            pc: self.cpu.pc,
            memory: &mut self.memory,
            hooks: &mut self.hooks,
            stored: None,
        };
        let mut entries = Entries::default();
        let run = if bus.hooks.hear_interrupts() {
            self.cpu.run(&mut bus, until, count, &mut entries)
        } else {
            self.cpu.run(&mut bus, until, count, &mut ())
        };
        let stored = bus.stored;
        session.executed += run.executed;
        session.left = session.left.saturating_sub(run.executed);
        for code in entries.0 {
            if !self.call_interrupt(code) {
                return Ok(Some(Reason::Stopped));
            }
        }
        self.deal_with(session, run, stored)
    }

    fn deal_with(
        &mut self,
        session: &mut Session,
        run: Run,
        stored: Option<MemoryEvent>,
    ) -> Result<Option<Reason>, EngineError> {
        match run.stop {
            Stop::Limit => return Ok(None),
            Stop::Until => return Ok(Some(Reason::Until)),
            Stop::Sleep => return Ok(Some(Reason::Sleep)),
            _ => {}
        }
        let now = (run.stop, session.executed);
        let again = session.handled.replace(now) == Some(now);
        let handled = match run.stop {
            _ if again => false,
            Stop::Trapa { imm } => self.call_interrupt(Event::Trapa { imm }.code()),
            Stop::Exception(event) => self.call_interrupt(event.code()),
            Stop::Fault(fault) => self.deal_with_fault(&fault, stored),
            _ => false,
        };
        if handled {
            session.block = true;
            session.left = session.left.saturating_sub(1);
            return Ok(None);
        }
        Err(EngineError::Stopped {
            stop: run.stop,
            executed: session.executed,
        })
    }

    fn deal_with_fault(&mut self, fault: &Fault, stored: Option<MemoryEvent>) -> bool {
        match fault.kind {
            FaultKind::Bus { direction, error } => {
                let address = fault.address.unwrap_or(fault.pc);
                let plain = MemoryEvent {
                    direction,
                    address,
                    size: if direction == Direction::Fetch { 2 } else { 0 },
                    value: 0,
                    pc: fault.pc,
                };
                let same = stored.filter(|event| direction == Direction::Write && event.address == address);
                let event = same.unwrap_or(plain);
                self.call_error(&MemoryError { event, error })
            }
            FaultKind::Undefined
            | FaultKind::Privileged
            | FaultKind::SlotIllegal
            | FaultKind::FpuUndefined
                if self.call_invalid() =>
            {
                true
            }
            _ => Event::of(fault).is_some_and(|event| self.call_interrupt(event.code())),
        }
    }
}

fn has(op: Option<Op>, flags: u8) -> bool {
    op.and_then(Op::row).is_some_and(|row| row.has(flags))
}
