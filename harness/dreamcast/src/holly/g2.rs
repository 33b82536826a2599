//! The four DMA channels of the G2 bus, between RAM and the sound block or the expansion port.

/// Registers of a channel, 32 bytes each from 005F7800.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// STAG: address on G2.
    pub bus_address: u32,
    /// STAR: address in RAM.
    pub ram_address: u32,
    /// LEN: bytes; bit 31 clears EN at the end.
    pub length: u32,
    /// DIR: 1 is from G2 to RAM.
    pub direction: u32,
    /// TSEL: trigger of the transfer.
    pub trigger: u32,
    /// EN.
    pub enabled: bool,
    /// ST: the transfer is active.
    pub busy: bool,
    /// SUSP bits 2 to 0 as written; bit 0 requests a suspension.
    suspend: u8,
}

state::fields!(Channel {
    bus_address,
    ram_address,
    length,
    direction,
    trigger,
    enabled,
    busy,
    suspend,
});

impl Default for Channel {
    fn default() -> Self {
        Self {
            bus_address: 0x009F_0000,
            ram_address: 0x0CFF_0000,
            length: 0x20,
            direction: 0,
            trigger: 5,
            enabled: false,
            busy: false,
            suspend: 0,
        }
    }
}

/// Bits of STAG, STAR and LEN that read back on a console (lxdream's `testregs`).
const ADDRESS: u32 = 0x9FFF_FFE0;

impl Channel {
    /// Reads a register by its offset in the channel.
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        match offset {
            0x00 => self.bus_address,
            0x04 => self.ram_address,
            0x08 => self.length,
            0x0C => self.direction,
            0x10 => self.trigger,
            0x14 => self.enabled.into(),
            0x18 => self.busy.into(),
            // Bit 5: the request pin is ready; bit 4: stopped or ended; bit 0: request to suspend.
            0x1C => (u32::from(!self.busy) * 0x30) | u32::from(self.suspend),
            _ => 0,
        }
    }

    /// Writes a register by its offset in the channel. Returns true if the write starts a transfer.
    pub fn write(&mut self, offset: u32, value: u32) -> bool {
        match offset {
            0x00 => self.bus_address = value & ADDRESS,
            0x04 => self.ram_address = value & ADDRESS,
            0x08 => self.length = value & ADDRESS,
            0x0C => self.direction = value & 1,
            0x10 => self.trigger = value & 7,
            0x14 => {
                self.enabled = value & 1 != 0;
                self.busy &= self.enabled;
            }
            0x18 => return value & 1 != 0 && self.enabled && !self.busy,
            0x1C => self.suspend = value as u8 & 7,
            _ => {}
        }
        false
    }

    /// Returns whether an event of G2DTNRM or G2DTEXT can start the channel: EN and TSEL bit 1 are set.
    #[must_use]
    pub fn waits_for_event(&self) -> bool {
        self.enabled && !self.busy && self.trigger & 2 != 0
    }

    /// Returns the length of the transfer in bytes.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        match self.length & 0x01FF_FFE0 {
            0 => 0x0200_0000,
            bytes => bytes,
        }
    }

    /// Ends the transfer: advances the addresses, and clears EN if LEN requests it.
    pub fn finish(&mut self) {
        let bytes = self.bytes();
        self.bus_address = self.bus_address.wrapping_add(bytes) & ADDRESS;
        self.ram_address = self.ram_address.wrapping_add(bytes) & ADDRESS;
        self.busy = false;
        self.enabled &= self.length >> 31 == 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_when_enabled_and_ends() {
        let mut channel = Channel::default();
        assert_eq!(channel.read(0x1C), 0x30);
        channel.write(0x00, 0x0080_0000);
        channel.write(0x04, 0x0C10_0000);
        channel.write(0x08, 0x8000_0040);
        assert!(!channel.write(0x18, 1));
        channel.write(0x14, 1);
        assert!(channel.write(0x18, 1));
        channel.busy = true;
        assert_eq!((channel.bytes(), channel.read(0x1C)), (0x40, 0));
        channel.finish();
        assert_eq!(
            (channel.read(0x00), channel.read(0x14), channel.read(0x18)),
            (0x0080_0040, 0, 0)
        );
    }

    #[test]
    fn masks_match_a_console() {
        let mut channel = Channel::default();
        for offset in [0, 4, 8] {
            channel.write(offset, u32::MAX);
            assert_eq!(channel.read(offset), 0x9FFF_FFE0);
        }
        channel.write(0x10, u32::MAX);
        channel.write(0x1C, u32::MAX);
        assert_eq!((channel.read(0x10), channel.read(0x1C)), (7, 0x37));
    }
}
