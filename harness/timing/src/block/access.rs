//! The accesses and fetches of a block.

use super::{BlockTimer, TimingSink};
use crate::cause::Cause;
use crate::memo::layout::{AccessRun, RecordsAccess};
use crate::memory::{DataAccess, Stall};
use sh4::{Access, Direction};

impl BlockTimer {
    /// Follows the accesses of an edge from the `first` one on; the pipeline's clock was at `base` before the
    /// edge.
    #[inline(always)]
    pub(super) fn access_from<B: TimingSink, A: RecordsAccess>(
        &mut self,
        base: u64,
        first: usize,
        edge: u32,
        accesses: &[A],
        sink: &mut B,
    ) {
        let behind = self.access_run(base, first, edge, accesses, sink);
        if behind < accesses.len() {
            self.access_others(base, behind, edge, accesses, sink);
        }
    }

    /// The same run by run, with single accesses between the runs.
    #[inline(never)]
    pub(super) fn access_others<B: TimingSink, A: RecordsAccess>(
        &mut self,
        base: u64,
        first: usize,
        edge: u32,
        accesses: &[A],
        sink: &mut B,
    ) {
        let mut place = first;
        while place < accesses.len() {
            let behind = self.access_run(base, place, edge, accesses, sink);
            if behind == place {
                self.access_one(base, place, edge, accesses, sink);
                place += 1;
            } else {
                place = behind;
            }
        }
    }

    /// Follows a run of accesses from the one at `place` on. Returns the place behind it. No timing table
    /// changes.
    #[inline(always)]
    pub(super) fn access_run<B: TimingSink, A: RecordsAccess>(
        &mut self,
        base: u64,
        place: usize,
        edge: u32,
        accesses: &[A],
        sink: &mut B,
    ) -> usize {
        let details = &mut self.edges.details[edge as usize];
        let (Some(moments), Some(accesses)) = (details.moments.get_mut(place..), accesses.get(place..))
        else {
            return place;
        };
        let Some(first) = moments.first() else {
            return place;
        };
        let mut shape = first.shape;
        let count = usize::from(first.plain).min(accesses.len());
        if count == 0 {
            return place;
        }
        let these = AccessRun {
            edge,
            start: details.start,
            place,
            moments,
            accesses: &accesses[..count],
        };
        let (passed, memoized) = self.memory.follow(base + self.clock.frozen, these, &mut shape);
        if let Some(memoized) = memoized {
            let (blocks, code) = (&self.blocks, details.code);
            self.clock.freeze_for(blocks, code, memoized, sink);
        }
        moments[0].shape = shape;
        place + passed
    }

    /// Follows the access at `place`, which is not part of a run.
    #[inline(never)]
    fn access_one<B: TimingSink, A: RecordsAccess>(
        &mut self,
        base: u64,
        place: usize,
        edge: u32,
        accesses: &[A],
        sink: &mut B,
    ) {
        let details = &self.edges.details[edge as usize];
        let (Some(moment), Some(access)) = (details.moments.get(place), accesses.get(place)) else {
            return;
        };
        let (memory, code) = (&mut self.memory, &self.blocks.all[details.code as usize]);
        let now = base + self.clock.frozen + u64::from(moment.offset);
        if moment.plain > 0
            && moment.size <= 8
            && let Some(waits) = memory.hit(now, access.address(), moment.stores)
        {
            if waits > 0 {
                let stall = Stall::of(Cause::OperandMiss, waits);
                self.clock.freeze(code, moment.index, &stall, (0, 0), sink);
            }
            return;
        }
        let request = DataAccess {
            address: access.address(),
            size: moment.size,
            direction: if moment.stores {
                Direction::Write
            } else {
                Direction::Read
            },
            pc: code.address(moment.index),
        };
        let before = memory.plain().misses();
        let stall = memory.access(now, moment.id, &request, access.value());
        let misses = since(memory.plain().misses(), before);
        self.clock.freeze(code, moment.index, &stall, misses, sink);
    }

    /// Follows all accesses and the fetches between them: for code that the instruction cache may not hold.
    #[cold]
    pub(super) fn fetch_and_access<B: TimingSink>(
        &mut self,
        edge: u32,
        code: u32,
        accesses: &[Access],
        sink: &mut B,
    ) {
        let mut place = 0;
        for visit in 0..self.edges.details[edge as usize].visits.len() {
            let details = &self.edges.details[edge as usize];
            let (index, offset) = (details.visits[visit].index, details.issues[visit].cycle);
            let behind = details.moments[place..]
                .iter()
                .take_while(|m| m.index == index)
                .count();
            self.fetch(code, index, offset, sink);
            let upto = (place + behind).min(accesses.len());
            self.access_from(self.clock.base, place, edge, &accesses[..upto], sink);
            place += behind;
        }
    }

    /// Fetches an instruction, unless the fetch before included it or its line is known to be there.
    fn fetch<B: TimingSink>(&mut self, code: u32, index: u8, offset: u64, sink: &mut B) {
        let pc = self.blocks.all[code as usize].address(index);
        let before = std::mem::replace(&mut self.last, pc);
        if before >> 2 == pc >> 2 || before >> 5 == pc >> 5 && self.memory.plain().has_fetched(pc) {
            return;
        }
        let misses = self.memory.plain().misses();
        let stall = self.memory.fetch(self.clock.now() + offset, pc);
        let misses = since(self.memory.plain().misses(), misses);
        let code = &self.blocks.all[code as usize];
        self.clock.freeze(code, index, &stall, misses, sink);
    }
}

fn since(now: (u64, u64), before: (u64, u64)) -> (u64, u64) {
    (now.0 - before.0, now.1 - before.1)
}
