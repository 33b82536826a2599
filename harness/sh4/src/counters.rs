//! The two performance counters, PMCR1/2 and PMCTR1/2.
//!
//! The CPU counts instructions itself. All other events come from the observer or the bus
//! ([`Bus::performance_count`](crate::Bus::performance_count)). An event without a source reads 0;
//! [`Cpu::uncounted_events`](crate::Cpu::uncounted_events) lists such events.
//!
//! Source: KallistiOS; see docs/hardware/sh4.md, "Performance counters". Confidence medium.

/// Bits of PMCR1 and PMCR2.
mod pmcr {
    /// The counter is enabled.
    pub(super) const ENABLE: u16 = 1 << 15;
    /// The counter runs.
    pub(super) const START: u16 = 1 << 14;
    /// Clears the counter; reads 0.
    pub(super) const CLEAR: u16 = 1 << 13;
    /// The event.
    pub(super) const EVENT: u16 = 0x3F;
    /// The bits that exist; bit 8 selects the clock for counting elapsed time.
    pub(super) const MASK: u16 = 0xC13F;
}

/// Event "instructions issued", the only one that needs neither clock nor cache.
pub(crate) const EVENT_INSTRUCTIONS: u8 = 0x13;

/// A source of performance counts, such as a profiler with a cycle model. A bus forwards
/// [`Bus::performance_count`](crate::Bus::performance_count) to it.
pub trait PerformanceSource {
    /// The number of times that `event` (PMCR bits 5-0) has happened; it never decreases. `None` if the
    /// source does not count the event.
    fn count(&mut self, event: u8) -> Option<u64>;
}

/// Bits of a counter.
const COUNT_MASK: u64 = 0xFFFF_FFFF_FFFF;

/// One counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counter {
    control: u16,
    /// The count at the last start.
    held: u64,
    /// The source's count at the last start.
    begin: u64,
}

state::fields!(Counter { control, held, begin });

impl Counter {
    pub(crate) fn control(self) -> u16 {
        self.control
    }

    /// The event it counts.
    pub(crate) fn event(self) -> u8 {
        (self.control & pmcr::EVENT) as u8
    }

    fn runs(self) -> bool {
        self.control & (pmcr::ENABLE | pmcr::START) == pmcr::ENABLE | pmcr::START
    }

    /// Returns the 48-bit count, given the count `now` of its source.
    pub(crate) fn value(self, now: u64) -> u64 {
        let running = if self.runs() {
            now.wrapping_sub(self.begin)
        } else {
            0
        };
        self.held.wrapping_add(running) & COUNT_MASK
    }

    /// Writes the control register. `before` and `now` are the counts of the old and the new event's source.
    pub(crate) fn set_control(&mut self, value: u16, before: u64, now: u64) {
        self.held = if value & pmcr::CLEAR != 0 {
            0
        } else {
            self.value(before)
        };
        self.control = value & pmcr::MASK;
        self.begin = now;
    }
}
