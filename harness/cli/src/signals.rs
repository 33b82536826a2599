//! SIGINT, SIGTERM and SIGHUP. A running program ends with whole files; any other work is given up and leaves
//! no temporary file. A second signal ends a run at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal has asked the running program to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether a run is there that looks at [`interrupted`].
static RUNS: AtomicBool = AtomicBool::new(false);

/// Whether a signal has asked the running program to end.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A run that looks at [`interrupted`], for as long as the value lives.
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

/// Waits for signals in a thread of its own.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    // Without the thread a signal ends the process, as it does by default.
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

/// Whether the command was started with a signal ignored, as nohup does. Hosts without `/proc` do not tell.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
}
