//! The watchdog timer (SH7750 manual, section 10): an 8-bit counter that counts up from the CPU clock.

use crate::scheduler::{Event, Scheduler};
use crate::time::Cycles;

/// WTCSR bits.
const TME: u8 = 1 << 7;
const WT: u8 = 1 << 6;
const WOVF: u8 = 1 << 4;
const IOVF: u8 = 1 << 3;

/// Effect of an overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Interval mode: sets the flag IOVF and requests the interrupt ITI.
    Interval,
    /// Watchdog mode: the chip is reset.
    Reset,
}

/// The watchdog timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watchdog {
    control: u8,
    count: u8,
    since: Cycles,
}

state::fields!(Watchdog {
    control,
    count,
    since
});

impl Watchdog {
    /// Cycles per count: the clock divided by 32, 64, 128, 256, 512, 1024, 2048 or 4096.
    fn period(self) -> u64 {
        32 << (self.control & 7)
    }

    fn count(self, now: Cycles) -> u8 {
        match self.control & TME {
            0 => self.count,
            _ => self
                .count
                .wrapping_add((now.since(self.since) / self.period()) as u8),
        }
    }

    /// Returns true if ITI is requested.
    #[must_use]
    pub fn requests(self) -> bool {
        self.control & IOVF != 0
    }

    /// Reads WTCNT at 8 or WTCSR at C, by bytes.
    #[must_use]
    pub fn read(self, offset: u32, now: Cycles) -> u32 {
        match offset {
            8 => self.count(now).into(),
            12 => self.control.into(),
            _ => 0,
        }
    }

    /// Writes a register. Only 16-bit writes with 5A (WTCNT) or A5 (WTCSR) in the upper byte have an effect.
    pub fn write(&mut self, offset: u32, value: u32, size: u8, now: Cycles, scheduler: &mut Scheduler) {
        let low = value as u8;
        match (offset, size, value >> 8 & 0xFF) {
            (8, 2, 0x5A) => self.count = low,
            (12, 2, 0xA5) => {
                self.count = self.count(now);
                // A write can only clear the overflow flags.
                let flags = self.control & low & (WOVF | IOVF);
                self.control = low & !(WOVF | IOVF) | flags;
            }
            _ => return,
        }
        self.since = now;
        let left = 256 - u64::from(self.count);
        match self.control & TME {
            0 => scheduler.cancel(Event::Watchdog),
            _ => scheduler.set(Event::Watchdog, now + left * self.period()),
        }
    }

    /// Handles a count past FF.
    pub fn overflow(&mut self, time: Cycles, scheduler: &mut Scheduler) -> Overflow {
        (self.count, self.since) = (0, time);
        scheduler.set(Event::Watchdog, time + 256 * self.period());
        if self.control & WT != 0 {
            self.control |= WOVF;
            Overflow::Reset
        } else {
            self.control |= IOVF;
            Overflow::Interval
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflows_after_256_counts_and_needs_the_key() {
        let (mut timer, mut scheduler) = (Watchdog::default(), Scheduler::default());
        timer.write(12, 0x0087, 2, Cycles(0), &mut scheduler);
        assert_eq!(timer.read(12, Cycles(0)), 0);
        timer.write(12, 0xA587, 2, Cycles(0), &mut scheduler);
        // Clock / 4096: 5.25 ms at 200 MHz.
        assert_eq!(scheduler.due(Event::Watchdog), Some(Cycles(256 * 4096)));
        assert_eq!(timer.read(8, Cycles(4096 * 3)), 3);
        assert_eq!(
            timer.overflow(Cycles(256 * 4096), &mut scheduler),
            Overflow::Interval
        );
        assert!(timer.requests());
        timer.write(12, 0xA587, 2, Cycles(256 * 4096), &mut scheduler);
        assert!(!timer.requests());
        timer.write(12, 0xA5C0, 2, Cycles(256 * 4096), &mut scheduler);
        assert_eq!(
            timer.overflow(Cycles(300 * 4096), &mut scheduler),
            Overflow::Reset
        );
    }
}
