//! Following a run: the part that counting and explaining have in common.
//!
//! What the pipeline does is looked up ([`Outcomes`]). Caches and bus are followed at every access, at the moments that
//! the pipeline says. Where all code of a stretch is known to be in its cache and nothing is under way, only what is
//! not a plain hit is looked at one by one.

mod access;
mod clock;
mod elsewhere;

use crate::code::{Code, Codes, Path};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::ledger::Ledger;
use crate::memory::{Episode, MemoryModel, Stall};
use crate::outcome::Outcomes;
use crate::pipeline::{Pipeline, START};
use crate::profiler::Setup;
use crate::serial::Serial;
use clock::Clock;
use sh4::Stretch;

/// Codes, edges and states that are kept before all are worked out anew: memory use stays flat.
const MOST: usize = 1 << 15;
/// Addresses whose opcode is remembered, at most.
const SEEN: usize = 1 << 18;

/// Whoever writes down what following a run brings to light.
pub(crate) trait Books {
    /// Memory was busy with the instruction at `index` of `code`, and froze the CPU for `stall`; `misses` of operands
    /// and instructions are new.
    fn memory(&mut self, code: &Code, index: u8, stall: &Stall, misses: (u64, u64));

    /// What has been counted by edges has to be taken now: they go.
    fn fold(&mut self, codes: &Codes, outcomes: &Outcomes);

    /// Memory was busy with a run of accesses in the code number `code`.
    fn episode(&mut self, codes: &Codes, code: u32, episode: &Episode) {
        let code = &codes.all[code as usize];
        for waited in episode.waited() {
            let misses = (u64::from(waited.missed), 0);
            self.memory(code, waited.index, &waited.stall, misses);
        }
    }
}

/// A run so far.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) codes: Codes,
    pub(crate) outcomes: Outcomes,
    pub(crate) memory: MemoryModel,
    pub(crate) clock: Clock,
    /// First fetches of a stretch that came from another word than the one before.
    pub(crate) fetches: u64,
    /// The address of the instruction that ran last.
    last: u32,
    /// The opcode at each address, and the first address at which a second one ran.
    seen: NumberMap<u32, u16>,
    pub(crate) changed_code: Option<u32>,
    /// What numbers of codes and edges belong to: another one when all were forgotten.
    pub(crate) serial: Serial,
}

impl Flow {
    /// An empty pipeline and empty caches.
    pub(crate) fn new(setup: &Setup) -> Flow {
        let mut memory = MemoryModel::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        Flow {
            codes: Codes::new(),
            outcomes: Outcomes::new(&setup.parameters),
            memory,
            clock: Clock {
                base: 0,
                frozen: 0,
                active: true,
                slots: 0,
            },
            fetches: 0,
            last: u32::MAX,
            seen: NumberMap::default(),
            changed_code: None,
            serial: Serial::default(),
        }
    }

    /// The next run: the pipeline is empty again, caches and bus are where they were.
    pub(crate) fn restart(self, setup: &Setup) -> Flow {
        let frozen = self.end();
        let mut memory = self.memory;
        memory.reset_stats();
        memory.forget_ways();
        let mut next = Flow::new(setup);
        next.clock.frozen = frozen;
        Flow { memory, ..next }
    }

    /// The address of the instruction that ran last; 0 if none has.
    pub(crate) fn last_pc(&self) -> u32 {
        if self.last == u32::MAX { 0 } else { self.last }
    }

    /// The cycle behind the youngest instruction, where time stands if nothing follows.
    pub(crate) fn end(&self) -> u64 {
        self.clock.now() + self.outcomes.pipeline().end() - START
    }

    /// The pipeline as it is.
    pub(crate) fn pipeline(&self) -> Pipeline {
        self.outcomes.pipeline()
    }

    /// What has been counted by edges since they were last told, and the fetches.
    pub(crate) fn add_to(&self, ledger: &mut Ledger, counts: &mut Counts) {
        self.outcomes.add_to(&self.codes, ledger, counts);
        counts.fetches += self.fetches;
    }

    /// Follows `stretch` and answers its edge.
    #[inline]
    pub(crate) fn pass<B: Books>(&mut self, stretch: &Stretch<'_>, books: &mut B) -> u32 {
        let code = self.codes.find(stretch);
        let known = self.outcomes.edges.len();
        let edge = self.outcomes.follow(&self.codes, code, Path::of(stretch));
        if self.outcomes.edges.len() != known {
            return self.first_time(edge, stretch, books);
        }
        self.pass_by(edge, code, stretch, books);
        edge
    }

    #[inline]
    fn pass_by<B: Books>(&mut self, edge: u32, code: u32, stretch: &Stretch<'_>, books: &mut B) {
        self.count(edge, code);
        let here = &mut self.codes.all[code as usize];
        let (start, bytes) = (here.start, here.bytes());
        if self.memory.holds_code(start, bytes, &mut here.resident) {
            if !stretch.accesses.is_empty() {
                self.access_from(self.clock.base, 0, edge, stretch.accesses, books);
            }
        } else {
            self.fetch_and_access(edge, code, stretch.accesses, books);
        }
        self.go_on(edge);
    }

    /// Counts that execution goes through `code` by `edge`.
    #[inline]
    fn count(&mut self, edge: u32, code: u32) {
        if self.clock.active {
            let way = &mut self.outcomes.edges[edge as usize];
            way.times[(self.clock.slots & 1) as usize] += 1;
            self.clock.slots += u64::from(way.slots);
            let start = self.codes.all[code as usize].start;
            self.fetches += u64::from(start >> 2 != self.last >> 2);
        }
    }

    /// Execution has come to the end of `edge`.
    #[inline]
    fn go_on(&mut self, edge: u32) {
        let way = &self.outcomes.edges[edge as usize];
        self.last = way.last;
        self.clock.base += u64::from(way.advance);
    }

    /// The same by an edge that was not known before.
    #[cold]
    fn first_time<B: Books>(&mut self, edge: u32, stretch: &Stretch<'_>, books: &mut B) -> u32 {
        self.compare_opcodes(edge);
        let code = self.outcomes.all[edge as usize].code;
        self.pass_by(edge, code, stretch, books);
        edge
    }

    /// Where in `stretch` the measured region begins or ends next.
    pub(crate) fn border(&self, stretch: &Stretch<'_>, region: (u32, u32)) -> Option<usize> {
        let address = if self.clock.active { region.1 } else { region.0 };
        let place = (address.wrapping_sub(stretch.start) / 2) as usize;
        let ran = address & 1 == 0
            && stretch.ran.contains(&place)
            && stretch.instructions().any(|event| event.pc == address);
        ran.then_some(place)
    }

    /// Makes room, if there is none left. To be called between stretches.
    #[inline]
    pub(crate) fn make_room<B: Books>(&mut self, books: &mut B) {
        if self.is_full() {
            self.forget(books);
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.outcomes.is_full(MOST) || self.codes.is_full(MOST)
    }

    #[cold]
    fn forget<B: Books>(&mut self, books: &mut B) {
        books.fold(&self.codes, &self.outcomes);
        self.outcomes.forget();
        self.memory.forget_ways();
        self.codes = Codes::new();
        self.serial = Serial::default();
        if self.seen.len() > SEEN {
            self.seen.clear();
        }
    }

    /// Looks whether another opcode ran at the same address before.
    fn compare_opcodes(&mut self, edge: u32) {
        let outcome = &self.outcomes.all[edge as usize];
        let code = &self.codes.all[outcome.code as usize];
        for visit in &outcome.visits {
            let (pc, opcode) = (code.address(visit.index), code.opcodes[usize::from(visit.index)]);
            if self
                .seen
                .insert(pc, opcode)
                .is_some_and(|before| before != opcode)
            {
                self.changed_code.get_or_insert(pc);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MOST;
    use crate::{Counter, Profiler, Setup};
    use sh4::table::Id;
    use sh4::{Observer, Retired};

    /// Code that never comes again: what is kept of it has a limit, and nothing is lost from the books.
    #[test]
    fn memory_use_is_flat() {
        let mut counter = Counter::new(Setup::default());
        let serial = counter.flow.serial.number();
        let mut profiler = Profiler::new(Setup::default()).without_interval();
        let instructions = 2 * MOST as u32 + 1000;
        for i in 0..instructions {
            // mul.l r1,r0 at one address after the other; then the same in changing code.
            let (pc, opcode) = if i < MOST as u32 + 500 {
                (0x8C00_0000 + 2 * i, 0x0017)
            } else {
                (0x8D00_0000, 0x7000 | i as u16 & 0xFFF)
            };
            let id = if opcode == 0x0017 {
                Id::mul_l_rm_rn
            } else {
                Id::add_imm_rn
            };
            let event = Retired {
                pc,
                opcode,
                id,
                n: 0,
                m: 1,
                in_slot: false,
                taken: false,
                accesses: &[],
            };
            counter.retire(&event);
            profiler.retire(&event);
            let flow = &counter.flow;
            assert!(flow.codes.all.len() <= MOST && flow.outcomes.edges.len() <= MOST + 1);
        }
        assert_ne!(counter.flow.serial.number(), serial);
        let (counted, explained) = (counter.finish(), profiler.finish());
        assert_eq!(counted.ledger.used, u64::from(instructions));
        assert_eq!(
            (counted.ledger, counted.events),
            (explained.ledger, explained.events)
        );
        let sites: u64 = explained.sites.iter().map(|site| site.costs.instructions).sum();
        assert_eq!(sites, u64::from(instructions));
        assert_eq!(counted.changed_code, Some(0x8D00_0000));
    }
}
