//! The pipeline's time for each path through a block and each state before it.

use super::origin::{Origin, Values};
use crate::code::{BlockPath, BlockTable, CodeBlock, PathInstruction};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::parameters::Parameters;
use crate::pipeline::{Issue, Pipeline, PipelineState, START};
use sh4::table::{Id, Row};
use sh4::timing::{NEXT_EDGES, NONE, TimedEdge};
use sh4::{Direction, Op};
use std::collections::HashMap;

/// A data access of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedAccess {
    /// The instruction's place in the block.
    pub(crate) index: u8,
    pub(crate) id: Id,
    /// Bytes; 32 for PREF and the cache instructions.
    pub(crate) size: u8,
    pub(crate) stores: bool,
    /// How many accesses from this one on are loads, stores and prefetches: no MOVCA and no cache
    /// instruction.
    pub(crate) plain: u8,
    /// The register and distance that make its address.
    pub(crate) origin: Origin,
    /// Cycle of issue, counted from the beginning of the edge.
    pub(crate) offset: u32,
    /// A cache of [`LayoutTable::find`](super::layout::LayoutTable::find) for the accesses from this one on.
    pub(crate) shape: u32,
}

/// The instructions and accesses of an edge.
#[derive(Clone, Debug)]
pub(crate) struct EdgeDetails {
    pub(crate) code: u32,
    /// Address of its first instruction, and cycles that the pipeline's clock moves.
    pub(crate) start: u32,
    pub(crate) advance: u32,
    pub(crate) visits: Box<[PathInstruction]>,
    /// The issue of each; cycles are counted from the beginning of the edge.
    pub(crate) issues: Box<[Issue]>,
    /// In order, one for each data access.
    pub(crate) moments: Box<[TimedAccess]>,
}

/// All known edges under one set of parameters, and the last one taken.
#[derive(Clone, Debug)]
pub struct EdgeTable {
    parameters: Parameters,
    states: Vec<PipelineState>,
    numbers: HashMap<PipelineState, u32>,
    /// The instructions of each block.
    insns: Vec<Box<[Insn]>>,
    /// The edges of a block and a state, from a place on, by [`CodeBlock::place`]; or [`NONE`].
    pub(crate) ends: Vec<u32>,
    /// Where they begin, by block and state.
    by_code: NumberMap<(u32, u32), u32>,
    pub(crate) timed: Vec<TimedEdge>,
    /// The details of each edge.
    pub(crate) details: Vec<EdgeDetails>,
    /// Edges without a place, by block, state and path.
    others: NumberMap<(u32, u32, BlockPath), u32>,
    /// The edge that execution took last.
    pub(crate) left: u32,
}

impl EdgeTable {
    /// No edges, an empty pipeline.
    pub(crate) fn new(parameters: &Parameters) -> EdgeTable {
        let mut edges = EdgeTable {
            parameters: *parameters,
            states: Vec::new(),
            numbers: HashMap::new(),
            insns: Vec::new(),
            ends: Vec::new(),
            by_code: NumberMap::default(),
            timed: Vec::new(),
            details: Vec::new(),
            others: NumberMap::default(),
            left: 0,
        };
        edges.begin_in(Pipeline::new(parameters).state(), u32::MAX);
        edges
    }

    /// Adds an edge without instructions that leads to `state`; the instruction before is at `last`.
    fn begin_in(&mut self, state: PipelineState, last: u32) {
        let state = self.number(state);
        self.left = 0;
        self.timed.push(TimedEdge {
            times: [0; 2],
            next: NONE,
            next_ends: NONE,
            after: [NONE; NEXT_EDGES],
            advance: 0,
            slots: 0,
            last,
            state,
        });
        self.details.push(EdgeDetails {
            code: NONE,
            start: last,
            advance: 0,
            visits: Box::default(),
            issues: Box::default(),
            moments: Box::default(),
        });
    }

    /// Whether the table should be emptied: memory use stays flat.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.timed.len() >= most || self.states.len() >= most || self.ends.len() >= 4 * most
    }

    /// Drops everything but the present state.
    pub(crate) fn forget(&mut self) {
        let left = &self.timed[self.left as usize];
        let (state, last) = (self.states[left.state as usize].clone(), left.last);
        let empty = EdgeTable::new(&self.parameters);
        *self = EdgeTable {
            states: Vec::new(),
            numbers: HashMap::new(),
            timed: Vec::new(),
            details: Vec::new(),
            ..empty
        };
        self.begin_in(state, last);
    }

    /// The pipeline in its present state; its clock stands at [`START`].
    pub(crate) fn pipeline(&self) -> Pipeline {
        let state = self.timed[self.left as usize].state;
        Pipeline::resume(&self.states[state as usize], &self.parameters)
    }

    /// Goes through `code` by `path`. Returns the edge.
    #[inline]
    pub(crate) fn follow(&mut self, blocks: &BlockTable, code: u32, path: BlockPath) -> u32 {
        let last = &self.timed[self.left as usize];
        let place = blocks.all[code as usize].place(path);
        let after = place.and_then(|place| last.after.get(place));
        self.left = match after {
            Some(edge) if last.next == code && *edge != NONE => *edge,
            _ => self.find(blocks, code, path, place),
        };
        self.left
    }

    /// The same where the last edge does not know the next one; `place` is the path's.
    fn find(&mut self, blocks: &BlockTable, code: u32, path: BlockPath, place: Option<usize>) -> u32 {
        let last = &self.timed[self.left as usize];
        let ends = if last.next == code {
            last.next_ends
        } else {
            self.enter(blocks, code)
        };
        let edge = match place.and_then(|place| self.ends.get(ends as usize + place)) {
            Some(edge) if *edge != NONE => *edge,
            _ => self.leave(blocks, path),
        };
        let last = &mut self.timed[self.left as usize];
        if let Some(after) = place.and_then(|place| last.after.get_mut(place)) {
            *after = edge;
        }
        edge
    }

    /// Enters `code` in the present state. Returns where its edges begin.
    #[cold]
    pub(crate) fn enter(&mut self, blocks: &BlockTable, code: u32) -> u32 {
        let entered = &blocks.all[code as usize];
        let last = &mut self.timed[self.left as usize];
        let begin = self.ends.len();
        let ends = *self.by_code.entry((code, last.state)).or_insert(begin as u32);
        if ends as usize == begin {
            self.ends.resize(begin + entered.paths(), NONE);
        }
        (last.next, last.next_ends, last.after) = (code, ends, [NONE; NEXT_EDGES]);
        ends
    }

    /// The edge for `path` through the block that was entered.
    #[cold]
    pub(crate) fn leave(&mut self, blocks: &BlockTable, path: BlockPath) -> u32 {
        let last = &self.timed[self.left as usize];
        let (code, ends, state) = (last.next, last.next_ends as usize, last.state);
        let place = blocks.all[code as usize].place(path);
        let known = match place {
            Some(place) => Some(self.ends[ends + place]).filter(|edge| *edge != NONE),
            None => self.others.get(&(code, state, path)).copied(),
        };
        if let Some(edge) = known {
            return edge;
        }
        let edge = self.timed.len() as u32;
        self.work_out(blocks, code, state, path);
        match place {
            Some(place) => self.ends[ends + place] = edge,
            None => drop(self.others.insert((code, state, path), edge)),
        }
        edge
    }

    /// Slots of the present cycle that are used.
    pub(crate) fn used(&self, edge: u32) -> u64 {
        self.states[self.timed[edge as usize].state as usize].used()
    }

    /// Adds the edge for `path` through the block `index` from `state`.
    fn work_out(&mut self, blocks: &BlockTable, index: u32, state: u32, path: BlockPath) {
        let code = &blocks.all[index as usize];
        self.describe(blocks, index);
        let visits = code.instructions(path);
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
        self.timed.push(TimedEdge {
            times: [0; 2],
            next: NONE,
            next_ends: NONE,
            after: [NONE; NEXT_EDGES],
            advance,
            slots: slots.sum(),
            last: visits
                .last()
                .map_or(code.start, |visit| code.address(visit.index)),
            state,
        });
        self.details.push(EdgeDetails {
            code: index,
            start: code.start,
            advance,
            visits: visits.into(),
            issues: issues.into(),
            moments: moments.into(),
        });
    }

    fn issue(&self, pipeline: &mut Pipeline, index: u32, code: &CodeBlock, visit: &PathInstruction) -> Issue {
        let insn = &self.insns[index as usize][usize::from(visit.index)];
        let pc = code.address(visit.index);
        let issue = pipeline.issue(insn, pc, code.in_slot(visit.index), visit.taken);
        Issue {
            cycle: issue.cycle - START,
            ..issue
        }
    }

    /// Describes the instructions of all blocks up to `upto`.
    fn describe(&mut self, blocks: &BlockTable, upto: u32) {
        while self.insns.len() <= upto as usize {
            let code = &blocks.all[self.insns.len()];
            let describe = |(op, opcode): (&Op, &u16)| {
                let id = op.skips().unwrap_or(op.id);
                Insn::new(id, op.n, op.m, *opcode, &self.parameters)
            };
            let insns = code.ops.iter().zip(&code.opcodes).map(describe).collect();
            self.insns.push(insns);
        }
    }

    fn number(&mut self, state: PipelineState) -> u32 {
        let (states, next) = (&mut self.states, self.numbers.len() as u32);
        *self.numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            next
        })
    }

    /// The instructions of an edge, and the issue of each.
    pub fn instructions(&self, edge: u32) -> impl Iterator<Item = (&PathInstruction, &Insn, &Issue)> {
        let details = &self.details[edge as usize];
        let visits = details.visits.iter().zip(&details.issues);
        visits.map(|(visit, issue)| {
            let insns = &self.insns[details.code as usize];
            (visit, &insns[usize::from(visit.index)], issue)
        })
    }

    /// The block of an edge.
    #[must_use]
    pub fn block(&self, edge: u32) -> u32 {
        self.details[edge as usize].code
    }

    /// The number of edges.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.timed.len() as u32
    }

    /// Whether there are no edges. There is always one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.timed.is_empty()
    }

    /// How often execution took an edge, by whether the slots before were odd.
    #[must_use]
    pub fn times(&self, edge: u32) -> [u64; 2] {
        self.timed[edge as usize].times
    }

    /// Adds the counts of all edges.
    pub fn add_to(&self, blocks: &BlockTable, ledger: &mut Ledger, counts: &mut Counts) {
        for edge in 0..self.len() {
            let [even, odd] = self.times(edge);
            let times = even + odd;
            if times > 0 {
                let (one, what) = self.totals(blocks, edge);
                ledger.add_times(&one, times);
                counts.add(&what, times);
            }
        }
    }

    /// The cost of an edge, without the fetch of its first instruction: the fetch before may have included
    /// that.
    fn totals(&self, blocks: &BlockTable, edge: u32) -> (Ledger, Counts) {
        let (mut ledger, mut counts) = (Ledger::default(), Counts::default());
        let mut word = None;
        for (visit, insn, issue) in self.instructions(edge) {
            ledger.issued(issue);
            counts.count(insn, visit.taken, issue.second);
            let code = &blocks.all[self.block(edge) as usize];
            let here = code.address(visit.index) >> 2;
            counts.fetches += u64::from(word.is_some_and(|word| word != here));
            word = Some(here);
        }
        (ledger, counts)
    }
}

/// The data accesses of a path.
fn moments(
    code: &CodeBlock,
    insns: &[Insn],
    visits: &[PathInstruction],
    issues: &[Issue],
) -> Vec<TimedAccess> {
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
            TimedAccess {
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
