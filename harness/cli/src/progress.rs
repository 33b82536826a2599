//! Progress on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Progress on standard error: on a terminal a bar, which appears once the work has taken a second; elsewhere
/// a line every 10 seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    terminal: bool,
    /// When the next line is due, where there is no terminal.
    next_line: Cell<Duration>,
}

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    pub(crate) fn new(length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg:28} {bar:40} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()).with_style(style);
        Self {
            bar,
            start: Instant::now(),
            terminal: std::io::stderr().is_terminal(),
            next_line: Cell::new(LINE_EVERY),
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
        let elapsed = self.start.elapsed();
        if elapsed < self.next_line.get() {
            return;
        }
        self.next_line.set(elapsed + LINE_EVERY);
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
        eprintln!("{message}: {done} of {all} after {} s", elapsed.as_secs());
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
