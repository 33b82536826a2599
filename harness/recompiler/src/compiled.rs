//! A compiled region: its validity, and the exits that it takes.

use crate::block_profile::{BlockProfile, CompileMode};
use crate::emit::{self, Fuel};
use crate::host::{Code, Compiled, WindowShape};
use crate::region::{Mode, Plan};
use sh4::Bus;
use sh4::table::flag;

/// Exits in front of operations after which a region is compiled again, if another compile mode avoids them.
const EXITS: u32 = 64;

pub(crate) struct Region<B> {
    pub(crate) compiled: Compiled<B>,
    /// The mode that it was compiled for.
    pub(crate) mode: Mode,
    /// The compile mode of each block.
    compile_modes: Vec<CompileMode>,
    /// The bus's epoch when the code was compared last.
    epoch: u64,
    /// The sum of the versions of its lines when it was compiled.
    version: u64,
    /// The addresses that it covers: the first, and the one behind the last.
    span: (u32, u32),
    /// The instruction count that its entry requires.
    least: u64,
    /// How often it was left in front of an operation that another compile mode would run.
    avoidable: u32,
}

impl<B: Bus> Region<B> {
    pub(crate) fn new(code: Code, plan: Plan, shape: Option<WindowShape>, bus: &B) -> Region<B> {
        let blocks = &plan.blocks;
        let span = (
            blocks.iter().map(|code| code.start()).min().unwrap_or(0),
            blocks.iter().map(|code| code.end()).max().unwrap_or(u32::MAX),
        );
        let least = Fuel::of(&plan).at_entry();
        let mut region = Region {
            mode: plan.mode,
            compile_modes: plan.compile_modes,
            epoch: bus.code_epoch(),
            version: 0,
            span,
            least,
            avoidable: 0,
            compiled: Compiled::new(code, plan.blocks, shape),
        };
        region.version = region.versions(bus);
        region
    }

    pub(crate) fn start(&self) -> u32 {
        self.compiled.blocks().first().map_or(0, |code| code.start())
    }

    fn versions(&self, bus: &B) -> u64 {
        let blocks = self.compiled.blocks().iter();
        blocks.fold(0, |sum, code| sum.wrapping_add(code.versions(bus)))
    }

    /// Whether the versions of its lines show that the code has not changed.
    pub(crate) fn revalidate(&mut self, bus: &B) -> bool {
        let current = self.epoch == bus.code_epoch() || self.versions(bus) == self.version;
        if current {
            self.epoch = bus.code_epoch();
        }
        current
    }

    /// Whether the code is the same although something was written to its lines.
    #[cold]
    pub(crate) fn is_unchanged(&mut self, bus: &mut B) -> bool {
        let mut blocks = self.compiled.blocks().iter();
        let same = blocks.all(|code| code.is_unchanged(bus));
        if same {
            (self.epoch, self.version) = (bus.code_epoch(), self.versions(bus));
        }
        same
    }

    /// Whether it may run with so many instructions left, up to an address.
    pub(crate) fn fits(&self, until: Option<u32>, left: u64) -> bool {
        left >= self.least && until.is_none_or(|until| !self.holds(until))
    }

    fn holds(&self, pc: u32) -> bool {
        let (first, end) = self.span;
        let mut blocks = self.compiled.blocks().iter();
        (first..end).contains(&pc) && blocks.any(|code| (code.start()..code.end()).contains(&pc))
    }

    /// Notes that a block was left in front of an operation. Returns true if that is frequent, and another
    /// compile mode avoids it.
    pub(crate) fn left_inside(
        &mut self,
        block: usize,
        index: usize,
        hot: u32,
        block_profile: &mut BlockProfile,
    ) -> bool {
        let code = &self.compiled.blocks()[block];
        let op = code.ops()[index];
        let used = self.compile_modes[block];
        let compile_mode = block_profile.compile_mode_mut(code.start());
        if emit::reaches_bus(op) {
            compile_mode.far = true;
        } else if op.row().is_some_and(|row| row.has(flag::FPU)) {
            compile_mode.odd = true;
        }
        self.avoidable += u32::from(*compile_mode != used);
        self.avoidable >= EXITS.min(hot)
    }
}
