//! On-chip peripherals for bare programs: the serial port with FIFO (SCIF), which sends its output to the
//! host. Every other on-chip register reads 0 and ignores writes; accesses are recorded.

use sh4::BusError;
use std::collections::BTreeSet;

/// SCFSR2: TDFE and TEND (the transmitter is empty); no received data.
const SCFSR_IDLE: u32 = 0x0060;
/// Registers of the SCIF, every 4 bytes from FFE80000.
const SCIF: u32 = 0xFFE8_0000;
const SCFTDR: u32 = 0xFFE8_000C;
const SCFSR: u32 = 0xFFE8_0010;
/// SCFRDR2 and SCFDR2 read 0: no received data, and both FIFOs are empty.
const SCFRDR: u32 = 0xFFE8_0014;
const SCFDR: u32 = 0xFFE8_001C;
const SCIF_REGISTERS: usize = 10;

/// On-chip peripherals of a bare program.
#[derive(Clone, Debug, Default)]
pub struct OnChipPeripherals {
    /// Bytes sent over the serial port since the last [`OnChipPeripherals::take_console`].
    console: Vec<u8>,
    scif: [u32; SCIF_REGISTERS],
    /// Addresses of accessed registers that this module does not model.
    absent: BTreeSet<u32>,
    /// Addresses in `absent` that [`OnChipPeripherals::take_absent`] has not returned yet.
    new: Vec<u32>,
}

impl OnChipPeripherals {
    /// Takes the bytes sent since the last call.
    pub fn take_console(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.console)
    }

    /// Takes the addresses of accessed registers that this module does not model. Each address is reported
    /// only once.
    pub fn take_absent(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.new)
    }

    /// Reads an on-chip register; returns the bits of the requested width.
    pub(crate) fn read(&mut self, address: u32) -> Result<u32, BusError> {
        match address {
            SCFSR => Ok(SCFSR_IDLE),
            SCFRDR | SCFDR => Ok(0),
            _ => match scif_index(address) {
                Some(index) => Ok(self.scif[index]),
                None => self.note(address),
            },
        }
    }

    pub(crate) fn write(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        match scif_index(address) {
            Some(_) if address == SCFTDR => self.console.push(value as u8),
            Some(index) => self.scif[index] = value,
            None => {
                self.note(address)?;
            }
        }
        Ok(())
    }

    /// Records an access to a register that this module does not model. Fails if there is no such register.
    fn note(&mut self, address: u32) -> Result<u32, BusError> {
        register_name(address).ok_or(BusError::Unmapped)?;
        if self.absent.insert(address) {
            self.new.push(address);
        }
        Ok(0)
    }
}

fn scif_index(address: u32) -> Option<usize> {
    let index = (address.checked_sub(SCIF)? / 4) as usize;
    (index < SCIF_REGISTERS && address & 3 == 0).then_some(index)
}

/// Name of an on-chip register (SH7750 manual, appendix A), as `module register`; `None` if no register has
/// the address.
#[must_use]
pub fn register_name(address: u32) -> Option<String> {
    let (base, module, names) = MODULES.iter().find(|(base, _, names)| {
        let offset = address.wrapping_sub(*base);
        (offset as usize) < 4 * names.len()
    })?;
    let offset = address - base;
    let name = *names.get(offset as usize / 4)?;
    (offset.is_multiple_of(4) && !name.is_empty()).then(|| format!("{module} {name}"))
}

/// First address and name of each module, and the names of its registers, which are 4 bytes apart. An empty
/// name marks an unused address.
const MODULES: [(u32, &str, &[&str]); 11] = [
    (
        0xFF80_0000,
        "BSC",
        &[
            "BCR1", "BCR2", "WCR1", "WCR2", "WCR3", "MCR", "PCR", "RTCSR", "RTCNT", "RTCOR", "RFCR", "PCTRA",
            "PDTRA", "", "", "", "PCTRB", "PDTRB", "GPIOIC",
        ],
    ),
    (
        0xFFA0_0000,
        "DMAC",
        &[
            "SAR0", "DAR0", "DMATCR0", "CHCR0", "SAR1", "DAR1", "DMATCR1", "CHCR1", "SAR2", "DAR2",
            "DMATCR2", "CHCR2", "SAR3", "DAR3", "DMATCR3", "CHCR3", "DMAOR",
        ],
    ),
    (
        0xFFC0_0000,
        "CPG",
        &["FRQCR", "STBCR", "WTCNT", "WTCSR", "STBCR2"],
    ),
    (
        0xFFC8_0000,
        "RTC",
        &[
            "R64CNT", "RSECCNT", "RMINCNT", "RHRCNT", "RWKCNT", "RDAYCNT", "RMONCNT", "RYRCNT", "RSECAR",
            "RMINAR", "RHRAR", "RWKAR", "RDAYAR", "RMONAR", "RCR1", "RCR2",
        ],
    ),
    (0xFFD0_0000, "INTC", &["ICR", "IPRA", "IPRB", "IPRC"]),
    (
        0xFFD8_0000,
        "TMU",
        &[
            "TOCR", "TSTR", "TCOR0", "TCNT0", "TCR0", "TCOR1", "TCNT1", "TCR1", "TCOR2", "TCNT2", "TCR2",
            "TCPR2",
        ],
    ),
    (
        0xFFE0_0000,
        "SCI",
        &[
            "SCSMR1", "SCBRR1", "SCSCR1", "SCTDR1", "SCSSR1", "SCRDR1", "SCSCMR1", "SCSPTR1",
        ],
    ),
    (0xFF94_0190, "BSC", &["SDMR3"]),
    (0xFF90_0000, "BSC", &["SDMR2"]),
    (0xFFF0_0000, "H-UDI", &["SDIR"]),
    (0xFFF0_0008, "H-UDI", &["SDDR"]),
];
