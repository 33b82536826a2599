//! Instruction counts.

use crate::insn::Insn;
use sh4::table::{Group, Id};

/// Counts over a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions.
    pub instructions: u64,
    /// Cycles in which two issued.
    pub pairs: u64,
    /// Branches, without BT and BF that only skip an instruction.
    pub branches: u64,
    /// Taken branches.
    pub taken: u64,
    /// BSR, BSRF, JSR.
    pub calls: u64,
    /// FPU instructions.
    pub fpu: u64,
    /// TRAPA.
    pub traps: u64,
    /// Interrupts taken.
    pub interrupts: u64,
    /// Instruction fetches: aligned pairs.
    pub fetches: u64,
    /// Instructions by group: MT, EX, BR, LS, FE, CO.
    pub groups: [u64; 6],
    /// Decode cycles of group CO.
    pub alone: u64,
    /// Cycles for which stages of the FPU were occupied. An instruction issues only if the stages that it
    /// occupies will be free.
    pub stages: FpuStages,
}

/// Cycles for which stages of the FPU were occupied. An instruction issues only if the stages that it
/// occupies will be free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FpuStages {
    /// F0, the vector stage of FIPR and FTRV.
    pub vector: StageUse,
    /// F1, through which all arithmetic goes.
    pub arithmetic: StageUse,
    /// F3, the divider.
    pub divider: StageUse,
}

/// Cycles for which a stage was occupied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageUse {
    /// All cycles.
    pub cycles: u64,
    /// The latest cycle, counted from its issue, in which an instruction occupied the stage.
    pub behind: u64,
}

impl StageUse {
    /// The occupation by one instruction: a bit for each cycle from its issue on.
    #[inline]
    fn by(cycles: u64) -> StageUse {
        StageUse {
            cycles: cycles.count_ones().into(),
            behind: u64::from(cycles.checked_ilog2().unwrap_or(0)),
        }
    }

    #[inline]
    fn add(&mut self, other: StageUse, times: u64) {
        self.cycles += times * other.cycles;
        self.behind = self.behind.max(other.behind);
    }

    /// A lower bound of the cycles from the first issue to the last one, both included.
    #[must_use]
    pub fn bound(&self) -> u64 {
        if self.cycles == 0 {
            return 0;
        }
        (self.cycles + 1).saturating_sub(self.behind).max(1)
    }
}

impl FpuStages {
    fn add(&mut self, other: &FpuStages, times: u64) {
        self.vector.add(other.vector, times);
        self.arithmetic.add(other.arithmetic, times);
        self.divider.add(other.divider, times);
    }
}

impl Counts {
    /// Adds one instruction.
    #[inline]
    pub(crate) fn count(&mut self, insn: &Insn, taken: bool, second: bool) {
        self.instructions += 1;
        self.pairs += u64::from(second);
        let branch = insn.branch > 0 && !insn.skips;
        self.branches += u64::from(branch);
        self.taken += u64::from(branch && taken);
        self.calls += u64::from(matches!(insn.id, Id::bsr | Id::bsrf_rm | Id::jsr_at_rm));
        self.fpu += u64::from(insn.fpu);
        self.traps += u64::from(insn.id == Id::trapa_imm);
        self.groups[insn.group as usize] += 1;
        self.alone += if insn.group == Group::CO {
            u64::from(insn.issue)
        } else {
            0
        };
        let locks = &insn.locks;
        self.stages.vector.add(StageUse::by(locks.f0), 1);
        self.stages.arithmetic.add(StageUse::by(locks.f1), 1);
        self.stages.divider.add(StageUse::by(locks.f3), 1);
    }

    /// Adds another span, `times` over.
    pub(crate) fn add(&mut self, other: &Counts, times: u64) {
        self.instructions += times * other.instructions;
        self.pairs += times * other.pairs;
        self.branches += times * other.branches;
        self.taken += times * other.taken;
        self.calls += times * other.calls;
        self.fpu += times * other.fpu;
        self.traps += times * other.traps;
        self.interrupts += times * other.interrupts;
        self.fetches += times * other.fetches;
        self.alone += times * other.alone;
        self.stages.add(&other.stages, times);
        for (sum, value) in self.groups.iter_mut().zip(other.groups) {
            *sum += times * value;
        }
    }

    /// A lower bound of the cycles to issue these instructions without any stall: no group but MT issues
    /// twice a cycle, and CO issues alone.
    #[must_use]
    pub fn slot_bound(&self) -> u64 {
        let paired = &self.groups[..5];
        let all: u64 = paired.iter().sum();
        let crowded = paired[1..].iter().max().copied().unwrap_or(0);
        self.alone + crowded.max(all.div_ceil(2))
    }
}
