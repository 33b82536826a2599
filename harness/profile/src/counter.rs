//! The counting mode: the same cycles and events without saying where.
//!
//! What the pipeline does to a straight run of code depends only on the code and on the pipeline's state before it, so
//! each pair of them is worked out once. Caches and bus are followed at every access, at the same moments as in the
//! explaining mode: both give the same totals.

use crate::calls::Calls;
use crate::cause::Cause;
use crate::counts::Counts;
use crate::events::EventCounts;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::memory::{DataAccess, MemoryModel};
use crate::pipeline::{Issue, Pipeline, START, State};
use crate::profiler::{Profile, Setup, is_uncached};
use crate::step::Steps;
use sh4::table::Id;
use sh4::{Observer, Retired};
use std::collections::HashMap;

/// Instructions in a run of code, at most.
const LONGEST_RUN: usize = 32;
/// Outcomes that are kept before all are worked out anew: memory use stays flat.
const MOST: usize = 1 << 16;
const NONE: u32 = u32::MAX;

/// Straight code: up to a branch, to the length limit, or a single delay slot.
#[derive(Clone, Debug)]
struct Run {
    /// Address of its first instruction.
    start: u32,
    in_slot: bool,
    insns: Vec<Insn>,
    /// What an event has to be to belong to it.
    codes: Vec<(u16, Id)>,
    /// Outcomes that are known, by state before it.
    known: Vec<(u32, u32)>,
    /// Whether it is complete.
    closed: bool,
}

/// What a run of code does to the pipeline in one state.
#[derive(Clone, Debug)]
struct Outcome {
    run: u32,
    state: u32,
    /// Cycle of issue of each instruction, from the state's own cycle on.
    offsets: Vec<u16>,
    /// By whether the branch at its end is taken.
    ends: [Option<End>; 2],
}

#[derive(Clone, Debug)]
struct End {
    /// Cycles that the clock moves.
    advance: u64,
    state: u32,
    ledger: Ledger,
    counts: Counts,
    times: u64,
    /// The outcome that followed last time, and where its code begins.
    next: (u32, u32),
}

/// Listens to a run and counts.
#[derive(Clone, Debug)]
pub struct Counter {
    setup: Setup,
    memory: MemoryModel,
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    runs: Vec<Run>,
    by_start: HashMap<(u32, bool), u32>,
    outcomes: Vec<Outcome>,
    ledger: Ledger,
    counts: Counts,
    /// The pipeline's clock at the beginning of the present run of code, and memory's part of the time.
    base: u64,
    frozen: u64,
    /// The present outcome, the place in it, the address that comes next.
    outcome: u32,
    position: usize,
    /// At which the present run ends.
    length: usize,
    expected: u32,
    state: u32,
    /// The end through which the last outcome was left.
    left: (u32, bool),
    word: u32,
    line: u32,
    changed_code: Option<u32>,
    last_pc: u32,
}

impl Counter {
    /// An empty pipeline and empty caches. A region in `setup` is not regarded: this mode counts whole runs.
    #[must_use]
    pub fn new(setup: Setup) -> Counter {
        let mut memory = MemoryModel::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        let mut counter = Counter {
            memory,
            states: Vec::new(),
            numbers: HashMap::new(),
            runs: Vec::new(),
            by_start: HashMap::new(),
            outcomes: Vec::new(),
            ledger: Ledger::default(),
            counts: Counts::default(),
            base: 0,
            frozen: 0,
            outcome: NONE,
            position: 0,
            length: 0,
            expected: 0,
            state: 0,
            left: (NONE, false),
            word: u32::MAX,
            line: u32::MAX,
            changed_code: None,
            last_pc: 0,
            setup,
        };
        let empty = Pipeline::new(&counter.setup.parameters).state();
        counter.state = counter.number(empty);
        counter
    }

    fn number(&mut self, state: State) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }
}

impl Observer for Counter {
    #[inline]
    fn retire(&mut self, event: &Retired<'_>) {
        if self.outcome == NONE {
            self.begin(event);
        } else if event.pc != self.expected {
            self.leave();
            self.begin(event);
        }
        let code = (event.opcode, event.id);
        if self.codes().get(self.position) != Some(&code) {
            self.surprise(event);
        }
        let offset = self.outcomes[self.outcome as usize].offsets[self.position];
        self.account(event, self.base + u64::from(offset));
        self.position += 1;
        self.expected = event.pc.wrapping_add(2);
        if self.position >= self.length {
            self.end_of_run(event.taken);
        }
    }
}

impl Counter {
    #[inline]
    fn run(&self) -> &Run {
        &self.runs[self.outcomes[self.outcome as usize].run as usize]
    }

    #[inline]
    fn codes(&self) -> &[(u16, Id)] {
        &self.run().codes
    }

    /// Finds what is known of the code that begins here in the present state.
    #[inline]
    fn begin(&mut self, event: &Retired<'_>) {
        self.position = 0;
        let next = self.left_end().map_or((0, NONE), |end| end.next);
        if next.1 != NONE && next.0 == event.pc {
            self.outcome = next.1;
        } else {
            self.outcome = self.find(event);
            let (outcome, pc) = (self.outcome, event.pc);
            if let Some(end) = self.left_end() {
                end.next = (pc, outcome);
            }
        }
        self.refresh();
    }

    fn left_end(&mut self) -> Option<&mut End> {
        let (outcome, taken) = self.left;
        self.outcomes.get_mut(outcome as usize)?.ends[usize::from(taken)].as_mut()
    }

    /// The length at which the present run ends: its own when it is complete.
    #[inline]
    fn refresh(&mut self) {
        let run = self.run();
        self.length = if run.closed { run.insns.len() } else { usize::MAX };
    }

    #[cold]
    fn find(&mut self, event: &Retired<'_>) -> u32 {
        if self.outcomes.len() >= MOST || self.states.len() >= MOST {
            self.forget();
        }
        let key = (event.pc, event.in_slot);
        let run = match self.by_start.get(&key) {
            Some(run) => *run,
            None => {
                let run = self.runs.len() as u32;
                self.runs.push(Run {
                    start: event.pc,
                    in_slot: event.in_slot,
                    insns: Vec::new(),
                    codes: Vec::new(),
                    known: Vec::new(),
                    closed: false,
                });
                self.by_start.insert(key, run);
                run
            }
        };
        let known = self.runs[run as usize]
            .known
            .iter()
            .find(|(state, _)| *state == self.state);
        if let Some((_, outcome)) = known {
            let outcome = *outcome;
            if self.outcomes[outcome as usize].offsets.len() < self.runs[run as usize].insns.len() {
                self.work_out(outcome);
            }
            return outcome;
        }
        let outcome = self.outcomes.len() as u32;
        self.outcomes.push(Outcome {
            run,
            state: self.state,
            offsets: Vec::new(),
            ends: [None, None],
        });
        self.runs[run as usize].known.push((self.state, outcome));
        self.work_out(outcome);
        outcome
    }

    /// Fills in when each instruction issues.
    #[cold]
    fn work_out(&mut self, outcome: u32) {
        let count = self.runs[self.outcomes[outcome as usize].run as usize]
            .insns
            .len();
        let (issues, _) = self.simulate(outcome, count, false);
        let offsets = issues.iter().map(|issue| (issue.cycle - START) as u16);
        self.outcomes[outcome as usize].offsets = offsets.collect();
    }

    /// The first `count` instructions of an outcome's run in its state.
    fn simulate(&self, outcome: u32, count: usize, taken: bool) -> (Vec<Issue>, Pipeline) {
        let outcome = &self.outcomes[outcome as usize];
        let run = &self.runs[outcome.run as usize];
        let state = &self.states[outcome.state as usize];
        let mut pipeline = Pipeline::resume(state, &self.setup.parameters);
        let mut pc = run.start;
        let issue = |insn: &Insn| {
            let issue = pipeline.issue(insn, pc, run.in_slot, taken && insn.branch > 0);
            pc = pc.wrapping_add(2);
            issue
        };
        let issues = run.insns[..count].iter().map(issue).collect();
        (issues, pipeline)
    }

    /// The event is not what the run has at this place: the run is not complete yet, or the code has changed.
    #[cold]
    fn surprise(&mut self, event: &Retired<'_>) {
        if self.position < self.run().insns.len() {
            if self.codes()[self.position].0 != event.opcode {
                self.changed_code.get_or_insert(event.pc);
            }
            self.leave();
            self.forget();
            self.begin(event);
        }
        let insn = Insn::new(event.id, event.n, event.m, event.opcode, &self.setup.parameters);
        let run = &mut self.runs[self.outcomes[self.outcome as usize].run as usize];
        run.closed = insn.branch > 0 || run.in_slot || run.insns.len() + 1 == LONGEST_RUN;
        run.insns.push(insn);
        run.codes.push((event.opcode, event.id));
        self.work_out(self.outcome);
        self.refresh();
    }

    /// A complete run has been executed.
    #[inline]
    fn end_of_run(&mut self, taken: bool) {
        let outcome = self.outcome;
        if self.outcomes[outcome as usize].ends[usize::from(taken)].is_none() {
            self.work_out_end(outcome, taken);
        }
        if let Some(end) = &mut self.outcomes[outcome as usize].ends[usize::from(taken)] {
            end.times += 1;
            self.base += end.advance;
            self.state = end.state;
        }
        self.left = (outcome, taken);
        self.outcome = NONE;
    }

    #[cold]
    fn work_out_end(&mut self, outcome: u32, taken: bool) {
        let run = &self.runs[self.outcomes[outcome as usize].run as usize];
        let end = self.end_behind(outcome, run.insns.len(), taken);
        self.outcomes[outcome as usize].ends[usize::from(taken)] = Some(end);
    }

    /// What the first `count` instructions of an outcome's run do.
    fn end_behind(&mut self, outcome: u32, count: usize, taken: bool) -> End {
        let (issues, pipeline) = self.simulate(outcome, count, taken);
        let run = &self.runs[self.outcomes[outcome as usize].run as usize];
        let (mut ledger, mut counts) = (Ledger::default(), Counts::default());
        for (insn, issue) in run.insns.iter().zip(&issues) {
            ledger.issued(issue);
            counts.count(insn, taken, issue.second);
        }
        let pairs = (1..count as u32).filter(|i| (run.start + 2 * i) % 4 == 0);
        counts.fetches = pairs.count() as u64;
        End {
            advance: pipeline.time() - START,
            state: self.number(pipeline.state()),
            ledger,
            counts,
            times: 0,
            next: (0, NONE),
        }
    }

    /// Execution leaves a run before its end.
    #[cold]
    fn leave(&mut self) {
        let (outcome, position) = (self.outcome, self.position);
        self.outcome = NONE;
        self.left = (NONE, false);
        if outcome == NONE || position == 0 {
            return;
        }
        let end = self.end_behind(outcome, position, false);
        self.ledger.add(&end.ledger);
        self.counts.add(&end.counts, 1);
        self.base += end.advance;
        self.state = end.state;
    }

    /// Books what was counted by outcomes, and starts anew with their like.
    #[cold]
    fn forget(&mut self) {
        for end in self
            .outcomes
            .iter()
            .flat_map(|outcome| outcome.ends.iter().flatten())
        {
            self.ledger.add_times(&end.ledger, end.times);
            self.counts.add(&end.counts, end.times);
        }
        self.outcomes.clear();
        self.runs.clear();
        self.by_start.clear();
        self.left = (NONE, false);
        let state = self.states[self.state as usize].clone();
        self.states.clear();
        self.numbers.clear();
        self.state = self.number(state);
    }

    /// Closes the books. What the explaining mode alone knows is empty.
    #[must_use]
    pub fn finish(mut self) -> Profile {
        self.leave();
        self.forget();
        let last = Pipeline::resume(&self.states[self.state as usize], &self.setup.parameters);
        self.ledger.lose(Cause::End, last.unfilled(), 0);
        let memory = self.memory.stats();
        Profile {
            events: EventCounts::new(&self.ledger, &self.counts, &memory, &self.setup.parameters),
            ledger: self.ledger,
            counts: self.counts,
            memory,
            sites: Vec::new(),
            calls: Calls::default(),
            steps: Steps::default(),
            chain: None,
            interval: None,
            entered: 1,
            changed_code: self.changed_code,
            last_pc: self.last_pc,
            setup: self.setup,
        }
    }
}

impl Counter {
    /// Fetch and accesses of one instruction, issued in cycle `cycle` of the pipeline's clock.
    #[inline]
    fn account(&mut self, event: &Retired<'_>, cycle: u64) {
        let (word, line) = (event.pc >> 2, event.pc >> 5);
        if word != self.word {
            self.word = word;
            if self.position == 0 {
                self.counts.fetches += 1;
            }
            if line != self.line || !self.memory.fetches_are_quiet() || is_uncached(event.pc) {
                self.line = line;
                let stall = self.memory.fetch(cycle + self.frozen, event.pc);
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
            let stall = self
                .memory
                .access(cycle + self.frozen, event.id, &request, access.value as u32);
            self.freeze(&stall);
        }
        self.last_pc = event.pc;
    }

    #[inline]
    fn freeze(&mut self, stall: &crate::memory::Stall) {
        if stall.cycles > 0 {
            self.frozen += stall.cycles;
            for (cause, cycles) in stall.parts() {
                self.ledger.freeze(cause, cycles);
            }
        }
    }
}
