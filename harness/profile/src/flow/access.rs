//! The accesses and fetches of straight code.

use super::clock::Clock;
use super::{Books, Flow};
use crate::cause::Cause;
use crate::code::Code;
use crate::memory::{Accesses, DataAccess, MemoryModel, Stall, Told};
use crate::outcome::Moment;
use sh4::{Access, Direction};

impl Flow {
    /// The accesses from the `first` one on of an edge through `code`, where the pipeline's clock was at `base`.
    #[inline]
    pub(super) fn access_from<B: Books, A: Told>(
        &mut self,
        base: u64,
        first: usize,
        edge: u32,
        code: u32,
        accesses: &[A],
        books: &mut B,
    ) {
        let code = &self.codes.all[code as usize];
        let moments = &mut *self.outcomes.all[edge as usize].moments;
        let mut place = first;
        while let (Some(moment), Some(access)) = (moments.get(place), accesses.get(place)) {
            let cycle = base + self.clock.frozen;
            if moment.plain > 0 {
                let upto = (place + usize::from(moment.plain)).min(accesses.len());
                let mut shape = moment.shape;
                let these = Accesses {
                    way: edge,
                    start: code.start,
                    place,
                    moments: &moments[place..upto],
                    accesses: &accesses[place..upto],
                };
                let (passed, episode) = self.memory.follow(cycle, these, &mut shape);
                if let Some(episode) = episode {
                    self.clock.freeze_for(code, episode, books);
                }
                moments[place].shape = shape;
                place += passed;
                if passed > 0 {
                    continue;
                }
            }
            let moment = moments[place];
            access_one(
                &mut self.memory,
                &mut self.clock,
                cycle,
                code,
                &moment,
                access,
                books,
            );
            place += 1;
        }
    }

    /// All accesses, and the fetches between them: for code that is not known to be in the cache.
    #[cold]
    pub(super) fn fetch_and_access<B: Books>(
        &mut self,
        edge: u32,
        code: u32,
        accesses: &[Access],
        books: &mut B,
    ) {
        let mut place = 0;
        for visit in 0..self.outcomes.all[edge as usize].visits.len() {
            let outcome = &self.outcomes.all[edge as usize];
            let (index, offset) = (outcome.visits[visit].index, outcome.issues[visit].cycle);
            let behind = outcome.moments[place..]
                .iter()
                .take_while(|m| m.index == index)
                .count();
            self.fetch(code, index, offset, books);
            let upto = (place + behind).min(accesses.len());
            self.access_from(self.clock.base, place, edge, code, &accesses[..upto], books);
            place += behind;
        }
    }

    /// Fetches an instruction, if it is in another word than the one before, and that is not known to be there.
    fn fetch<B: Books>(&mut self, code: u32, index: u8, offset: u64, books: &mut B) {
        let pc = self.codes.all[code as usize].address(index);
        let before = std::mem::replace(&mut self.last, pc);
        if before >> 2 == pc >> 2 || before >> 5 == pc >> 5 && self.memory.has_fetched(pc) {
            return;
        }
        let misses = self.memory.misses();
        let stall = self.memory.fetch(self.clock.now() + offset, pc);
        let misses = since(self.memory.misses(), misses);
        let code = &self.codes.all[code as usize];
        self.clock.freeze(code, index, &stall, misses, books);
    }
}

/// An access of `code`, which is counted from `cycle` on, that is not part of a run.
#[inline(never)]
fn access_one<B: Books, A: Told>(
    memory: &mut MemoryModel,
    clock: &mut Clock,
    cycle: u64,
    code: &Code,
    moment: &Moment,
    access: &A,
    books: &mut B,
) {
    let now = cycle + u64::from(moment.offset);
    if moment.plain > 0
        && moment.size <= 8
        && let Some(waits) = memory.known(now, access.address(), moment.stores)
    {
        if waits > 0 {
            let stall = Stall::of(Cause::OperandMiss, waits);
            clock.freeze(code, moment.index, &stall, (0, 0), books);
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
    let before = memory.misses();
    let stall = memory.access(now, moment.id, &request, access.value());
    let misses = since(memory.misses(), before);
    clock.freeze(code, moment.index, &stall, misses, books);
}

fn since(now: (u64, u64), before: (u64, u64)) -> (u64, u64) {
    (now.0 - before.0, now.1 - before.1)
}
