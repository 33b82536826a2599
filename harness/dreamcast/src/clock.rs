//! The battery-backed clock next to the AICA. It counts seconds since 1950.

use crate::time::Cycles;

/// 1970-01-01 in seconds since 1950-01-01: 20 years with 5 leap days.
pub const UNIX: u32 = 631_152_000;

/// State of the battery-backed clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Seconds at the time `since`.
    seconds: u32,
    since: Cycles,
    unlocked: bool,
}

state::fields!(Clock {
    seconds,
    since,
    unlocked
});

impl Clock {
    /// Creates a clock that shows `seconds` since 1950 at power-on.
    #[must_use]
    pub fn new(seconds: u32) -> Self {
        Self {
            seconds,
            since: Cycles(0),
            unlocked: false,
        }
    }

    /// Returns the seconds since 1950.
    #[must_use]
    pub fn seconds(&self, now: Cycles, cpu_hz: u64) -> u32 {
        self.seconds.wrapping_add((now.since(self.since) / cpu_hz) as u32)
    }

    /// Reads the registers at 00710000: high half, low half, unlock.
    #[must_use]
    pub fn read(&self, offset: u32, now: Cycles, cpu_hz: u64) -> u32 {
        let seconds = self.seconds(now, cpu_hz);
        match offset {
            0 => seconds >> 16,
            4 => seconds & 0xFFFF,
            _ => self.unlocked.into(),
        }
    }

    /// Writes the registers. Bit 0 of the third register unlocks the clock; writing the high half locks it
    /// again.
    pub fn write(&mut self, offset: u32, value: u32, now: Cycles, cpu_hz: u64) {
        let seconds = self.seconds(now, cpu_hz);
        let next = match offset {
            8 => {
                self.unlocked = value & 1 != 0;
                return;
            }
            _ if !self.unlocked => return,
            0 => {
                self.unlocked = false;
                value << 16 | seconds & 0xFFFF
            }
            _ => seconds & 0xFFFF_0000 | value & 0xFFFF,
        };
        (self.seconds, self.since) = (next, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_seconds_and_is_set_when_unlocked() {
        let mut clock = Clock::new(0x1234_FFFF);
        let at = |seconds: u64| Cycles(seconds * 199_500_000);
        assert_eq!(clock.read(0, at(0), 199_500_000), 0x1234);
        assert_eq!(clock.read(4, at(1), 199_500_000), 0x0000);
        assert_eq!(clock.read(0, at(1), 199_500_000), 0x1235);
        clock.write(4, 5, at(1), 199_500_000);
        assert_eq!(clock.read(4, at(1), 199_500_000), 0);
        clock.write(8, 1, at(1), 199_500_000);
        clock.write(4, 5, at(1), 199_500_000);
        clock.write(0, 7, at(1), 199_500_000);
        assert_eq!(clock.seconds(at(3), 199_500_000), 0x0007_0007);
        assert_eq!(clock.read(8, at(3), 199_500_000), 0);
    }
}
