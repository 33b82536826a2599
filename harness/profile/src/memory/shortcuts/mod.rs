//! Repeats that compiled code does by itself: see [`sh4::meter`].
//!
//! A slot that has often come to one episode is explained once, and made into a shortcut. Whenever compiled code goes on
//! behind a run that has been one, it is handed what is under way, and the number of the one that followed the last time.
//! It then takes one shortcut after the other, as long as all is as expected; what they changed outside of the desk is
//! taken back before anything else happens.

mod desk;
mod does;
mod explain;

use super::MemoryModel;
use super::episode::NONE;
use super::lines::Lines;
use super::repeat::{ANCHORS, CHANGES, Repeat, Side};
use super::stats::Row;
use crate::hash::mix;
use crate::serial::Serial;
use arrayvec::ArrayVec;
use desk::{
    CONFLICTS, CYCLE, FREE, FROZEN, HORIZON, LAST, LAST_LINE, LOGGED, NOTHING, NOWHERE, Place, ROOM, ROWS,
    STATE, join, split,
};
use explain::{Course, Explaining, Waits};
use sh4::meter::{CELLS, Desk, LOG, NEXT, SHORTCUTS, Steps};

/// Shortcuts taken between two surprises, up to which they are none.
const OFTEN: u64 = 8;

/// A shortcut of a slot.
#[derive(Debug)]
pub(super) struct Known {
    episode: u32,
    number: usize,
    /// Whether its cells say where the slot's repeat is.
    written: bool,
}

/// The shortcuts of a slot. A copy has none.
#[derive(Debug, Default)]
pub(super) struct Made(ArrayVec<Known, 2>);

impl Clone for Made {
    fn clone(&self) -> Made {
        Made::default()
    }
}

impl Made {
    #[inline(always)]
    fn find(&mut self, episode: u32) -> Option<&mut Known> {
        self.0.iter_mut().find(|known| known.episode == episode)
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }

    fn push(&mut self, episode: u32, number: usize) {
        self.0.push(Known {
            episode,
            number,
            written: false,
        });
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Known> {
        self.0.iter_mut()
    }
}

/// What a shortcut does.
#[derive(Clone, Copy, Debug)]
struct Shortcut {
    slot: usize,
    episode: u32,
    /// Whether there is code for it.
    made: bool,
    /// How many shortcuts had been taken when something else followed.
    misled: u64,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Shortcuts {
    /// What their numbers belong to.
    serial: Serial,
    /// How often a slot has to be done again to be made a shortcut of: never, as long as nobody takes them.
    often: u32,
    cells: Box<[u64; CELLS]>,
    log: Box<[u64; LOG]>,
    /// From the first one on.
    all: Vec<Shortcut>,
    /// The one that is to be made, and whether whoever makes them has yet to be told to come.
    wish: Option<usize>,
    calls: bool,
    /// The shortcut that the last run was, or could have been; 0 if it was none.
    last: usize,
    /// Memory's part of the time when it was handed over.
    frozen: u64,
    /// How many were taken.
    taken: u64,
    /// Test only: any of them is expected, by the digits of this number.
    shuffled: Option<u64>,
}

impl Default for Shortcuts {
    fn default() -> Shortcuts {
        Shortcuts {
            serial: Serial::default(),
            often: u32::MAX,
            cells: desk::empty(),
            log: Box::new([0; LOG]),
            all: Vec::new(),
            wish: None,
            calls: false,
            last: 0,
            frozen: 0,
            taken: 0,
            shuffled: None,
        }
    }
}

/// A copy has none: those that were made are the other one's.
impl Clone for Shortcuts {
    fn clone(&self) -> Shortcuts {
        Shortcuts::default()
    }
}

impl Shortcuts {
    /// Whether compiled code may have taken some.
    #[inline(always)]
    fn are_away(&self) -> bool {
        self.cells[NEXT] != 0 || self.cells[LAST] != NOTHING
    }

    fn cell(&mut self, number: usize, which: usize) -> &mut u64 {
        &mut self.cells[Place(number).cell(which)]
    }

    /// Forgets all of them. Compiled code may be under way, and knows where the cells lie: they stay there.
    fn forget(&mut self) {
        self.serial = Serial::default();
        *self.cells = *desk::empty();
        self.all.clear();
        (self.wish, self.calls, self.last) = (None, false, 0);
    }

    /// A new one; 0 if there is no room.
    #[cold]
    fn add(&mut self, slot: usize, episode: u32) -> usize {
        if self.wish.is_some() || self.all.len() + 1 >= SHORTCUTS {
            return 0;
        }
        self.all.push(Shortcut {
            slot,
            episode,
            made: false,
            misled: 0,
        });
        let number = self.all.len();
        *self.cell(number, Place::WAY) = NOWHERE;
        (self.wish, self.calls) = (Some(number), true);
        number
    }

    /// It must not be taken any more, unless it is written anew.
    fn bar(&mut self, number: usize) {
        *self.cell(number, Place::WAY) = NOWHERE;
    }

    /// The run that has just passed could have been this one; 0 if none.
    #[inline(always)]
    fn came(&mut self, number: usize) {
        if self.last != 0 && *self.cell(self.last, Place::FOLLOWS) != number as u64 {
            self.misled(number);
        }
        self.last = number;
    }

    /// Another shortcut has followed the last one than was expected: it is expected from now on if that comes more often.
    fn misled(&mut self, number: usize) {
        let (taken, last) = (self.taken, &mut self.all[self.last - 1]);
        let often = taken - std::mem::replace(&mut last.misled, taken) < OFTEN;
        let follows = self.cell(self.last, Place::FOLLOWS);
        if number != 0 && (often || *follows == 0) {
            *follows = number as u64;
        }
    }

    /// Lets any follow any, and follow what was none; what follows now.
    fn shuffle(&mut self, number: u64) -> u64 {
        self.shuffled = Some(number + 1);
        let mut digits = mix(number);
        let mut any = |all: &[Shortcut]| {
            digits = mix(digits ^ digits >> 32);
            let other = (digits >> 40) % (all.len() as u64 + 1);
            let made = other != 0 && all[other as usize - 1].made;
            if made { other } else { 0 }
        };
        for place in 1..=self.all.len() {
            self.cells[Place(place).cell(Place::FOLLOWS)] = any(&self.all);
        }
        any(&self.all)
    }

    /// Writes down where a repeat is.
    fn write(&mut self, number: usize, way: u32, repeat: &Repeat) {
        for (place, anchor) in repeat.anchors.iter().enumerate() {
            let low = anchor.address.wrapping_sub(anchor.back);
            *self.cell(number, Place::RANGES + place) = join([low, anchor.room]);
            let low = anchor.address.wrapping_add(anchor.near[0]);
            *self.cell(number, Place::NEAR + place) = join([low, anchor.near[1]]);
        }
        for (half, rows) in repeat.rows.as_flattened().chunks_exact(2).enumerate() {
            *self.cell(number, Place::ROWS + half) = join([rows[0], rows[1]]);
        }
        let mut seen = [0; CHANGES.next_multiple_of(2)];
        for (place, change) in repeat.changes.iter().enumerate() {
            seen[place] = change.seen & change.far;
            let rows = change.sides.map(|side| match side {
                Side::Opens(_, row) => row.0,
                _ => 0,
            });
            *self.cell(number, Place::OPENS + place) = join(rows);
        }
        for (half, seen) in seen.chunks_exact(2).enumerate() {
            *self.cell(number, Place::SEEN + half) = join([seen[0], seen[1]]);
        }
        *self.cell(number, Place::WAY) = way.into();
    }
}

impl Lines {
    /// Counts what shortcuts have left for later.
    fn read_log(&mut self, shortcuts: &mut Shortcuts) {
        let words = std::mem::take(&mut shortcuts.cells[LOGGED]) as usize;
        for entry in shortcuts.log[..words.min(LOG)].chunks_exact(2) {
            let [low, high] = split(entry[0]);
            match entry[1] {
                CONFLICTS => self.stats.conflict(low, high),
                accesses => self.stats.passed_in(Row(low), high as usize & 1, accesses),
            }
        }
    }
}

impl MemoryModel {
    /// See [`sh4::meter::Meter::shortcuts`].
    pub(crate) fn shortcuts(&mut self, known: u64, often: u32) -> u64 {
        if known != self.shortcuts.serial.number() {
            self.forget_shortcuts();
        }
        self.shortcuts.often = often;
        self.shortcuts.serial.number()
    }

    /// None are to be taken any more that were made until now.
    pub(super) fn forget_shortcuts(&mut self) {
        self.shortcuts.forget();
        self.repeats.forget_shortcuts();
    }

    /// See [`Counter::shuffle_shortcuts`](crate::Counter).
    pub(crate) fn shuffle_shortcuts(&mut self) {
        self.shortcuts.shuffled = Some(0);
    }

    pub(crate) fn desk(&mut self) -> Desk<'_> {
        let (filter, gone) = self.lines.stats.desk();
        Desk {
            cells: &mut self.shortcuts.cells,
            log: &mut self.shortcuts.log,
            filter,
            held: &mut self.lines.operand,
            gone,
            lines: &mut self.lines.passing.lines,
        }
    }

    /// See [`sh4::meter::Meter::wish`].
    pub(crate) fn wish(&mut self) -> Option<u32> {
        self.shortcuts.wish.take().map(|number| number as u32)
    }

    /// See [`sh4::meter::Meter::explain`].
    pub(crate) fn explain(&mut self, number: u32, steps: &mut dyn Steps) {
        let number = number as usize;
        let Some(shortcut) = number
            .checked_sub(1)
            .and_then(|place| self.shortcuts.all.get(place))
        else {
            return;
        };
        let Some(slot) = self.repeats.get(shortcut.slot) else {
            return;
        };
        let mut explaining = Explaining {
            steps,
            place: Place(number),
            repeat: &slot.repeat,
            anchors: [None; ANCHORS],
        };
        let waits = self.episodes.get(shortcut.episode).map(|episode| {
            let (state, horizon, free_from) = episode.leaves();
            Waits {
                episode: shortcut.episode,
                under_way: episode.under_way(),
                cycles: episode.cycles,
                state,
                horizon,
                free_from,
            }
        });
        explaining.all(&Course {
            advance: slot.advance,
            offset: slot.offset,
            stores: slot.stores,
            waits,
        });
        self.shortcuts.all[number - 1].made = true;
    }

    /// Hands over to compiled code: what is under way where memory's part of the time is `frozen`, and which shortcut is
    /// expected. False if whoever makes them is to come first.
    #[inline(always)]
    pub(crate) fn hand_over(&mut self, frozen: u64) -> bool {
        let shortcuts = &mut self.shortcuts;
        let next = match (shortcuts.last, shortcuts.shuffled) {
            (0, None) => 0,
            (last, None) => *shortcuts.cell(last, Place::FOLLOWS),
            (_, Some(number)) => shortcuts.shuffle(number),
        };
        if next != 0 {
            self.expect(next, frozen);
        }
        !std::mem::take(&mut self.shortcuts.calls)
    }

    /// Hands over for the shortcut `next`, if it is known here what is under way.
    fn expect(&mut self, next: u64, frozen: u64) {
        let Some((state, cycle, horizon)) = self.episodes.under_way() else {
            return;
        };
        self.shortcuts.frozen = frozen;
        let cells = &mut self.shortcuts.cells;
        cells[NEXT] = next;
        (cells[CYCLE], cells[STATE], cells[HORIZON]) = (cycle, state.into(), horizon);
        [cells[FREE], cells[FREE + 1]] = self.free_from;
        cells[FROZEN] = frozen;
        let [a, b, c, d] = self.lines.slaves.rows();
        [cells[ROWS], cells[ROWS + 1]] = [join([a, b]), join([c, d])];
        cells[LAST_LINE] = join([self.lines.last_line, self.lines.critical]);
        cells[ROOM] = self.lines.stats.conflicts_room();
    }

    /// Whether [`MemoryModel::take_back`] has to be asked before anything else.
    #[inline(always)]
    pub(crate) fn is_away(&self) -> bool {
        self.shortcuts.are_away()
    }

    /// Takes back what was handed over, with what shortcuts have done to it. The cycles for which they froze the CPU.
    #[inline(never)]
    pub(crate) fn take_back(&mut self) -> u64 {
        let shortcuts = &mut self.shortcuts;
        shortcuts.cells[NEXT] = 0;
        let [last, episode] = split(std::mem::replace(&mut shortcuts.cells[LAST], NOTHING));
        let last = last as usize;
        let Some(shortcut) = last.checked_sub(1).and_then(|place| shortcuts.all.get(place)) else {
            return 0;
        };
        let slot = shortcut.slot;
        self.lines.read_log(shortcuts);
        let cells = &shortcuts.cells;
        [self.lines.last_line, self.lines.critical] = split(cells[LAST_LINE]);
        let [[a, b], [c, d]] = [split(cells[ROWS]), split(cells[ROWS + 1])];
        self.lines.slaves.set_rows([a, b, c, d]);
        self.free_from = [cells[FREE], cells[FREE + 1]];
        if episode != NONE {
            self.episodes.stand_behind(episode, cells[CYCLE]);
        }
        let frozen = cells[FROZEN] - shortcuts.frozen;
        for number in 1..=shortcuts.all.len() {
            let times = std::mem::take(shortcuts.cell(number, Place::TIMES));
            if times > 0 {
                let Shortcut { slot, episode, .. } = shortcuts.all[number - 1];
                self.repeats.add(slot, episode, times);
                if episode != NONE {
                    self.episodes.add(episode, times);
                }
                shortcuts.taken += times;
            }
        }
        self.repeats.stand_behind(slot);
        shortcuts.last = last;
        frozen
    }

    /// The run that has just passed was none that could be a shortcut.
    #[inline(always)]
    pub(super) fn passed_anew(&mut self) {
        self.shortcuts.came(0);
    }

    /// The run that has just passed did again what is in a slot, and came to an episode.
    #[inline(always)]
    pub(super) fn passed_again(&mut self, slot: usize, episode: u32) {
        let number = self.shortcut(slot, episode);
        self.shortcuts.came(number);
    }

    /// The shortcut for that; 0 if there is none.
    #[inline(always)]
    fn shortcut(&mut self, number: usize, episode: u32) -> usize {
        let slot = self.repeats.slot(number);
        if std::mem::take(&mut slot.repeat.news) {
            slot.made.all().for_each(|known| known.written = false);
        }
        if let Some(known) = slot.made.find(episode) {
            if !std::mem::replace(&mut known.written, true) {
                self.shortcuts.write(known.number, slot.way, &slot.repeat);
            }
            return if self.shortcuts.all[known.number - 1].made {
                known.number
            } else {
                0
            };
        }
        if slot.since >= self.shortcuts.often {
            self.wish_for(number, episode);
        }
        0
    }

    #[cold]
    fn wish_for(&mut self, number: usize, episode: u32) {
        let slot = self.repeats.slot(number);
        slot.since = 0;
        if slot.made.is_full() {
            return;
        }
        let made = self.shortcuts.add(number, episode);
        if made != 0 {
            slot.made.push(episode, made);
        }
    }

    /// Shortcuts of a slot are not to be taken as it is now.
    pub(super) fn bar_shortcuts(&mut self, slot: usize) {
        for known in self.repeats.slot(slot).made.all() {
            known.written = false;
            self.shortcuts.bar(known.number);
        }
    }

    /// A slot is emptied: it has no shortcuts any more.
    pub(super) fn drop_shortcuts(&mut self, slot: usize) {
        self.bar_shortcuts(slot);
        self.repeats.slot(slot).made = Made::default();
    }
}
