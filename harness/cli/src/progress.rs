//! Progress on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Progress on standard error. On a terminal it is a bar that appears after a second, elsewhere a line every
/// 10 seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    terminal: bool,
    /// Time of the next line in seconds, without a terminal.
    next_line: AtomicU64,
}

/// Seconds between two lines.
const LINE_EVERY: u64 = 10;

impl Progress {
    pub(crate) fn new(length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg:28} {bar:40} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()).with_style(style);
        Self {
            bar,
            start: Instant::now(),
            terminal: std::io::stderr().is_terminal(),
            next_line: AtomicU64::new(LINE_EVERY),
        }
    }

    pub(crate) fn tick(&self, message: &str) {
        self.bar.inc(1);
        if !self.terminal {
            self.line(message);
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed().as_secs() >= 1 {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(message.to_owned());
        }
    }

    fn line(&self, message: &str) {
        let (elapsed, due) = (
            self.start.elapsed().as_secs(),
            self.next_line.load(Ordering::Relaxed),
        );
        if elapsed < due {
            return;
        }
        let next = elapsed + LINE_EVERY;
        if self
            .next_line
            .compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed)
            .is_err()
        {
            return;
        }
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
        eprintln!("{message}: {done} of {all} after {elapsed} s");
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
