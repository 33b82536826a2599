//! Work queue for threads. Each thread starts with its own range, so that neighbours stay together. Then it
//! takes numbers from the ends of other threads' ranges.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers below a count, each given out once.
#[derive(Debug)]
pub(super) struct WorkQueue {
    /// Remaining ranges: end in the upper half, start in the lower half.
    left: Vec<AtomicU64>,
}

impl WorkQueue {
    /// Creates a queue of `count` numbers for `threads` threads.
    pub(super) fn new(count: usize, threads: usize) -> Self {
        let border = |n: usize| (count * n / threads.max(1)) as u64;
        let stretch = |n| AtomicU64::new(border(n + 1) << 32 | border(n));
        Self {
            left: (0..threads.max(1)).map(stretch).collect(),
        }
    }

    /// Takes a number that no other thread gets; `None` if the queue is empty. `own` is the number of the
    /// thread.
    pub(super) fn take(&self, own: usize) -> Option<usize> {
        let threads = self.left.len();
        let first = self.narrow(own % threads, |start, end| (start + 1, end));
        let others = (1..threads).map(|n| (own + n) % threads);
        first.map(|(start, _)| start).or_else(|| {
            let mut ends = others.filter_map(|other| self.narrow(other, |start, end| (start, end - 1)));
            ends.next().map(|(_, end)| end - 1)
        })
    }

    /// Shrinks a range unless it is empty; returns its old bounds.
    fn narrow(&self, n: usize, to: impl Fn(usize, usize) -> (usize, usize)) -> Option<(usize, usize)> {
        let halves = |word: u64| ((word & u64::from(u32::MAX)) as usize, (word >> 32) as usize);
        let narrowed = |word| {
            let (start, end) = halves(word);
            let (start, end) = (start < end).then(|| to(start, end))?;
            Some((end as u64) << 32 | start as u64)
        };
        let before = self.left[n].fetch_update(Ordering::Relaxed, Ordering::Relaxed, narrowed);
        before.ok().map(halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_given_out_once() {
        for (count, threads) in [(0, 1), (1, 2), (7, 3), (300, 2), (5, 8), (4, 0)] {
            let queue = WorkQueue::new(count, threads);
            let turns = std::iter::repeat_n(0..threads.max(1), count + 1).flatten();
            let mut given: Vec<usize> = turns.filter_map(|thread| queue.take(thread)).collect();
            given.sort_unstable();
            assert_eq!(given, (0..count).collect::<Vec<_>>(), "{count} for {threads}");
        }
    }

    #[test]
    fn a_thread_has_its_own_first_and_then_the_ends_of_others() {
        let queue = WorkQueue::new(6, 2);
        let order: Vec<_> = (0..7).map(|_| queue.take(1)).collect();
        assert_eq!(
            order,
            [Some(3), Some(4), Some(5), Some(2), Some(1), Some(0), None]
        );
    }
}
