//! Compiled regions: validity, and counts of their exits.

use crate::block_profile::{BlockProfile, CompileMode};
use crate::emit::{self, Fuel};
use crate::host::{Code, Compiled, WindowShape};
use crate::region::{Mode, Plan};
use sh4::Bus;
use sh4::table::flag;

/// A region is recompiled after this number of exits before operations, if another compile mode avoids them.
const EXITS: u32 = 64;

pub(crate) struct Region<B> {
    pub(crate) compiled: Compiled<B>,
    /// CPU mode of the compiled code.
    pub(crate) mode: Mode,
    /// The compile mode of each block.
    compile_modes: Vec<CompileMode>,
    /// Code epoch of the bus at the last comparison of the code.
    epoch: u64,
    /// Sum of the line versions at the last comparison of the code.
    version: u64,
    /// First address of the region, and the end of its last block.
    span: (u32, u32),
    /// Number of instructions that must be left at the entry.
    least: u64,
    /// Number of exits before operations that another compile mode would run.
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

    /// Returns true if the versions of the region's lines prove that the code has not changed.
    pub(crate) fn revalidate(&mut self, bus: &B) -> bool {
        let current = self.epoch == bus.code_epoch() || self.versions(bus) == self.version;
        if current {
            self.epoch = bus.code_epoch();
        }
        current
    }

    /// Compares the code itself, after a write to its lines. Returns true if it has not changed.
    #[cold]
    pub(crate) fn is_unchanged(&mut self, bus: &mut B) -> bool {
        let mut blocks = self.compiled.blocks().iter();
        let same = blocks.all(|code| code.is_unchanged(bus));
        if same {
            (self.epoch, self.version) = (bus.code_epoch(), self.versions(bus));
        }
        same
    }

    /// Returns true if the region may run with `left` instructions left and a stop at address `until`.
    pub(crate) fn fits(&self, until: Option<u32>, left: u64) -> bool {
        left >= self.least && until.is_none_or(|until| !self.contains(until))
    }

    fn contains(&self, pc: u32) -> bool {
        let (first, end) = self.span;
        let mut blocks = self.compiled.blocks().iter();
        (first..end).contains(&pc) && blocks.any(|code| (code.start()..code.end()).contains(&pc))
    }

    /// Counts an exit before an operation. Returns true if such exits are frequent and another compile mode
    /// avoids them.
    pub(crate) fn count_exit(
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
        if emit::accesses_memory(op) {
            compile_mode.outside_window = true;
        } else if op.row().is_some_and(|row| row.has(flag::FPU)) {
            compile_mode.unusual_floats = true;
        }
        self.avoidable += u32::from(*compile_mode != used);
        self.avoidable >= EXITS.min(hot)
    }
}
