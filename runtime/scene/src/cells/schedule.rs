//! Times of a stream's stamps: the first run of the pattern, and its repetitions before and after.

use super::stream::CellStream;
use crate::RepeatSpan;

/// Occurrence of a stamp in one run of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Due {
    /// Time of the list.
    pub(super) time: i64,
    /// Run of the pattern: 0 is the run from the offset to the end; others are repetitions.
    pub(super) run: i64,
    /// Index in [`CellStream::by_time`].
    pub(super) place: usize,
}

/// Stamps of a stream in a span of time, in the order of time.
///
/// Each call receives the stream, because the list that owns it changes between the calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    next: Option<Due>,
    /// Last time of the span.
    until: i64,
    /// Run of the pattern at the last time.
    last_run: i64,
    /// See [`CellStream::schedule`].
    keep: i64,
}

impl CellStream {
    /// Returns the stamps from time `from` to time `until`, both included. For long series of repetitions the
    /// middle is omitted: at each end, and around run 0, at least `keep` repetitions remain.
    pub(super) fn schedule(&self, from: i64, until: i64, span: RepeatSpan, keep: i64) -> Schedule {
        Schedule {
            next: self.first_due(from, span),
            until,
            last_run: self.run_at(until),
            keep,
        }
    }

    /// Returns the time at which a stream starts to play. The list starts, or adds the stream, at time
    /// `start`. The result is the earlier of `start` and the stream's offset. If the pattern also repeats
    /// before the offset, an earlier `start` gives the beginning of its repetition.
    pub(super) fn beginning(&self, start: i64, span: RepeatSpan) -> i64 {
        match span {
            RepeatSpan::Both if start < self.offset => self.offset + self.run_at(start) * self.max.max(1),
            _ => start.min(self.offset),
        }
    }

    /// Number of runs between two times.
    pub(super) fn runs_between(&self, from: i64, until: i64) -> i64 {
        self.run_at(until) - self.run_at(from)
    }

    fn run_at(&self, time: i64) -> i64 {
        (time - self.offset).div_euclid(self.max.max(1))
    }

    /// Returns the first stamp that is not before `from`. A stamp at timemax coincides with the start of the
    /// next run, so the search begins one run earlier.
    fn first_due(&self, from: i64, span: RepeatSpan) -> Option<Due> {
        if self.max <= 0 || self.by_time.is_empty() {
            return None;
        }
        let early = self.run_at(from) - 1;
        let first = if span == RepeatSpan::After {
            early.max(0)
        } else {
            early
        };
        (first..=first + 2)
            .flat_map(|run| (0..self.by_time.len()).map(move |place| (run, place)))
            .map(|(run, place)| self.due(run, place))
            .find(|due| due.time >= from)
    }

    fn due(&self, run: i64, place: usize) -> Due {
        let time = self.offset + run * self.max + self.stamps[self.by_time[place]].time;
        Due { time, run, place }
    }
}

impl Schedule {
    /// Returns the run after `run`, skipping repetitions in the middle.
    fn run_after(&self, run: i64) -> i64 {
        let (next, late) = (run + 1, self.last_run - self.keep);
        let jump = match next {
            n if n < -self.keep => late.min(-self.keep),
            n if n > self.keep => late,
            n => n,
        };
        next.max(jump)
    }

    /// Returns the next stamp.
    pub(super) fn take(&mut self, stream: &CellStream) -> Option<Due> {
        let due = self.next.filter(|due| due.time <= self.until)?;
        let place = due.place + 1;
        self.next = Some(if place < stream.by_time.len() {
            stream.due(due.run, place)
        } else {
            stream.due(self.run_after(due.run), 0)
        });
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::super::stream::Stamp;
    use super::*;

    /// Stamps at 0, 2 and 4 of a pattern of length 4 that begins at time 10.
    fn stream() -> CellStream {
        let stamp = |time| Stamp { time, actions: 0..0 };
        CellStream {
            stamps: vec![stamp(0), stamp(2), stamp(4)],
            by_time: vec![0, 1, 2],
            offset: 10,
            max: 4,
            end: 4,
            ..CellStream::default()
        }
    }

    fn dues(from: i64, until: i64, span: RepeatSpan, keep: i64) -> Vec<Due> {
        let stream = stream();
        let mut schedule = stream.schedule(from, until, span, keep);
        std::iter::from_fn(|| schedule.take(&stream)).collect()
    }

    fn times(from: i64, until: i64, span: RepeatSpan) -> Vec<(i64, i64)> {
        let dues = dues(from, until, span, 100).into_iter();
        dues.map(|due| (due.time, due.run)).collect()
    }

    #[test]
    fn runs_follow_each_other_on_both_sides() {
        let all = [
            (4, -2),
            (6, -2),
            (6, -1),
            (8, -1),
            (10, -1),
            (10, 0),
            (12, 0),
            (14, 0),
            (14, 1),
        ];
        assert_eq!(times(3, 14, RepeatSpan::Both), all);
        assert_eq!(times(3, 14, RepeatSpan::After), all[5..]);
        assert_eq!(times(13, 13, RepeatSpan::Both), []);
    }

    #[test]
    fn playing_begins_at_the_offset_or_at_the_current_repetition() {
        let stream = stream();
        assert_eq!(stream.beginning(0, RepeatSpan::Both), -2);
        assert_eq!(stream.beginning(0, RepeatSpan::After), 0);
        assert_eq!(stream.beginning(25, RepeatSpan::Both), 10);
    }

    #[test]
    fn repetitions_in_the_middle_are_left_out() {
        let dues = dues(-4_000_000, 4_000_000_000, RepeatSpan::Both, 1);
        let mut runs: Vec<i64> = dues.iter().map(|due| due.run).collect();
        runs.dedup();
        let first = (-4_000_000 - 10_i64).div_euclid(4);
        let last = (4_000_000_000 - 10_i64).div_euclid(4);
        // Expected: the first run, perhaps the run before it, whose end stamp coincides with the first run's
        // start; runs -1, 0 and 1; the last two runs.
        assert!(runs.len() <= 8, "{runs:?}");
        assert!(runs[0] >= first - 1 && runs[0] <= first);
        assert!(
            [-1, 0, 1, last - 1, last].iter().all(|run| runs.contains(run)),
            "{runs:?}"
        );
    }
}
