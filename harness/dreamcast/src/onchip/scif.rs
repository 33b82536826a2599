//! The serial port with FIFO (SH7750 manual, section 16). The transmitter sends at once; the sent bytes are
//! console text. Received bytes come from the host.

use std::collections::VecDeque;

/// SCFSR2 bits.
const TEND: u16 = 1 << 6;
const TDFE: u16 = 1 << 5;
const RDF: u16 = 1 << 1;
const DR: u16 = 1;
/// SCSCR2 bits.
const TIE: u16 = 1 << 7;
const RIE: u16 = 1 << 6;
const TE: u16 = 1 << 5;
const RE: u16 = 1 << 4;

/// The serial port with FIFO.
#[derive(Clone, Debug)]
pub struct Scif {
    mode: u16,
    rate: u8,
    control: u16,
    /// TEND and TDFE as last written by the program. Cleared bits are set again at once, since the FIFO is
    /// empty.
    status: u16,
    fifo: u16,
    port: u16,
    line: u16,
    sent: Vec<u8>,
    received: VecDeque<u8>,
}

state::fields!(Scif {
    mode,
    rate,
    control,
    status,
    fifo,
    port,
    line,
    sent,
    received,
});

impl Default for Scif {
    fn default() -> Self {
        Self {
            mode: 0,
            rate: 0xFF,
            // dcload-serial leaves both directions on.
            control: TE | RE,
            status: TEND | TDFE,
            fifo: 0,
            port: 0,
            line: 0,
            sent: Vec::new(),
            received: VecDeque::new(),
        }
    }
}

impl Scif {
    /// Returns the number of bytes sent since the last [`Scif::take_sent`].
    pub(crate) fn sent(&self) -> usize {
        self.sent.len()
    }

    /// Returns the bytes sent since the last call.
    pub fn take_sent(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.sent)
    }

    /// Queues bytes from the host. The program can read them without delay.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.received.extend(bytes);
    }

    fn waiting(&self) -> usize {
        if self.control & RE == 0 {
            0
        } else {
            self.received.len().min(16)
        }
    }

    fn trigger(&self) -> usize {
        [1, 4, 8, 14][usize::from(self.fifo >> 6 & 3)]
    }

    fn flags(&self) -> u16 {
        let receive = match self.waiting() {
            0 => 0,
            n if n >= self.trigger() => RDF,
            _ => DR,
        };
        self.status & !(RDF | DR) | receive | TEND | TDFE
    }

    /// Returns true if TXI is requested.
    #[must_use]
    pub fn requests_transmit(&self) -> bool {
        self.control & TIE != 0
    }

    /// Returns true if RXI is requested.
    #[must_use]
    pub fn requests_receive(&self) -> bool {
        self.control & RIE != 0 && self.flags() & (RDF | DR) != 0
    }

    /// Reads a register by its offset from FFE80000.
    pub fn read(&mut self, offset: u32) -> u32 {
        match offset {
            0x00 => self.mode.into(),
            0x04 => self.rate.into(),
            0x08 => self.control.into(),
            0x10 => self.flags().into(),
            0x14 => match self.waiting() {
                0 => 0,
                _ => self.received.pop_front().unwrap_or(0).into(),
            },
            0x18 => self.fifo.into(),
            0x1C => self.waiting() as u32,
            0x20 => self.port.into(),
            0x24 => self.line.into(),
            _ => 0,
        }
    }

    /// Writes a register by its offset.
    pub fn write(&mut self, offset: u32, value: u32) {
        let word = value as u16;
        match offset {
            0x00 => self.mode = word & 0x7B,
            0x04 => self.rate = value as u8,
            0x08 => self.control = word & 0xFA,
            0x0C if self.control & TE != 0 => self.sent.push(value as u8),
            0x10 => self.status &= word,
            0x18 => self.fifo = word & 0xFF,
            // CTS and SCK are inputs that are pulled up. CTSDT reads 0: sending to the other side is allowed.
            0x20 => self.port = word & 0xA3,
            0x24 => self.line &= word,
            _ => {}
        }
        if offset == 0x18 && word & 2 != 0 {
            self.received.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_at_once_and_stays_ready() {
        let mut scif = Scif::default();
        assert_eq!(scif.read(0x10), 0x60);
        scif.write(0x0C, u32::from(b'a'));
        scif.write(0x10, 0x9F);
        assert_eq!(scif.read(0x10), 0x60);
        assert_eq!(scif.take_sent(), b"a");
        // With TE = 0 no byte is sent.
        scif.write(0x08, 0);
        scif.write(0x0C, u32::from(b'b'));
        assert_eq!(scif.take_sent(), b"");
    }

    #[test]
    fn receives_what_the_host_sends() {
        let mut scif = Scif::default();
        scif.receive(b"xy");
        scif.write(0x08, 0x40);
        assert_eq!(scif.read(0x1C), 0);
        scif.write(0x08, 0x50);
        scif.write(0x18, 0x40);
        assert!(scif.requests_receive());
        assert_eq!((scif.read(0x1C), scif.read(0x10) & 3), (2, 1)); // below the trigger of 4: DR
        assert_eq!(scif.read(0x14), u32::from(b'x'));
        assert_eq!(scif.read(0x14), u32::from(b'y'));
        assert_eq!(scif.read(0x10) & 3, 0);
    }
}
