//! Requests of the debugger to run on, or back.

use super::debuggee::{Debuggee, Resume};
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::multithread::{
    MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps};

/// The single CPU continues or steps, for any thread that the debugger names.
impl MultiThreadResume for Debuggee<'_> {
    fn resume(&mut self) -> Result<(), anyhow::Error> {
        self.fresh = true;
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), anyhow::Error> {
        self.resume = Resume::Continue;
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> Result<(), anyhow::Error> {
        Ok(())
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        if self.history.is_some() { Some(self) } else { None }
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        if self.history.is_some() { Some(self) } else { None }
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSingleStep for Debuggee<'_> {
    fn set_resume_action_step(&mut self, _: Tid, _: Option<Signal>) -> Result<(), anyhow::Error> {
        self.resume = Resume::Step;
        Ok(())
    }
}

impl ReverseStep<Tid> for Debuggee<'_> {
    fn reverse_step(&mut self, _: Tid) -> Result<(), anyhow::Error> {
        (self.resume, self.fresh) = (Resume::StepBack, true);
        Ok(())
    }
}

impl ReverseCont<Tid> for Debuggee<'_> {
    fn reverse_cont(&mut self) -> Result<(), anyhow::Error> {
        (self.resume, self.fresh) = (Resume::Back, true);
        Ok(())
    }
}

impl MultiThreadRangeStepping for Debuggee<'_> {
    fn set_resume_action_range_step(&mut self, _: Tid, start: u32, end: u32) -> Result<(), anyhow::Error> {
        self.resume = Resume::StepRange(start, end);
        Ok(())
    }
}

/// A debugger that steps one thread requests the others to stop. The program's own scheduler decides,
/// because all threads share one CPU.
impl MultiThreadSchedulerLocking for Debuggee<'_> {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), anyhow::Error> {
        Ok(())
    }
}
