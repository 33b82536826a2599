//! Data accesses, with the checks that the CPU makes before it calls the bus.

use crate::Direction;
use crate::onchip::refused;
use crate::stop::{Exit, FaultKind};
use crate::translation::is_store_queue;
use crate::{Bus, Cpu};

macro_rules! access {
    ($($load:ident $store:ident $read:ident $write:ident $log2:literal $value:ty;)+) => {$(
        #[inline(always)]
        pub(crate) fn $load<B: Bus>(&mut self, bus: &mut B, address: u32) -> Result<$value, Exit> {
            let place = self.admit(bus, address, $log2, Direction::Read)?;
            match bus.$read(address) {
                Ok(value) => Ok(value),
                Err(error) if bus.is_tapped() => Ok(self.read_own(bus, place, 1 << $log2, error)? as $value),
                Err(error) => Err(refused(Direction::Read, address, error)),
            }
        }

        #[inline(always)]
        pub(crate) fn $store<B: Bus>(&mut self, bus: &mut B, address: u32, value: $value) -> Result<(), Exit> {
            let place = self.admit(bus, address, $log2, Direction::Write)?;
            match bus.$write(address, value) {
                Ok(()) => Ok(()),
                Err(error) if bus.is_tapped() => self.write_own(bus, place, 1 << $log2, value.into(), error),
                Err(error) => Err(refused(Direction::Write, address, error)),
            }
        }
    )+};
}

impl Cpu {
    access! {
        load8 store8 read8 write8 0 u8;
        load16 store16 read16 write16 1 u16;
        load32 store32 read32 write32 2 u32;
        load64 store64 read64 write64 3 u64;
    }

    /// A byte, sign extended.
    #[inline(always)]
    pub(crate) fn load_signed8<B: Bus>(&mut self, bus: &mut B, address: u32) -> Result<u32, Exit> {
        Ok(self.load8(bus, address)? as i8 as u32)
    }

    /// A word of two bytes, sign extended.
    #[inline(always)]
    pub(crate) fn load_signed16<B: Bus>(&mut self, bus: &mut B, address: u32) -> Result<u32, Exit> {
        Ok(self.load16(bus, address)? as i16 as u32)
    }

    /// Checks and translates the address of an access of `1 << log2` bytes. Returns an equivalent address
    /// that needs no translation.
    #[inline(always)]
    pub(crate) fn admit<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        log2: usize,
        direction: Direction,
    ) -> Result<u32, Exit> {
        self.check(address, log2, direction)?;
        self.locate(bus, address, direction)
    }

    /// PREF: sends a store queue, or fetches a cache line. Fetching a line has no effect if it would raise an
    /// exception; sending a store queue raises it (SH7750 manual 4.6.5, 10.75).
    #[inline(always)]
    pub(crate) fn prefetch<B: Bus>(&mut self, bus: &mut B, address: u32) -> Result<(), Exit> {
        let queue = is_store_queue(address);
        if queue {
            self.check(address, 0, Direction::Read)?;
        }
        match self.locate(bus, address, Direction::Read) {
            Err(exit) if queue => return Err(exit),
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
        let sent = bus.prefetch(address);
        sent.map_err(|error| refused(Direction::Read, address, error))
    }

    /// Checks alignment, and for user mode the upper half of the address space.
    #[inline(always)]
    pub(crate) fn check(&self, address: u32, log2: usize, direction: Direction) -> Result<(), Exit> {
        if address & self.forbidden[log2] == 0 {
            Ok(())
        } else {
            self.address_error(address, log2, direction)
        }
    }

    #[cold]
    fn address_error(&self, address: u32, log2: usize, direction: Direction) -> Result<(), Exit> {
        let size = 1u8 << log2;
        if address & self.forbidden[log2] & 7 != 0 {
            return Err(Exit::Fault(
                FaultKind::Misaligned { direction, size },
                Some(address),
            ));
        }
        // User mode may access the store queues unless MMUCR.SQMD forbids it.
        if is_store_queue(address) && direction != Direction::Fetch && !self.mmu.queues_are_privileged() {
            return Ok(());
        }
        Err(Exit::Fault(FaultKind::Forbidden { direction }, Some(address)))
    }
}
