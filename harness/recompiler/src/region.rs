//! Selection of blocks that are compiled together.

use crate::block_profile::{BlockProfile, CompileMode};
use sh4::accelerate::{BasicBlock, Blocks, Key};
use sh4::table::{Id, flag};
use sh4::{Bus, Cpu, Op, fpscr};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of blocks in a region.
const BLOCKS: usize = 96;
/// Number of instructions after which a region gets no further block. Larger regions mostly add code that is
/// rarely executed.
const INSTRUCTIONS: usize = 1024;

/// CPU mode of a region: the block key, and the FPSCR bits that inlined arithmetic depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) block: Key,
    /// True if the region may contain FPU instructions. If false, the bits below are constant.
    floats: bool,
    /// RM = 0.
    pub(crate) nearest: bool,
    /// DN = 1.
    pub(crate) flush: bool,
    /// True if flag I is already set. Then no operation changes it.
    pub(crate) inexact: bool,
}

impl Mode {
    pub(crate) fn of(cpu: &Cpu) -> Mode {
        let word = cpu.fpscr();
        Mode {
            block: cpu.block_key(),
            floats: true,
            nearest: word & 1 == 0,
            flush: word & fpscr::DN != 0,
            inexact: word >> fpscr::FLAG_SHIFT & 1 != 0,
        }
    }

    /// Hash of the mode, a part of the index in the table of compiled code (see `Slots`).
    pub(crate) fn spread(self) -> u32 {
        let bits = [self.inexact, self.flush, self.nearest, self.floats];
        let bits = bits
            .into_iter()
            .fold(self.block, |bits, bit| bits << 1 | u32::from(bit));
        bits << 8
    }

    /// Returns the mode for code without FPU instructions.
    fn without_floats(self) -> Mode {
        Mode {
            floats: false,
            nearest: true,
            flush: true,
            inexact: true,
            ..self
        }
    }

    /// Returns true in user mode, which cannot access the upper half of the address space.
    pub(crate) fn is_user(self) -> bool {
        self.block >> 3 & 1 != 0
    }
}

/// Blocks of a region; the first is its entry.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) mode: Mode,
    pub(crate) blocks: Vec<Arc<BasicBlock>>,
    /// The compile mode of each block.
    pub(crate) compile_modes: Vec<CompileMode>,
    places: HashMap<u32, usize>,
}

impl Plan {
    /// Collects the decoded blocks that direct branches reach from the program counter, except `cold` blocks.
    /// Returns `None` if the first block is not decoded.
    pub(crate) fn gather<B: Bus>(
        cpu: &Cpu,
        bus: &B,
        decoded: &Blocks<'_>,
        block_profile: &BlockProfile,
        mode: Mode,
        cold: impl Fn(u32) -> bool,
    ) -> Option<Plan> {
        let mut plan = Plan {
            mode,
            blocks: Vec::new(),
            compile_modes: Vec::new(),
            places: HashMap::new(),
        };
        let (mut next, mut instructions) = (vec![cpu.pc], 0);
        while let Some(pc) = next.pop() {
            if plan.places.contains_key(&pc) || plan.blocks.len() == BLOCKS || instructions > INSTRUCTIONS {
                continue;
            }
            if !plan.blocks.is_empty() && cold(pc) {
                continue;
            }
            let Some(code) = decoded.at(bus, pc, mode.block) else {
                continue;
            };
            instructions += code.ops().len();
            next.extend(successors(code));
            plan.places.insert(pc, plan.blocks.len());
            plan.blocks.push(Arc::new(code.clone()));
            plan.compile_modes.push(block_profile.compile_mode(pc));
        }
        if !plan.blocks.iter().any(|code| has_floats(code)) {
            plan.mode = mode.without_floats();
        }
        (!plan.blocks.is_empty()).then_some(plan)
    }

    /// Number of instructions.
    pub(crate) fn instructions(&self) -> u64 {
        self.blocks.iter().map(|code| code.ops().len() as u64).sum()
    }

    /// Index of the block at `pc`.
    pub(crate) fn at(&self, pc: u32) -> Option<usize> {
        self.places.get(&pc).copied()
    }

    /// Indices of a block's successors in the region.
    pub(crate) fn followers(&self, index: usize) -> Vec<usize> {
        let all = successors(&self.blocks[index]).into_iter();
        all.filter_map(|pc| self.at(pc)).collect()
    }

    /// Indices of each block's predecessors in the region.
    pub(crate) fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for index in 0..self.blocks.len() {
            for next in self.followers(index) {
                predecessors[next].push(index);
            }
        }
        predecessors
    }
}

/// Returns true if a block contains FPU instructions.
pub(crate) fn has_floats(code: &BasicBlock) -> bool {
    let mut rows = code.ops().iter().filter_map(|op| op.row());
    rows.any(|row| row.has(flag::FPU))
}

/// Returns the branch at the end of a block.
pub(crate) fn branch(code: &BasicBlock) -> Option<Op> {
    let at = code.ops().len().checked_sub(1 + usize::from(code.has_slot()))?;
    let op = *code.ops().get(at)?;
    op.row()?.has(flag::BRANCH).then_some(op)
}

/// Returns true if a block ends with a register-indirect branch and keeps the CPU mode.
pub(crate) fn is_computed(code: &BasicBlock) -> bool {
    let computed = |op: Op| {
        matches!(
            op.id,
            Id::jmp_at_rm | Id::jsr_at_rm | Id::braf_rm | Id::bsrf_rm | Id::rts
        )
    };
    branch(code).is_some_and(computed) && !ends_mode(code)
}

/// Targets of a direct branch, the likelier one last.
fn successors(code: &BasicBlock) -> Vec<u32> {
    let end = code.end();
    match branch(code) {
        _ if ends_mode(code) => Vec::new(),
        Some(op) => match op.id {
            Id::bt | Id::bf | Id::bt_s | Id::bf_s => vec![end, op.imm],
            Id::bra | Id::bsr => vec![op.imm],
            _ => Vec::new(),
        },
        None => vec![end],
    }
}

/// Returns true if a block may change the CPU mode, on which decoding depends, or end the run.
pub(crate) fn ends_mode(code: &BasicBlock) -> bool {
    let last = code.ops().last().and_then(|op| op.row());
    let returns = branch(code).is_some_and(|op| op.id == Id::rte);
    returns || last.is_none_or(|row| row.has(flag::MODE | flag::LAST))
}
