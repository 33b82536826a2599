//! Loop over regions. `choose` selects regions to compile; `learn` improves later compilations.

mod choose;
mod learn;

use crate::block_profile::BlockProfile;
use crate::compile::Compiler;
use crate::compiled::Region;
use crate::host::{Links, RegionExit, Running, Thunks, WindowShape};
use crate::region::Mode;
use crate::slots::{Discarded, Slots};
use crate::{COMPILED_INSTRUCTIONS, Options, Statistics, Unsupported};
use sh4::accelerate::{Accelerator, Answer, Blocks, Entered, Offer, ResumePoint};
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
    links: Links<B>,
    block_profile: BlockProfile,
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
            links: Links::new(),
            block_profile: BlockProfile::default(),
            declined: 0,
            shape: None,
            statistics: Statistics::default(),
        })
    }

    /// Counts of the recompiler's work.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn forget(&mut self) {
        self.slots.clear();
        self.regions.clear();
        self.links.forget();
        self.block_profile.clear();
    }

    /// The current region at the program counter.
    fn region(&mut self, cpu: &Cpu, bus: &B, mode: Mode) -> Option<usize> {
        let index = self.slots.get(cpu.pc, mode)?.region? as usize;
        let region = self.regions.get_mut(index)?.as_mut().ok()?;
        region.revalidate(bus).then_some(index)
    }
}

/// Returns true if FPSCR enables a trap. The interpreter then runs arithmetic.
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

    fn report(&self) -> Vec<(&'static str, u64)> {
        let Statistics { exits, .. } = self.statistics;
        vec![
            (COMPILED_INSTRUCTIONS, self.statistics.executed),
            ("entries from the interpreter", self.statistics.entries),
            ("direct jumps between regions", self.statistics.hops),
            ("calls of the runtime", self.statistics.calls),
            ("offers declined", self.statistics.declined),
            ("exits: next event is due", exits.limit),
            ("exits: device or code change", exits.attention),
            ("exits: next code is not compiled", exits.cold),
            ("exits: operation or access", exits.operation),
            ("exits: change of mode", exits.mode),
            ("regions compiled", self.statistics.regions),
            ("regions refused", self.statistics.refused),
            ("regions discarded: code changed", self.statistics.discarded),
            ("instructions translated", self.statistics.instructions),
            ("microseconds compiling", self.statistics.time.as_micros() as u64),
        ]
    }

    fn discard(&mut self) {
        self.forget();
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
        let mut mode = Mode::of(cpu);
        let mut index = match self.current_region(cpu, bus, mode) {
            Some(index) => index,
            None => self.count_and_compile((cpu, passed), bus, decoded, mode)?,
        };
        let epoch = bus.code_epoch();
        let mut running = Running::new(cpu, bus, limit.left);
        let rest = loop {
            let Ok(region) = &self.regions[index] else {
                break None;
            };
            if !region.fits(limit.until, running.left()) {
                self.statistics.exits.limit += 1;
                break None;
            }
            // Linked regions do not check `until`.
            let linked = limit.until.is_none().then_some(mode);
            let Some((last, exit)) = running.run(&region.compiled, index, &mut self.links, linked) else {
                self.forget();
                break None;
            };
            if linked.is_some() && !running.is_in(mode) {
                mode = Mode::of(running.cpu());
            }
            let rest = self.rest(last, exit, epoch);
            match exit {
                RegionExit::Block => {}
                RegionExit::Limit => {
                    self.statistics.exits.limit += 1;
                    break None;
                }
                RegionExit::Mode => {
                    self.statistics.exits.mode += 1;
                    mode = Mode::of(running.cpu());
                }
                RegionExit::Attention => {
                    self.statistics.exits.attention += 1;
                    break None;
                }
                RegionExit::Inside { .. } => {
                    self.statistics.exits.operation += 1;
                    break rest;
                }
            }
            if !running.is_same() || has_traps(running.cpu()) {
                break None;
            }
            let Some(next) = self.region(running.cpu(), running.bus(), mode) else {
                self.statistics.exits.cold += 1;
                break None;
            };
            if let Ok(region) = &self.regions[next] {
                self.links.add(&running, mode, (&region.compiled, next));
            }
            index = next;
        };
        let executed = limit.left - running.left();
        self.statistics.executed += executed;
        self.statistics.entries += 1;
        self.statistics.hops += running.hops();
        self.statistics.calls += running.calls();
        let yields = running.yields();
        (executed != 0 || rest.is_some()).then_some(Entered {
            executed,
            rest,
            yields,
        })
    }

    /// Position at which the interpreter continues a block of a region; `None` after other exits.
    fn rest(&mut self, region: usize, exit: RegionExit, epoch: u64) -> Option<ResumePoint> {
        let RegionExit::Inside {
            block,
            index,
            next_pc,
            skipped,
        } = exit
        else {
            return None;
        };
        let left = self.regions[region].as_ref().ok()?;
        let code = Arc::clone(&left.compiled.blocks()[block]);
        self.learn(region, block, index);
        Some(ResumePoint {
            code,
            index,
            skipped,
            next_pc,
            epoch,
        })
    }
}
