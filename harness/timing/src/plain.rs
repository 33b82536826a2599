//! Reference implementation of the cycle model: every instruction passes through the pipeline and every
//! access through memory, in order.

use crate::cause::Cause;
use crate::counts::{Counts, StageUse};
use crate::cycle_counts::CycleCounts;
use crate::events::EventCounts;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::memory::{DataAccess, MemoryModel, Stall};
use crate::pipeline::Pipeline;
use crate::setup::Setup;
use crate::table::{self, Stage};
use sh4::table::{Group, Id, TABLE, flag};
use sh4::{Observer, Retired, Taken};

/// Counts a run without memoisation. It is slow; [`Counter`](crate::Counter) must have the same results.
#[derive(Clone, Debug)]
pub struct PlainCounter {
    setup: Setup,
    pipeline: Pipeline,
    memory: MemoryModel,
    ledger: Ledger,
    counts: Counts,
    /// Number of cycles in which memory froze the CPU.
    frozen: u64,
    /// Address of the last instruction.
    last: Option<u32>,
}

impl PlainCounter {
    /// Creates a counter with an empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: Setup) -> PlainCounter {
        let mut memory = MemoryModel::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        PlainCounter {
            pipeline: Pipeline::new(&setup.parameters),
            memory,
            ledger: Ledger::default(),
            counts: Counts::default(),
            frozen: 0,
            last: None,
            setup,
        }
    }

    /// Returns the hardware's events up to now, as read from PMCTR.
    #[must_use]
    pub fn events(&self) -> EventCounts {
        let stats = self.memory.stats();
        EventCounts::new(&self.ledger, &self.counts, &stats, &self.setup.parameters)
    }

    /// Ends the run. Changed code is not detected.
    #[must_use]
    pub fn finish(self) -> CycleCounts {
        let mut ledger = self.ledger;
        ledger.lose(Cause::End, self.pipeline.unfilled(), 0);
        let mut memory = self.memory.stats();
        let end = self.pipeline.end() + self.frozen;
        memory.leave_pending(self.memory.bus_free().saturating_sub(end));
        CycleCounts {
            events: EventCounts::new(&ledger, &self.counts, &memory, &self.setup.parameters),
            ledger,
            counts: self.counts,
            memory,
            changed_code: None,
            last_pc: self.last.unwrap_or(0),
            setup: self.setup,
        }
    }

    fn freeze(&mut self, stall: &Stall) {
        self.frozen += stall.cycles;
        for (cause, cycles) in stall.parts() {
            self.ledger.freeze(cause, cycles);
        }
    }

    fn count_instruction(&mut self, event: &Retired<'_>, insn: &Insn, second: bool) {
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
            counts.unpaired_cycles += table::timing(insn.id).map_or(0, |row| row.issue.into());
        }
        let stages = &mut counts.stages;
        occupy(&mut stages.vector, insn.id, Stage::F0);
        occupy(&mut stages.arithmetic, insn.id, Stage::F1);
        occupy(&mut stages.divider, insn.id, Stage::F3);
    }
}

/// Adds the cycles in which an instruction occupies an FPU stage: the cycles of its locks and, for arithmetic
/// and vector instructions, cycle 2. Multiplication and writes to MACH and MACL use a separate part of F1.
fn occupy(stage_use: &mut StageUse, id: Id, stage: Stage) {
    let Some(row) = table::timing(id) else { return };
    let separate = stage == Stage::F1 && matches!(row.pattern, 28 | 29 | 34 | 35);
    let passes = match stage {
        Stage::F0 => row.pattern == 42,
        Stage::F1 => matches!(row.pattern, 36..=39 | 41),
        _ => false,
    };
    let locks = row.locks.iter().filter(|lock| lock.stage == stage && !separate);
    let mut cycles: Vec<u8> = locks
        .flat_map(|lock| lock.start..lock.start + lock.cycles)
        .collect();
    cycles.extend(passes.then_some(2));
    cycles.sort_unstable();
    cycles.dedup();
    stage_use.cycles += cycles.len() as u64;
    stage_use.last_use = stage_use
        .last_use
        .max(cycles.last().map_or(0, |last| u64::from(last - 1)));
}

impl Observer for PlainCounter {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        let insn = Insn::new(event.id, event.n, event.m, event.opcode, &self.setup.parameters);
        let issue = self.pipeline.issue(&insn, event.pc, event.in_slot, event.taken);
        self.ledger.used += 1;
        self.ledger.lose(Cause::Pair, issue.unpaired.into(), 0);
        self.ledger
            .lose(issue.cause, issue.lost.into(), issue.idle.into());
        self.count_instruction(event, &insn, issue.second);
        let before = self.last.replace(event.pc).unwrap_or(u32::MAX);
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

    fn taken(&mut self, taken: &Taken) {
        self.counts.interrupts += u64::from(taken.event.is_interrupt());
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        self.events().get(event)
    }
}
