//! A compiled region: whether it is still current, and what it leaves for.

use crate::block_profile::BlockProfile;
use crate::emit::{self, Fuel};
use crate::host::{AccessBuffer, Code, Compiled, RegionExit, RegionTiming, Running, Shape};
use crate::profitability::Profitability;
use crate::region::{self, Mode, Plan};
use sh4::Bus;
use sh4::accelerate::Limit;
use sh4::table::flag;
use sh4::timing::BlockTiming;

/// Ways from one region to another, in times that a block has to run to be compiled, that make compiling both as one worth
/// while.
const LINKED: u32 = 16;
/// The last so many of those are looked at.
const SEEN: u32 = 32;

pub(crate) struct Region<B> {
    pub(crate) compiled: Compiled<B>,
    /// What it was compiled under.
    pub(crate) mode: Mode,
    /// The bus's epoch when the code was last found to be current.
    epoch: u64,
    /// The sum of the versions of its lines when it was compiled.
    version: u64,
    /// The addresses it covers, first and behind the last.
    span: (u32, u32),
    /// Instructions that have to be left at its entry.
    least: u64,
    /// What the timing `serial` knows of its blocks; empty without one.
    known: RegionTiming,
    serial: u64,
    /// For each block, by how many ways it may be left.
    links: Vec<usize>,
    /// For each block, how often it was left inside.
    inside: Vec<u32>,
    /// How often another region ran behind this one.
    hops: u32,
    pub(crate) profitability: Profitability,
}

impl<B: Bus> Region<B> {
    pub(crate) fn new(code: Code, plan: Plan, shape: Option<Shape>, bus: &B) -> Region<B> {
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
            known: RegionTiming::default(),
            serial: 0,
            links: (0..blocks.len()).map(|index| plan.links(index)).collect(),
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

    /// Whether the code is still what was compiled, as far as its lines' versions say.
    pub(crate) fn revalidate(&mut self, bus: &B) -> bool {
        let current = self.epoch == bus.code_epoch() || self.versions(bus) == self.version;
        if current {
            self.epoch = bus.code_epoch();
        }
        current
    }

    /// Whether it is, though something was written to its lines.
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

    /// Tells `timing` that execution comes to the first block. False if the interpreter has to tell it.
    pub(crate) fn enter(&mut self, timing: &mut dyn BlockTiming) -> bool {
        if self.serial != timing.serial() {
            self.introduce(timing);
        }
        self.known.enter(timing)
    }

    /// Asks for the numbers of all blocks.
    #[cold]
    fn introduce(&mut self, timing: &mut dyn BlockTiming) {
        let blocks = self.compiled.blocks().iter().zip(&self.links);
        let known = blocks.map(|(code, &links)| (timing.block_number(&code.retired()), code.start(), links));
        self.known = RegionTiming::new(known);
        self.serial = timing.serial();
    }

    /// Runs it. Nothing if it was compiled for another window.
    pub(crate) fn run(
        &mut self,
        running: &mut Running<'_, B>,
        notes: &mut AccessBuffer,
    ) -> Option<RegionExit> {
        running.run(&self.compiled, &mut self.known, notes)
    }

    /// Notes that a block was left in front of an operation. True if that has happened often, and the block would do it
    /// itself if it was compiled again.
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

    /// Notes that a block has led to `pc`, outside. True if that has happened often, and the region behind it would be part
    /// of this one if it was compiled again.
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

    /// Notes where the computed branch at the end of a block has led.
    pub(crate) fn note_end(&self, block: usize, pc: u32, block_profile: &mut BlockProfile) {
        let code = &self.compiled.blocks()[block];
        if region::is_computed(code) {
            block_profile.note_end(code.start(), pc);
        }
    }
}
