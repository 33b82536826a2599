//! The explaining mode: every instruction through pipeline and memory, every lost slot booked.

use crate::calls::Calls;
use crate::cause::Cause;
use crate::chain::Chain;
use crate::counts::Counts;
use crate::cycles::Cycles;
use crate::events::EventCounts;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::memory::{Aside, CacheSettings, DataAccess, MemoryModel, MemoryStats, Stall};
use crate::parameters::Parameters;
use crate::pipeline::{Issue, Pipeline};
use crate::site::{Costs, Site, Sites};
use crate::step::{Step, Steps};
use sh4::table::{Id, TABLE, flag};
use sh4::{Observer, Retired};

/// How a run is to be looked at.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The open figures.
    pub parameters: Parameters,
    /// The caches at the start; stores to CCR change them.
    pub caches: CacheSettings,
    /// QACR0 and QACR1 at the start; stores there change them.
    pub qacr: [u32; 2],
    /// Only from the first address to the second, every time execution comes to the first.
    pub region: Option<(u32, u32)>,
}

/// Instructions up to which the interval of the open figures is followed: it triples the work.
const INTERVAL_LIMIT: u64 = 2_000_000;

/// The pipeline under other parameters, beside the one that counts.
#[derive(Clone, Debug)]
struct Shadow {
    parameters: Parameters,
    pipeline: Pipeline,
    /// By index of the site.
    insns: Vec<Insn>,
    /// Cycles spent before the measured region was left last, and where the present one began.
    spent: u64,
    since: u64,
}

/// What a control transfer in the instruction before, or before its slot, means for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    None,
    Backward,
    Call(u32),
    Return,
}

/// Listens to a run and knows afterwards where its cycles went.
#[derive(Clone, Debug)]
pub struct Profiler {
    setup: Setup,
    pipeline: Pipeline,
    memory: MemoryModel,
    shadows: Option<Box<[Shadow; 2]>>,
    sites: Sites,
    ledger: Ledger,
    counts: Counts,
    /// Operand and instruction misses, branches taken.
    misses: (u64, u64),
    taken: u64,
    calls: Calls,
    chain: Chain,
    steps: Steps,
    /// Cycles of memory stalls, and of earlier runs.
    frozen: u64,
    /// The cycle in which this run began.
    start: u64,
    line: u32,
    word: u32,
    transfer: Transfer,
    /// Whether a delay slot stands between that and its target.
    in_slot_next: bool,
    /// Slots booked.
    slots: u64,
    active: bool,
    aside: Aside,
    entered: u64,
    changed_code: Option<u32>,
    last_pc: u32,
    /// The last one that was measured.
    last_site: Option<usize>,
}

impl Profiler {
    /// An empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: Setup) -> Profiler {
        let mut memory = MemoryModel::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        let ends = [setup.parameters.fastest(), setup.parameters.slowest()];
        let shadows = ends.map(|parameters| Shadow {
            parameters,
            pipeline: Pipeline::new(&parameters),
            insns: Vec::new(),
            spent: 0,
            since: 0,
        });
        Profiler {
            pipeline: Pipeline::new(&setup.parameters),
            memory,
            shadows: Some(Box::new(shadows)),
            sites: Sites::new(),
            ledger: Ledger::default(),
            counts: Counts::default(),
            misses: (0, 0),
            taken: 0,
            calls: Calls::default(),
            chain: Chain::new(),
            steps: Steps::default(),
            frozen: 0,
            start: 0,
            line: u32::MAX,
            word: u32::MAX,
            transfer: Transfer::None,
            in_slot_next: false,
            slots: 0,
            active: setup.region.is_none(),
            aside: Aside::default(),
            entered: u64::from(setup.region.is_none()),
            changed_code: None,
            last_pc: 0,
            last_site: None,
            setup,
        }
    }

    /// The same without the interval that the open figures leave: a third of the work.
    #[must_use]
    pub fn without_interval(mut self) -> Profiler {
        self.shadows = None;
        self
    }

    /// Forgets all costs but keeps the caches' contents: for a second, warm run.
    pub fn restart(&mut self) {
        let fresh = Profiler::new(self.setup.clone());
        let memory = std::mem::replace(&mut self.memory, fresh.memory.clone());
        let now = self.frozen + self.pipeline.end();
        let interval = self.shadows.is_some();
        *self = Profiler { memory, ..fresh };
        self.memory.reset_stats();
        // The bus's clock goes on where it was: a fill in flight ends when it would have.
        self.frozen = now;
        self.start = now;
        if !interval {
            self.shadows = None;
        }
    }
}

impl Profiler {
    /// Empties the operand cache.
    pub fn drop_operand_cache(&mut self) {
        self.memory.drop_operand_cache();
    }

    /// Empties the instruction cache.
    pub fn drop_instruction_cache(&mut self) {
        self.memory.drop_instruction_cache();
    }

    /// Takes a range of addresses out of the operand cache.
    pub fn drop_lines(&mut self, address: u32, bytes: u32) {
        self.memory.drop_lines(address, bytes);
    }

    /// Cycles since the start of the run, memory stalls included.
    #[must_use]
    pub fn clock(&self) -> Cycles {
        Cycles(self.pipeline.end() + self.frozen - self.start)
    }
}

impl Observer for Profiler {
    fn retire(&mut self, event: &Retired<'_>) {
        self.toggle(event.pc);
        let index = self.site(event);
        self.follow_transfer(event.pc, index);
        let insn = &self.sites.all[index].insn;
        let issue = self.pipeline.issue(insn, event.pc, event.in_slot, event.taken);
        if self.shadows.is_some() {
            self.shadow(index, event);
        }
        let misses = self.memory.misses();
        let stall = self.memory_stall(event, issue.cycle);
        if self.active {
            self.last_site = Some(index);
            self.book(index, event, &issue, &stall, misses);
        }
        self.frozen += stall.cycles;
        self.note_transfer(event);
        self.last_pc = event.pc;
    }
}

impl Profiler {
    /// Begins or ends the measured region.
    #[inline]
    fn toggle(&mut self, pc: u32) {
        let Some((from, to)) = self.setup.region else {
            return;
        };
        let inside = if self.active { pc != to } else { pc == from };
        if inside == self.active {
            return;
        }
        self.active = inside;
        self.memory.exchange_stats(&mut self.aside);
        self.entered += u64::from(inside);
        for shadow in self.shadows.iter_mut().flat_map(|shadows| shadows.iter_mut()) {
            shadow.pass(inside);
        }
    }

    #[inline]
    fn site(&mut self, event: &Retired<'_>) -> usize {
        let parameters = &self.setup.parameters;
        let make = || Insn::new(event.id, event.n, event.m, event.opcode, parameters);
        let index = self.sites.index(event.pc, event.opcode, make);
        let site = &mut self.sites.all[index];
        if site.insn.id != event.id || site.opcode != event.opcode {
            if site.opcode != event.opcode {
                self.changed_code.get_or_insert(event.pc);
            }
            // Under another FPSCR the same opcode is another instruction.
            (site.opcode, site.insn) = (event.opcode, make());
            self.forget_shadow(index);
        }
        index
    }

    #[cold]
    fn forget_shadow(&mut self, index: usize) {
        let insn = &self.sites.all[index].insn;
        for shadow in self.shadows.iter_mut().flat_map(|shadows| shadows.iter_mut()) {
            if let Some(known) = shadow.insns.get_mut(index) {
                *known = insn.clone();
            }
        }
    }

    #[inline]
    fn shadow(&mut self, index: usize, event: &Retired<'_>) {
        if self.counts.instructions > INTERVAL_LIMIT {
            self.shadows = None;
        }
        let Some(shadows) = &mut self.shadows else { return };
        for shadow in shadows.iter_mut() {
            while shadow.insns.len() <= index {
                let site = &self.sites.all[shadow.insns.len()];
                let (n, m) = (event.n, event.m);
                debug_assert!(shadow.insns.len() < index || site.pc == event.pc);
                shadow
                    .insns
                    .push(Insn::new(site.insn.id, n, m, site.opcode, &shadow.parameters));
            }
            let insn = &shadow.insns[index];
            shadow.pipeline.issue(insn, event.pc, event.in_slot, event.taken);
        }
    }

    /// What the instruction's fetch and its accesses cost.
    #[inline]
    fn memory_stall(&mut self, event: &Retired<'_>, cycle: u64) -> Stall {
        let now = cycle + self.frozen;
        let mut stall = Stall::NONE;
        let (word, line) = (event.pc >> 2, event.pc >> 5);
        if word != self.word {
            self.word = word;
            self.counts.fetches += u64::from(self.active);
            if line != self.line || !self.memory.fetches_are_quiet() || is_uncached(event.pc) {
                self.line = line;
                stall = self.memory.fetch(now, event.pc);
            }
        }
        for access in event.accesses {
            let request = DataAccess {
                address: access.address,
                size: access.size,
                direction: access.direction,
                pc: event.pc,
            };
            let more = self
                .memory
                .access(now + stall.cycles, event.id, &request, access.value as u32);
            stall.join(&more);
        }
        stall
    }

    #[inline]
    fn book(&mut self, index: usize, event: &Retired<'_>, issue: &Issue, stall: &Stall, misses: (u64, u64)) {
        let site = &mut self.sites.all[index];
        let costs = &mut site.costs;
        self.ledger.issued(issue);
        costs.lost[Cause::Pair as usize] += u64::from(issue.unpaired);
        costs.lost[issue.cause as usize] += u64::from(issue.lost);
        if stall.cycles > 0 {
            for (cause, cycles) in stall.parts() {
                self.ledger.freeze(cause, cycles);
                costs.lost[cause as usize] += 2 * cycles;
            }
        }
        let now = self.memory.misses();
        if now != misses {
            costs.misses += now.0 - misses.0;
            costs.instruction_misses += now.1 - misses.1;
            self.misses.0 += now.0 - misses.0;
            self.misses.1 += now.1 - misses.1;
        }
        let before = self.slots / 2;
        self.slots += 1 + u64::from(issue.unpaired) + u64::from(issue.lost) + 2 * stall.cycles;
        let cycles = self.slots / 2 - before;
        costs.cycles += cycles;
        costs.instructions += 1;
        costs.taken += u64::from(event.taken);
        self.taken += u64::from(event.taken);
        site.second += u64::from(issue.second);
        self.counts.count(&site.insn, event.taken, issue.second);
        self.chain.pass(&site.insn);
        self.calls.spend(event.pc, cycles);
        self.steps.push(Step {
            site: index as u32,
            cycle: issue.cycle + self.frozen + stall.cycles - self.start,
            second: issue.second,
            unpaired: issue.unpaired > 0,
            lost: issue.lost,
            cause: issue.cause,
            register: issue.register,
            stall: *stall,
        });
    }

    /// The costs of the run so far.
    fn so_far(&self) -> Costs {
        Costs {
            cycles: self.slots / 2,
            instructions: self.counts.instructions,
            lost: self.ledger.lost,
            misses: self.misses.0,
            instruction_misses: self.misses.1,
            taken: self.taken,
        }
    }

    /// What the transfer before means now that its target is known.
    #[inline]
    fn follow_transfer(&mut self, pc: u32, index: usize) {
        if self.transfer == Transfer::None {
            return;
        }
        if self.in_slot_next {
            // The slot: the target comes behind it.
            self.in_slot_next = false;
            return;
        }
        match std::mem::replace(&mut self.transfer, Transfer::None) {
            Transfer::Backward => self.sites.all[index].looped += u64::from(self.active),
            Transfer::Call(from) if self.active => self.calls.enter(from, pc, &self.so_far()),
            Transfer::Return => self.calls.leave(pc, &self.so_far()),
            Transfer::Call(_) | Transfer::None => {}
        }
    }

    #[inline]
    fn note_transfer(&mut self, event: &Retired<'_>) {
        if !event.taken {
            return;
        }
        let row = &TABLE[event.id as usize];
        self.in_slot_next = row.has(flag::DELAYED);
        self.transfer = match event.id {
            Id::bsr | Id::bsrf_rm | Id::jsr_at_rm => Transfer::Call(event.pc),
            Id::rts => Transfer::Return,
            Id::bt | Id::bf | Id::bt_s | Id::bf_s if event.opcode & 0x80 != 0 => Transfer::Backward,
            Id::bra if event.opcode & 0x800 != 0 => Transfer::Backward,
            _ => Transfer::None,
        };
    }
}

/// Whether code at `pc` is fetched past the cache.
pub(crate) fn is_uncached(pc: u32) -> bool {
    matches!(pc, 0xA000_0000..=0xBFFF_FFFF | 0xE000_0000..)
}

impl Shadow {
    /// Begins or ends a measured span.
    fn pass(&mut self, inside: bool) {
        if inside {
            self.since = self.pipeline.end();
        } else {
            self.spent += self.pipeline.end() - self.since;
        }
    }
}

/// What a run cost.
#[derive(Clone, Debug)]
pub struct Profile {
    /// How it was looked at.
    pub setup: Setup,
    /// All slots.
    pub ledger: Ledger,
    /// What the instructions were.
    pub counts: Counts,
    /// The hardware's events.
    pub events: EventCounts,
    /// What memory did.
    pub memory: MemoryStats,
    /// Costs by instruction, lowest address first.
    pub sites: Vec<Site>,
    /// Who called whom.
    pub calls: Calls,
    /// The last instructions; their `site` is an index into `sites`.
    pub steps: Steps,
    /// Length of the longest chain of dependent results, cycles; not known in the counting mode.
    pub chain: Option<u64>,
    /// Total cycles with the open figures at their fast and at their slow end, if that was asked for.
    pub interval: Option<[Cycles; 2]>,
    /// How often execution came to the measured region.
    pub entered: u64,
    /// An address at which two opcodes ran.
    pub changed_code: Option<u32>,
    /// The last instruction.
    pub last_pc: u32,
}

impl Profile {
    /// Total time.
    #[must_use]
    pub fn cycles(&self) -> Cycles {
        self.ledger.cycles()
    }
}

impl Profiler {
    /// Closes the books.
    #[must_use]
    pub fn finish(mut self) -> Profile {
        let unfilled = if self.active { self.pipeline.unfilled() } else { 0 };
        let odd = (self.ledger.used + self.ledger.all_lost() + unfilled) % 2;
        self.end(unfilled + odd);
        let all = Costs {
            cycles: self.ledger.cycles().0,
            ..self.so_far()
        };
        self.calls.finish(&all);
        if !self.active {
            // What was counted inside stands aside.
            self.memory.exchange_stats(&mut self.aside);
        }
        self.reorder();
        let memory = self.memory.stats();
        let frozen: u64 = Cause::ALL
            .iter()
            .filter(|cause| cause.is_memory())
            .map(|cause| self.ledger.idle[*cause as usize])
            .sum();
        let interval = self.shadows.take().map(|shadows| {
            let ends = shadows.map(|mut shadow| {
                if self.active {
                    shadow.pass(false);
                }
                Cycles(shadow.spent + frozen)
            });
            // Issue in order is not monotonic: a later instruction can let two others pair.
            let here = self.ledger.cycles();
            [ends[0].min(ends[1]).min(here), ends[0].max(ends[1]).max(here)]
        });
        Profile {
            events: EventCounts::new(&self.ledger, &self.counts, &memory, &self.setup.parameters),
            ledger: self.ledger,
            counts: self.counts,
            memory,
            sites: self.sites.all,
            calls: self.calls,
            steps: self.steps,
            chain: Some(self.chain.length()),
            interval,
            entered: self.entered,
            changed_code: self.changed_code,
            last_pc: self.last_pc,
            setup: self.setup,
        }
    }

    /// Books what is left of the last cycle to the last instruction, so that parts and whole agree.
    fn end(&mut self, slots: u64) {
        self.ledger.lose(Cause::End, slots, 0);
        let mut rest = Costs {
            cycles: self.ledger.cycles().0 - self.slots / 2,
            ..Costs::default()
        };
        rest.lost[Cause::End as usize] = slots;
        if let Some(last) = self.last_site.and_then(|index| self.sites.all.get_mut(index)) {
            last.costs.add(&rest);
            self.calls.spend(self.last_pc, rest.cycles);
        }
    }

    /// Puts the sites in the order of their addresses.
    fn reorder(&mut self) {
        let mut order: Vec<usize> = (0..self.sites.all.len()).collect();
        order.sort_by_key(|index| self.sites.all[*index].pc);
        let mut place = vec![0_u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new as u32;
        }
        self.sites.all.sort_by_key(|site| site.pc);
        self.steps.renumber(&place);
    }
}
