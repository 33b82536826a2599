//! The last branches of a run, and where a program spins. Both are found by running the program once more to a point
//! before the end and observing from there: runs are deterministic, so that the run itself keeps no record.

use machine::{Observer, Retired};
use sh4::Direction;
use std::collections::{BTreeMap, VecDeque};

/// Branches that are kept.
const KEPT: usize = 16;

/// A taken branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// Observes the end of a run.
#[derive(Default)]
pub(crate) struct Trail {
    branches: VecDeque<Branch>,
    /// A taken branch whose target has not run.
    pending: Option<u32>,
    /// The instruction before, and its address.
    last: Option<u32>,
    /// How often each instruction ran.
    counts: BTreeMap<u32, u64>,
    /// Reads by address, but for constants in the code.
    reads: BTreeMap<u32, u64>,
}

impl Observer for Trail {
    fn retire(&mut self, event: &Retired<'_>) {
        // An exception, an interrupt and a call of the firmware leave a gap without a branch.
        let gap = self.last.is_some_and(|last| last.wrapping_add(2) != event.pc);
        let from = self.pending.filter(|_| !event.in_slot).or(self.last.filter(|_| gap));
        if let Some(from) = from
            && !event.in_slot
        {
            self.pending = None;
            self.push(Branch { from, to: event.pc });
        }
        if event.taken {
            self.pending = Some(event.pc);
        }
        self.last = Some(event.pc);
        *self.counts.entry(event.pc).or_default() += 1;
        // MOV.W and MOV.L @(disp,PC) read constants.
        if matches!(event.opcode >> 12, 0x9 | 0xD) {
            return;
        }
        for access in event.accesses.iter().filter(|access| access.direction == Direction::Read) {
            *self.reads.entry(access.address).or_default() += 1;
        }
    }
}

/// What a program does while it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spin {
    /// The instruction that ran most often, the first of several.
    pub(crate) pc: u32,
    /// The address that was read most often, and how often.
    pub(crate) read: Option<(u32, u64)>,
    /// Instructions observed.
    pub(crate) instructions: u64,
}

impl Trail {
    fn push(&mut self, branch: Branch) {
        if self.branches.len() == KEPT {
            self.branches.pop_front();
        }
        self.branches.push_back(branch);
    }

    /// The last branches, the oldest first; `end` is where the CPU stands.
    pub(crate) fn branches(&self, end: u32) -> Vec<Branch> {
        let mut branches: Vec<Branch> = self.branches.iter().copied().collect();
        if let Some(from) = self.pending {
            branches.push(Branch { from, to: end });
        }
        branches
    }

    /// The loop that the program spends its time in. What the loop reads again and again is what it waits for, unless
    /// it is a local variable.
    pub(crate) fn spin(&self, is_local: impl Fn(u32) -> bool) -> Option<Spin> {
        let instructions = self.counts.values().sum();
        let (&pc, &most) = self.counts.iter().max_by_key(|&(pc, count)| (*count, std::cmp::Reverse(*pc)))?;
        let read = self.reads.iter().map(|(&address, &count)| (address, count));
        let read = read.filter(|(address, _)| !is_local(*address)).max_by_key(|&(_, count)| count);
        // A read in every second turn at least.
        Some(Spin {
            pc,
            read: read.filter(|&(_, count)| 2 * count >= most && count >= 16),
            instructions,
        })
    }
}
