//! Progress on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Instant;

/// Progress bar on a terminal; it appears once the work has taken a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg:28} {bar:40} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()).with_style(style);
        Self {
            bar,
            start: Instant::now(),
        }
    }

    pub(crate) fn tick(&self, message: &str) {
        self.bar.inc(1);
        if self.bar.is_hidden() && self.start.elapsed().as_secs() >= 1 {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(message.to_owned());
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
