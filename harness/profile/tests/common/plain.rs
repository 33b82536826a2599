//! The model without anything that makes it fast.

use profile::events::EventCounts;
use profile::memory::{DataAccess, MemoryModel, Stall};
use profile::table::{Stage, TIMING};
use profile::{Cause, Counts, Insn, Kept, Ledger, Pipeline, Setup};
use sh4::table::{Group, Id, TABLE, flag};
use sh4::{Observer, Retired};

pub(crate) struct Plain {
    setup: Setup,
    pipeline: Pipeline,
    pub(crate) memory: MemoryModel,
    ledger: Ledger,
    pub(crate) counts: Counts,
    frozen: u64,
    last: u32,
}

impl Plain {
    pub(crate) fn new(setup: &Setup) -> Plain {
        Plain {
            setup: setup.clone(),
            pipeline: Pipeline::new(&setup.parameters),
            memory: MemoryModel::new(setup.caches, &setup.parameters),
            ledger: Ledger::default(),
            counts: Counts::default(),
            frozen: 0,
            last: u32::MAX,
        }
    }

    /// The books with what is left of the last cycle.
    pub(crate) fn ledger(&self) -> Ledger {
        let mut ledger = self.ledger;
        let unfilled = self.pipeline.unfilled();
        let odd = (ledger.used + ledger.all_lost() + unfilled) % 2;
        ledger.lose(Cause::End, unfilled + odd, 0);
        ledger
    }

    pub(crate) fn events(&self) -> EventCounts {
        EventCounts::new(
            &self.ledger(),
            &self.counts,
            &self.memory.stats(),
            &self.setup.parameters,
        )
    }

    /// The same without that: what a counter would read now.
    pub(crate) fn so_far(&self) -> EventCounts {
        let stats = self.memory.stats();
        EventCounts::new(&self.ledger, &self.counts, &stats, &self.setup.parameters)
    }

    fn freeze(&mut self, stall: &Stall) {
        self.frozen += stall.cycles;
        for (cause, cycles) in stall.parts() {
            self.ledger.freeze(cause, cycles);
        }
    }

    fn count(&mut self, event: &Retired<'_>, insn: &Insn, second: bool) {
        let row = &TABLE[event.id as usize];
        let counts = &mut self.counts;
        let skips = matches!(event.id, Id::bt | Id::bf) && event.opcode & 0xFF == 0;
        let branch = row.has(flag::BRANCH) && !skips;
        counts.instructions += 1;
        counts.pairs += u64::from(second);
        counts.branches += u64::from(branch);
        counts.taken += u64::from(branch && event.taken);
        counts.calls += u64::from(matches!(event.id, Id::bsr | Id::bsrf_rm | Id::jsr_at_rm));
        counts.fpu += u64::from(row.has(flag::FPU));
        counts.traps += u64::from(event.id == Id::trapa_imm);
        counts.groups[row.group as usize] += 1;
        if row.group == Group::CO {
            counts.alone += u64::from(profile::table::TIMING[insn.id as usize].issue);
        }
        let stages = &mut counts.stages;
        keep(&mut stages.vector, insn.id, Stage::F0);
        keep(&mut stages.arithmetic, insn.id, Stage::F1);
        keep(&mut stages.divider, insn.id, Stage::F3);
    }
}

/// How an instruction keeps a stage of the FPU: its locks, and where arithmetic and vectors go through it; multiplication
/// and what writes MACH and MACL keep a part of F1 for themselves.
fn keep(kept: &mut Kept, id: Id, stage: Stage) {
    let row = &TIMING[id as usize];
    let apart = stage == Stage::F1 && matches!(row.pattern, 28 | 29 | 34 | 35);
    let passes = match stage {
        Stage::F0 => row.pattern == 42,
        Stage::F1 => matches!(row.pattern, 36..=39 | 41),
        _ => false,
    };
    let locks = row.locks.iter().filter(|lock| lock.stage == stage && !apart);
    let mut cycles: Vec<u8> = locks
        .flat_map(|lock| lock.start..lock.start + lock.cycles)
        .collect();
    cycles.extend(passes.then_some(2));
    cycles.sort_unstable();
    cycles.dedup();
    kept.cycles += cycles.len() as u64;
    kept.behind = kept
        .behind
        .max(cycles.last().map_or(0, |last| u64::from(last - 1)));
}

impl Observer for Plain {
    fn retire(&mut self, event: &Retired<'_>) {
        let insn = Insn::new(event.id, event.n, event.m, event.opcode, &self.setup.parameters);
        let issue = self.pipeline.issue(&insn, event.pc, event.in_slot, event.taken);
        self.ledger.used += 1;
        self.ledger.lose(Cause::Pair, issue.unpaired.into(), 0);
        self.ledger
            .lose(issue.cause, issue.lost.into(), issue.idle.into());
        self.count(event, &insn, issue.second);
        let before = std::mem::replace(&mut self.last, event.pc);
        if before >> 2 != event.pc >> 2 {
            self.counts.fetches += 1;
            if before >> 5 != event.pc >> 5 || !self.memory.has_fetched(event.pc) {
                let stall = self.memory.fetch(issue.cycle + self.frozen, event.pc);
                self.freeze(&stall);
            }
        }
        for access in event.accesses {
            let request = DataAccess {
                address: access.address,
                size: access.size,
                direction: access.direction,
                pc: event.pc,
            };
            let now = issue.cycle + self.frozen;
            let stall = self.memory.access(now, event.id, &request, access.value as u32);
            self.freeze(&stall);
        }
    }
}
