//! Which regions are compiled, and running them.

use crate::compile::Compiler;
use crate::compiled::Region;
use crate::emit::Source;
use crate::habits::Habits;
use crate::host::{self, Call, Left, Noted, Running, Shape, Thunks};
use crate::region::{Mode, Plan};
use crate::slots::{Gone, Slots};
use crate::worth::Visit;
use crate::{Options, Statistics, Unsupported};
use sh4::accelerate::{Accelerator, Answer, Blocks, Entered, Limit, Offer, Rest};
use sh4::meter::Meter;
use sh4::table::Id;
use sh4::{Bus, Cpu, fpscr};
use sh4_fpu::inner::{InnerProduct, ProductExponent};
use std::sync::Arc;
use std::time::Instant;

/// Regions at a time; then all are thrown away. Each is a mapping of its own.
const REGIONS: usize = 1 << 12;
/// Offers declined in a row from which on not every block is asked for.
const PATIENT: u32 = 16;
/// Blocks that are not asked for in a row, at most; fewer if a block is hot soon.
const UNASKED: u32 = 63;

/// Compiles regions of guest code that run often, and runs them: an accelerator for
/// [`Cpu::run_accelerated`](sh4::Cpu::run_accelerated).
pub struct Recompiler<B: Bus> {
    options: Options,
    compiler: Compiler,
    thunks: Thunks,
    slots: Slots,
    regions: Vec<Result<Region<B>, Gone>>,
    habits: Habits,
    /// The region that has just led to where nothing is compiled.
    from: Option<usize>,
    /// Offers declined in a row.
    declined: u32,
    shape: Option<Shape>,
    mutated: Option<Id>,
    noted: Noted,
    statistics: Statistics,
}

impl<B: Bus> Recompiler<B> {
    /// A recompiler with nothing compiled.
    ///
    /// # Errors
    /// If no code can be made for this host.
    pub fn new(options: Options) -> Result<Recompiler<B>, Unsupported> {
        Ok(Recompiler {
            options,
            compiler: Compiler::new().map_err(Unsupported)?,
            thunks: Thunks::of::<B>(),
            slots: Slots::new(options.hot),
            regions: Vec::new(),
            habits: Habits::default(),
            from: None,
            declined: 0,
            shape: None,
            mutated: None,
            noted: Noted::default(),
            statistics: Statistics::default(),
        })
    }

    /// What has been done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Compiles the instruction `id` wrongly from now on: shows that a comparison with the interpreter would notice.
    #[doc(hidden)]
    pub fn mutate(&mut self, id: Id) {
        self.forget();
        self.mutated = Some(id);
    }

    fn forget(&mut self) {
        self.slots.clear();
        self.regions.clear();
        self.habits.clear();
        self.from = None;
    }

    /// The region at the program counter, if it is compiled and known to be current.
    fn region(&mut self, cpu: &Cpu, bus: &B, mode: Mode) -> Option<usize> {
        let index = self.slots.get(cpu.pc, mode)?.region? as usize;
        let region = self.regions.get_mut(index)?.as_mut().ok()?;
        region.revalidate(bus).then_some(index)
    }

    /// The same, after a look at the code itself; what is no longer its code is thrown away.
    fn looked_up(&mut self, cpu: &Cpu, bus: &mut B, mode: Mode) -> Option<usize> {
        let slot = self.slots.get(cpu.pc, mode)?;
        let index = slot.region? as usize;
        let region = match self.regions.get_mut(index)? {
            Ok(region) => region,
            Err(gone) => {
                slot.lost(*gone);
                return None;
            }
        };
        if region.revalidate(bus) || region.is_unchanged(bus) {
            return Some(index);
        }
        self.slots.set_back(cpu.pc, mode);
        self.regions[index] = Err(Gone::Changed);
        self.statistics.discarded += 1;
        None
    }

    /// Counts that the interpreter is about to run the block at the program counter, and compiles it if that has
    /// happened often: with the region that has led there, if that may grow.
    fn warm(
        &mut self,
        (cpu, passed): (&Cpu, u32),
        bus: &mut B,
        decoded: &Blocks<'_>,
        mode: Mode,
        from: Option<usize>,
    ) -> Option<usize> {
        let slot = self.slots.take(cpu.pc, mode);
        if !slot.come(passed) {
            return None;
        }
        let renewed = slot.renewed;
        if !renewed && let Some(from) = from.filter(|&from| self.may_grow(from)) {
            self.slots.take(cpu.pc, mode).put_off();
            self.renew(from);
            return None;
        }
        let slots = &self.slots;
        let is_cold = |pc| slots.is_cold(pc, mode);
        let plan = Plan::gather(cpu, bus, decoded, &self.habits, mode, is_cold)?;
        if !renewed && !self.slots.pays(&plan, mode) {
            self.slots.take(cpu.pc, mode).put_off();
            return None;
        }
        let index = match self.compiled_already(bus, &plan) {
            Some(index) => Some(index),
            None => self.compile(cpu, bus, plan),
        };
        let slot = self.slots.take(cpu.pc, mode);
        slot.region = index.map(|index| index as u32);
        slot.renewed = false;
        // Once: what cannot be compiled is not tried again.
        slot.give_up();
        index
    }

    fn may_grow(&mut self, index: usize) -> bool {
        let region = self.regions.get(index).and_then(|region| region.as_ref().ok());
        region.is_some_and(|region| self.habits.may_grow(region.start()))
    }

    /// The region that another mode has of the same code, where the mode does not matter.
    fn compiled_already(&mut self, bus: &mut B, plan: &Plan) -> Option<usize> {
        let start = plan.blocks.first()?.start();
        let index = self.slots.get(start, plan.mode)?.region? as usize;
        let region = self.regions.get_mut(index)?.as_mut().ok()?;
        (region.revalidate(bus) || region.is_unchanged(bus)).then_some(index)
    }

    fn compile(&mut self, cpu: &Cpu, bus: &mut B, plan: Plan) -> Option<usize> {
        let begin = Instant::now();
        let shape = host::shape(bus);
        if self.shape != shape || self.regions.len() == REGIONS {
            self.forget();
            self.shape = shape;
        }
        let source = Source {
            plan: &plan,
            thunks: &self.thunks,
            shape,
            inline_floats: cpu.settings().fcause_update,
            fma: self.compiler.fma,
            inner: inner_calls(cpu),
            mutated: self.mutated,
        };
        let code = self.compiler.compile(&source);
        self.statistics.time += begin.elapsed();
        let Ok(code) = code else {
            self.statistics.refused += 1;
            return None;
        };
        self.statistics.regions += 1;
        self.statistics.bytes += code.bytes() as u64;
        self.statistics.instructions += plan.instructions();
        let (start, mode, index) = (plan.blocks.first()?.start(), plan.mode, self.regions.len());
        self.regions.push(Ok(Region::new(code, plan, shape, bus)));
        self.slots.take(start, mode).region = Some(index as u32);
        Some(index)
    }
}

/// FTRV and FIPR under the CPU's settings, if the runtime has them.
fn inner_calls(cpu: &Cpu) -> Option<[Call; 2]> {
    let settings = cpu.settings();
    let calls = match (settings.fipr_model, settings.fipr_emax) {
        (InnerProduct::Hardware, ProductExponent::BeforeNormalising) => [Call::Transform, Call::Inner],
        (InnerProduct::Exact, _) => [Call::TransformExact, Call::InnerExact],
        _ => return None,
    };
    host::can_transform().then_some(calls)
}

/// Whether FPSCR enables a trap: arithmetic is the interpreter's then.
fn has_traps(cpu: &Cpu) -> bool {
    cpu.fpscr() >> fpscr::ENABLE_SHIFT & 0x1F != 0
}

impl<B: Bus> Recompiler<B> {
    /// Notes what a region has left for; compiled anew, it will do that itself.
    fn learn(&mut self, index: usize, left: Left, pc: u32) {
        let hot = self.options.hot;
        let Ok(region) = &mut self.regions[index] else {
            return;
        };
        let renew = match left {
            Left::Inside { block, index, .. } => region.left_inside(block, index, hot, &mut self.habits),
            Left::At { block } => region.left_behind(block, pc, hot, &mut self.habits),
        };
        if renew {
            self.renew(index);
        }
    }

    /// Has a region compiled again as soon as control comes there.
    fn renew(&mut self, index: usize) {
        self.lose(index, Gone::Renewed);
    }

    /// Throws a region away.
    fn lose(&mut self, index: usize, why: Gone) {
        if let Ok(region) = std::mem::replace(&mut self.regions[index], Err(why))
            && let Some(slot) = self.slots.get(region.start(), region.mode)
        {
            slot.lost(why);
        }
    }

    /// Leaves a region's code to the interpreter.
    fn retire(&mut self, index: usize) {
        if self.regions[index].is_ok() {
            self.lose(index, Gone::Slower);
            self.statistics.retired += 1;
        }
    }

    /// Notes that a block of a region has led to `pc`, where nothing is compiled.
    fn note_from(&mut self, index: usize, left: Left, pc: u32) {
        if let (Ok(region), Left::At { block }) = (&self.regions[index], left) {
            self.from = Some(index);
            region.note_end(block, pc, &mut self.habits);
        }
    }
}

impl<B: Bus> Accelerator<B> for Recompiler<B> {
    fn enter(
        &mut self,
        cpu: &mut Cpu,
        bus: &mut B,
        decoded: &Blocks<'_>,
        offer: Offer,
        meter: Option<&mut dyn Meter>,
    ) -> Answer {
        match self.run_from(cpu, bus, decoded, offer, meter) {
            Some(entered) => {
                self.declined = 0;
                Answer::Ran(entered)
            }
            None => self.decline(),
        }
    }
}

impl<B: Bus> Recompiler<B> {
    /// Where little has run compiled, not every block is asked for; the next ones in changing numbers, so that a loop of
    /// several blocks is not always asked about the same.
    fn decline(&mut self) -> Answer {
        self.declined = self.declined.saturating_add(1);
        let most = UNASKED.min(self.options.hot >> 7);
        // The golden ratio's digits.
        let spread = self.declined.wrapping_mul(0x9E37_79B9) >> 16;
        let unasked = match self.declined > PATIENT {
            true => most - spread % (most / 2 + 1),
            false => 0,
        };
        Answer::Declined { unasked }
    }

    fn run_from(
        &mut self,
        cpu: &mut Cpu,
        bus: &mut B,
        decoded: &Blocks<'_>,
        Offer { limit, passed }: Offer,
        meter: Option<&mut dyn Meter>,
    ) -> Option<Entered> {
        // Under an enabled trap arithmetic is the interpreter's.
        if has_traps(cpu) {
            return None;
        }
        let epoch = bus.code_epoch();
        let from = self.from.take();
        let mode = Mode::of(cpu, meter.as_ref().map(|meter| meter.index()));
        let mut index = match self.looked_up(cpu, bus, mode) {
            Some(index) => index,
            None => self.warm((cpu, passed), bus, decoded, mode, from)?,
        };
        let meter = meter.map(|meter| meter as &mut dyn Meter);
        let mut running = Running::new(cpu, bus, limit.left, meter);
        let mut fresh = true;
        let rest = loop {
            match self.run_one(index, &mut running, limit.until, fresh) {
                Next::Region(next) => (index, fresh) = (next, false),
                Next::Interpreter => break None,
                Next::Rest(rest) => break Some(Rest { epoch, ..rest }),
            }
        };
        let executed = limit.left - running.left();
        (executed != 0 || rest.is_some()).then_some(Entered { executed, rest })
    }
}

/// What runs behind a region.
enum Next {
    Region(usize),
    Interpreter,
    /// The interpreter, in the middle of a block.
    Rest(Rest),
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
        if !region.fits(Limit { left, until }) || running.meter().is_some_and(|meter| !region.arrive(meter)) {
            return Next::Interpreter;
        }
        let Some(way) = region.run(running, &mut self.noted) else {
            self.forget();
            return Next::Interpreter;
        };
        let visit = Visit {
            fresh,
            inside: matches!(way, Left::Inside { .. }),
            calls: running.calls() - calls,
            executed: left - running.left(),
        };
        // Whoever counts makes the interpreter slow enough.
        let pays = running.meter().is_some() || region.worth.visited(visit);
        let next = self.behind(index, running, way, visit.executed);
        if !pays {
            self.retire(index);
        }
        next
    }

    /// What runs behind a region that was left by a way, after so many instructions.
    fn behind(&mut self, index: usize, running: &mut Running<'_, B>, way: Left, executed: u64) -> Next {
        let Ok(region) = &mut self.regions[index] else {
            return Next::Interpreter;
        };
        if let Left::Inside {
            block,
            index: operation,
            next_pc,
            skipped,
        } = way
        {
            let rest = Rest {
                code: Arc::clone(&region.compiled.blocks()[block]),
                index: operation,
                skipped,
                next_pc,
                epoch: 0,
            };
            self.learn(index, way, next_pc);
            return Next::Rest(rest);
        }
        if executed == 0 {
            return Next::Interpreter;
        }
        let pc = running.cpu().pc;
        self.learn(index, way, pc);
        if !running.is_same() || has_traps(running.cpu()) {
            return Next::Interpreter;
        }
        let lines = running.meter().map(|meter| meter.index());
        let mode = Mode::of(running.cpu(), lines);
        let next = self.region(running.cpu(), running.bus(), mode);
        if next.is_none() {
            self.note_from(index, way, pc);
        }
        next.map_or(Next::Interpreter, Next::Region)
    }
}
