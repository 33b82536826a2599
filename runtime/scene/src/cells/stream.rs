//! Compiled cell streams. Each chunk is compiled to masked writes to words of the work buffer
//! (docs/formats/cell-sprite.md 3). The stream finds the stamp for a time.

use super::CellWords;
use crate::RepeatSpan;
use std::ops::Range;

/// NJD_FCA_TR in a cell's first word.
pub(super) const TIME_REPEAT: u32 = (ninja::CellAttr::TIME_REPEAT.0 as u32) << 16;

/// A write of the bits of `value` under `mask` to a word of the work buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// Index in the work buffer, which has 16 words per cell.
    pub(super) word: usize,
    pub(super) mask: u32,
    pub(super) value: u32,
}

impl Write {
    pub(super) fn cell(&self) -> usize {
        self.word / ninja::Cell::WORDS
    }

    pub(super) fn apply(&self, work: &mut [CellWords]) {
        if let Some(word) = work.as_flattened_mut().get_mut(self.word) {
            *word = *word & !self.mask | self.value & self.mask;
        }
    }
}

/// Effect of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Writes to cells. `gate` is the cell that the chunk names, if any. If this cell does not repeat
    /// (NJD_FCA_TR), repetitions of the pattern skip the chunk, or also the rest of the stamp.
    Write {
        gate: Option<usize>,
        writes: Range<usize>,
    },
    /// A user event with its words.
    Event { id: u16, words: Range<usize> },
}

/// A time stamp with its actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) time: i64,
    pub(super) actions: Range<usize>,
}

/// A stream prepared for a sprite: an animation pattern of its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellStream {
    pub(super) stamps: Vec<Stamp>,
    /// Time of the end chunk.
    pub(super) end: i64,
    /// Start of the pattern in the list's time.
    pub(super) offset: i64,
    /// Length of the pattern.
    pub(super) max: i64,
    /// Stamp that cur_stamp_p points to in the file.
    pub(super) first_current: Option<usize>,
    pub(super) actions: Vec<Action>,
    pub(super) writes: Vec<Write>,
    pub(super) event_words: Vec<u32>,
    /// See [`CellStream::is_skippable`].
    pub(super) skippable: bool,
    /// Stamps from time 0 to timemax by ascending time; stamps with equal times in file order.
    pub(super) by_time: Vec<usize>,
    /// Cells that the stream writes, ascending.
    pub(super) cells: Vec<usize>,
}

/// The current stamp at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CurrentStamp {
    pub(super) stamp: Option<usize>,
    /// Time within the pattern.
    pub(super) time: i64,
    /// True from the second run of the pattern on.
    pub(super) repeats: bool,
}

impl CellStream {
    /// Start of the pattern in the list's time.
    pub fn time_offset(&self) -> i32 {
        self.offset as i32
    }

    /// Length of the pattern, after which it repeats.
    pub fn time_max(&self) -> i32 {
        self.max as i32
    }

    /// Number of time stamps, without the end.
    pub fn stamp_count(&self) -> usize {
        self.stamps.len()
    }

    /// True if a seek to any time can skip earlier stamps: all stamps change the same members, every time of
    /// the pattern has a stamp, and times ascend. Cells without NJD_FCA_TR may still require playing from the
    /// start.
    pub fn is_skippable(&self) -> bool {
        self.skippable
    }

    pub(super) fn is_repeating(&self, time: i32) -> bool {
        i64::from(time) >= self.offset + self.max
    }

    /// Returns the stamp for the list's `time`: it searches from the `current` one if time advances,
    /// otherwise from the first.
    pub(super) fn search(
        &self,
        time: i32,
        backwards: bool,
        current: Option<usize>,
        span: RepeatSpan,
    ) -> CurrentStamp {
        let since = i64::from(time) - self.offset;
        if since < 0 && span == RepeatSpan::After || self.max <= 0 {
            return CurrentStamp::default();
        }
        let repeats = !(0..self.max).contains(&since);
        let time = since.rem_euclid(self.max);
        let start = match current {
            Some(current) if !backwards && time != 0 => current,
            _ => 0,
        };
        let again = || (repeats && start > 0).then(|| self.walk(0, time)).flatten();
        CurrentStamp {
            stamp: self.walk(start, time).or_else(again),
            time,
            repeats,
        }
    }

    /// Returns the first stamp from `start` on that applies at `time` of the pattern. A stamp applies until
    /// the next stamp or the end.
    fn walk(&self, start: usize, time: i64) -> Option<usize> {
        (start..self.stamps.len()).find(|&i| {
            let next = self.stamps.get(i + 1).map_or(self.end, |next| next.time);
            self.stamps[i].time <= time && time < next
        })
    }

    /// True if a stamp precedes the one that cur_stamp_p points to, so that the first run does not reach it.
    pub(super) fn precedes_first_stamp(&self, stamp: usize) -> bool {
        let first = self.first_current.and_then(|i| self.stamps.get(i));
        first.is_some_and(|first| self.stamps[stamp].time < first.time)
    }

    /// True if any stamp clears one of the bits `mask` of a word.
    pub(super) fn clears(&self, word: usize, mask: u32) -> bool {
        let mut writes = self.writes.iter();
        writes.any(|write| write.word == word && write.mask & mask & !write.value != 0)
    }

    fn writes_of(&self, stamp: &Stamp) -> impl Iterator<Item = &Write> {
        self.actions[stamp.actions.clone()]
            .iter()
            .filter_map(|action| match action {
                Action::Write { writes, .. } => Some(&self.writes[writes.clone()]),
                Action::Event { .. } => None,
            })
            .flatten()
    }

    /// Returns the words that a stamp changes, ascending, with a mask of the changed bits of each.
    fn members(&self, stamp: &Stamp) -> Vec<(usize, u32)> {
        let mut members: Vec<(usize, u32)> = self.writes_of(stamp).map(|w| (w.word, w.mask)).collect();
        members.sort_unstable();
        members.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 |= next.1;
            }
            same
        });
        members
    }

    /// Computes the derived tables from the stamps and writes.
    pub(super) fn index(&mut self) {
        let playable = |i: &usize| (0..=self.max).contains(&self.stamps[*i].time);
        let mut by_time: Vec<usize> = (0..self.stamps.len()).filter(playable).collect();
        by_time.sort_by_key(|i| self.stamps[*i].time);
        self.by_time = by_time;
        self.cells = self.writes.iter().map(Write::cell).collect();
        self.cells.sort_unstable();
        self.cells.dedup();
        self.skippable = self.find_skippable();
    }

    /// Iterates over the writes of the pattern's first run, with the list's time.
    pub(super) fn timed_writes(&self) -> impl Iterator<Item = (i64, &Write)> {
        let stamps = self.by_time.iter().map(|i| &self.stamps[*i]);
        stamps.flat_map(|stamp| {
            let time = self.offset + stamp.time;
            self.writes_of(stamp).map(move |write| (time, write))
        })
    }

    /// See [`CellStream::is_skippable`].
    fn find_skippable(&self) -> bool {
        let Some(first) = self.stamps.first() else {
            return true;
        };
        let covered = first.time == 0 && self.end >= self.max && self.first_current.is_none_or(|i| i == 0);
        let ascending = self.stamps.is_sorted_by_key(|stamp| stamp.time);
        covered && ascending && {
            let members = self.members(first);
            self.stamps.iter().all(|stamp| self.members(stamp) == members)
        }
    }
}
