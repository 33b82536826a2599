//! Finds the last branches of a run, and the loop in which a program waits. Both need a second run, observed
//! from a point before the end. Runs are deterministic, so the first run stores no record.

use machine::{Observer, Retired};
use sh4::Direction;
use std::collections::BTreeMap;

/// Maximum number of reported branches.
const REPORTED: usize = 16;

/// A taken branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Number of times that the branch was taken.
    pub(crate) times: u64,
}

/// Records branches, executed instructions and reads at the end of a run.
#[derive(Default)]
pub(crate) struct TailRecorder {
    /// Number of times that each branch was taken, and the sequence number of the last time, by source and
    /// target.
    branches: BTreeMap<(u32, u32), (u64, u64)>,
    taken: u64,
    /// A taken branch that has not reached its target yet.
    pending: Option<u32>,
    /// Address of the previous instruction.
    last: Option<u32>,
    /// Execution count of each instruction.
    counts: BTreeMap<u32, u64>,
    /// Number of reads by address, without constants in the code.
    reads: BTreeMap<u32, u64>,
}

impl Observer for TailRecorder {
    fn retire(&mut self, event: &Retired<'_>) {
        // Exceptions, interrupts and firmware calls jump without a branch, so the addresses have a gap.
        let gap = self.last.is_some_and(|last| last.wrapping_add(2) != event.pc);
        let from = self
            .pending
            .filter(|_| !event.in_slot)
            .or(self.last.filter(|_| gap));
        if let Some(from) = from
            && !event.in_slot
        {
            self.pending = None;
            self.branch(from, event.pc);
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
        for access in event
            .accesses
            .iter()
            .filter(|access| access.direction == Direction::Read)
        {
            *self.reads.entry(access.address).or_default() += 1;
        }
    }
}

/// Activity of a program while it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WaitActivity {
    /// Most frequent instruction; of several, the first.
    pub(crate) pc: u32,
    /// Most frequently read address, and the number of reads.
    pub(crate) read: Option<(u32, u64)>,
    /// Number of observed instructions.
    pub(crate) instructions: u64,
}

impl TailRecorder {
    fn branch(&mut self, from: u32, to: u32) {
        self.taken += 1;
        let (times, last) = self.branches.entry((from, to)).or_default();
        *times += 1;
        *last = self.taken;
    }

    /// Returns the last branches without repetition, ordered by the last time they were taken. `end` is the
    /// CPU's current address.
    pub(crate) fn branches(mut self, end: u32) -> Vec<Branch> {
        if let Some(from) = self.pending.take() {
            self.branch(from, end);
        }
        let mut branches: Vec<_> = self.branches.into_iter().collect();
        branches.sort_by_key(|(_, (_, last))| *last);
        let first = branches.len().saturating_sub(REPORTED);
        let branch = |&((from, to), (times, _)): &((u32, u32), (u64, u64))| Branch { from, to, times };
        branches[first..].iter().map(branch).collect()
    }

    /// Returns the loop in which the program spends its time. It probably waits for the address that the loop
    /// reads repeatedly, unless that is a local variable.
    pub(crate) fn spin(&self, is_local: impl Fn(u32) -> bool) -> Option<WaitActivity> {
        let instructions = self.counts.values().sum();
        let (&pc, &most) = self
            .counts
            .iter()
            .max_by_key(|&(pc, count)| (*count, std::cmp::Reverse(*pc)))?;
        let read = self.reads.iter().map(|(&address, &count)| (address, count));
        let read = read
            .filter(|(address, _)| !is_local(*address))
            .max_by_key(|&(_, count)| count);
        // Requires a read in at least every second iteration.
        Some(WaitActivity {
            pc,
            read: read.filter(|&(_, count)| 2 * count >= most && count >= 16),
            instructions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A branch of a loop must be reported once with its count, ordered by its last time.
    #[test]
    fn branches_are_reported_once_by_their_last_time() {
        let mut tail = TailRecorder::default();
        for (from, to) in [(0x10, 0), (0x20, 0x40), (0x10, 0), (0x44, 0x10)] {
            tail.branch(from, to);
        }
        tail.pending = Some(0x12);
        let found = tail
            .branches(0x80)
            .into_iter()
            .map(|branch| (branch.from, branch.to, branch.times));
        let expected = [(0x20, 0x40, 1), (0x10, 0, 2), (0x44, 0x10, 1), (0x12, 0x80, 1)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let mut many = TailRecorder::default();
        (0..100).for_each(|n| many.branch(n, n));
        assert_eq!(many.branches(0).len(), REPORTED);
    }

    /// A word that is read in every iteration must be reported as awaited; a local variable, or a rarely read
    /// word, must not.
    #[test]
    fn the_word_of_a_loop_is_what_it_waits_for() {
        let mut tail = TailRecorder::default();
        tail.counts.extend([(0x100, 1000), (0x102, 1000), (0x200, 3)]);
        tail.reads.extend([(0x5000, 1000), (0x7000, 900), (0x9000, 20)]);
        let spin = tail.spin(|address| address == 0x5000).expect("instructions ran");
        assert_eq!(
            (spin.pc, spin.read, spin.instructions),
            (0x100, Some((0x7000, 900)), 2003)
        );
        tail.reads.remove(&0x7000);
        assert_eq!(
            tail.spin(|address| address == 0x5000).and_then(|spin| spin.read),
            None
        );
    }
}
