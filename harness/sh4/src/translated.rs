//! The bus under address translation (MMUCR.AT = 1).
//!
//! The CPU translates an address before each access and stores the [`Placement`] in the [`Translation`] of
//! this bus. The bus passes the access on to the translated address. So observers see effective addresses,
//! and the inner bus sees addresses that need no translation. Without translation, no bus has a
//! [`Translation`], and the compiler removes the check.

use crate::Direction;
use crate::cpu::sr;
use crate::mmu::Placement;
use crate::stop::{Exit, FaultKind};
use crate::translation::{
    CodePage, FarSlot, PAGE_BYTES, QUEUE_TARGET, Translation, is_code_translated, is_store_queue,
};
use crate::{Bus, BusError, CacheOperation, Cpu, Interrupt};

/// Cache control.
const CCR: u32 = 0xFF00_001C;
/// CCR.ORA: half of the operand cache is RAM at 7C000000-7FFFFFFF.
const CCR_ORA: u32 = 1 << 5;

/// A bus that translates addresses for an inner bus.
pub(crate) struct Translated<'a> {
    bus: &'a mut (dyn Bus + 'a),
    translation: Translation,
}

impl<'a> Translated<'a> {
    pub(crate) fn new(bus: &'a mut (dyn Bus + 'a)) -> Self {
        let on_chip_ram = bus.read32(CCR).is_ok_and(|ccr| ccr & CCR_ORA != 0);
        let translation = Translation {
            on_chip_ram,
            ..Translation::default()
        };
        Translated { bus, translation }
    }

    /// Completes a store to the last translated address: reads CCR.ORA again, and writes a write-through line
    /// back.
    fn stored(&mut self) -> Result<(), BusError> {
        let Placement {
            address,
            write_through,
        } = self.translation.data;
        if address == CCR {
            self.translation.on_chip_ram = self.bus.read32(CCR).is_ok_and(|ccr| ccr & CCR_ORA != 0);
        }
        if write_through {
            self.bus.cache(CacheOperation::WriteBack, address)?;
        }
        Ok(())
    }
}

macro_rules! pass_on {
    ($($read:ident $write:ident $value:ty;)+) => {$(
        fn $read(&mut self, _address: u32) -> Result<$value, BusError> {
            self.bus.$read(self.translation.data.address)
        }

        fn $write(&mut self, _address: u32, value: $value) -> Result<(), BusError> {
            self.bus.$write(self.translation.data.address, value)?;
            self.stored()
        }
    )+};
}

impl Bus for Translated<'_> {
    pass_on! {
        read8 write8 u8;
        read16 write16 u16;
        read32 write32 u32;
        read64 write64 u64;
    }

    fn translation(&mut self) -> Option<&mut Translation> {
        Some(&mut self.translation)
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        let place = self.translation.place_code(address);
        self.bus.fetch(place.ok_or(BusError::Unmapped)?)
    }

    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        if is_store_queue(address) {
            self.bus.send_store_queue(address, self.translation.queue)
        } else {
            self.bus.prefetch(self.translation.data.address)
        }
    }

    fn cache(&mut self, operation: CacheOperation, _address: u32) -> Result<(), BusError> {
        self.bus.cache(operation, self.translation.data.address)
    }

    fn write32_allocate(&mut self, _address: u32, value: u32) -> Result<(), BusError> {
        self.bus.write32_allocate(self.translation.data.address, value)?;
        self.stored()
    }

    fn purge_for_test_and_set(&mut self, _address: u32) -> Result<(), BusError> {
        self.bus.purge_for_test_and_set(self.translation.data.address)
    }

    fn send_store_queue(&mut self, address: u32, physical: u32) -> Result<(), BusError> {
        self.bus.send_store_queue(address, physical)
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.bus.interrupt()
    }

    fn begin_deferred(&mut self, retired: u64, elapsed: Option<u64>) {
        self.bus.begin_deferred(retired, elapsed);
    }

    fn deferred_pc(&mut self, pc: u32) {
        self.bus.deferred_pc(pc);
    }

    fn end_deferred(&mut self) -> bool {
        self.bus.end_deferred()
    }

    fn performance_count(&mut self, event: u8) -> Option<u64> {
        self.bus.performance_count(event)
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        let end = address.wrapping_add(bytes);
        let in_page = match self.translation.slot {
            Some((slot, _)) if self.translation.code.is_some() => slot.wrapping_sub(address),
            _ => bytes,
        };
        if let Some(place) = self.translation.place_code(address) {
            self.bus.code_watch(place, in_page.min(bytes));
        }
        if let Some((slot, Ok(place))) = self.translation.slot
            && in_page < bytes
        {
            self.bus.code_watch(place, end.wrapping_sub(slot));
        }
    }

    fn code_epoch(&self) -> u64 {
        self.bus.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        match self.translation.place_code(address) {
            Some(place) => self.bus.code_version(place),
            None => 0,
        }
    }
}

impl Cpu {
    fn is_privileged(&self) -> bool {
        self.status & sr::MD != 0
    }

    /// Translates the address of a data access, if `bus` translates, and stores the result in the bus.
    /// Returns an equivalent address that needs no translation.
    #[inline(always)]
    pub(crate) fn locate<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        direction: Direction,
    ) -> Result<u32, Exit> {
        match bus.translation() {
            None => Ok(address),
            Some(translation) => self.translate(translation, address, direction),
        }
    }

    #[inline(never)]
    fn translate(
        &mut self,
        translation: &mut Translation,
        address: u32,
        direction: Direction,
    ) -> Result<u32, Exit> {
        let mut place = Placement::untranslated(address);
        if translation.covers(address) {
            let translated = self.mmu.translate(address, direction, self.is_privileged());
            place = translated
                .map_err(|exception| Exit::Fault(FaultKind::Tlb { exception, direction }, Some(address)))?;
        }
        if is_store_queue(address) {
            // Stores write to the queue by its effective address; only PREF uses the translated address.
            translation.queue = place.address & QUEUE_TARGET;
            place = Placement::untranslated(address);
        }
        translation.data = place;
        Ok(place.address)
    }

    /// Checks and translates the program counter, if the addresses of `bus` are translated.
    pub(crate) fn enter_page<B: Bus>(&mut self, bus: &mut B) -> Result<(), FaultKind> {
        let Some(translation) = bus.translation() else {
            return Ok(());
        };
        self.check_fetch()?;
        let page = match is_code_translated(self.pc) {
            true => Some(self.translate_fetch(self.pc)?),
            false => None,
        };
        self.set_page(translation, page);
        Ok(())
    }

    /// Checks the page before every block, with a lookup in the ITLB only. If that does not find the page,
    /// sets a key that matches no block, so that the run loop calls [`Cpu::enter_page`].
    #[inline(always)]
    pub(crate) fn stay_in_page<B: Bus>(&mut self, bus: &mut B, left: u64) {
        match bus.translation() {
            // Instructions that will not run must not be fetched.
            Some(_) if left == 0 => self.call_attention(),
            Some(translation) => self.find_page(translation),
            None => {}
        }
    }

    fn find_page(&mut self, translation: &mut Translation) {
        self.call_attention();
        if !self.mmu.is_on() || self.check_fetch().is_err() {
            return;
        }
        let page = match is_code_translated(self.pc) {
            true => match self.mmu.translate_fetch_again(self.pc, self.is_privileged()) {
                Some(place) => Some(place.address),
                None => return,
            },
            false => None,
        };
        self.set_page(translation, page);
        if !self.needs_attention() {
            self.key = self.translated_key();
        }
    }

    /// Records the translated address of the program counter.
    fn set_page(&mut self, translation: &mut Translation, place: Option<u32>) {
        let start = self.pc & !(PAGE_BYTES - 1);
        translation.code = place.map(|place| CodePage {
            start,
            distance: place.wrapping_sub(self.pc),
        });
        self.page = translation.code.map_or(0, CodePage::key);
        self.refresh_key();
    }

    /// The delay slot that was translated last, on a bus under translation.
    pub(crate) fn far_slot<B: Bus>(bus: &mut B) -> Option<FarSlot> {
        bus.translation()?.slot
    }

    /// Translates the delay slot at `pc` if it is in another page than its branch.
    pub(crate) fn enter_slot<B: Bus>(&mut self, bus: &mut B, pc: u32) -> Option<FarSlot> {
        let translation = bus.translation()?;
        let far = !self.shares_page(pc);
        translation.slot = far.then(|| {
            let place = self.mmu.translate_fetch(pc, self.is_privileged());
            (pc, place.map(|place| place.address))
        });
        translation.slot
    }

    /// Returns true if `pc`, the address after the block at the program counter, is in the page of the block.
    /// Always true without translation.
    pub(crate) fn shares_page(&self, pc: u32) -> bool {
        self.page == 0 || pc & (PAGE_BYTES - 1) != 0
    }

    fn translate_fetch(&mut self, pc: u32) -> Result<u32, FaultKind> {
        let place = self.mmu.translate_fetch(pc, self.is_privileged());
        place
            .map(|place| place.address)
            .map_err(|exception| FaultKind::Tlb {
                exception,
                direction: Direction::Fetch,
            })
    }
}
