//! Timers A, B and C (`docs/hardware/aica.md`, "Timers").

use crate::register::Bits;
use crate::settings::TimerPhase;

/// An 8-bit counter with a prescaler, clocked once per sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timer {
    /// The counter advances every 2^n samples.
    prescaler: u8,
    count: u8,
    /// Samples since the last write.
    samples: u8,
}

state::fields!(Timer { prescaler, count, samples } check(|timer: &Timer| timer.prescaler < 8));

impl Timer {
    /// Reads the register: 10:8 prescaler, 7:0 count.
    pub(crate) fn read(self) -> u16 {
        u16::from(self.prescaler) << 8 | u16::from(self.count)
    }

    pub(crate) fn write(&mut self, bits: Bits) {
        let [count, prescaler] = (self.read() & !bits.mask | bits.value).to_le_bytes();
        *self = Timer {
            prescaler: prescaler & 7,
            count,
            samples: 0,
        };
    }

    /// Advances by one sample; `now` counts samples since power-on. Returns true when the counter overflows
    /// from FF to 00. It continues counting from 00.
    #[inline]
    pub(crate) fn tick(&mut self, now: u64, phase: TimerPhase) -> bool {
        self.samples = self.samples.wrapping_add(1);
        let elapsed = match phase {
            TimerPhase::Restart => self.samples,
            TimerPhase::FreeRunning => now as u8,
        };
        if elapsed & ((1 << self.prescaler) - 1) != 0 {
            return false;
        }
        self.count = self.count.wrapping_add(1);
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Timer;
    use crate::register::Bits;
    use crate::settings::TimerPhase;

    fn timer(value: u16) -> Timer {
        let mut timer = Timer::default();
        timer.write(Bits { value, mask: 0xFFFF });
        timer
    }

    /// Returns the numbers of the samples, from 1 to `samples`, at which the timer overflows.
    fn overflows(value: u16, samples: u64, phase: TimerPhase, from: u64) -> Vec<u64> {
        let mut timer = timer(value);
        (1..=samples).filter(|n| timer.tick(from + n, phase)).collect()
    }

    #[test]
    fn counting_continues_from_0() {
        assert_eq!(overflows(0x00F6, 300, TimerPhase::Restart, 7), [10, 266]);
        assert_eq!(overflows(0x01FE, 600, TimerPhase::Restart, 7), [4, 516]);
        assert_eq!(overflows(0x07FF, 256, TimerPhase::Restart, 7), [128]);
        assert_eq!(overflows(0x0000, 600, TimerPhase::Restart, 7), [256, 512]);
    }

    #[test]
    fn a_free_running_prescaler_keeps_its_phase() {
        assert_eq!(overflows(0x01FE, 600, TimerPhase::FreeRunning, 7), [3, 515]);
        assert_eq!(overflows(0x00F6, 11, TimerPhase::FreeRunning, 7), [10]);
    }

    #[test]
    fn bytes_are_written_separately() {
        let mut timer = timer(0x0312);
        timer.write(Bits {
            value: 0x0034,
            mask: 0x00FF,
        });
        assert_eq!(timer.read(), 0x0334);
        timer.write(Bits {
            value: 0xFF00,
            mask: 0xFF00,
        });
        assert_eq!(timer.read(), 0x0734, "three bits of prescaler");
    }
}
