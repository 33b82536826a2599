//! The call graph.

use crate::site::Costs;
use timing::hash::NumberMap;

/// A function in one chain of callers.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// Address at which it was entered.
    pub entry: u32,
    /// Its caller's node; the first has none.
    pub parent: Option<usize>,
    /// Cycles of its own.
    pub cycles: u64,
    children: Vec<(u32, usize)>,
}

/// Calls from one place to one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallEdge {
    /// The count of calls.
    pub count: u64,
    /// Their cycles, those of callees included.
    pub costs: Costs,
}

#[derive(Clone, Debug)]
struct Frame {
    node: usize,
    /// Address of the call, and its return address.
    call: (u32, u32),
    before: Costs,
}

/// The most frames, nodes and edges: memory use stays flat.
const DEEPEST: usize = 1024;
const MOST: usize = 1 << 16;

/// The call tree of a run.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    nodes: Vec<CallNode>,
    frames: Vec<Frame>,
    edges: NumberMap<(u32, u32), CallEdge>,
    /// Calls without room in the tree; their cycles count for the caller.
    pub untracked: u64,
}

impl Calls {
    /// Adds cycles to the present function.
    #[inline]
    pub(crate) fn spend(&mut self, pc: u32, cycles: u64) {
        if self.nodes.is_empty() {
            self.nodes.push(CallNode {
                entry: pc,
                parent: None,
                cycles: 0,
                children: Vec::new(),
            });
        }
        let node = self.frames.last().map_or(0, |frame| frame.node);
        self.nodes[node].cycles += cycles;
    }

    /// Enters a function.
    pub(crate) fn enter(&mut self, call: u32, entry: u32, so_far: &Costs) {
        if self.frames.len() >= DEEPEST || self.nodes.is_empty() {
            self.untracked += 1;
            return;
        }
        let parent = self.frames.last().map_or(0, |frame| frame.node);
        let known = self.nodes[parent]
            .children
            .iter()
            .find(|(known, _)| *known == entry);
        let node = match known {
            Some((_, node)) => *node,
            None if self.nodes.len() < MOST => self.add(parent, entry),
            None => {
                self.untracked += 1;
                parent
            }
        };
        self.frames.push(Frame {
            node,
            call: (call, call.wrapping_add(4)),
            before: *so_far,
        });
    }

    fn add(&mut self, parent: usize, entry: u32) -> usize {
        let node = self.nodes.len();
        self.nodes[parent].children.push((entry, node));
        self.nodes.push(CallNode {
            entry,
            parent: Some(parent),
            cycles: 0,
            children: Vec::new(),
        });
        node
    }

    /// Returns to `pc`: ends the call that returns there, and all calls inside it.
    pub(crate) fn leave(&mut self, pc: u32, so_far: &Costs) {
        if let Some(depth) = self.frames.iter().rposition(|frame| frame.call.1 == pc) {
            while self.frames.len() > depth {
                self.end_call(so_far);
            }
        }
    }

    fn end_call(&mut self, so_far: &Costs) {
        let Some(frame) = self.frames.pop() else { return };
        let key = (frame.call.0, self.nodes[frame.node].entry);
        if self.edges.len() < MOST || self.edges.contains_key(&key) {
            let edge = self.edges.entry(key).or_default();
            edge.count += 1;
            edge.costs.add(&so_far.since(&frame.before));
        }
    }

    /// Ends the calls that have not returned.
    pub(crate) fn finish(&mut self, so_far: &Costs) {
        while !self.frames.is_empty() {
            self.end_call(so_far);
        }
    }

    /// All nodes; callers come before callees.
    #[must_use]
    pub fn nodes(&self) -> &[CallNode] {
        &self.nodes
    }

    /// Calls by the address of the call and the entry of the function, in that order.
    #[must_use]
    pub fn edges(&self) -> Vec<((u32, u32), CallEdge)> {
        let mut edges: Vec<_> = self.edges.iter().map(|(key, edge)| (*key, *edge)).collect();
        edges.sort_by_key(|(key, _)| *key);
        edges
    }
}
