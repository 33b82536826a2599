//! Replacement for the thread pool on targets without threads.

/// The calling thread.
#[derive(Debug, Default)]
pub(super) struct ThreadPool;

impl ThreadPool {
    /// Has no effect: there is one thread.
    pub(super) fn resize(&mut self, _threads: usize) {}

    /// Runs `work` for each member and its number, in order.
    pub(super) fn each<M: Send, R: Send>(
        &self,
        members: &mut [M],
        work: impl Fn(usize, &mut M) -> R + Sync,
    ) -> Vec<R> {
        let numbered = members.iter_mut().enumerate();
        numbered.map(|(n, member)| work(n, member)).collect()
    }
}
