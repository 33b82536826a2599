//! Time in a stream list: steps and seeking.

use super::CellWords;
use super::events::Events;
use super::list::StreamList;
use super::stream::TIME_REPEAT;
use super::warning::{CellWarning, StreamError};
use crate::limits::PLAYED_CHUNKS as MAX_PLAYED;
use crate::limits::REPEATED_STAMPS as MAX_STAMPS;
use crate::{RepeatSpan, StampRule};
use ninja::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of repetitions to play at each end if no stream changes NJD_FCA_TR. They determine all cells,
/// because each run of a pattern performs all its writes.
const ENOUGH: i64 = 2;

impl StreamList {
    /// Advances the time by `step` and runs the stamps reached on the way, in the order of time; at equal
    /// times in list order.
    ///
    /// A step of 0 runs the stamps of the current time; use it as the first call for a list. A step back does
    /// not undo changes: it runs the stamps that apply at the new time. With [`StampRule::Held`] every step
    /// does this, and skips the stamps in between (see [`StreamList::seek`]).
    pub fn advance(&mut self, step: i32, events: &mut Events<'_>) {
        let before = self.time;
        self.time = self.time.saturating_add(step);
        if step < 0 || self.settings.stamps == StampRule::Held {
            self.run_held(step < 0, Some(events));
            let next = i64::from(self.time) + 1;
            self.streams
                .iter_mut()
                .for_each(|playing| playing.next = Some(next));
        } else {
            let stamps = self
                .streams
                .iter()
                .map(|p| p.stream.by_time.len())
                .max()
                .unwrap_or(0);
            let most = (stamps * self.streams.len()).max(1) as i64;
            self.run_reached(before, (MAX_STAMPS / most).max(4), Some(events));
        }
    }

    /// Sets the time to `time` with the result of playing from time 0 in steps of 1, without delivering
    /// events.
    ///
    /// # Errors
    /// [`StreamError::Time`] for a negative time. [`StreamError::TooFar`] if playing exceeds the limit of
    /// chunks; the list then stays at an earlier time.
    pub fn seek(&mut self, time: i32) -> Result<(), StreamError> {
        if time < 0 {
            return Err(StreamError::Time { time });
        }
        self.reset();
        match self.settings.stamps {
            StampRule::Reached => self.seek_reached(time),
            StampRule::Held => self.seek_held(time),
        }
    }

    fn seek_reached(&mut self, time: i32) -> Result<(), StreamError> {
        let keep = if self.repeats_for_ever() {
            ENOUGH
        } else {
            self.limit_of_repetitions(time)?
        };
        self.time = time;
        self.run_reached(0, keep, None);
        Ok(())
    }

    /// Number of repetitions to play if none can be skipped. Fails if they have too many chunks.
    fn limit_of_repetitions(&self, time: i32) -> Result<i64, StreamError> {
        let most = self.streams.iter().map(|playing| {
            let stream = &playing.stream;
            let begin = stream.beginning(0, self.settings.span);
            let runs = stream.runs_between(begin, i64::from(time)) + 2;
            (runs, runs.saturating_mul(stream.actions.len() as i64 + 1))
        });
        let (runs, chunks) = most.fold((0, 0_i64), |(most, sum), (runs, chunks)| {
            (runs.max(most), sum.saturating_add(chunks))
        });
        if chunks > MAX_PLAYED as i64 {
            let (reached, limit) = (0, MAX_PLAYED);
            return Err(StreamError::TooFar { time, reached, limit });
        }
        Ok(runs)
    }

    /// True if no stream changes NJD_FCA_TR of a cell, so that each cell repeats always or never.
    fn repeats_for_ever(&self) -> bool {
        let base = self.base.as_flattened();
        let writes = self.streams.iter().flat_map(|playing| &playing.stream.writes);
        let mut flags =
            writes.filter(|write| write.word.is_multiple_of(Cell::WORDS) && write.mask & TIME_REPEAT != 0);
        flags.all(|write| {
            let own = base.get(write.word).copied().unwrap_or(0);
            (own ^ write.value) & TIME_REPEAT == 0
        })
    }

    /// Runs the stamps reached up to the current time, by the rule [`StampRule::Reached`]. `start` is the
    /// time of the previous step. `keep` limits the played repetitions: see `CellStream::schedule`.
    fn run_reached(&mut self, start: i32, keep: i64, mut events: Option<&mut Events<'_>>) {
        let (start, until, span) = (i64::from(start), i64::from(self.time), self.settings.span);
        let mut queue = BinaryHeap::new();
        let mut schedules = Vec::with_capacity(self.streams.len());
        let mut long = Vec::new();
        for (i, playing) in self.streams.iter_mut().enumerate() {
            // A new stream advances to the list's time; events of earlier times are not delivered.
            let silent = if playing.next.is_none() { start } else { i64::MIN };
            let stream = &playing.stream;
            let from = playing.next.unwrap_or_else(|| stream.beginning(start, span));
            if stream.runs_between(from, until) > 3 * keep && silent == i64::MIN {
                long.push(playing.id);
            }
            let mut schedule = stream.schedule(from, until, span, keep);
            if let Some(due) = schedule.take(stream) {
                queue.push(Reverse((due.time, i, due.run, due.place)));
            }
            playing.next = Some(until + 1);
            schedules.push((schedule, silent));
        }
        for stream in long.into_iter().filter(|_| events.is_some()) {
            self.warn(CellWarning::LongStep { stream });
        }
        while let Some(Reverse((time, i, run, place))) = queue.pop() {
            let (schedule, silent) = &mut schedules[i];
            let stream = &self.streams[i].stream;
            if let Some(due) = schedule.take(stream) {
                queue.push(Reverse((due.time, i, due.run, due.place)));
            }
            let stamp = stream.by_time[place];
            if run == 0 && stream.precedes_first_stamp(stamp) {
                continue;
            }
            let wanted = events.as_deref_mut().filter(|_| time >= *silent);
            self.apply(i, stamp, time as i32, run != 0, wanted);
        }
    }

    fn seek_held(&mut self, time: i32) -> Result<(), StreamError> {
        if self.can_skip_to(time) {
            self.time = time;
            self.run_held(false, None);
            return Ok(());
        }
        let mut played = self.run_held(false, None);
        while self.time < time {
            if played > MAX_PLAYED {
                let (reached, limit) = (self.time, MAX_PLAYED);
                return Err(StreamError::TooFar { time, reached, limit });
            }
            self.time += 1;
            played += self.run_held(false, None);
        }
        Ok(())
    }

    /// True if the cells at `time` depend only on the stamps of that time. All streams must change the same
    /// members in all their stamps, and no cell without repetition may stop a repeating stream.
    fn can_skip_to(&self, time: i32) -> bool {
        let repeating = || self.streams.iter().filter(|p| p.stream.is_repeating(time));
        let gates = || repeating().flat_map(|p| p.stream.cells.iter());
        self.settings.span == RepeatSpan::After
            && self.streams.iter().all(|p| p.stream.is_skippable())
            && gates().all(|cell| self.always_repeats(*cell))
    }

    fn always_repeats(&self, cell: usize) -> bool {
        let repeats = |words: &CellWords| words[0] & TIME_REPEAT != 0;
        let mut streams = self.streams.iter();
        self.base.get(cell).is_some_and(repeats)
            && streams.all(|p| !p.stream.clears(cell * Cell::WORDS, TIME_REPEAT))
    }
}
