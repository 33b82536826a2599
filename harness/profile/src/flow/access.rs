//! The accesses and fetches of straight code.

use super::{Books, Flow};
use crate::cause::Cause;
use crate::memory::{Accesses, DataAccess, Stall, Told};
use sh4::{Access, Direction};

impl Flow {
    /// The accesses from the `first` one on of an edge, where the pipeline's clock was at `base`. Usually they are one run.
    #[inline(always)]
    pub(super) fn access_from<B: Books, A: Told>(
        &mut self,
        base: u64,
        first: usize,
        edge: u32,
        accesses: &[A],
        books: &mut B,
    ) {
        let behind = self.access_run(base, first, edge, accesses, books);
        if behind < accesses.len() {
            self.access_others(base, behind, edge, accesses, books);
        }
    }

    /// The same for those that are left, one run after the other, and what is between them.
    #[inline(never)]
    pub(super) fn access_others<B: Books, A: Told>(
        &mut self,
        base: u64,
        first: usize,
        edge: u32,
        accesses: &[A],
        books: &mut B,
    ) {
        let mut place = first;
        while place < accesses.len() {
            let behind = self.access_run(base, place, edge, accesses, books);
            if behind == place {
                self.access_one(base, place, edge, accesses, books);
                place += 1;
            } else {
                place = behind;
            }
        }
    }

    /// A run of accesses from the one at `place` on; behind it. It changes no tables of [`sh4::meter`].
    #[inline(always)]
    pub(super) fn access_run<B: Books, A: Told>(
        &mut self,
        base: u64,
        place: usize,
        edge: u32,
        accesses: &[A],
        books: &mut B,
    ) -> usize {
        let outcome = &mut self.outcomes.all[edge as usize];
        let (Some(moments), Some(accesses)) = (outcome.moments.get_mut(place..), accesses.get(place..))
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
        let these = Accesses {
            way: edge,
            start: outcome.start,
            place,
            moments,
            accesses: &accesses[..count],
        };
        let (passed, episode) = self.memory.follow(base + self.clock.frozen, these, &mut shape);
        if let Some(episode) = episode {
            let (codes, code) = (&self.codes, outcome.code);
            self.clock.freeze_for(codes, code, episode, books);
        }
        moments[0].shape = shape;
        place + passed
    }

    /// The access at `place`, which is not part of a run.
    #[inline(never)]
    fn access_one<B: Books, A: Told>(
        &mut self,
        base: u64,
        place: usize,
        edge: u32,
        accesses: &[A],
        books: &mut B,
    ) {
        let outcome = &self.outcomes.all[edge as usize];
        let (Some(moment), Some(access)) = (outcome.moments.get(place), accesses.get(place)) else {
            return;
        };
        let (memory, code) = (&mut self.memory, &self.codes.all[outcome.code as usize]);
        let now = base + self.clock.frozen + u64::from(moment.offset);
        if moment.plain > 0
            && moment.size <= 8
            && let Some(waits) = memory.known(now, access.address(), moment.stores)
        {
            if waits > 0 {
                let stall = Stall::of(Cause::OperandMiss, waits);
                self.clock.freeze(code, moment.index, &stall, (0, 0), books);
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
        self.clock.freeze(code, moment.index, &stall, misses, books);
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
            self.access_from(self.clock.base, place, edge, &accesses[..upto], books);
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

fn since(now: (u64, u64), before: (u64, u64)) -> (u64, u64) {
    (now.0 - before.0, now.1 - before.1)
}
