//! The interrupt controller: selects the request that the CPU sees (SH7750 manual, section 19).
//!
//! All sources are levels, flag AND enable. Requests are not latched: a request that a device withdraws
//! before the CPU accepts it is never delivered.

use sh4::Interrupt;

/// An interrupt source of the on-chip peripherals, in the default order of priority (SH7750 manual, table
/// 19.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// DMAC, end of transfer, channel 0.
    Dmte0,
    /// DMAC, end of transfer, channel 1.
    Dmte1,
    /// DMAC, end of transfer, channel 2.
    Dmte2,
    /// DMAC, end of transfer, channel 3.
    Dmte3,
    /// DMAC, address error.
    Dmae,
    /// Timer 0 underflow.
    Tuni0,
    /// Timer 1 underflow.
    Tuni1,
    /// Timer 2 underflow.
    Tuni2,
    /// SCIF receive error.
    ScifEri,
    /// SCIF receive data.
    ScifRxi,
    /// SCIF break.
    ScifBri,
    /// SCIF transmit FIFO.
    ScifTxi,
    /// Watchdog, interval mode.
    Iti,
}

/// Code (INTEVT), priority register and the lowest bit of its level, in the order of [`Source`].
const SOURCES: [(u16, usize, u32); 13] = [
    (0x640, IPRC, 8),
    (0x660, IPRC, 8),
    (0x680, IPRC, 8),
    (0x6A0, IPRC, 8),
    (0x6C0, IPRC, 8),
    (0x400, IPRA, 12),
    (0x420, IPRA, 8),
    (0x440, IPRA, 4),
    (0x700, IPRC, 4),
    (0x720, IPRC, 4),
    (0x740, IPRC, 4),
    (0x760, IPRC, 4),
    (0x560, IPRB, 12),
];
const IPRA: usize = 0;
const IPRB: usize = 1;
const IPRC: usize = 2;

/// ICR.NMIL, the level of the NMI pin, which the board pulls up; the other bits can be written.
const NMIL: u16 = 0x8000;
const ICR_MASK: u16 = 0x4380;

/// The interrupt controller.
#[derive(Clone, Copy, Debug, Default)]
pub struct Intc {
    icr: u16,
    ipr: [u16; 3],
    /// Bit n is the request of source n.
    requests: u32,
    /// Level of the encoded lines from Holly: 6, 4, 2, or 0 for none.
    irl: u8,
}

state::fields!(Intc {
    icr,
    ipr,
    requests,
    irl
});

impl Intc {
    /// Sets or withdraws the request of `source`.
    pub fn set(&mut self, source: Source, active: bool) {
        let bit = 1 << source as u32;
        self.requests = self.requests & !bit | if active { bit } else { 0 };
    }

    /// Sets the level that Holly puts on the IRL pins; 0 for none.
    pub fn set_irl(&mut self, level: u8) {
        self.irl = level;
    }

    /// Returns the request of the highest level. Among equal levels, IRL precedes on-chip sources, which are
    /// in default order.
    #[must_use]
    pub fn request(&self) -> Option<Interrupt> {
        let irl = (self.irl > 0).then(|| Interrupt {
            level: self.irl,
            // IRL code 15 - level: INTEVT 200 + 20 x code.
            code: 0x200 + 0x20 * (15 - u16::from(self.irl)),
        });
        let onchip = SOURCES
            .iter()
            .enumerate()
            .filter(|(n, _)| self.requests >> n & 1 != 0);
        onchip
            .map(|(_, &(code, register, shift))| Interrupt {
                level: (self.ipr[register] >> shift & 15) as u8,
                code,
            })
            .filter(|request| request.level > 0)
            .fold(irl, |best, request| match best {
                Some(best) if best.level >= request.level => Some(best),
                _ => Some(request),
            })
    }

    /// Returns true if any source has a level above `mask`: an interrupt is possible when its device requests
    /// one.
    #[must_use]
    pub fn could_interrupt(&self, mask: u8, holly_enabled: bool) -> bool {
        let onchip = SOURCES
            .iter()
            .any(|&(_, register, shift)| (self.ipr[register] >> shift & 15) as u8 > mask);
        onchip || holly_enabled && mask < 6
    }

    /// Reads ICR, IPRA, IPRB or IPRC at offsets 0, 4, 8 and C.
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        match offset {
            0 => (self.icr | NMIL).into(),
            4 | 8 | 12 => self.ipr[offset as usize / 4 - 1].into(),
            _ => 0,
        }
    }

    /// Writes one of these registers.
    pub fn write(&mut self, offset: u32, value: u32) {
        match offset {
            0 => self.icr = value as u16 & ICR_MASK,
            4 | 8 | 12 => self.ipr[offset as usize / 4 - 1] = value as u16,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_level_wins_and_ties_go_by_the_manuals_order() {
        let mut intc = Intc::default();
        intc.set(Source::Tuni0, true);
        assert_eq!(intc.request(), None); // level 0 never interrupts
        intc.write(4, 0xF0F0);
        assert_eq!(
            intc.request(),
            Some(Interrupt {
                level: 15,
                code: 0x400
            })
        );
        intc.set(Source::Tuni2, true);
        assert_eq!(intc.request().map(|r| r.code), Some(0x400));
        intc.set(Source::Tuni0, false);
        assert_eq!(intc.request().map(|r| r.code), Some(0x440));
        intc.write(4, 0x0020);
        intc.set_irl(2);
        // Equal levels: the encoded lines precede the on-chip sources.
        assert_eq!(
            intc.request(),
            Some(Interrupt {
                level: 2,
                code: 0x3A0
            })
        );
        intc.set_irl(6);
        assert_eq!(
            intc.request(),
            Some(Interrupt {
                level: 6,
                code: 0x320
            })
        );
    }

    #[test]
    fn icr_reads_the_pulled_up_pin() {
        let mut intc = Intc::default();
        assert_eq!(intc.read(0), 0x8000);
        intc.write(0, 0xFFFF);
        assert_eq!(intc.read(0), 0xC380);
    }
}
