//! Pipeline time for each path through a block, by the state before it.

use crate::code::{BlockPath, BlockTable, CodeBlock, PathInstruction};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::parameters::Parameters;
use crate::pipeline::{Issue, Pipeline, PipelineState, START};
use sh4::table::{Id, Row};
use sh4::{Direction, Op};
use std::collections::HashMap;

/// Marks a missing edge or block.
const NONE: u32 = u32::MAX;
/// Number of following edges that an edge stores.
const FOLLOWERS: usize = 2;

/// A data access of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedAccess {
    /// Index of the instruction in the block.
    pub(crate) index: u8,
    pub(crate) id: Id,
    /// Size in bytes; 32 for PREF and the cache instructions.
    pub(crate) size: u8,
    pub(crate) direction: Direction,
    /// Cycle of issue, relative to the start of the edge.
    pub(crate) offset: u32,
}

/// A path through a block from one pipeline state, with its time.
#[derive(Clone, Debug)]
pub(crate) struct TimedEdge {
    /// Number of executions after an even (0) and an odd (1) number of issue slots.
    pub(crate) times: [u64; 2],
    /// Latest following blocks and paths, with their edges.
    after: [(u32, BlockPath, u32); FOLLOWERS],
    pub(crate) code: u32,
    /// Number of pipeline cycles.
    pub(crate) advance: u32,
    /// Number of used and lost issue slots.
    pub(crate) slots: u32,
    /// Address of the last instruction.
    pub(crate) last: u32,
    /// Index of the pipeline state after the edge.
    state: u32,
    pub(crate) visits: Box<[PathInstruction]>,
    /// Issue of each instruction; cycles are relative to the start of the edge.
    pub(crate) issues: Box<[Issue]>,
    /// Data accesses in order.
    pub(crate) accesses: Box<[TimedAccess]>,
}

/// All known edges for one set of parameters, and the last executed edge.
#[derive(Clone, Debug)]
pub struct EdgeTable {
    parameters: Parameters,
    states: Vec<PipelineState>,
    numbers: HashMap<PipelineState, u32>,
    /// Instructions of each block.
    insns: Vec<Box<[Insn]>>,
    pub(crate) all: Vec<TimedEdge>,
    /// Edges with executions, each once.
    executed: Vec<u32>,
    /// Edges by block, state and path.
    by_path: NumberMap<(u32, u32, BlockPath), u32>,
    /// The last executed edge.
    left: u32,
}

impl EdgeTable {
    /// Creates a table without edges, with an empty pipeline.
    pub(crate) fn new(parameters: &Parameters) -> EdgeTable {
        EdgeTable::from_state(parameters, Pipeline::new(parameters).state(), u32::MAX)
    }

    /// Creates one edge without instructions that leads to `state`; the preceding instruction is at `last`.
    fn from_state(parameters: &Parameters, state: PipelineState, last: u32) -> EdgeTable {
        let mut edges = EdgeTable {
            parameters: *parameters,
            states: Vec::new(),
            numbers: HashMap::new(),
            insns: Vec::new(),
            all: Vec::new(),
            executed: Vec::new(),
            by_path: NumberMap::default(),
            left: 0,
        };
        let state = edges.number(state);
        edges.all.push(TimedEdge {
            times: [0; 2],
            after: [(NONE, BlockPath::default(), NONE); FOLLOWERS],
            code: NONE,
            advance: 0,
            slots: 0,
            last,
            state,
            visits: Box::default(),
            issues: Box::default(),
            accesses: Box::default(),
        });
        edges
    }

    /// True if the table should be cleared, to limit memory use.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.all.len() >= most || self.states.len() >= most
    }

    /// Drops all edges except the current state.
    pub(crate) fn forget(&mut self) {
        let left = &self.all[self.left as usize];
        let (state, last) = (self.states[left.state as usize].clone(), left.last);
        *self = EdgeTable::from_state(&self.parameters, state, last);
    }

    /// Returns the pipeline in its current state; its clock is at [`START`].
    pub(crate) fn pipeline(&self) -> Pipeline {
        let state = self.all[self.left as usize].state;
        Pipeline::resume(&self.states[state as usize], &self.parameters)
    }

    /// Executes the block number `code` along `path`. Returns the edge.
    #[inline]
    pub(crate) fn follow(&mut self, blocks: &BlockTable, code: u32, path: BlockPath) -> u32 {
        let last = &self.all[self.left as usize];
        let known = last.after.iter().find(|after| after.0 == code && after.1 == path);
        self.left = match known {
            Some(&(_, _, edge)) => edge,
            None => self.find(blocks, code, path),
        };
        self.left
    }

    /// Finds or adds the edge if the last edge does not know the next one.
    #[cold]
    fn find(&mut self, blocks: &BlockTable, code: u32, path: BlockPath) -> u32 {
        let state = self.all[self.left as usize].state;
        let edge = match self.by_path.get(&(code, state, path)) {
            Some(edge) => *edge,
            None => self.add(blocks, code, state, path),
        };
        let after = &mut self.all[self.left as usize].after;
        after.rotate_right(1);
        after[0] = (code, path, edge);
        edge
    }

    /// Adds the edge for `path` through the block `index` from `state`.
    fn add(&mut self, blocks: &BlockTable, index: u32, state: u32, path: BlockPath) -> u32 {
        let code = &blocks.all[index as usize];
        self.describe(blocks, index);
        let visits = code.instructions(path);
        let mut pipeline = Pipeline::resume(&self.states[state as usize], &self.parameters);
        let issues: Vec<Issue> = visits
            .iter()
            .map(|visit| self.issue(&mut pipeline, index, code, visit))
            .collect();
        let slots = issues
            .iter()
            .map(|issue| 1 + u32::from(issue.unpaired) + issue.lost)
            .sum();
        let edge = self.all.len() as u32;
        let next = self.number(pipeline.state());
        self.all.push(TimedEdge {
            times: [0; 2],
            after: [(NONE, BlockPath::default(), NONE); FOLLOWERS],
            code: index,
            advance: (pipeline.time() - START) as u32,
            slots,
            last: visits
                .last()
                .map_or(code.start(), |visit| code.address(visit.index)),
            state: next,
            accesses: accesses(code, &visits, &issues),
            visits: visits.into(),
            issues: issues.into(),
        });
        self.by_path.insert((index, state, path), edge);
        edge
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

    /// Prepares the instructions of all blocks up to `upto`.
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

    /// Iterates over the instructions of an edge, with the issue of each.
    pub fn instructions(&self, edge: u32) -> impl Iterator<Item = (&PathInstruction, &Insn, &Issue)> {
        let edge = &self.all[edge as usize];
        let visits = edge.visits.iter().zip(&edge.issues);
        visits.map(|(visit, issue)| {
            let insns = &self.insns[edge.code as usize];
            (visit, &insns[usize::from(visit.index)], issue)
        })
    }

    /// Index of an edge's block.
    #[must_use]
    pub fn block(&self, edge: u32) -> u32 {
        self.all[edge as usize].code
    }

    /// Number of edges.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// True if there are no edges; the table always has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the number of executions of an edge after an even (0) and an odd (1) number of slots.
    #[must_use]
    pub fn times(&self, edge: u32) -> [u64; 2] {
        self.all[edge as usize].times
    }

    /// Counts an execution of an edge; `odd` is true after an odd number of slots.
    #[inline]
    pub(crate) fn count(&mut self, edge: u32, odd: bool) {
        let times = &mut self.all[edge as usize].times;
        if *times == [0; 2] {
            self.executed.push(edge);
        }
        times[usize::from(odd)] += 1;
    }

    /// Adds the counts of all edges.
    pub fn add_to(&self, blocks: &BlockTable, ledger: &mut Ledger, counts: &mut Counts) {
        for &edge in &self.executed {
            let times = self.times(edge).iter().sum();
            let (one, what) = self.totals(blocks, edge);
            ledger.add_times(&one, times);
            counts.add(&what, times);
        }
    }

    /// Adds the counts of all edges, and sets them to 0. It visits only edges that were executed since the
    /// last call, so frequent reads of the sums are fast.
    pub(crate) fn move_to(&mut self, blocks: &BlockTable, ledger: &mut Ledger, counts: &mut Counts) {
        self.add_to(blocks, ledger, counts);
        for edge in self.executed.drain(..) {
            self.all[edge as usize].times = [0; 2];
        }
    }

    /// Returns the cost of an edge without the fetch of its first instruction, which the preceding fetch may
    /// have included.
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

/// Returns the data accesses of a path.
fn accesses(code: &CodeBlock, visits: &[PathInstruction], issues: &[Issue]) -> Box<[TimedAccess]> {
    let each = visits.iter().zip(issues).flat_map(|(visit, issue)| {
        let op = code.ops[usize::from(visit.index)];
        (0..op.row().map_or(0, Row::accesses)).map(move |which| {
            let (size, direction) = op.row().map_or((0, Direction::Read), |row| row.access(which));
            TimedAccess {
                index: visit.index,
                id: op.id,
                size,
                direction,
                offset: issue.cycle as u32,
            }
        })
    });
    each.collect()
}
