//! Handles SIGINT, SIGTERM and SIGHUP. A running program ends and leaves complete files. Any other work is
//! abandoned without leaving temporary files. A second signal ends a run at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set when a signal requests the running program to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set while a run polls [`interrupted`].
static RUNS: AtomicBool = AtomicBool::new(false);

/// Returns whether a signal has requested the running program to end.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A run that polls [`interrupted`] during the lifetime of this value.
pub(crate) struct Run(bool);

impl Run {
    /// Begins the run.
    pub(crate) fn begin() -> Self {
        Self(RUNS.swap(true, Ordering::Relaxed))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        RUNS.store(self.0, Ordering::Relaxed);
    }
}

/// Starts a thread that waits for signals.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    // Without the thread, a signal ends the process by default.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if RUNS.load(Ordering::Relaxed) && !INTERRUPTED.swap(true, Ordering::Relaxed) {
                continue;
            }
            crate::output::abandon();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn install() {}

/// Returns whether the parent ignores a signal, as nohup does. Returns false on hosts without `/proc`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
}
