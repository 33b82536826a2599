//! The last blocks of a run, and their conversion to steps.

use crate::site::Sites;
use crate::step::{KEPT, Step, Steps};
use std::collections::VecDeque;
use timing::block::{BlockTable, EdgeTable};
use timing::memory::Stall;

/// An executed block.
#[derive(Clone, Copy, Debug)]
struct Record {
    edge: u32,
    instructions: u32,
    /// Cycle at its beginning.
    cycle: u64,
    /// Number of stalls in it.
    stalls: u32,
}

/// The blocks of the last steps, and their stalls.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentBlocks {
    records: VecDeque<Record>,
    /// Stalls, with the index of the instruction in the block.
    stalls: VecDeque<(u8, Stall)>,
    /// Number of instructions in the records.
    instructions: usize,
    /// Number of stalls of the next block.
    open: u32,
    pub(crate) steps: Steps,
}

impl RecentBlocks {
    /// Adds a stall of the next block.
    pub(crate) fn stall(&mut self, index: u8, stall: &Stall) {
        self.stalls.push_back((index, *stall));
        self.open += 1;
    }

    #[inline]
    pub(crate) fn push(&mut self, edge: u32, instructions: u32, cycle: u64) {
        self.records.push_back(Record {
            edge,
            instructions,
            cycle,
            stalls: std::mem::take(&mut self.open),
        });
        self.instructions += instructions as usize;
        while let Some(first) = self.records.front()
            && self.instructions - first.instructions as usize >= KEPT
        {
            self.instructions -= first.instructions as usize;
            self.stalls.drain(..first.stalls as usize);
            self.records.pop_front();
        }
    }

    /// Converts all records to steps, before their edges are dropped. The sites of all instructions must
    /// exist.
    pub(crate) fn materialize(&mut self, blocks: &BlockTable, edges: &EdgeTable, sites: &Sites) {
        for record in std::mem::take(&mut self.records) {
            let stalls: Vec<(u8, Stall)> = self.stalls.drain(..record.stalls as usize).collect();
            let code = blocks.block(edges.block(record.edge));
            let mut frozen = 0;
            for (visit, _, issue) in edges.instructions(record.edge) {
                let mut stall = Stall::NONE;
                let mine = stalls.iter().filter(|(index, _)| *index == visit.index);
                mine.for_each(|(_, more)| stall.join(more));
                frozen += stall.cycles;
                self.steps.push(Step {
                    site: sites.find(code.address(visit.index)).unwrap_or(0) as u32,
                    cycle: record.cycle + issue.cycle + frozen,
                    second: issue.second,
                    unpaired: issue.unpaired > 0,
                    lost: issue.lost,
                    cause: issue.cause,
                    register: issue.register,
                    frozen: stall.cycles,
                });
                if stall.cycles > 0 {
                    self.steps.stalled(&stall);
                }
            }
        }
        self.instructions = 0;
    }
}
