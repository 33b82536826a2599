//! Numbers that are unique in the process.

use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A unique number. A copy of its owner receives another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Serial(u64);

impl Serial {
    pub(crate) fn number(&self) -> u64 {
        self.0
    }
}

impl Default for Serial {
    fn default() -> Serial {
        Serial(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Serial {
    fn clone(&self) -> Serial {
        Serial::default()
    }
}
