//! A compiled region: its validity, and the exits that it takes.

use crate::block_profile::BlockProfile;
use crate::emit::{self, Fuel};
use crate::host::{Code, Compiled, RegionExit, Running, WindowShape};
use crate::profitability::Profitability;
use crate::region::{self, Mode, Plan};
use sh4::Bus;
use sh4::accelerate::Limit;
use sh4::table::flag;

/// Exits from one region to another, as a multiple of the count that makes a block hot, after which both are
/// compiled as one.
const LINKED: u32 = 16;
/// The last so many of these exits have their targets noted.
const SEEN: u32 = 32;

pub(crate) struct Region<B> {
    pub(crate) compiled: Compiled<B>,
    /// The mode that it was compiled for.
    pub(crate) mode: Mode,
    /// The bus's epoch when the code was compared last.
    epoch: u64,
    /// The sum of the versions of its lines when it was compiled.
    version: u64,
    /// The addresses that it covers: the first, and the one behind the last.
    span: (u32, u32),
    /// The instruction count that its entry requires.
    least: u64,
    /// For each block, how often it was left in the middle.
    inside: Vec<u32>,
    /// How often another region ran behind this one.
    hops: u32,
    pub(crate) profitability: Profitability,
}

impl<B: Bus> Region<B> {
    pub(crate) fn new(code: Code, plan: Plan, shape: Option<WindowShape>, bus: &B) -> Region<B> {
        let blocks = &plan.blocks;
        let span = (
            blocks.iter().map(|code| code.start()).min().unwrap_or(0),
            blocks.iter().map(|code| code.end()).max().unwrap_or(u32::MAX),
        );
        let mut region = Region {
            mode: plan.mode,
            epoch: bus.code_epoch(),
            version: 0,
            span,
            least: Fuel::of(&plan).at_entry(),
            inside: vec![0; blocks.len()],
            hops: 0,
            profitability: Profitability::default(),
            compiled: Compiled::new(code, plan.blocks, plan.mode, shape),
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

    pub(crate) fn fits(&self, limit: Limit) -> bool {
        limit.left >= self.least && limit.until.is_none_or(|until| !self.holds(until))
    }

    fn holds(&self, pc: u32) -> bool {
        let (first, end) = self.span;
        let mut blocks = self.compiled.blocks().iter();
        (first..end).contains(&pc) && blocks.any(|code| (code.start()..code.end()).contains(&pc))
    }

    /// Runs it. Returns nothing if it was compiled for another window.
    pub(crate) fn run(&self, running: &mut Running<'_, B>) -> Option<RegionExit> {
        running.run(&self.compiled)
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
        self.inside[block] = self.inside[block].saturating_add(1);
        if self.inside[block] < hot {
            return false;
        }
        self.inside[block] = 0;
        let code = &self.compiled.blocks()[block];
        let op = code.ops()[index];
        let compile_mode = block_profile.compile_mode_mut(code.start());
        let before = *compile_mode;
        if emit::reaches_bus(op) {
            compile_mode.far = true;
        } else if op.row().is_some_and(|row| row.has(flag::FPU)) {
            compile_mode.odd = true;
        }
        *compile_mode != before
    }

    /// Notes that a block has led to `pc`, outside. Returns true if that is frequent enough to compile the
    /// region behind it with this one.
    pub(crate) fn left_behind(
        &mut self,
        block: usize,
        pc: u32,
        hot: u32,
        block_profile: &mut BlockProfile,
    ) -> bool {
        let limit = hot.saturating_mul(LINKED);
        self.hops = self.hops.saturating_add(1);
        if self.hops.saturating_add(SEEN) < limit || self.hops > limit {
            return false;
        }
        self.note_end(block, pc, block_profile);
        self.hops == limit && block_profile.may_grow(self.start())
    }

    /// Notes the target of the computed branch at the end of a block.
    pub(crate) fn note_end(&self, block: usize, pc: u32, block_profile: &mut BlockProfile) {
        let code = &self.compiled.blocks()[block];
        if region::is_computed(code) {
            block_profile.note_end(code.start(), pc);
        }
    }
}
