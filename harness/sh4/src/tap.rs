//! A bus that records accesses.

use crate::observer::{Access, Observer};
use crate::translation::Translation;
use crate::{Bus, BusError, CacheOperation, Direction, Interrupt};

/// Room for the accesses of a block; no block makes more.
pub(crate) const BLOCK: usize = 256;
/// Room for the accesses of one instruction, which makes at most two.
pub(crate) const INSTRUCTION: usize = 4;

/// A bus that records accesses and skipped instructions. With `dyn Bus`, the compiler instantiates the
/// operations only once, in this crate. `PLACES` is a power of two of at most 256.
pub(crate) struct Tap<'a, B: ?Sized, const PLACES: usize = BLOCK> {
    bus: &'a mut B,
    /// First source of performance counts. If it has no count, the bus supplies it.
    observer: Option<&'a mut dyn Observer>,
    /// True if the CPU's own registers appear at addresses that the bus leaves unmapped.
    own: bool,
    skips: u32,
    count: u8,
    accesses: [Access; PLACES],
}

impl<'a, B: Bus + ?Sized, const PLACES: usize> Tap<'a, B, PLACES> {
    pub(crate) fn new(bus: &'a mut B, observer: Option<&'a mut dyn Observer>, own: bool) -> Self {
        let none = Access {
            address: 0,
            size: 0,
            direction: Direction::Read,
            value: 0,
        };
        Tap {
            bus,
            observer,
            own,
            skips: 0,
            count: 0,
            accesses: [none; PLACES],
        }
    }

    pub(crate) fn bus(&mut self) -> &mut B {
        self.bus
    }

    /// Drops the recorded accesses.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.count, self.skips) = (0, 0);
    }

    /// Replaces the recorded accesses.
    pub(crate) fn replace(&mut self, accesses: &[Access]) {
        self.clear();
        accesses.iter().for_each(|access| self.note(*access));
    }

    #[inline(always)]
    pub(crate) fn accesses(&self) -> &[Access] {
        &self.accesses[..usize::from(self.count).min(PLACES)]
    }

    #[inline(always)]
    pub(crate) fn skips(&self) -> u32 {
        self.skips
    }

    #[inline(always)]
    fn note(&mut self, access: Access) {
        self.accesses[usize::from(self.count) % PLACES] = access;
        self.count = self.count.wrapping_add(1);
    }

    #[inline(always)]
    fn note_write(&mut self, address: u32, size: u8, value: u64) {
        self.note(Access {
            address,
            size,
            direction: Direction::Write,
            value,
        });
    }
}

macro_rules! pass_through {
    ($($read:ident $write:ident $size:literal $value:ty;)+) => {$(
        #[inline(always)]
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            let value = self.bus.$read(address);
            self.note(Access {
                address,
                size: $size,
                direction: Direction::Read,
                value: value.unwrap_or(0).into(),
            });
            value
        }

        #[inline(always)]
        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.note_write(address, $size, value.into());
            self.bus.$write(address, value)
        }
    )+};
}

impl<B: Bus + ?Sized, const PLACES: usize> Bus for Tap<'_, B, PLACES> {
    pass_through! {
        read8 write8 1 u8;
        read16 write16 2 u16;
        read32 write32 4 u32;
        read64 write64 8 u64;
    }

    #[inline(always)]
    fn translation(&mut self) -> Option<&mut Translation> {
        self.bus.translation()
    }

    #[inline(always)]
    fn is_tapped(&self) -> bool {
        self.own
    }

    #[inline(always)]
    fn skipped(&mut self, skipped: u32) {
        self.skips = self.skips << 1 | skipped;
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.bus.fetch(address)
    }

    #[inline]
    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        self.note(Access {
            address,
            size: 32,
            direction: Direction::Read,
            value: 0,
        });
        self.bus.prefetch(address)
    }

    fn cache(&mut self, operation: CacheOperation, address: u32) -> Result<(), BusError> {
        self.note_write(address, 32, 0);
        self.bus.cache(operation, address)
    }

    fn write32_allocate(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.note_write(address, 4, value.into());
        self.bus.write32_allocate(address, value)
    }

    fn purge_for_test_and_set(&mut self, address: u32) -> Result<(), BusError> {
        self.bus.purge_for_test_and_set(address)
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
        let count = self.observer.as_mut().and_then(|observer| observer.count(event));
        count.or_else(|| self.bus.performance_count(event))
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.bus.code_watch(address, bytes);
    }

    #[inline(always)]
    fn code_epoch(&self) -> u64 {
        self.bus.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.bus.code_version(address)
    }
}
