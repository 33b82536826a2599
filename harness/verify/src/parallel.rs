//! Runs work on several threads and returns the results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Maximum number of threads.
const MAX: usize = 256;

/// Returns the results of `work` for 0 to `count - 1`, in this order, on at most `jobs` threads. Each thread
/// makes a separate state.
///
/// # Errors
/// If a thread cannot make its state.
pub(crate) fn in_order<S, R: Send, E: Send>(
    jobs: usize,
    count: usize,
    state: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
) -> Result<Vec<R>, E> {
    let (next, done, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
    let thread = || {
        let mut state = match state() {
            Ok(state) => state,
            Err(error) => {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return;
            }
        };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let result = work(&mut state, index);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((index, result));
        }
    };
    match jobs.clamp(1, MAX).min(count.max(1)) {
        1 => thread(),
        jobs => std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(thread);
            }
        }),
    }
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
