//! The serial port without FIFO (SH7750 manual, section 15). It is unconnected: its input is high.
//!
//! KallistiOS uses it in clocked mode for SD cards and network adapters: each sent byte clocks in one
//! received byte. A byte takes no time, as with the SCIF. Not implemented: interrupts, requests to the DMAC,
//! and clocked reception without transmission.

/// SCSMR1: clocked mode.
const CLOCKED: u8 = 1 << 7;
/// SCSCR1 bits.
const TE: u8 = 1 << 5;
const RE: u8 = 1 << 4;
/// SCSSR1 bits.
const TDRE: u8 = 1 << 7;
const RDRF: u8 = 1 << 6;
const ORER: u8 = 1 << 5;
const TEND: u8 = 1 << 2;
const MPBT: u8 = 1;

/// The serial port without FIFO.
#[derive(Clone, Debug)]
pub struct Sci {
    /// SCSMR1, SCBRR1, SCSCR1, SCTDR1, SCSSR1, SCRDR1, SCSCMR1, SCSPTR1.
    registers: [u8; 8],
}

state::fields!(Sci { registers });

const SMR: usize = 0;
const SCR: usize = 2;
const SSR: usize = 4;
const RDR: usize = 5;

impl Default for Sci {
    fn default() -> Self {
        Self {
            registers: [0, 0xFF, 0, 0xFF, TDRE | TEND, 0, 0, 0],
        }
    }
}

impl Sci {
    /// Reads a register by its offset from FFE00000.
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        let register = self.registers.get(offset as usize / 4);
        register.copied().unwrap_or(0).into()
    }

    /// Writes a register by its offset.
    pub fn write(&mut self, offset: u32, value: u32) {
        let (index, value) = (offset as usize / 4, value as u8);
        match index {
            SSR => self.write_status(value),
            RDR => {}
            _ => {
                if let Some(register) = self.registers.get_mut(index) {
                    *register = value;
                }
            }
        }
    }

    /// Writing 0 clears flags; clearing TDRE sends the byte in SCTDR1.
    fn write_status(&mut self, value: u8) {
        let kept = self.registers[SSR] & (value | TEND) & !MPBT;
        self.registers[SSR] = kept | TDRE | value & MPBT;
        if value & TDRE == 0 && self.registers[SCR] & TE != 0 {
            self.clock_in();
        }
    }

    /// Receives eight bits of the input, if the receiver is on and has no overrun.
    fn clock_in(&mut self) {
        let receives = self.registers[SMR] & CLOCKED != 0 && self.registers[SCR] & RE != 0;
        let status = self.registers[SSR];
        if !receives || status & ORER != 0 {
            return;
        }
        if status & RDRF == 0 {
            self.registers[RDR] = 0xFF;
        }
        self.registers[SSR] |= if status & RDRF == 0 { RDRF } else { ORER };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocked(control: u8) -> Sci {
        let mut sci = Sci::default();
        sci.write(0x00, CLOCKED.into());
        sci.write(0x08, control.into());
        sci
    }

    /// Sends a byte as KallistiOS does: data, then TDRE = 0 by a read and a write.
    fn send(sci: &mut Sci) {
        sci.write(0x0C, 0x40);
        let status = sci.read(0x10);
        sci.write(0x10, status & !u32::from(TDRE));
    }

    #[test]
    fn each_byte_sent_clocks_one_in() {
        let mut sci = clocked(TE | RE);
        assert_eq!(sci.read(0x10), 0x84);
        send(&mut sci);
        assert_eq!((sci.read(0x10), sci.read(0x14)), (0xC4, 0xFF));
        sci.write(0x10, 0x84);
        assert_eq!(sci.read(0x10), 0x84);
    }

    #[test]
    fn a_byte_that_nobody_has_read_is_an_overrun() {
        let mut sci = clocked(TE | RE);
        send(&mut sci);
        send(&mut sci);
        assert_eq!(sci.read(0x10), 0xE4);
        sci.write(0x10, 0x84);
        assert_eq!(sci.read(0x10), 0x84);
    }

    #[test]
    fn nothing_is_received_without_receiver_transmitter_or_clock() {
        for mut sci in [clocked(TE), clocked(RE), clocked(0)] {
            send(&mut sci);
            assert_eq!(sci.read(0x10), 0x84);
        }
        let mut plain = Sci::default();
        plain.write(0x08, (TE | RE).into());
        send(&mut plain);
        assert_eq!(plain.read(0x10), 0x84);
    }

    #[test]
    fn registers_keep_what_is_written() {
        let mut sci = Sci::default();
        for offset in [0x00, 0x04, 0x08, 0x0C, 0x18, 0x1C] {
            sci.write(offset, 0x5A);
            assert_eq!(sci.read(offset), 0x5A);
        }
        sci.write(0x14, 0x5A);
        assert_eq!((sci.read(0x14), sci.read(0x20)), (0, 0));
        println!("8 registers of the SCI");
    }
}
