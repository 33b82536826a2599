//! Interrupt requests to the ARM7 and to the SH4 (`docs/hardware/aica.md`, "Interrupts").

use crate::register::Bits;

/// Bit numbers of the interrupt sources.
pub(crate) mod source {
    /// A program wrote 1 to the pending register.
    pub(crate) const SOFTWARE: u32 = 5;
    /// Overflow of timer A; timers B and C have the next two numbers.
    pub(crate) const TIMER_A: u32 = 6;
    /// Every sample.
    pub(crate) const SAMPLE: u32 = 10;
}

/// Bits with a source.
const SOURCES: u16 = 0x07FF;

/// Enabled and pending sources of one processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    enabled: u16,
    pending: u16,
}

state::fields!(Requests { enabled, pending });

impl Requests {
    pub(crate) fn enabled(self) -> u16 {
        self.enabled
    }

    pub(crate) fn pending(self) -> u16 {
        self.pending
    }

    /// Sources that are enabled and pending.
    #[inline]
    pub(crate) fn active(self) -> u16 {
        self.enabled & self.pending
    }

    #[inline]
    pub(crate) fn raise(&mut self, source: u32) {
        self.pending |= 1 << source;
    }

    pub(crate) fn enable(&mut self, bits: Bits) {
        self.enabled = (self.enabled & !bits.mask | bits.value) & SOURCES;
    }

    /// Handles a write to the pending register. Only the software source can be set.
    pub(crate) fn write_pending(&mut self, bits: Bits) {
        self.pending |= bits.value & 1 << source::SOFTWARE;
    }

    /// Handles a write to the clearing register.
    pub(crate) fn clear(&mut self, bits: Bits) {
        self.pending &= !bits.value;
    }
}

/// Returns the level code of `source`: bit n is bit `source` of level register n. Sources 7 to 10 share bit
/// 7.
pub(crate) fn level(source: u32, registers: [u16; 3]) -> u16 {
    let bit = |register: u16| register >> source.min(7) & 1;
    bit(registers[0]) | bit(registers[1]) << 1 | bit(registers[2]) << 2
}

/// Returns the code of the interrupt that the ARM7 takes: the highest code of all active sources.
pub(crate) fn highest(active: u16, registers: [u16; 3]) -> u16 {
    let sources = (0..=source::SAMPLE).filter(|source| active >> source & 1 != 0);
    sources.map(|source| level(source, registers)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Requests, highest, level, source};
    use crate::register::Bits;

    fn all(value: u16) -> Bits {
        Bits { value, mask: 0xFFFF }
    }

    /// The levels that KallistiOS sets: 18, 50, 08.
    #[test]
    fn levels_of_kallistios() {
        let levels = [0x18, 0x50, 0x08];
        assert_eq!(level(source::TIMER_A, levels), 2, "timer A");
        assert_eq!(level(3, levels), 5, "MIDI in");
        assert_eq!(level(4, levels), 3, "DMA");
        assert_eq!(level(0, levels), 0);
        assert_eq!(highest(1 << 6 | 1 << 4, levels), 3);
        assert_eq!(highest(0, levels), 0);
    }

    #[test]
    fn sources_above_7_share_a_bit() {
        for source in 7..=10 {
            assert_eq!(level(source, [0x80, 0, 0x80]), 5, "source {source}");
        }
    }

    #[test]
    fn requests_are_raised_and_cleared() {
        let mut requests = Requests::default();
        requests.enable(all(0xFFFF));
        assert_eq!(requests.enabled(), 0x07FF);
        requests.write_pending(all(0xFFFF));
        assert_eq!(requests.active(), 0x20, "only the software source");
        requests.raise(source::TIMER_A);
        requests.clear(all(0x20));
        assert_eq!(requests.pending(), 0x40);
        requests.enable(Bits {
            value: 0,
            mask: 0x00FF,
        });
        assert_eq!((requests.enabled(), requests.active()), (0x0700, 0));
    }
}
