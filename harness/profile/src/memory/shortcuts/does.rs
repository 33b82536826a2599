//! What a shortcut does once all is found to be as it was.

use super::desk::{CONFLICTS, CYCLE, FREE, FROZEN, HORIZON, LAST, LAST_LINE, LOGGED, Place, STATE, join};
use super::explain::{At, Course, Explaining, Waits};
use crate::hash::FACTOR;
use crate::memory::repeat::{Change, Side, Turn};
use crate::memory::{LINE, conflicts, passing};
use sh4::meter::{Field, NEXT, Operation, Steps, Test, Value};

impl Explaining<'_> {
    /// What happens in an entry.
    pub(super) fn change(&mut self, number: usize, change: &Change, at: At, tag: Value) {
        self.turns(change, at, tag);
        let after = self.add(at.physical, change.after.tag.wrapping_sub(change.at.line & LINE));
        self.steps.set_field(Field::Tag, at.entry, after);
        let by = self.steps.word(change.after.prefetched_by);
        if change.after.prefetched_by != change.before.prefetched_by {
            self.steps.set_field(Field::PrefetchedBy, at.entry, by);
        }
        for (which, side) in change.sides.iter().enumerate() {
            let stores = which == 1;
            match *side {
                Side::Stays => {}
                Side::Barred => {
                    let none = self.steps.word(passing::NONE);
                    self.steps.set_field(Field::Address(stores), at.entry, none);
                }
                Side::Opens(line, _) => {
                    let row = self.own_cell(Place::OPENS + number);
                    let row = self.steps.split(row)[which];
                    self.open(at, stores, row);
                    let line = self.add(at.line, line.wrapping_sub(change.at.line));
                    self.steps.set_field(Field::Address(stores), at.entry, line);
                }
            }
        }
    }

    /// Loads, or stores, in an entry are counted in another range from now on, perhaps: those before are told.
    fn open(&mut self, at: At, stores: bool, row: Value) {
        let mark = self.steps.field(Field::Mark(stores), at.entry);
        self.steps.when(Test::Differ, [mark, row], &mut |steps| {
            let (accesses, none) = (steps.field(Field::Accesses(stores), at.entry), steps.wide(0));
            steps.when(Test::Differ, [accesses, none], &mut |steps| {
                let which = steps.word(u32::from(stores));
                let what = steps.join([mark, which]);
                log(steps, [what, accesses]);
                let none = steps.wide(0);
                steps.set_field(Field::Accesses(stores), at.entry, none);
            });
            steps.set_field(Field::Mark(stores), at.entry, row);
        });
    }

    /// Lines of an entry take the place of others.
    fn turns(&mut self, change: &Change, at: At, tag: Value) {
        let place = change.at.line & LINE;
        let stood = self.and(tag, LINE);
        let mut gone: Option<(Value, &Turn)> = None;
        for turn in &change.turns {
            let comes = self.add(at.physical, turn.comes.wrapping_sub(place));
            let victim = match turn.victim {
                0 => stood,
                victim => self.add(at.physical, victim.wrapping_sub(place)),
            };
            match gone {
                // Of lines of its own it is known whether they come back.
                Some((_, before)) if before.victim != 0 => {
                    if before.victim == turn.comes {
                        conflict(self.steps, victim, comes);
                    }
                }
                _ => {
                    let last = match gone {
                        Some((last, _)) => last,
                        None => self.steps.field(Field::Gone, at.entry),
                    };
                    self.steps.when(Test::Equal, [last, comes], &mut |steps| {
                        conflict(steps, victim, comes)
                    });
                }
            }
            gone = Some((victim, turn));
        }
        if let Some((last, _)) = gone {
            self.steps.set_field(Field::Gone, at.entry, last);
        }
    }

    /// The line that has come last.
    pub(super) fn last(&mut self, before: Value) {
        let (line, critical) = match self.repeat.last {
            Some(last) => (self.at(last).physical, self.steps.word(self.repeat.critical)),
            None => (before, self.critical()),
        };
        let last = self.steps.join([line, critical]);
        self.steps.set_cell(LAST_LINE, last);
    }

    /// What is under way behind it, and what comes next.
    pub(super) fn ends(&mut self, course: &Course, cycle: Value) {
        let quiet = match &course.waits {
            None => {
                let (free, frozen) = (self.steps.cell(FREE + 1), self.steps.cell(FROZEN));
                let quiet = self.steps.apply(Operation::Sub, free, frozen);
                let past = self.steps.wide(0);
                self.steps.pick(Test::AtMost, [past, quiet], [free, frozen])
            }
            Some(waits) => self.waits(course, waits, cycle),
        };
        let times = self.own_cell(Place::TIMES);
        let times = self.add_wide(times, 1);
        self.steps.set_cell(self.place.cell(Place::TIMES), times);
        let last = match &course.waits {
            Some(waits) => self.steps.wide(join([self.place.number(), waits.episode])),
            None => {
                let last = self.steps.cell(LAST);
                let [_, episode] = self.steps.split(last);
                let number = self.steps.word(self.place.number());
                self.steps.join([number, episode])
            }
        };
        self.steps.set_cell(LAST, last);
        let next = self.own_cell(Place::FOLLOWS);
        self.steps.set_cell(NEXT, next);
        self.steps.done(quiet);
    }

    /// An episode has passed; from when on accesses pass then.
    fn waits(&mut self, course: &Course, waits: &Waits, cycle: Value) -> Value {
        let end = self.add_wide(cycle, waits.cycles.into());
        self.steps.set_cell(CYCLE, end);
        let same = waits.under_way.is_some_and(|(state, _)| state == waits.state);
        let state = [(STATE, waits.state.into()), (HORIZON, waits.horizon)];
        for (place, value) in state.into_iter().filter(|_| !same) {
            let value = self.steps.wide(value);
            self.steps.set_cell(place, value);
        }
        for (which, from) in waits.free_from.into_iter().enumerate() {
            let free = self.add_wide(end, from.into());
            self.steps.set_cell(FREE + which, free);
        }
        let frozen = self.steps.cell(FROZEN);
        let frozen = self.add_wide(frozen, waits.cycles.into());
        self.steps.set_cell(FROZEN, frozen);
        let [_, base] = self.steps.way();
        let quiet = u64::from(waits.free_from[1]).wrapping_sub(course.advance);
        self.add_wide(base, quiet)
    }
}

/// A line has come back to where its victim was: to be counted, unless the filter says that nobody does.
fn conflict(steps: &mut dyn Steps, victim: Value, comes: Value) {
    let key = steps.join([victim, comes]);
    let factor = steps.wide(FACTOR);
    let mixed = steps.apply(Operation::Mul, key, factor);
    let (word, bit) = (steps.wide(conflicts::WORD), steps.wide(conflicts::BIT));
    let (word, bit) = (
        steps.apply(Operation::Shift, mixed, word),
        steps.apply(Operation::Shift, mixed, bit),
    );
    let word = steps.filter(word);
    // The bit's number, of 64.
    let low = steps.wide(63);
    let bit = steps.apply(Operation::And, bit, low);
    let word = steps.apply(Operation::Shift, word, bit);
    let (one, none) = (steps.wide(1), steps.wide(0));
    let known = steps.apply(Operation::And, word, one);
    steps.when(Test::Differ, [known, none], &mut |steps| {
        let none = steps.wide(CONFLICTS);
        log(steps, [key, none]);
    });
}

/// Notes two words for later.
fn log(steps: &mut dyn Steps, words: [Value; 2]) {
    let mut place = steps.cell(LOGGED);
    let one = steps.wide(1);
    for word in words {
        steps.log(place, word);
        place = steps.apply(Operation::Add, place, one);
    }
    steps.set_cell(LOGGED, place);
}
