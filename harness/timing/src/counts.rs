//! Instruction counts.

use crate::insn::Insn;
use sh4::table::{Group, Id};

/// Counts over a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of instructions.
    pub instructions: u64,
    /// Number of cycles in which two instructions issued.
    pub pairs: u64,
    /// Number of branches, except BT and BF that only skip an instruction.
    pub branches: u64,
    /// Number of taken branches.
    pub taken: u64,
    /// Number of BSR, BSRF and JSR.
    pub calls: u64,
    /// Number of FPU instructions.
    pub fpu: u64,
    /// Number of TRAPA.
    pub traps: u64,
    /// Number of interrupts taken.
    pub interrupts: u64,
    /// Number of instruction fetches. A fetch reads an aligned pair of instructions.
    pub fetches: u64,
    /// Number of instructions by group: MT, EX, BR, LS, FE, CO.
    pub groups: [u64; 6],
    /// Number of decode cycles of group CO, which never pairs.
    pub unpaired_cycles: u64,
    /// Cycles in which FPU stages were occupied. An instruction issues only if the stages that it needs will
    /// be free.
    pub stages: FpuStages,
}

/// Cycles in which FPU stages were occupied. An instruction issues only if the stages that it needs will be
/// free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FpuStages {
    /// F0, the vector stage of FIPR and FTRV.
    pub vector: StageUse,
    /// F1, used by all arithmetic.
    pub arithmetic: StageUse,
    /// F3, the divider.
    pub divider: StageUse,
}

/// Cycles in which a stage was occupied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageUse {
    /// Total number of cycles.
    pub cycles: u64,
    /// Maximum number of cycles from an instruction's issue to its last use of the stage.
    pub last_use: u64,
}

impl StageUse {
    /// Occupation by one instruction: one bit for each cycle from its issue on.
    #[inline]
    fn by(cycles: u64) -> StageUse {
        StageUse {
            cycles: cycles.count_ones().into(),
            last_use: u64::from(cycles.checked_ilog2().unwrap_or(0)),
        }
    }

    #[inline]
    fn add(&mut self, other: StageUse, times: u64) {
        self.cycles += times * other.cycles;
        self.last_use = self.last_use.max(other.last_use);
    }

    /// Lower bound of the cycles from the first issue to the last one, both included.
    #[must_use]
    pub fn bound(&self) -> u64 {
        if self.cycles == 0 {
            return 0;
        }
        (self.cycles + 1).saturating_sub(self.last_use).max(1)
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
        self.unpaired_cycles += if insn.group == Group::CO {
            u64::from(insn.issue)
        } else {
            0
        };
        let locks = &insn.locks;
        self.stages.vector.add(StageUse::by(locks.f0), 1);
        self.stages.arithmetic.add(StageUse::by(locks.f1), 1);
        self.stages.divider.add(StageUse::by(locks.f3), 1);
    }

    /// Adds another span `times` times.
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
        self.unpaired_cycles += times * other.unpaired_cycles;
        self.stages.add(&other.stages, times);
        for (sum, value) in self.groups.iter_mut().zip(other.groups) {
            *sum += times * value;
        }
    }

    /// Lower bound of the cycles to issue these instructions without stalls. Only group MT can issue twice
    /// per cycle, and CO never pairs.
    #[must_use]
    pub fn slot_bound(&self) -> u64 {
        let paired = &self.groups[..5];
        let all: u64 = paired.iter().sum();
        let crowded = paired[1..].iter().max().copied().unwrap_or(0);
        self.unpaired_cycles + crowded.max(all.div_ceil(2))
    }
}
