//! The DMA controller (SH7750 manual, section 14): four channels, from memory to memory, or for Holly's
//! channel 2.
//!
//! The data is copied when the transfer ends or is stopped. Until then SAR, DAR and DMATCR read as if units
//! were copied one by one. A unit with an address error ends the transfer: AE is set, and the registers show
//! that unit.

use crate::time::Cycles;

/// CHCR bits.
pub const DE: u32 = 1;
/// Transfer end.
pub const TE: u32 = 1 << 1;
const IE: u32 = 1 << 2;
/// DMAOR bits: master enable, NMI flag, address error.
const DME: u32 = 1;
const NMIF: u32 = 1 << 1;
/// Address error.
pub const AE: u32 = 1 << 2;

/// Cycles of one bus transaction of a memory-to-memory transfer: at least 7 bus cycles for a read and 4 for a
/// write (SH7750 manual, access timing). The burst of a cache line counts as one transaction.
const UNIT: u64 = 22;

/// A channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// Source address.
    pub sar: u32,
    /// Destination address.
    pub dar: u32,
    /// Remaining units; 0 stands for 16,777,216.
    pub count: u32,
    /// CHCR.
    pub chcr: u32,
    /// Start and end of the current transfer.
    span: Option<(Cycles, Cycles)>,
    /// Units before the transfer's end or its address error.
    good: u32,
}

state::fields!(Channel {
    sar,
    dar,
    count,
    chcr,
    span,
    good
});

/// A started transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// First source address.
    pub source: u32,
    /// First destination address.
    pub target: u32,
    /// Bytes per unit.
    pub unit: u32,
    /// Number of units.
    pub units: u32,
    /// Added to the source address after each unit.
    pub source_step: i32,
    /// Added to the destination address after each unit.
    pub target_step: i32,
}

impl Transfer {
    /// Returns the physical source and destination of unit `n`.
    #[must_use]
    pub fn addresses(&self, n: u32) -> (u32, u32) {
        let at = |address: u32, step: i32| {
            address.wrapping_add((n as i32).wrapping_mul(step) as u32) & 0x1FFF_FFFF
        };
        (
            at(self.source, self.source_step),
            at(self.target, self.target_step),
        )
    }
}

impl Channel {
    /// Returns the bytes per unit (CHCR.TS).
    #[must_use]
    pub fn unit(&self) -> u32 {
        match self.chcr >> 4 & 7 {
            0 => 8,
            1 => 1,
            2 => 2,
            3 => 4,
            _ => 32,
        }
    }

    /// Returns the number of units of the transfer.
    #[must_use]
    pub fn units(&self) -> u32 {
        if self.count == 0 { 1 << 24 } else { self.count }
    }

    /// Returns CHCR.RS, the source of transfer requests.
    #[must_use]
    pub fn resource(&self) -> u32 {
        self.chcr >> 8 & 15
    }

    fn step(&self, mode: u32) -> i32 {
        match mode & 3 {
            1 => self.unit() as i32,
            2 => -(self.unit() as i32),
            _ => 0,
        }
    }

    /// Returns the transfer described by the registers.
    #[must_use]
    pub fn transfer(&self) -> Transfer {
        Transfer {
            source: self.sar,
            target: self.dar,
            unit: self.unit(),
            units: self.units(),
            source_step: self.step(self.chcr >> 12),
            target_step: self.step(self.chcr >> 14),
        }
    }

    /// Returns the number of units copied at `now`.
    fn moved(&self, now: Cycles) -> u32 {
        match self.span {
            Some((begin, end)) if end > begin => {
                let part = u128::from(now.since(begin)) * u128::from(self.good) / u128::from(end - begin);
                (part as u32).min(self.good)
            }
            _ => 0,
        }
    }
}

/// The controller.
#[derive(Clone, Copy, Debug)]
pub struct Dmac {
    /// Channels 0 to 3.
    pub channels: [Channel; 4],
    /// DMAOR.
    pub operation: u32,
}

state::fields!(Dmac { channels, operation });

impl Default for Dmac {
    /// The state after the firmware: DDT, priority 2 0 1 3, enabled.
    fn default() -> Self {
        let mut channels = [Channel::default(); 4];
        channels[1].chcr = 0x5440;
        channels[2].chcr = 0x52C0;
        channels[3].chcr = 0x5440;
        Self {
            channels,
            operation: 0x8201,
        }
    }
}

impl Dmac {
    /// Returns true if channel `n` may run: DE and DME are set; TE, NMIF and AE are clear.
    #[must_use]
    pub fn is_enabled(&self, n: usize) -> bool {
        self.channels[n].chcr & (DE | TE) == DE && self.operation & (DME | NMIF | AE) == DME
    }

    /// Returns true if channel `n` requests its interrupt.
    #[must_use]
    pub fn requests(&self, n: usize) -> bool {
        self.channels[n].chcr & (TE | IE) == TE | IE
    }

    /// Returns true if the address error interrupt is requested.
    #[must_use]
    pub fn requests_error(&self) -> bool {
        self.operation & AE != 0
    }

    /// Returns true if channel `n` can start now: it is enabled, idle, and in auto-request mode (RS 4 to 6).
    #[must_use]
    pub fn starts(&self, n: usize) -> bool {
        let channel = &self.channels[n];
        self.is_enabled(n) && channel.span.is_none() && (4..=6).contains(&channel.resource())
    }

    /// Starts channel `n` and returns its end time. The addresses of the first `good` units are without
    /// error.
    pub fn start(&mut self, n: usize, good: u32, now: Cycles) -> Cycles {
        let end = now + 200 + u64::from(good) * UNIT;
        let channel = &mut self.channels[n];
        (channel.span, channel.good) = (Some((now, end)), good);
        end
    }

    /// Returns the units of channel `n` copied at `now`, if the channel was stopped: it has a transfer and is
    /// not enabled.
    #[must_use]
    pub fn stopped(&self, n: usize, now: Cycles) -> Option<u32> {
        let channel = &self.channels[n];
        (channel.span.is_some() && !self.is_enabled(n)).then(|| channel.moved(now))
    }

    /// Returns the units that channel `n` copies until its end.
    #[must_use]
    pub fn good_units(&self, n: usize) -> u32 {
        self.channels[n].good
    }

    /// Ends channel `n`'s transfer after `moved` units, and updates addresses and count. Sets TE if all units
    /// are copied, AE if `error` ended the transfer.
    pub fn finish(&mut self, n: usize, moved: u32, error: bool) {
        let transfer = self.channels[n].transfer();
        let at = |address: u32, step: i32| address.wrapping_add((moved as i32).wrapping_mul(step) as u32);
        let channel = &mut self.channels[n];
        channel.sar = at(channel.sar, transfer.source_step);
        channel.dar = at(channel.dar, transfer.target_step);
        channel.count = transfer.units.wrapping_sub(moved) & 0x00FF_FFFF;
        channel.span = None;
        if error {
            self.operation |= AE;
        } else if moved == transfer.units {
            channel.chcr |= TE;
        }
    }

    /// Reads a register by its offset from FFA00000.
    #[must_use]
    pub fn read(&self, offset: u32, now: Cycles) -> u32 {
        if offset == 0x40 {
            return self.operation;
        }
        let Some(channel) = self.channels.get(offset as usize / 16) else {
            return 0;
        };
        let (transfer, moved) = (channel.transfer(), channel.moved(now));
        let at = |address: u32, step: i32| address.wrapping_add((moved as i32).wrapping_mul(step) as u32);
        match offset % 16 {
            0 => at(transfer.source, transfer.source_step),
            4 => at(transfer.target, transfer.target_step),
            8 => channel.count.wrapping_sub(moved) & 0x00FF_FFFF,
            _ => channel.chcr,
        }
    }

    /// Writes a register by its offset. The caller then asks each channel whether it starts.
    pub fn write(&mut self, offset: u32, value: u32) {
        if offset == 0x40 {
            // A write can only clear AE and NMIF.
            let flags = self.operation & value & (AE | NMIF);
            self.operation = value & 0x8311 | flags;
            return;
        }
        let index = offset as usize / 16;
        let Some(channel) = self.channels.get_mut(index) else {
            return;
        };
        match offset % 16 {
            0 => channel.sar = value,
            4 => channel.dar = value,
            8 => channel.count = value & 0x00FF_FFFF,
            _ => {
                let end = channel.chcr & value & TE;
                channel.chcr = value & !TE | end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automatic_copy_starts_and_ends() {
        let mut dmac = Dmac::default();
        dmac.write(0x10, 0x0C10_0000);
        dmac.write(0x14, 0x0C20_0000);
        dmac.write(0x18, 4);
        // Both addresses up, automatic requests, 32 bytes, interrupt, enabled.
        dmac.write(0x1C, 0x5445);
        assert!(dmac.starts(1));
        let end = dmac.start(1, 4, Cycles(1000));
        assert_eq!(end, Cycles(1000 + 200 + 4 * 22));
        assert_eq!(dmac.read(0x18, Cycles(1000)), 4);
        assert_eq!(dmac.read(0x18, Cycles(1144)), 2); // half of the time
        assert!(!dmac.requests(1));
        dmac.finish(1, 4, false);
        assert!(dmac.requests(1));
        assert_eq!(dmac.read(0x10, end), 0x0C10_0080);
        assert_eq!(dmac.read(0x14, end), 0x0C20_0080);
        assert_eq!(dmac.read(0x18, end), 0);
        // TE blocks the channel until it is cleared.
        assert!(!dmac.starts(1));
        dmac.write(0x1C, 0x5444);
        assert!(!dmac.requests(1));
    }

    /// Two of four units are copied; the third has an address error. The registers show it, and TE stays 0.
    #[test]
    fn an_address_error_ends_a_transfer_without_its_end() {
        let mut dmac = Dmac::default();
        for (offset, value) in [
            (0x10, 0x0C10_0000),
            (0x14, 0x0C20_0000),
            (0x18, 4),
            (0x1C, 0x5445),
        ] {
            dmac.write(offset, value);
        }
        let end = dmac.start(1, 2, Cycles(0));
        assert_eq!(end, Cycles(200 + 2 * 22));
        dmac.finish(1, 2, true);
        assert!(dmac.requests_error() && !dmac.requests(1));
        let registers = [0x10, 0x14, 0x18, 0x1C].map(|offset| dmac.read(offset, end));
        assert_eq!(registers, [0x0C10_0040, 0x0C20_0040, 2, 0x5445]);
        assert!(!dmac.starts(1));
    }

    #[test]
    fn the_master_enable_and_errors_hold_all_channels() {
        let mut dmac = Dmac::default();
        dmac.write(0x1C, 0x5441);
        dmac.write(0x40, 0x8200);
        assert!(!dmac.starts(1));
        dmac.write(0x40, 0x8201);
        dmac.operation |= AE;
        assert!(!dmac.starts(1));
        assert!(dmac.requests_error());
        dmac.write(0x40, 0x8201);
        assert!(!dmac.requests_error());
    }
}
