//! Threads that draw together. They are kept from frame to frame: starting one takes longer than drawing some tiles.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The calling thread and those beside it.
#[derive(Debug, Default)]
pub(super) struct Team {
    others: Option<ThreadPool>,
}

impl Team {
    /// Makes it a team of so many, at least one.
    pub(super) fn resize(&mut self, threads: usize) {
        let wanted = threads.saturating_sub(1);
        if self.others() < wanted {
            let pool = ThreadPoolBuilder::new().num_threads(wanted);
            // Without others all work is the caller's.
            self.others = pool.thread_name(|n| format!("pvr {}", n + 1)).build().ok();
        }
    }

    fn others(&self) -> usize {
        self.others.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Does the same work with each of the members and its number, the first on this thread; returns when all is done.
    pub(super) fn each<M: Send, R: Send>(
        &self,
        members: &mut [M],
        work: impl Fn(usize, &mut M) -> R + Sync,
    ) -> Vec<R> {
        let work = &work;
        let Some((own, others)) = members.split_first_mut() else {
            return Vec::new();
        };
        let pool = self.others.as_ref().filter(|_| !others.is_empty());
        let Some(pool) = pool else {
            return vec![work(0, own)];
        };
        let mut results: Vec<Option<R>> = others.iter().map(|_| None).collect();
        let first = pool.in_place_scope(|scope| {
            for (n, (member, result)) in (1..).zip(others.iter_mut().zip(&mut results)) {
                scope.spawn(move |_| *result = Some(work(n, member)));
            }
            work(0, own)
        });
        std::iter::once(first)
            .chain(results.into_iter().flatten())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_works_once() {
        let mut team = Team::default();
        for threads in [1, 3, 2] {
            team.resize(threads);
            let mut members: Vec<usize> = vec![10; threads];
            let done = team.each(&mut members, |n, member| {
                *member += n;
                n
            });
            assert_eq!(done, (0..threads).collect::<Vec<_>>());
            assert_eq!(members, (10..10 + threads).collect::<Vec<_>>());
        }
        assert!(team.each(&mut [(); 0], |n, ()| n).is_empty());
    }
}
