//! Register reads without side effects, for debuggers: no event is acknowledged, no FIFO moves, no time
//! passes.

use crate::map::{self, Device};
use crate::run::Dreamcast;
use crate::system::System;
use sh4::MmuRegister;

/// Offset of SPG_STATUS in the PowerVR2's registers.
const STATUS_OFFSET: u32 = 0x10C;

impl Dreamcast {
    /// Returns the register at `address`, a multiple of 4, in the low bits. `None` if there is no register,
    /// or if only a real read has a value (AICA, the drive, the serial port's data).
    #[must_use]
    pub fn inspect(&self, address: u32) -> Option<u32> {
        match address {
            0xFF00_0000..=0xFF00_0028 => self.inspect_cpu(address),
            0xE000_0000.. => self.system().inspect_onchip(address),
            _ => self.system().inspect_device(address & 0x1FFF_FFFF),
        }
    }

    /// Returns exception and MMU registers (SH7750 manual, appendix A).
    fn inspect_cpu(&self, address: u32) -> Option<u32> {
        let mmu = |register| Some(self.cpu.mmu().register(register));
        match address & 0xFF {
            0x00 => mmu(MmuRegister::Pteh),
            0x04 => mmu(MmuRegister::Ptel),
            0x08 => mmu(MmuRegister::Ttb),
            0x0C => mmu(MmuRegister::Tea),
            0x10 => mmu(MmuRegister::Mmucr),
            0x20 => Some(self.cpu.tra),
            0x24 => Some(self.cpu.expevt),
            0x28 => Some(self.cpu.intevt),
            _ => None,
        }
    }
}

impl System {
    fn inspect_onchip(&self, address: u32) -> Option<u32> {
        let offset = address & 0xFFFF;
        match address & 0xFFFF_0000 {
            0xFF00_0000 if offset == 0x38 => Some(self.qacr[0]),
            0xFF00_0000 if offset == 0x3C => Some(self.qacr[1]),
            0xFFD0_0000 => Some(self.intc.read(offset)),
            0xFFD8_0000 => Some(self.tmu.read(offset, self.now)),
            0xFFA0_0000 => Some(self.dmac.read(offset, self.now)),
            0xFFC0_0000 if matches!(offset, 8 | 12) => Some(self.watchdog.read(offset, self.now)),
            0xFF80_0000 if offset == 0x2C => Some(self.port.control()),
            _ => self.stored.read(address),
        }
    }

    fn inspect_device(&self, address: u32) -> Option<u32> {
        let (device, _, at) = map::find(address, 4, false);
        match device {
            Device::Events => Some(self.events.read(at & 0xFF)),
            Device::Holly => self.holly.read(at),
            Device::G2 => Some(self.g2[(at >> 5 & 3) as usize].read(at & 0x1F)),
            Device::Pvr if at & 0x1FFF == STATUS_OFFSET => Some(self.spg.status(self.now)),
            Device::Pvr => self.read_steady_pvr(at & 0x1FFF),
            Device::Clock => Some(self.clock.read(at & 0xF, self.now, self.settings.cpu_hz.hz())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Dreamcast, Until};

    /// ISTNRM must keep its vertical-blank bit, the beam must be at the line for the time, and reading must
    /// not change any state.
    #[test]
    fn reads_have_no_effect() {
        let mut console = Dreamcast::new(Config::default());
        // bra .; nop
        console.load_raw(&[0xFE, 0xAF, 0x09, 0x00]).expect("fits");
        console.run(Until {
            frame: 1,
            ..Until::FOREVER
        });
        let events = console.inspect(0xA05F_6900).expect("ISTNRM");
        assert_ne!(events & 8, 0, "vertical blank in");
        assert_eq!(
            console.inspect(0x005F_6900),
            Some(events),
            "reading acknowledges nothing"
        );
        assert!(
            console
                .inspect(0xA05F_810C)
                .is_some_and(|status| status & 0x3FF < 525)
        );
        // TCNT0 before any start, EXPEVT after power-on, and addresses without a readable register.
        assert_eq!(console.inspect(0xFFD8_000C), Some(u32::MAX));
        assert_eq!(console.inspect(0xFF00_0024), Some(console.cpu.expevt));
        assert_eq!(console.inspect(0x0070_0000), None);
        assert_eq!(console.inspect(0xFFE8_0014), None);
    }
}
