//! Registers of Holly's system bus that store written values: their reset values and readable bits.
//!
//! Some have no effect here ([`Registers::inert`]).
//!
//! Masks come from lxdream's test `testregs` on a console where it covers them, else from the Sega manual's
//! tables as listed by buhman/dreamcast. The device modules implement the effects of writes.

/// Address, value left by the firmware, writable bits, bits that always read 1.
type Row = (u32, u32, u32, u32);

const ROWS: &[Row] = &[
    (0x005F_6800, 0x11FF_0000, 0x03FF_FFE0, 0x1000_0000), // C2DSTAT
    (0x005F_6804, 0x20, 0x00FF_FFE0, 0),                  // C2DLEN
    (0x005F_6808, 0, 1, 0),                               // C2DST
    (0x005F_6810, 0x0CFF_0000, 0x07FF_FFE0, 0x0800_0000), // SDSTAW
    (0x005F_6814, 0x0CFF_0000, 0x07FF_FFE0, 0x0800_0000), // SDBAAW
    (0x005F_6818, 0, 1, 0),                               // SDWLT
    (0x005F_681C, 0, 1, 0),                               // SDLAS
    (0x005F_6820, 0, 1, 0),                               // SDST
    (0x005F_6840, 0, 1, 0),                               // DBREQM
    (0x005F_6844, 0, 0x1F, 0),                            // BAVLWC
    (0x005F_6848, 0, 0xF, 0),                             // C2DPRYC
    (0x005F_684C, 0, 3, 0),                               // C2DMAXL
    (0x005F_6860, 0, 0, 0),                               // SDDIV
    (0x005F_6880, 8, 0, 0),                               // TFREM: free units of the TA's FIFO
    (0x005F_6884, 0, 1, 0),                               // LMMODE0
    (0x005F_6888, 0, 1, 0),                               // LMMODE1
    (0x005F_68A0, 0x8000_0000, 0x8000_0000, 0),           // RBSPLT
    (0x005F_68A4, 0, 0, 0),
    (0x005F_68AC, 0, 0, 0),
    (0x005F_6940, 0, 0x003F_FFFF, 0),           // PDTNRM
    (0x005F_6944, 0, 0xF, 0),                   // PDTEXT
    (0x005F_6950, 0, 0x003F_FFFF, 0),           // G2DTNRM
    (0x005F_6954, 0, 0xF, 0),                   // G2DTEXT
    (0x005F_6C04, 0x0CFF_0000, 0x1FFF_FFE0, 0), // MDSTAR
    (0x005F_6C10, 0, 1, 0),                     // MDTSEL
    (0x005F_6C14, 0, 1, 0),                     // MDEN
    (0x005F_6C18, 0, 1, 0),                     // MDST
    (0x005F_6C80, 0xC350_0000, 0xFFFF_130F, 0), // MSYS
    (0x005F_6C84, 0, 0, 0),                     // MST
    (0x005F_6C88, 0, 1, 0),                     // MSHTCL
    (0x005F_6C8C, 0x7F00, 0x7F7F, 0),           // MDAPRO
    (0x005F_6CE8, 1, 1, 0),                     // MMSEL
    (0x005F_6CF4, 0, 0, 0),                     // MTXDAD
    (0x005F_6CF8, 0, 0, 0),                     // MRXDAD
    (0x005F_6CFC, 0, 0, 0),                     // MRXDBD
    (0x005F_7404, 0x0CFF_0000, 0x1FFF_FFE0, 0), // GDSTAR
    (0x005F_7408, 0x20, 0x01FF_FFFE, 0),        // GDLEN
    (0x005F_740C, 0, 1, 0),                     // GDDIR
    (0x005F_7414, 0, 1, 0),                     // GDEN
    (0x005F_7418, 0, 1, 0),                     // GDST
    (0x005F_7480, 0, 0, 0),                     // G1RRC; timings read 0
    (0x005F_7484, 0, 0, 0),                     // G1RWC
    (0x005F_7488, 0, 0, 0),                     // G1FRC
    (0x005F_748C, 0, 0, 0),                     // G1FWC
    (0x005F_7490, 0, 0, 0),                     // G1CRC
    (0x005F_7494, 0, 0, 0),                     // G1CWC
    (0x005F_74A0, 0, 0, 0),                     // G1GDRC
    (0x005F_74A4, 0, 0, 0),                     // G1GDWC
    (0x005F_74B0, 0, 0, 0),                     // G1SYSM: retail
    (0x005F_74B4, 0, 0, 0),                     // G1CRDYC
    (0x005F_74B8, 0x7F00, 0x7F7F, 0),           // GDAPRO
    (0x005F_74E4, 0, 0, 0),
    (0x005F_74F4, 0, 0, 0),                     // GDSTARD
    (0x005F_74F8, 0, 0, 0),                     // GDLEND
    (0x005F_7880, 0x12, 0, 0),                  // G2ID
    (0x005F_7890, 0x1B, 0x3FF, 0),              // G2DSTO
    (0x005F_7894, 0x271, 0x3FF, 0),             // G2TRTO
    (0x005F_7898, 0, 0xFF, 0),                  // G2MDMTO
    (0x005F_789C, 1, 0xFF, 0),                  // G2MDMW
    (0x005F_78BC, 0x7F00, 0x7F7F, 0),           // G2APRO
    (0x005F_7C00, 0x04FF_0000, 0x1FFF_FFE0, 0), // PDSTAP
    (0x005F_7C04, 0x0CFF_0000, 0x1FFF_FFE0, 0), // PDSTAR
    (0x005F_7C08, 0x20, 0x00FF_FFE0, 0),        // PDLEN
    (0x005F_7C0C, 0, 1, 0),                     // PDDIR
    (0x005F_7C10, 0, 1, 0),                     // PDTSEL
    (0x005F_7C14, 0, 1, 0),                     // PDEN
    (0x005F_7C18, 0, 1, 0),                     // PDST
    (0x005F_7C80, 0x7F00, 0x7F7F, 0),           // PDAPRO
    (0x005F_7CF0, 0, 0, 0),                     // PDSTAPD
    (0x005F_7CF4, 0, 0, 0),                     // PDSTARD
    (0x005F_7CF8, 0, 0, 0),                     // PDLEND
];

/// Protection registers, and the key that a write must have in its upper half.
const KEYS: &[(u32, u32)] = &[
    (0x005F_6C8C, 0x6155),
    (0x005F_74B8, 0x8843),
    (0x005F_78BC, 0x4659),
    (0x005F_7C80, 0x6702),
];

/// Registers with bits that have no effect here: priorities and speeds of the bus, and the bit order on the
/// Maple bus.
const INERT: &[(u32, u32)] = &[
    (0x005F_6840, u32::MAX),    // DBREQM
    (0x005F_6844, u32::MAX),    // BAVLWC
    (0x005F_6848, u32::MAX),    // C2DPRYC
    (0x005F_684C, u32::MAX),    // C2DMAXL
    (0x005F_68A0, 0x8000_0000), // RBSPLT
    (0x005F_68A4, u32::MAX),
    (0x005F_68AC, u32::MAX),
    (0x005F_6C80, 0x0000_030F), // MSYS: rate and delay
    (0x005F_6CE8, u32::MAX),    // MMSEL
    (0x005F_7480, u32::MAX),    // G1 timings
    (0x005F_7484, u32::MAX),
    (0x005F_7488, u32::MAX),
    (0x005F_748C, u32::MAX),
    (0x005F_7490, u32::MAX),
    (0x005F_7494, u32::MAX),
    (0x005F_74A0, u32::MAX),
    (0x005F_74A4, u32::MAX),
    (0x005F_74B4, u32::MAX), // G1CRDYC
    (0x005F_7890, u32::MAX), // G2DSTO
    (0x005F_7894, u32::MAX), // G2TRTO
    (0x005F_7898, u32::MAX), // G2MDMTO
    (0x005F_789C, u32::MAX), // G2MDMW
];

/// State of the registers.
#[derive(Clone, Debug)]
pub struct Registers {
    values: Vec<u32>,
}

state::fields!(Registers { values } check(|registers: &Registers| registers.values.len() == ROWS.len()));

impl Default for Registers {
    fn default() -> Self {
        Self {
            values: ROWS.iter().map(|row| row.1).collect(),
        }
    }
}

impl Registers {
    fn index(address: u32) -> Option<usize> {
        ROWS.binary_search_by_key(&address, |row| row.0).ok()
    }

    /// Returns the register at `address`; `None` if the address has no register.
    #[must_use]
    pub fn read(&self, address: u32) -> Option<u32> {
        let index = Self::index(address)?;
        Some(self.values[index] | ROWS[index].3)
    }

    /// Returns the register at `address`, or 0 if the address has no register.
    #[must_use]
    pub fn get(&self, address: u32) -> u32 {
        self.read(address).unwrap_or(0)
    }

    /// Writes the register at `address` like a program. Returns false if the address has no register.
    pub fn write(&mut self, address: u32, value: u32) -> bool {
        let Some(index) = Self::index(address) else {
            return false;
        };
        let key = KEYS.iter().find(|(at, _)| *at == address);
        if key.is_none_or(|(_, key)| value >> 16 == *key) {
            let mask = ROWS[index].2;
            self.values[index] = value & mask | self.values[index] & !mask;
        }
        true
    }

    /// Returns whether a write of `value` requests a function that is not emulated.
    #[must_use]
    pub fn inert(&self, address: u32, value: u32) -> bool {
        let row = INERT.iter().find(|(at, _)| *at == address);
        row.is_some_and(|(_, mask)| (value ^ self.get(address)) & mask != 0)
    }

    /// Sets the register at `address`, like the chip itself.
    pub fn set(&mut self, address: u32, value: u32) {
        if let Some(index) = Self::index(address) {
            self.values[index] = value;
        }
    }

    /// Returns the first and last address of the RAM window that the protection register at `address` opens.
    #[must_use]
    pub fn window(&self, address: u32) -> (u32, u32) {
        let value = self.get(address);
        (
            (value >> 8 & 0x7F) << 20 | 0x0800_0000,
            (value & 0x7F) << 20 | 0x080F_FFFF,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_reset_values_fit() {
        assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        println!("{} registers of the system bus", ROWS.len());
    }

    /// lxdream's `testregs` on a console: FFFFFFFF was written, and this value was read.
    #[test]
    fn read_back_masks_are_the_consoles() {
        let mut registers = Registers::default();
        let rows = [
            (0x005F_6800, 0x13FF_FFE0),
            (0x005F_6804, 0x00FF_FFE0),
            (0x005F_6810, 0x0FFF_FFE0),
            (0x005F_6814, 0x0FFF_FFE0),
            (0x005F_6818, 1),
            (0x005F_681C, 1),
            (0x005F_7404, 0x1FFF_FFE0),
            (0x005F_7408, 0x01FF_FFFE),
            (0x005F_740C, 1),
            (0x005F_7414, 1),
        ];
        for (address, expected) in rows {
            registers.write(address, u32::MAX);
            assert_eq!(registers.read(address), Some(expected), "{address:08x}");
        }
        registers.write(0x005F_6800, 0);
        registers.write(0x005F_6810, 0);
        assert_eq!(registers.get(0x005F_6800), 0x1000_0000);
        assert_eq!(registers.get(0x005F_6810), 0x0800_0000);
    }

    #[test]
    fn only_a_change_of_an_inert_register_is_noted() {
        let mut registers = Registers::default();
        assert!(
            INERT
                .iter()
                .all(|(address, _)| Registers::index(*address).is_some())
        );
        assert!(!registers.inert(0x005F_7890, 0x1B), "as the firmware leaves it");
        assert!(registers.inert(0x005F_7890, 0x3FF));
        registers.write(0x005F_7890, 0x3FF);
        assert!(!registers.inert(0x005F_7890, 0x3FF));
        // MSYS's time-out is emulated, its rate is not.
        assert!(!registers.inert(0x005F_6C80, 0x1000_0000));
        assert!(registers.inert(0x005F_6C80, 0xC350_0100));
        assert!(!registers.inert(0x005F_6C04, 0x0C00_0000));
    }

    #[test]
    fn protection_needs_its_key() {
        let mut registers = Registers::default();
        assert_eq!(registers.window(0x005F_6C8C), (0x0FF0_0000, 0x080F_FFFF));
        registers.write(0x005F_6C8C, 0x1234_404F);
        assert_eq!(registers.get(0x005F_6C8C), 0x7F00);
        registers.write(0x005F_6C8C, 0x6155_404F);
        assert_eq!(registers.window(0x005F_6C8C), (0x0C00_0000, 0x0CFF_FFFF));
    }
}
