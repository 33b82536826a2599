//! What code does to the pipeline: worked out once for each way through it and each state before it.

use crate::code::{Code, Codes, Path, Visit};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::origin::{Origin, Values};
use crate::parameters::Parameters;
use crate::pipeline::{Issue, Pipeline, START, State};
use sh4::meter::{AFTER, NONE, Way};
use sh4::table::{Id, Row};
use sh4::{Direction, Op};
use std::collections::HashMap;

/// A data access of an instruction on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The instruction's place in the code.
    pub(crate) index: u8,
    pub(crate) id: Id,
    /// Bytes; 32 for PREF and the cache instructions.
    pub(crate) size: u8,
    pub(crate) stores: bool,
    /// How many accesses from this one on are loads, stores and prefetches, and nothing that a cache has to do something
    /// special for.
    pub(crate) plain: u8,
    /// What its address is made of.
    pub(crate) origin: Origin,
    /// Cycle of issue, from the beginning on.
    pub(crate) offset: u32,
    /// The memory model's own number for the accesses from this one on.
    pub(crate) shape: u32,
}

/// What an edge is made of.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) code: u32,
    /// Address of its first instruction, and cycles that the pipeline's clock moves.
    pub(crate) start: u32,
    pub(crate) advance: u32,
    pub(crate) visits: Box<[Visit]>,
    /// How each of those issued; cycles are counted from the beginning on.
    pub(crate) issues: Box<[Issue]>,
    /// In order, one for each data access.
    pub(crate) moments: Box<[Moment]>,
}

/// Everything that is known under one set of parameters, and the present state.
#[derive(Clone, Debug)]
pub(crate) struct Outcomes {
    parameters: Parameters,
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    /// By code.
    insns: Vec<Box<[Insn]>>,
    /// The edges that lead away from code in one state, from a place on, by [`Code::place`]; or [`NONE`].
    pub(crate) ends: Vec<u32>,
    /// Where they begin, by code and state.
    by_code: NumberMap<(u32, u32), u32>,
    pub(crate) edges: Vec<Way>,
    /// By edge.
    pub(crate) all: Vec<Outcome>,
    /// Edges that have no place, by code, state and path.
    others: NumberMap<(u32, u32, Path), u32>,
    /// The edge that execution came by last.
    pub(crate) left: u32,
}

impl Outcomes {
    /// Nothing is known, the pipeline is empty.
    pub(crate) fn new(parameters: &Parameters) -> Outcomes {
        let mut outcomes = Outcomes {
            parameters: *parameters,
            states: Vec::new(),
            numbers: HashMap::new(),
            insns: Vec::new(),
            ends: Vec::new(),
            by_code: NumberMap::default(),
            edges: Vec::new(),
            all: Vec::new(),
            others: NumberMap::default(),
            left: 0,
        };
        outcomes.begin_in(Pipeline::new(parameters).state(), u32::MAX);
        outcomes
    }

    /// Makes an edge that leads from nowhere to `state`, behind the instruction at `last`.
    fn begin_in(&mut self, state: State, last: u32) {
        let state = self.number(state);
        self.left = 0;
        self.edges.push(Way {
            times: [0; 2],
            next: NONE,
            next_ends: NONE,
            after: [NONE; AFTER],
            advance: 0,
            slots: 0,
            last,
            state,
        });
        self.all.push(Outcome {
            code: NONE,
            start: last,
            advance: 0,
            visits: Box::default(),
            issues: Box::default(),
            moments: Box::default(),
        });
    }

    /// Whether it should be emptied: memory use has to stay flat.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.edges.len() >= most || self.states.len() >= most || self.ends.len() >= 4 * most
    }

    /// Forgets all but the present state.
    pub(crate) fn forget(&mut self) {
        let left = &self.edges[self.left as usize];
        let (state, last) = (self.states[left.state as usize].clone(), left.last);
        let empty = Outcomes::new(&self.parameters);
        *self = Outcomes {
            states: Vec::new(),
            numbers: HashMap::new(),
            edges: Vec::new(),
            all: Vec::new(),
            ..empty
        };
        self.begin_in(state, last);
    }

    /// The pipeline in its present state; its clock stands at [`START`].
    pub(crate) fn pipeline(&self) -> Pipeline {
        let state = self.edges[self.left as usize].state;
        Pipeline::resume(&self.states[state as usize], &self.parameters)
    }

    /// Goes on through `code` by `path`.
    #[inline]
    pub(crate) fn follow(&mut self, codes: &Codes, code: u32, path: Path) -> u32 {
        let way = &self.edges[self.left as usize];
        let place = codes.all[code as usize].place(path);
        let after = place.and_then(|place| way.after.get(place));
        self.left = match after {
            Some(edge) if way.next == code && *edge != NONE => *edge,
            _ => self.find(codes, code, path, place),
        };
        self.left
    }

    /// The same where that has not been done from here before; `place` is the path's.
    fn find(&mut self, codes: &Codes, code: u32, path: Path, place: Option<usize>) -> u32 {
        let way = &self.edges[self.left as usize];
        let ends = if way.next == code {
            way.next_ends
        } else {
            self.enter(codes, code)
        };
        let edge = match place.and_then(|place| self.ends.get(ends as usize + place)) {
            Some(edge) if *edge != NONE => *edge,
            _ => self.leave(codes, path),
        };
        let way = &mut self.edges[self.left as usize];
        if let Some(after) = place.and_then(|place| way.after.get_mut(place)) {
            *after = edge;
        }
        edge
    }

    /// Execution comes to `code` in the present state: where the edges begin by which it may leave.
    #[cold]
    pub(crate) fn enter(&mut self, codes: &Codes, code: u32) -> u32 {
        let entered = &codes.all[code as usize];
        let way = &mut self.edges[self.left as usize];
        let begin = self.ends.len();
        let ends = *self.by_code.entry((code, way.state)).or_insert(begin as u32);
        if ends as usize == begin {
            self.ends.resize(begin + entered.ways(), NONE);
        }
        (way.next, way.next_ends, way.after) = (code, ends, [NONE; AFTER]);
        ends
    }

    /// The edge by which `path` leaves the code that execution has come to.
    #[cold]
    pub(crate) fn leave(&mut self, codes: &Codes, path: Path) -> u32 {
        let way = &self.edges[self.left as usize];
        let (code, ends, state) = (way.next, way.next_ends as usize, way.state);
        let place = codes.all[code as usize].place(path);
        let known = match place {
            Some(place) => Some(self.ends[ends + place]).filter(|edge| *edge != NONE),
            None => self.others.get(&(code, state, path)).copied(),
        };
        if let Some(edge) = known {
            return edge;
        }
        let edge = self.edges.len() as u32;
        self.work_out(codes, code, state, path);
        match place {
            Some(place) => self.ends[ends + place] = edge,
            None => drop(self.others.insert((code, state, path), edge)),
        }
        edge
    }

    /// Slots of the present cycle that are used.
    pub(crate) fn used(&self, edge: u32) -> u64 {
        self.states[self.edges[edge as usize].state as usize].used()
    }

    /// Adds the edge by which `path` leaves code number `index` after `state`.
    fn work_out(&mut self, codes: &Codes, index: u32, state: u32, path: Path) {
        let code = &codes.all[index as usize];
        self.describe(codes, index);
        let visits = code.visits(path);
        let mut pipeline = Pipeline::resume(&self.states[state as usize], &self.parameters);
        let issues: Vec<Issue> = visits
            .iter()
            .map(|visit| self.issue(&mut pipeline, index, code, visit))
            .collect();
        let moments = moments(code, &self.insns[index as usize], &visits, &issues);
        let slots = issues
            .iter()
            .map(|issue| 1 + u32::from(issue.unpaired) + issue.lost);
        let state = self.number(pipeline.state());
        let advance = (pipeline.time() - START) as u32;
        self.edges.push(Way {
            times: [0; 2],
            next: NONE,
            next_ends: NONE,
            after: [NONE; AFTER],
            advance,
            slots: slots.sum(),
            last: visits
                .last()
                .map_or(code.start, |visit| code.address(visit.index)),
            state,
        });
        self.all.push(Outcome {
            code: index,
            start: code.start,
            advance,
            visits: visits.into(),
            issues: issues.into(),
            moments: moments.into(),
        });
    }

    fn issue(&self, pipeline: &mut Pipeline, index: u32, code: &Code, visit: &Visit) -> Issue {
        let insn = &self.insns[index as usize][usize::from(visit.index)];
        let pc = code.address(visit.index);
        let issue = pipeline.issue(insn, pc, code.in_slot(visit.index), visit.taken);
        Issue {
            cycle: issue.cycle - START,
            ..issue
        }
    }

    /// Knows the instructions of all code up to the index `upto`.
    fn describe(&mut self, codes: &Codes, upto: u32) {
        while self.insns.len() <= upto as usize {
            let code = &codes.all[self.insns.len()];
            let describe = |(op, opcode): (&Op, &u16)| {
                let id = op.skips().unwrap_or(op.id);
                Insn::new(id, op.n, op.m, *opcode, &self.parameters)
            };
            let insns = code.ops.iter().zip(&code.opcodes).map(describe).collect();
            self.insns.push(insns);
        }
    }

    fn number(&mut self, state: State) -> u32 {
        let (states, next) = (&mut self.states, self.numbers.len() as u32);
        *self.numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            next
        })
    }

    /// The instructions of an edge, with how each issued.
    pub(crate) fn issued(&self, edge: usize) -> impl Iterator<Item = (&Visit, &Insn, &Issue)> {
        let outcome = &self.all[edge];
        let visits = outcome.visits.iter().zip(&outcome.issues);
        visits.map(|(visit, issue)| {
            let insns = &self.insns[outcome.code as usize];
            (visit, &insns[usize::from(visit.index)], issue)
        })
    }

    /// Adds what all edges have counted.
    pub(crate) fn add_to(&self, codes: &Codes, ledger: &mut Ledger, counts: &mut Counts) {
        for (edge, taken) in self.edges.iter().enumerate() {
            let times = taken.times[0] + taken.times[1];
            if times > 0 {
                let (one, what) = self.totals(codes, edge);
                ledger.add_times(&one, times);
                counts.add(&what, times);
            }
        }
    }

    /// What an edge costs once. The fetch of its first instruction is not in it: that may have come with the one
    /// before.
    fn totals(&self, codes: &Codes, edge: usize) -> (Ledger, Counts) {
        let (mut ledger, mut counts) = (Ledger::default(), Counts::default());
        let mut word = None;
        for (visit, insn, issue) in self.issued(edge) {
            ledger.issued(issue);
            counts.count(insn, visit.taken, issue.second);
            let code = &codes.all[self.all[edge].code as usize];
            let here = code.address(visit.index) >> 2;
            counts.fetches += u64::from(word.is_some_and(|word| word != here));
            word = Some(here);
        }
        (ledger, counts)
    }
}

/// When the instructions on a way access data, and where that is known beforehand.
fn moments(code: &Code, insns: &[Insn], visits: &[Visit], issues: &[Issue]) -> Vec<Moment> {
    let (mut moments, mut values) = (Vec::new(), Values::new());
    for (visit, issue) in visits.iter().zip(issues) {
        let place = usize::from(visit.index);
        let (op, insn) = (code.ops[place], &insns[place]);
        let special = matches!(
            op.id,
            Id::movca_l_r0_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn
        );
        let origin = values.pass(op, insn);
        let accesses = op.row().map_or(0, Row::accesses);
        moments.extend((0..accesses).map(|which| {
            let (size, direction) = op.row().map_or((0, Direction::Read), |row| row.access(which));
            Moment {
                index: visit.index,
                id: op.id,
                size,
                stores: direction == Direction::Write,
                plain: u8::from(!special),
                origin: origin.unwrap_or_else(|| values.another()),
                offset: issue.cycle as u32,
                shape: NONE,
            }
        }));
    }
    let mut behind = 0;
    for moment in moments.iter_mut().rev() {
        behind = if moment.plain == 0 { 0 } else { behind + 1 };
        moment.plain = behind;
    }
    moments
}
