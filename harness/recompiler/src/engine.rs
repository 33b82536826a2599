//! Which regions are compiled, and running them.

use crate::compile::Compiler;
use crate::emit::Source;
use crate::host::{self, Compiled, Shape, Thunks};
use crate::region::{Mode, Plan};
use crate::{Options, Statistics, Unsupported};
use sh4::accelerate::{Accelerator, Blocks, Entered, Limit, Rest};
use sh4::table::Id;
use sh4::{Bus, Cpu, fpscr};
use sh4_fpu::inner::InnerModel;
use std::sync::Arc;
use std::time::Instant;

/// Places of start addresses; a newer one takes the place of an older one.
const SLOTS: usize = 1 << 14;
/// Regions at a time; then all are thrown away. Each is a mapping of its own.
const REGIONS: usize = 1 << 12;

/// What is known of one start address.
#[derive(Clone, Copy, Default)]
struct Slot {
    pc: u32,
    mode: Option<Mode>,
    /// How often the interpreter has begun the block.
    count: u32,
    region: Option<u32>,
}

struct Region<B> {
    compiled: Compiled<B>,
    /// The bus's epoch when the code was last found to be current.
    epoch: u64,
    /// The sum of the versions of its lines when it was compiled.
    version: u64,
    /// The addresses it covers, first and behind the last.
    span: (u32, u32),
    /// Instructions of its first block.
    first: u64,
}

impl<B: Bus> Region<B> {
    fn versions(&self, bus: &B) -> u64 {
        let blocks = self.compiled.blocks().iter();
        blocks.fold(0, |sum, code| sum.wrapping_add(code.versions(bus)))
    }

    /// Whether the code is still what was compiled.
    fn revalidate(&mut self, bus: &B) -> bool {
        let current = self.epoch == bus.code_epoch() || self.versions(bus) == self.version;
        if current {
            self.epoch = bus.code_epoch();
        }
        current
    }

    fn fits(&self, limit: Limit) -> bool {
        let (first, end) = self.span;
        limit.left >= self.first && limit.until.is_none_or(|until| until < first || until >= end)
    }
}

/// Compiles regions of guest code that run often, and runs them: an accelerator for
/// [`Cpu::run_accelerated`](sh4::Cpu::run_accelerated).
pub struct Recompiler<B: Bus> {
    options: Options,
    compiler: Compiler,
    thunks: Thunks,
    slots: Box<[Slot]>,
    regions: Vec<Option<Region<B>>>,
    shape: Option<Shape>,
    mutated: Option<Id>,
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
            slots: vec![Slot::default(); SLOTS].into(),
            regions: Vec::new(),
            shape: None,
            mutated: None,
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
        self.slots.fill(Slot::default());
        self.regions.clear();
    }

    fn slot(&mut self, pc: u32) -> &mut Slot {
        &mut self.slots[(pc >> 1) as usize % SLOTS]
    }

    /// The region at the program counter, if it is compiled and current.
    fn region(&mut self, cpu: &Cpu, bus: &B) -> Option<usize> {
        let mode = Mode::of(cpu);
        let slot = self.slot(cpu.pc);
        if slot.pc != cpu.pc || slot.mode != Some(mode) {
            return None;
        }
        let index = slot.region? as usize;
        let current = self.regions.get_mut(index)?.as_mut()?.revalidate(bus);
        if current {
            return Some(index);
        }
        *self.slot(cpu.pc) = Slot::default();
        self.regions[index] = None;
        self.statistics.discarded += 1;
        None
    }

    /// Counts that the interpreter is about to run the block at the program counter, and compiles it if that has
    /// happened often.
    fn warm(&mut self, cpu: &Cpu, bus: &mut B, decoded: &Blocks<'_>) -> Option<usize> {
        let (mode, hot) = (Mode::of(cpu), self.options.hot);
        let slot = self.slot(cpu.pc);
        if slot.pc != cpu.pc || slot.mode != Some(mode) {
            *slot = Slot {
                pc: cpu.pc,
                mode: Some(mode),
                ..Slot::default()
            };
        }
        slot.count = slot.count.saturating_add(1);
        if slot.count != hot.max(1) {
            return None;
        }
        let plan = Plan::gather(cpu, bus, decoded)?;
        let index = self.compile(cpu, bus, plan)?;
        self.slot(cpu.pc).region = Some(index as u32);
        Some(index)
    }

    fn compile(&mut self, cpu: &Cpu, bus: &mut B, plan: Plan) -> Option<usize> {
        let begin = Instant::now();
        let shape = host::shape(bus);
        if self.shape != shape || self.regions.len() == REGIONS {
            self.forget();
            self.shape = shape;
        }
        let settings = cpu.settings();
        let model = InnerModel {
            product: settings.fipr_model,
            exponent: settings.fipr_emax,
        };
        let source = Source {
            plan: &plan,
            thunks: &self.thunks,
            shape,
            inline_floats: settings.fcause_update,
            fma: self.compiler.fma,
            transform: model == InnerModel::default() && self.thunks.can_transform(),
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
        self.statistics.instructions += plan
            .blocks
            .iter()
            .map(|code| code.ops().len() as u64)
            .sum::<u64>();
        self.regions
            .push(Some(Region::new(Compiled::new(code, plan.blocks, shape), bus)));
        Some(self.regions.len() - 1)
    }
}

impl<B: Bus> Region<B> {
    fn new(compiled: Compiled<B>, bus: &B) -> Region<B> {
        let blocks = compiled.blocks();
        let span = (
            blocks.iter().map(|code| code.start()).min().unwrap_or(0),
            blocks.iter().map(|code| code.end()).max().unwrap_or(u32::MAX),
        );
        let first = blocks.first().map_or(0, |code| code.ops().len() as u64);
        let mut region = Region {
            compiled,
            epoch: bus.code_epoch(),
            version: 0,
            span,
            first,
        };
        region.version = region.versions(bus);
        region
    }
}

impl<B: Bus> Accelerator<B> for Recompiler<B> {
    fn enter(&mut self, cpu: &mut Cpu, bus: &mut B, decoded: &Blocks<'_>, limit: Limit) -> Option<Entered> {
        // Under an enabled trap, or with causes not noted, arithmetic is the interpreter's.
        if cpu.fpscr() >> fpscr::ENABLE_SHIFT & 0x1F != 0 {
            return None;
        }
        let epoch = bus.code_epoch();
        let mut left = limit.left;
        let mut index = match self.region(cpu, bus) {
            Some(index) => index,
            None => self.warm(cpu, bus, decoded)?,
        };
        loop {
            let region = self.regions[index].as_ref()?;
            if !region.fits(Limit { left, ..limit }) {
                break;
            }
            let Some(ran) = region.compiled.run(cpu, bus, left) else {
                self.forget();
                break;
            };
            let progress = ran.left != left;
            left = ran.left;
            if let Some(inside) = ran.inside {
                let rest = Rest {
                    code: Arc::clone(&region.compiled.blocks()[inside.block]),
                    index: inside.index,
                    skipped: inside.skipped,
                    next_pc: inside.next_pc,
                    epoch,
                };
                return Some(Entered {
                    executed: limit.left - left,
                    rest: Some(rest),
                });
            }
            if !progress || bus.code_epoch() != epoch || cpu.fpscr() >> fpscr::ENABLE_SHIFT & 0x1F != 0 {
                break;
            }
            match self.region(cpu, bus) {
                Some(next) => index = next,
                None => break,
            }
        }
        (left != limit.left).then_some(Entered {
            executed: limit.left - left,
            rest: None,
        })
    }
}
