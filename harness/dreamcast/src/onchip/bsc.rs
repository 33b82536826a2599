//! The I/O ports of the bus state controller (SH7750 manual, section 18), as wired on the board.

/// Video cable, as encoded on pins 9 and 8 of port A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cable {
    /// 640x480 progressive.
    #[default]
    Vga,
    /// RGB (SCART).
    Rgb,
    /// Composite or S-video.
    Composite,
}

impl Cable {
    fn pins(self) -> u32 {
        match self {
            Cable::Vga => 0,
            Cable::Rgb => 2,
            Cable::Composite => 3,
        }
    }
}

/// PCTRA and PDTRA.
#[derive(Clone, Copy, Debug)]
pub struct PortA {
    control: u32,
    latch: u16,
    cable: Cable,
}

state::fields!(PortA { control, latch } keep { cable });

impl PortA {
    /// Creates the ports in the state after the firmware.
    #[must_use]
    pub fn new(cable: Cable) -> Self {
        Self {
            control: 0x000A_03F0,
            latch: 0,
            cable,
        }
    }

    /// PCTRA.
    #[must_use]
    pub fn control(self) -> u32 {
        self.control
    }

    /// Writes PCTRA.
    pub fn set_control(&mut self, value: u32) {
        self.control = value;
    }

    /// Writes PDTRA: the latch of output pins.
    pub fn set_data(&mut self, value: u16) {
        self.latch = value;
    }

    /// Returns PDTRA: output pins read their latch, input pins the wire. Unused pins read 1.
    ///
    /// Pins 1 and 0 are connected to each other. With the pull-up of either pin on, both read 1; an output
    /// drives the other pin. The firmware's test of the pins expects this (washingtondc and flycast agree).
    #[must_use]
    pub fn data(self) -> u16 {
        let outputs = (0..16).fold(0, |pins, n| pins | (self.control >> (2 * n) & 1) << n) as u16;
        let wire = 0xFC00 | (self.cable.pins() << 8) as u16 | 0x00E0;
        let low = match (self.control & 15, self.latch & 15) {
            (8, _) => 3,
            (0xB, 2) => 0,
            (0xB, _) => 3,
            (0xC, 2) => 3,
            (0xC, _) => 0,
            _ => self.latch & 3,
        };
        (self.latch & outputs | wire & !outputs) & !3 | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cable_shows_on_input_pins() {
        for (cable, pins) in [(Cable::Vga, 0), (Cable::Rgb, 2), (Cable::Composite, 3)] {
            let mut port = PortA::new(cable);
            port.set_control(0x000A_0000);
            assert_eq!(port.data() >> 8 & 3, pins);
        }
    }

    #[test]
    fn tied_pins_answer_as_the_firmware_expects() {
        let mut port = PortA::new(Cable::Vga);
        for (control, latch, expected) in [(8, 0, 3), (0xB, 0, 3), (0xB, 2, 0), (0xC, 2, 3), (0xC, 0, 0)] {
            port.set_control(control);
            port.set_data(latch);
            assert_eq!(port.data() & 3, expected, "{control:x} {latch:x}");
        }
    }
}
