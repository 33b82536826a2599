//! Execution history of a program: snapshots of the session, and replay from them to a position.
//!
//! The console repeats a run exactly. To reach a position between two snapshots, the program runs from the
//! earlier one. A write by the debugger starts a new history, because the old snapshots do not lead to the
//! changed state.

use crate::run::session::{End, Position, Session, SessionSnapshot};
use dreamcast::debug::DebugStop;
use std::collections::VecDeque;

/// Number of snapshots per second of console time, as long as they fit in memory.
const RATE: u64 = 10;
/// Number of most recent instructions that are single-stepped to find the previous step.
const NEAR: u64 = 8;
/// A step back stores a snapshot this number of instructions before its target, for further steps back.
const RECENT: u64 = 50_000;

/// Execution history.
pub(super) struct History {
    snapshots: VecDeque<SessionSnapshot>,
    /// Bytes of each snapshot that it does not share with the one before.
    bytes: VecDeque<usize>,
    /// A snapshot shortly before the last step back.
    recent: Option<SessionSnapshot>,
    /// Maximum size in bytes.
    limit: usize,
    /// Latest position that the program has reached.
    furthest: Position,
}

/// A stop in the history.
pub(super) enum HistoryStop {
    /// At a breakpoint, at a broken rule, or after a step.
    Stop,
    /// Before the instruction that accessed watched bytes.
    Watchpoint(dreamcast::debug::WatchHit),
    /// At the start of the history.
    Begin,
}

impl History {
    /// Creates a history that [`Self::renew`] must start.
    pub(super) fn new(session: &Session, limit: usize) -> Self {
        Self {
            snapshots: VecDeque::new(),
            bytes: VecDeque::new(),
            recent: None,
            limit,
            furthest: session.position(),
        }
    }

    /// Restarts the history at the current state, which the debugger has changed.
    pub(super) fn renew(&mut self, session: &mut Session) {
        self.snapshots.clear();
        self.bytes.clear();
        self.recent = None;
        self.furthest = session.position();
        self.push(session);
    }

    /// Returns the end of the recorded history, if the current position is before it.
    pub(super) fn future(&self, session: &Session) -> Option<Position> {
        (session.position() < self.furthest).then_some(self.furthest)
    }

    /// Records a snapshot after the program has run, if the last snapshot is old.
    pub(super) fn advance(&mut self, session: &mut Session) {
        let here = session.position();
        if here <= self.furthest {
            return;
        }
        self.furthest = here;
        let last = self.snapshots.back().map(|snapshot| snapshot.position.time);
        let age = last.map_or(u64::MAX, |last| here.time.since(last));
        if age < session.console.cpu_hz() / RATE {
            return;
        }
        self.push(session);
        while self.snapshots.len() > 2 && self.bytes.iter().sum::<usize>() > self.limit {
            self.thin(here);
        }
    }

    /// Adds the current state.
    fn push(&mut self, session: &mut Session) {
        self.snapshots.push_back(session.snapshot(self.snapshots.back()));
        self.bytes.push_back(0);
        self.count(self.snapshots.len() - 1);
    }

    /// Counts the bytes of a snapshot.
    fn count(&mut self, index: usize) {
        let before = index.checked_sub(1).and_then(|before| self.snapshots.get(before));
        if let (Some(snapshot), Some(bytes)) = (self.snapshots.get(index), self.bytes.get_mut(index)) {
            *bytes = snapshot.console.bytes_after(before.map(|before| &before.console));
        }
    }

    /// Drops the snapshot with the smallest gap between its neighbours, relative to its age. Never drops the
    /// first one.
    fn thin(&mut self, here: Position) {
        let gap = |index: usize| {
            let time = |index: usize| {
                self.snapshots
                    .get(index)
                    .map_or(0, |snapshot| snapshot.position.time.0)
            };
            let gap = time(index + 1).saturating_sub(time(index - 1)) as f64;
            gap / (here.time.0.saturating_sub(time(index)) + 1) as f64
        };
        let closest = (1..self.snapshots.len() - 1).min_by(|a, b| gap(*a).total_cmp(&gap(*b)));
        let closest = closest.unwrap_or(0);
        self.snapshots.remove(closest);
        self.bytes.remove(closest);
        self.count(closest);
    }

    /// Restores the last snapshot before `position` and returns its position; `None` if no snapshot is that
    /// old.
    fn go_before(&self, session: &mut Session, position: Position) -> Option<Position> {
        let index = self
            .snapshots
            .partition_point(|snapshot| snapshot.position < position);
        let old = self.snapshots.get(index.checked_sub(1)?)?;
        let recent = self
            .recent
            .as_ref()
            .filter(|recent| (old.position..position).contains(&recent.position));
        let snapshot = recent.unwrap_or(old);
        session.restore(snapshot);
        Some(snapshot.position)
    }

    /// Goes back to the last snapshot before the current position, and forgets everything after it. Returns
    /// false at the first snapshot.
    pub(super) fn rewind(&mut self, session: &mut Session) -> bool {
        let here = session.position();
        let count = self
            .snapshots
            .partition_point(|snapshot| snapshot.position < here);
        let Some(snapshot) = count.checked_sub(1).and_then(|last| self.snapshots.get(last)) else {
            return false;
        };
        session.rewind(snapshot);
        (self.recent, self.furthest) = (None, snapshot.position);
        self.snapshots.truncate(count);
        self.bytes.truncate(count);
        true
    }

    /// Steps one instruction back.
    pub(super) fn step(&mut self, session: &mut Session) -> HistoryStop {
        match self.step_before(session, session.position()) {
            true => HistoryStop::Stop,
            false => HistoryStop::Begin,
        }
    }

    /// Moves to the position one step before `end`. Returns false, without changes, if it is older than the
    /// history.
    fn step_before(&mut self, session: &mut Session, end: Position) -> bool {
        session.console.set_watchpoints(Vec::new());
        if self.go_before(session, end).is_none() {
            return false;
        }
        let at = |retired: u64| Position {
            retired,
            time: dreamcast::Cycles(0),
        };
        let recent = end.retired.saturating_sub(RECENT);
        if session.executed() < recent {
            self.run(session, at(recent));
            self.recent = Some(session.snapshot(None));
        }
        self.run(session, at(end.retired.saturating_sub(NEAR)));
        let mut before = session.position();
        loop {
            self.run(session, at(session.executed() + 1));
            let here = session.position();
            if here >= end || here == before {
                break;
            }
            before = here;
        }
        self.go_before(session, end);
        self.run(session, before);
        true
    }

    /// Runs to a position in the history without stops.
    fn run(&self, session: &mut Session, target: Position) {
        session.console.pass_stops();
        while session.replay(target).is_some() {
            session.console.pass_stops();
        }
    }

    /// Runs back to the last stop at a breakpoint or watchpoint before the current position.
    pub(super) fn go_back(
        &mut self,
        session: &mut Session,
        watch: &mut dyn FnMut(&mut Session),
    ) -> HistoryStop {
        let present = session.position();
        let mut end = present;
        while let Some(start) = self.go_before(session, end) {
            watch(session);
            let mut found = None;
            while let Some(stop) = session.replay(end) {
                let here = session.position();
                match stop {
                    End::Debug(DebugStop::Watchpoint(hit)) if here <= present => {
                        found = Some((here, Some(hit)));
                    }
                    End::Debug(DebugStop::Breakpoint) | End::Check if here < present => {
                        found = Some((here, None));
                    }
                    _ => {}
                }
                session.console.pass_stops();
            }
            match found {
                Some((place, None)) => {
                    session.console.set_watchpoints(Vec::new());
                    self.go_before(session, place);
                    self.run(session, place);
                    return HistoryStop::Stop;
                }
                Some((place, Some(hit))) => {
                    self.step_before(session, place);
                    return HistoryStop::Watchpoint(hit);
                }
                None => end = start,
            }
        }
        if let Some(first) = self.snapshots.front() {
            session.restore(first);
        }
        HistoryStop::Begin
    }
}
