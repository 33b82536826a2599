//! The loop over regions. `choose` decides what is compiled and when; `learn` changes later compilations.

mod choose;
mod learn;

use crate::block_profile::BlockProfile;
use crate::compile::Compiler;
use crate::compiled::Region;
use crate::host::{RegionExit, Running, Thunks, WindowShape};
use crate::profitability::RegionRun;
use crate::region::Mode;
use crate::slots::{Discarded, Slots};
use crate::{Options, Statistics, Unsupported};
use sh4::accelerate::{Accelerator, Answer, Blocks, Entered, Limit, Offer, ResumePoint};
use sh4::{Bus, Cpu, fpscr};
use std::sync::Arc;

/// Compiles regions of guest code that run often, and runs them: an accelerator for
/// [`Cpu::run_accelerated`](sh4::Cpu::run_accelerated).
pub struct Recompiler<B: Bus> {
    options: Options,
    compiler: Compiler,
    thunks: Thunks,
    slots: Slots,
    regions: Vec<Result<Region<B>, Discarded>>,
    block_profile: BlockProfile,
    /// The region that has just led to code that is not compiled.
    from: Option<usize>,
    /// Consecutive declined offers.
    declined: u32,
    shape: Option<WindowShape>,
    statistics: Statistics,
}

impl<B: Bus> Recompiler<B> {
    /// A recompiler without regions.
    ///
    /// # Errors
    /// If the host is not supported.
    pub fn new(options: Options) -> Result<Recompiler<B>, Unsupported> {
        Ok(Recompiler {
            options,
            compiler: Compiler::new().map_err(Unsupported)?,
            thunks: Thunks::of::<B>(),
            slots: Slots::new(options.hot),
            regions: Vec::new(),
            block_profile: BlockProfile::default(),
            from: None,
            declined: 0,
            shape: None,
            statistics: Statistics::default(),
        })
    }

    /// The counts so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn forget(&mut self) {
        self.slots.clear();
        self.regions.clear();
        self.block_profile.clear();
        self.from = None;
    }

    /// The current region at the program counter.
    fn region(&mut self, cpu: &Cpu, bus: &B, mode: Mode) -> Option<usize> {
        let index = self.slots.get(cpu.pc, mode)?.region? as usize;
        let region = self.regions.get_mut(index)?.as_mut().ok()?;
        region.revalidate(bus).then_some(index)
    }
}

/// Whether FPSCR enables a trap: then the interpreter runs arithmetic.
fn has_traps(cpu: &Cpu) -> bool {
    cpu.fpscr() >> fpscr::ENABLE_SHIFT & 0x1F != 0
}

impl<B: Bus> Accelerator<B> for Recompiler<B> {
    fn enter(&mut self, cpu: &mut Cpu, bus: &mut B, decoded: &Blocks<'_>, offer: Offer) -> Answer {
        match self.run_from(cpu, bus, decoded, offer) {
            Some(entered) => {
                self.declined = 0;
                Answer::Ran(entered)
            }
            None => self.decline(),
        }
    }
}

impl<B: Bus> Recompiler<B> {
    fn run_from(
        &mut self,
        cpu: &mut Cpu,
        bus: &mut B,
        decoded: &Blocks<'_>,
        Offer { limit, passed }: Offer,
    ) -> Option<Entered> {
        // The interpreter runs arithmetic under an enabled trap.
        if has_traps(cpu) {
            return None;
        }
        let epoch = bus.code_epoch();
        let from = self.from.take();
        let mode = Mode::of(cpu);
        let mut index = match self.looked_up(cpu, bus, mode) {
            Some(index) => index,
            None => self.warm((cpu, passed), bus, decoded, mode, from)?,
        };
        let mut running = Running::new(cpu, bus, limit.left);
        let mut fresh = true;
        let rest = loop {
            match self.run_one(index, &mut running, limit.until, fresh) {
                Next::Region(next) => (index, fresh) = (next, false),
                Next::Interpreter => break None,
                Next::Interpret(rest) => break Some(ResumePoint { epoch, ..rest }),
            }
        };
        let executed = limit.left - running.left();
        (executed != 0 || rest.is_some()).then_some(Entered { executed, rest })
    }
}

/// What runs after a region.
enum Next {
    Region(usize),
    Interpreter,
    /// The interpreter, in the middle of a block.
    Interpret(ResumePoint),
}

impl<B: Bus> Recompiler<B> {
    /// Runs a region; `fresh` if the interpreter has run before.
    fn run_one(
        &mut self,
        index: usize,
        running: &mut Running<'_, B>,
        until: Option<u32>,
        fresh: bool,
    ) -> Next {
        let (left, calls) = (running.left(), running.calls());
        let Ok(region) = &mut self.regions[index] else {
            return Next::Interpreter;
        };
        if !region.fits(Limit { left, until }) {
            return Next::Interpreter;
        }
        let Some(exit) = region.run(running) else {
            self.forget();
            return Next::Interpreter;
        };
        let run = RegionRun {
            fresh,
            inside: matches!(exit, RegionExit::Inside { .. }),
            calls: running.calls() - calls,
            executed: left - running.left(),
        };
        self.statistics.calls += run.calls;
        let pays = region.profitability.record(run);
        let next = self.behind(index, running, exit, run.executed);
        if !pays {
            self.retire(index);
        }
        next
    }

    /// What runs after a region's exit, after so many instructions.
    fn behind(
        &mut self,
        index: usize,
        running: &mut Running<'_, B>,
        exit: RegionExit,
        executed: u64,
    ) -> Next {
        let Ok(region) = &mut self.regions[index] else {
            return Next::Interpreter;
        };
        if let RegionExit::Inside {
            block,
            index: operation,
            next_pc,
            skipped,
        } = exit
        {
            let rest = ResumePoint {
                code: Arc::clone(&region.compiled.blocks()[block]),
                index: operation,
                skipped,
                next_pc,
                epoch: 0,
            };
            self.learn(index, exit, next_pc);
            return Next::Interpret(rest);
        }
        if executed == 0 {
            return Next::Interpreter;
        }
        let pc = running.cpu().pc;
        self.learn(index, exit, pc);
        if !running.is_same() || has_traps(running.cpu()) {
            return Next::Interpreter;
        }
        let mode = Mode::of(running.cpu());
        let next = self.region(running.cpu(), running.bus(), mode);
        if next.is_none() {
            self.note_from(index, exit, pc);
        }
        next.map_or(Next::Interpreter, Next::Region)
    }
}
