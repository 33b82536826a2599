//! Persistent thread pool: starting a thread takes longer than drawing a few tiles.

use rayon::ThreadPoolBuilder;

/// The calling thread and its helpers.
#[derive(Debug, Default)]
pub(super) struct ThreadPool {
    others: Option<rayon::ThreadPool>,
}

impl ThreadPool {
    /// Sets the number of threads, at least one.
    pub(super) fn resize(&mut self, threads: usize) {
        let wanted = threads.saturating_sub(1);
        if self.others() < wanted {
            let pool = ThreadPoolBuilder::new().num_threads(wanted);
            // If no thread can be started, the caller does all the work.
            self.others = pool.thread_name(|n| format!("pvr {}", n + 1)).build().ok();
        }
    }

    fn others(&self) -> usize {
        self.others
            .as_ref()
            .map_or(0, rayon::ThreadPool::current_num_threads)
    }

    /// Runs `work` for each member and its number on a separate thread, the first on the calling thread.
    /// Returns when all are finished.
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
        let mut pool = ThreadPool::default();
        for threads in [1, 3, 2] {
            pool.resize(threads);
            let mut members: Vec<usize> = vec![10; threads];
            let done = pool.each(&mut members, |n, member| {
                *member += n;
                n
            });
            assert_eq!(done, (0..threads).collect::<Vec<_>>());
            assert_eq!(members, (10..10 + threads).collect::<Vec<_>>());
        }
        assert!(pool.each(&mut [(); 0], |n, ()| n).is_empty());
    }
}
