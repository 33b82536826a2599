//! A repeat in steps of compiled code: what has to be as it was. What is done then is said in [`does`](super::does).
//!
//! This is [`MemoryModel::repeat`](super::MemoryModel) for one slot that comes to one episode, with everything known that does
//! not change as lines move on.

use super::desk::{CYCLE, FREE, FROZEN, HORIZON, LAST_LINE, LOGGED, Place, ROOM, ROWS, STATE};
use crate::memory::cache::{DIRTY, VALID};
use crate::memory::repeat::{ANCHORS, BRINGS, CHANGES, Change, Repeat, Spot};
use crate::memory::{LINE, NO_LINE};
use sh4::meter::{Field, LOG, Operation, Steps, Test, Value};

/// Words that a shortcut may write to the log, at most: two for each line that takes the place of another, and for each side of
/// an entry.
const LOGS: usize = 2 * (BRINGS + 2 * CHANGES);

/// When a shortcut is taken, and what comes of its time.
pub(super) struct Course {
    /// See [`Slot`](crate::memory::repeats::Slot).
    pub(super) advance: u64,
    pub(super) offset: u32,
    /// Whether loads alone have to wait; else stores too.
    pub(super) stores: usize,
    /// Its episode, if it waits.
    pub(super) waits: Option<Waits>,
}

/// An episode.
pub(super) struct Waits {
    pub(super) episode: u32,
    /// What has to be under way: nothing, or a state and the cycles since then.
    pub(super) under_way: Option<(u32, u32)>,
    pub(super) cycles: u32,
    /// What is under way behind it, see [`Episode`](crate::memory::Episode).
    pub(super) state: u32,
    pub(super) horizon: u64,
    pub(super) free_from: [u32; 2],
}

/// The place of a line, as values.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// Its address, physical too, and its entry.
    pub(super) line: Value,
    pub(super) physical: Value,
    pub(super) entry: Value,
}

/// Says what a repeat does.
pub(super) struct Explaining<'a> {
    pub(super) steps: &'a mut dyn Steps,
    pub(super) place: Place,
    pub(super) repeat: &'a Repeat,
    /// The addresses of its anchors.
    pub(super) anchors: [Option<Value>; ANCHORS],
}

impl Explaining<'_> {
    /// Explains all.
    pub(super) fn all(&mut self, course: &Course) {
        let (cycle, last_line) = self.time(course);
        self.anchors();
        self.leads(last_line);
        let changes: Vec<(At, Value)> = self
            .repeat
            .changes
            .iter()
            .enumerate()
            .map(|(number, change)| self.finds(number, change))
            .collect();
        let room = self.conflicts_room();
        let (logged, most) = (self.steps.cell(LOGGED), self.steps.wide((LOG - LOGS) as u64));
        self.steps.require(Test::AtMost, logged, most);
        self.rows();
        // From here on it is done.
        if let Some(room) = room {
            self.steps.set_cell(ROOM, room);
        }
        for (number, (change, (at, tag))) in self.repeat.changes.iter().zip(changes).enumerate() {
            self.change(number, change, at, tag);
        }
        self.last(last_line);
        self.ends(course, cycle);
    }

    pub(super) fn add(&mut self, value: Value, distance: u32) -> Value {
        if distance == 0 {
            return value;
        }
        let distance = self.steps.word(distance);
        self.steps.apply(Operation::Add, value, distance)
    }

    pub(super) fn add_wide(&mut self, value: Value, distance: u64) -> Value {
        let distance = self.steps.wide(distance);
        self.steps.apply(Operation::Add, value, distance)
    }

    pub(super) fn and(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.steps.word(mask);
        self.steps.apply(Operation::And, value, mask)
    }

    pub(super) fn own_cell(&mut self, number: usize) -> Value {
        self.steps.cell(self.place.cell(number))
    }

    /// The way, and what is under way. Answers the cycle in which the way began, and the line that came last, if that still
    /// matters.
    fn time(&mut self, course: &Course) -> (Value, Value) {
        let [way, base] = self.steps.way();
        let known = self.own_cell(Place::WAY);
        self.steps.require(Test::Equal, way, known);
        let frozen = self.steps.cell(FROZEN);
        let end = self.steps.apply(Operation::Add, base, frozen);
        let cycle = self.add_wide(end, course.advance.wrapping_neg());
        let now = self.add_wide(cycle, course.offset.into());
        let free = self.steps.cell(FREE + course.stores);
        match &course.waits {
            None => self.steps.require(Test::AtMost, free, now),
            Some(waits) => {
                if self.repeat.found == 0 {
                    self.steps.require(Test::Below, now, free);
                }
                self.under_way(waits, cycle);
            }
        }
        let last = self.steps.cell(LAST_LINE);
        let [line, _] = self.steps.split(last);
        let (quiet, none) = (self.steps.cell(FREE + 1), self.steps.word(NO_LINE));
        let line = self.steps.pick(Test::AtMost, [none, line], [quiet, now]);
        (cycle, line)
    }

    /// Whether what has to be under way in a cycle is.
    fn under_way(&mut self, waits: &Waits, cycle: Value) {
        let since = self.steps.cell(CYCLE);
        let distance = self.steps.apply(Operation::Sub, cycle, since);
        let Some((state, cycles)) = waits.under_way else {
            let horizon = self.steps.cell(HORIZON);
            return self.steps.require(Test::AtMost, horizon, distance);
        };
        let (known, state) = (self.steps.cell(STATE), self.steps.wide(state.into()));
        self.steps.require(Test::Equal, known, state);
        let cycles = self.steps.wide(cycles.into());
        self.steps.require(Test::Equal, distance, cycles);
    }

    /// Whether all lines are in the ranges that are counted in.
    fn anchors(&mut self) {
        for (number, anchor) in self.repeat.anchors.iter().enumerate() {
            let address = self.steps.address(anchor.place);
            self.anchors[number] = Some(address);
            let tied = usize::from(anchor.tied);
            if tied != number
                && let (Some(other), Some(leader)) = (self.anchors[tied], self.repeat.anchors.get(tied))
            {
                let wanted = self.add(other, anchor.address.wrapping_sub(leader.address));
                self.steps.require(Test::Equal, address, wanted);
                continue;
            }
            let bounds = self.own_cell(Place::RANGES + number);
            let [low, room] = self.steps.split(bounds);
            let (by, five) = (self.steps.apply(Operation::Sub, address, low), self.steps.word(5));
            let by = self.steps.apply(Operation::Rotate, by, five);
            self.steps.require(Test::AtMost, by, room);
        }
    }

    fn address(&mut self, spot: Spot) -> Value {
        let number = usize::from(spot.anchor);
        let (Some(address), Some(anchor)) = (self.anchors[number], self.repeat.anchors.get(number)) else {
            return self.steps.word(0);
        };
        self.add(address, spot.line.wrapping_sub(anchor.address))
    }

    pub(super) fn at(&mut self, spot: Spot) -> At {
        let line = self.address(spot);
        At {
            line,
            physical: self.and(line, LINE),
            entry: self.steps.entry(line),
        }
    }

    /// Whether what passed still does, and nothing else is in the way.
    fn leads(&mut self, last_line: Value) {
        let critical = self.critical();
        for (spot, wanted) in &self.repeat.leads {
            let at = self.at(*spot);
            let test = if wanted.is_some() {
                Test::Equal
            } else {
                Test::Differ
            };
            self.steps.require(test, at.physical, last_line);
            if let Some(wanted) = wanted {
                let wanted = self.steps.word(*wanted);
                self.steps.require(Test::Equal, critical, wanted);
            }
        }
        for pass in &self.repeat.passes {
            let at = self.at(pass.at);
            let passes = self.steps.field(Field::Address(pass.stores), at.entry);
            self.steps.require(Test::Equal, passes, at.line);
        }
        for [one, other] in &self.repeat.apart {
            let (one, other) = (self.at(*one).entry, self.at(*other).entry);
            self.steps.require(Test::Differ, one, other);
        }
    }

    pub(super) fn critical(&mut self) -> Value {
        let last = self.steps.cell(LAST_LINE);
        self.steps.split(last)[1]
    }

    /// Whether what stood in the entry of a change stands there now: where that is, and its tag.
    fn finds(&mut self, number: usize, change: &Change) -> (At, Value) {
        let at = self.at(change.at);
        let tag = self.steps.field(Field::Tag, at.entry);
        if change.own {
            let wanted = self.add(at.physical, change.before.tag.wrapping_sub(change.at.line & LINE));
            self.steps.require(Test::Equal, tag, wanted);
        } else {
            let (some, wanted) = (
                self.and(tag, change.mask),
                self.steps.word(change.before.tag & change.mask),
            );
            self.steps.require(Test::Equal, some, wanted);
            let (clean, own) = (self.and(tag, !DIRTY), self.add(at.physical, VALID));
            self.steps.require(Test::Differ, clean, own);
        }
        let (by, wanted) = (
            self.steps.field(Field::PrefetchedBy, at.entry),
            self.steps.word(change.before.prefetched_by),
        );
        self.steps.require(Test::Equal, by, wanted);
        if change.far != 0 {
            let seen = self.own_cell(Place::SEEN + number / 2);
            let seen = self.steps.split(seen)[number % 2];
            let far = self.and(tag, change.far);
            self.steps.require(Test::Equal, far, seen);
        }
        (at, tag)
    }

    /// Whether conflicts may be counted later: for how many there is room then.
    fn conflicts_room(&mut self) -> Option<Value> {
        let count = self.repeat.brings.len() as u64;
        let mut turns = self.repeat.changes.iter().flat_map(|change| &change.turns);
        turns.next()?;
        let (room, count) = (self.steps.cell(ROOM), self.steps.wide(count));
        self.steps.require(Test::AtMost, count, room);
        Some(self.steps.apply(Operation::Sub, room, count))
    }

    /// Whether rows are open as before, and lines are in the same ones; then they are as they were behind it.
    fn rows(&mut self) {
        if self.repeat.brings.is_empty() {
            return;
        }
        for (number, anchor) in self.repeat.anchors.iter().enumerate() {
            let (Some(address), true) = (self.anchors[number], usize::from(anchor.tied) == number) else {
                continue;
            };
            let bounds = self.own_cell(Place::NEAR + number);
            let [low, on] = self.steps.split(bounds);
            let by = self.steps.apply(Operation::Sub, address, low);
            self.steps.require(Test::AtMost, by, on);
        }
        for half in 0..2 {
            let (rows, before) = (self.steps.cell(ROWS + half), self.own_cell(Place::ROWS + half));
            self.steps.require(Test::Equal, rows, before);
        }
        let after = [0, 1].map(|half| self.own_cell(Place::ROWS + 2 + half));
        for (half, rows) in after.into_iter().enumerate() {
            self.steps.set_cell(ROWS + half, rows);
        }
    }
}
