//! The call graph.

use crate::site::Costs;
use crate::spans::{Origin, SpanLog};
use std::collections::VecDeque;
use timing::hash::NumberMap;

/// A function, distinguished by its chain of callers.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// Address at which it was entered.
    pub entry: u32,
    /// Node of the caller; `None` for the first function of a stack.
    pub parent: Option<usize>,
    /// Event that started the node's stack.
    pub origin: Origin,
    /// Cycles of the function itself, without callees.
    pub cycles: u64,
    children: Vec<(u32, usize)>,
}

/// Calls from one call site to one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallEdge {
    /// Number of calls.
    pub count: u64,
    /// Costs of these calls, including callees.
    pub costs: Costs,
}

#[derive(Clone, Debug)]
struct Frame {
    node: usize,
    /// Address of the call, and its return address.
    call: (u32, u32),
    /// Costs up to the call.
    before: Costs,
    /// Time of the call in the span log.
    entered: u64,
}

/// The calls of a thread or a handler.
#[derive(Clone, Debug, Default)]
struct Stack {
    root: usize,
    frames: Vec<Frame>,
    origin: Origin,
    /// Number of the thread.
    thread: u32,
    entered: u64,
}

/// A stack that is not running.
#[derive(Clone, Debug)]
struct Suspended {
    stack: Stack,
    /// Address at which the stack will continue, if known.
    pc: Option<u32>,
    /// Costs up to the interruption.
    at: Costs,
}

/// Maximum number of frames in a stack. This limit and the following ones bound memory use.
const DEEPEST: usize = 1024;
/// Maximum number of nodes, and of edges.
const MAX: usize = 1 << 16;
/// Maximum number of suspended stacks.
const STACKS: usize = 256;

/// The call tree of a run.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    nodes: Vec<CallNode>,
    stack: Stack,
    suspended: VecDeque<Suspended>,
    roots: NumberMap<(u32, u32), usize>,
    edges: NumberMap<(u32, u32), CallEdge>,
    threads: u32,
    /// Calls that did not fit into the tree. Their cycles count for the caller.
    pub untracked: u64,
    /// Returns without a known call: the function was entered before the measurement or by a jump, or the
    /// return switches to another stack. The cycles after the return count for the function that returned.
    pub unmatched_returns: u64,
    /// Calls that did not return: an outer call returned first, as with longjmp.
    pub abandoned: u64,
    /// Recorder for the spans of calls, if requested.
    pub(crate) log: Option<SpanLog>,
}

impl Calls {
    /// Adds cycles to the current function.
    #[inline]
    pub(crate) fn spend(&mut self, pc: u32, cycles: u64) {
        if self.nodes.is_empty() {
            self.stack.root = self.root(pc, Origin::Start);
        }
        let node = self.present();
        self.nodes[node].cycles += cycles;
    }

    fn present(&self) -> usize {
        self.stack
            .frames
            .last()
            .map_or(self.stack.root, |frame| frame.node)
    }

    /// Returns the first node of a stack, and creates it if it is new.
    fn root(&mut self, entry: u32, origin: Origin) -> usize {
        let kind = match origin {
            Origin::Start => 0,
            Origin::Interrupt(code) | Origin::Exception(code) => code,
            Origin::Thread => 1,
        };
        if let Some(node) = self.roots.get(&(entry, kind)) {
            return *node;
        }
        if self.nodes.len() >= MAX {
            self.untracked += 1;
            return 0;
        }
        let node = self.nodes.len();
        self.nodes.push(CallNode {
            entry,
            parent: None,
            origin,
            cycles: 0,
            children: Vec::new(),
        });
        self.roots.insert((entry, kind), node);
        node
    }

    fn now(&self) -> u64 {
        self.log.as_ref().map_or(0, |log| log.now)
    }

    /// Starts with nested open calls, outermost first. Each call is an entry and a return address.
    /// `outermost` is the entry of the outermost caller.
    pub(crate) fn begin_inside(&mut self, outermost: u32, calls: impl IntoIterator<Item = (u32, u32)>) {
        self.stack.root = self.root(outermost, Origin::Start);
        for (entry, returns_to) in calls {
            self.enter(returns_to.wrapping_sub(4), entry, &Costs::default());
        }
    }

    /// Enters a function.
    pub(crate) fn enter(&mut self, call: u32, entry: u32, so_far: &Costs) {
        if self.stack.frames.len() >= DEEPEST || self.nodes.is_empty() {
            self.untracked += 1;
            return;
        }
        let parent = self.present();
        let known = self.nodes[parent]
            .children
            .iter()
            .find(|(known, _)| *known == entry);
        let node = match known {
            Some((_, node)) => *node,
            None if self.nodes.len() < MAX => self.add(parent, entry),
            None => {
                self.untracked += 1;
                parent
            }
        };
        let entered = self.now();
        self.stack.frames.push(Frame {
            node,
            call: (call, call.wrapping_add(4)),
            before: *so_far,
            entered,
        });
    }

    fn add(&mut self, parent: usize, entry: u32) -> usize {
        let node = self.nodes.len();
        self.nodes[parent].children.push((entry, node));
        self.nodes.push(CallNode {
            entry,
            parent: Some(parent),
            origin: self.nodes[parent].origin,
            cycles: 0,
            children: Vec::new(),
        });
        node
    }

    /// Handles a return to `pc`: ends the call with that return address, and all calls inside it.
    pub(crate) fn leave(&mut self, pc: u32, so_far: &Costs) {
        match self.end_calls_to(pc, so_far) {
            0 => self.unmatched_returns += 1,
            ended => self.abandoned += ended - 1,
        }
    }

    /// Ends the call that returns to `pc`, and all calls inside it. Returns the number of ended calls.
    fn end_calls_to(&mut self, pc: u32, so_far: &Costs) -> u64 {
        let place = self.stack.frames.iter().rposition(|frame| frame.call.1 == pc);
        let ended = place.map_or(0, |depth| self.stack.frames.len() - depth);
        for _ in 0..ended {
            self.end_call(so_far);
        }
        ended as u64
    }

    fn end_call(&mut self, so_far: &Costs) {
        let Some(frame) = self.stack.frames.pop() else {
            return;
        };
        let entry = self.nodes[frame.node].entry;
        if let Some(log) = &mut self.log {
            log.call(self.stack.origin, self.stack.thread, entry, frame.entered);
        }
        let key = (frame.call.0, entry);
        if self.edges.len() < MAX || self.edges.contains_key(&key) {
            let edge = self.edges.entry(key).or_default();
            edge.count += 1;
            edge.costs.add(&so_far.since(&frame.before));
        }
    }

    /// Handles an exception or interrupt at `pc`: suspends the current stack and starts a new one at
    /// `vector`.
    pub(crate) fn interrupt(&mut self, pc: u32, vector: u32, origin: Origin, so_far: &Costs) {
        if self.nodes.is_empty() {
            self.stack.root = self.root(pc, Origin::Start);
        }
        let root = self.root(vector, origin);
        let next = Stack {
            root,
            frames: Vec::new(),
            origin,
            thread: self.stack.thread,
            entered: self.now(),
        };
        self.suspend(Some(pc), next, so_far);
    }

    fn suspend(&mut self, pc: Option<u32>, next: Stack, so_far: &Costs) {
        if self.suspended.len() >= STACKS {
            self.suspended.pop_front();
            self.untracked += 1;
        }
        let stack = std::mem::replace(&mut self.stack, next);
        let at = *so_far;
        self.suspended.push_back(Suspended { stack, pc, at });
    }

    /// Handles RTE to `pc`: continues the stack that was interrupted there. Otherwise continues the thread
    /// with a call that returns to `pc`, or starts a new thread.
    pub(crate) fn resume(&mut self, pc: u32, so_far: &Costs) {
        let exact = self.suspended.iter().position(|waiting| waiting.pc == Some(pc));
        let place = exact.or_else(|| {
            self.suspended
                .iter()
                .position(|waiting| waiting.stack.returns_to(pc))
        });
        let next = match place.and_then(|place| self.suspended.remove(place)) {
            Some(mut waiting) => {
                waiting.skip(so_far);
                waiting.stack
            }
            None => self.new_thread(pc),
        };
        if matches!(self.stack.origin, Origin::Interrupt(_) | Origin::Exception(_)) {
            self.end_stack(so_far);
            self.stack = next;
        } else {
            self.suspend(None, next, so_far);
        }
        if exact.is_none() {
            self.end_calls_to(pc, so_far);
        }
    }

    fn new_thread(&mut self, pc: u32) -> Stack {
        self.threads += 1;
        Stack {
            root: self.root(pc, Origin::Thread),
            frames: Vec::new(),
            origin: Origin::Thread,
            thread: self.threads,
            entered: self.now(),
        }
    }

    fn end_stack(&mut self, so_far: &Costs) {
        while !self.stack.frames.is_empty() {
            self.end_call(so_far);
        }
        if let Some(log) = &mut self.log {
            log.handler(self.stack.origin, self.stack.entered);
        }
    }

    /// Returns whether an interrupt handler is running.
    pub(crate) fn in_interrupt(&self) -> bool {
        matches!(self.stack.origin, Origin::Interrupt(_))
    }

    /// Ends all calls that have not returned.
    pub(crate) fn finish(&mut self, so_far: &Costs) {
        self.end_stack(so_far);
        while let Some(mut waiting) = self.suspended.pop_front() {
            waiting.skip(so_far);
            self.stack = waiting.stack;
            self.end_stack(so_far);
        }
    }

    /// All nodes, in an order in which callers precede callees.
    #[must_use]
    pub fn nodes(&self) -> &[CallNode] {
        &self.nodes
    }

    /// Calls by call site and entry of the function, sorted.
    #[must_use]
    pub fn edges(&self) -> Vec<((u32, u32), CallEdge)> {
        let mut edges: Vec<_> = self.edges.iter().map(|(key, edge)| (*key, *edge)).collect();
        edges.sort_by_key(|(key, _)| *key);
        edges
    }
}

impl Stack {
    /// Returns whether one of the calls returns to `pc`.
    fn returns_to(&self, pc: u32) -> bool {
        self.frames.iter().any(|frame| frame.call.1 == pc)
    }
}

impl Suspended {
    /// Excludes the costs since the interruption from all calls of the stack.
    fn skip(&mut self, so_far: &Costs) {
        let meanwhile = so_far.since(&self.at);
        for frame in &mut self.stack.frames {
            frame.before.add(&meanwhile);
        }
    }
}
