//! On-chip registers that can be written and read back without any other effect here: bus timing, clocks,
//! standby, and the real-time clock, which does not run because the board has no crystal for it.

/// Address, value after the firmware, and mask of writable bits.
///
/// Source of the values: the firmware's boot block, and values read by Linux on a console.
const REGISTERS: &[(u32, u32, u32)] = &[
    // Not in any manual; on a console it reads 00010007 after a write of 7FFFFFFF (lxdream's `testregs`).
    (0xFF00_002C, 0, 0x0001_0007),
    (0xFF80_0000, 0xA302_0008, 0xFFFF_FFFF), // BCR1
    (0xFF80_0004, 0x0001, 0xFFFF),           // BCR2
    (0xFF80_0008, 0x0111_0111, 0xFFFF_FFFF), // WCR1
    (0xFF80_000C, 0x6180_66D8, 0xFFFF_FFFF), // WCR2
    (0xFF80_0010, 0x0777_7777, 0xFFFF_FFFF), // WCR3
    (0xFF80_0014, 0xC00A_0E24, 0xFFFF_FFFF), // MCR
    (0xFF80_0018, 0, 0xFFFF),                // PCR
    (0xFF80_001C, 0x0010, 0x00FF),           // RTCSR
    (0xFF80_0020, 0, 0x00FF),                // RTCNT
    (0xFF80_0024, 0x005E, 0x00FF),           // RTCOR
    (0xFF80_0028, 0x0011, 0x03FF),           // RFCR: programs wait until it passes 16
    (0xFF80_0040, 0, 0xFFFF_FFFF),           // PCTRB
    (0xFF80_0044, 0, 0xFFFF),                // PDTRB
    (0xFF80_0048, 0, 0xFFFF),                // GPIOIC
    (0xFFC0_0000, 0x0E0A, 0),                // FRQCR: CPU 1, bus 1/2, peripheral 1/4
    (0xFFC0_0004, 0x0003, 0x00FF),           // STBCR
    (0xFFC0_0010, 0, 0x0080),                // STBCR2
    (0xFFC8_0000, 0, 0),                     // R64CNT
    (0xFFC8_0004, 0, 0x7F),                  // RSECCNT
    (0xFFC8_0008, 0, 0x7F),                  // RMINCNT
    (0xFFC8_000C, 0, 0x3F),                  // RHRCNT
    (0xFFC8_0010, 0, 0x07),                  // RWKCNT
    (0xFFC8_0014, 0, 0x3F),                  // RDAYCNT
    (0xFFC8_0018, 0, 0x1F),                  // RMONCNT
    (0xFFC8_001C, 0, 0xFFFF),                // RYRCNT
    (0xFFC8_0020, 0, 0xFF),                  // RSECAR
    (0xFFC8_0024, 0, 0xFF),                  // RMINAR
    (0xFFC8_0028, 0, 0xBF),                  // RHRAR
    (0xFFC8_002C, 0, 0x87),                  // RWKAR
    (0xFFC8_0030, 0, 0xBF),                  // RDAYAR
    (0xFFC8_0034, 0, 0x9F),                  // RMONAR
    (0xFFC8_0038, 0, 0xFF),                  // RCR1
    (0xFFC8_003C, 0x02, 0xFF),               // RCR2: the clock is stopped
];

/// The stored registers.
#[derive(Clone, Debug)]
pub struct Stored {
    values: Vec<u32>,
}

state::fields!(Stored { values } check(|stored: &Stored| stored.values.len() == REGISTERS.len()));

impl Default for Stored {
    fn default() -> Self {
        Self {
            values: REGISTERS.iter().map(|(_, reset, _)| *reset).collect(),
        }
    }
}

impl Stored {
    fn index(address: u32) -> Option<usize> {
        REGISTERS.iter().position(|(at, _, _)| *at == address)
    }

    /// Reads the register at `address`; `None` for other addresses.
    #[must_use]
    pub fn read(&self, address: u32) -> Option<u32> {
        Some(self.values[Self::index(address)?])
    }

    /// Writes the register at `address`. Returns true if its value changes, `None` for other addresses.
    pub fn write(&mut self, address: u32, value: u32) -> Option<bool> {
        let index = Self::index(address)?;
        let mask = REGISTERS[index].2;
        let written = value & mask | self.values[index] & !mask;
        Some(std::mem::replace(&mut self.values[index], written) != written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_values_and_masks() {
        let mut stored = Stored::default();
        for (address, reset, mask) in REGISTERS {
            assert_eq!(stored.read(*address), Some(*reset));
            assert_eq!(stored.write(*address, *reset), Some(false));
            assert!(stored.write(*address, u32::MAX).is_some());
            assert_eq!(stored.read(*address), Some(mask | reset & !mask), "{address:x}");
        }
        println!("{} registers that are stored", REGISTERS.len());
        assert_eq!(stored.read(0xFF80_0099), None);
    }
}
