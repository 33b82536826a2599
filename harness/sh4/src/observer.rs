//! Listening to what the CPU does.

use crate::table::Id;
use crate::{Bus, BusError, CacheOperation, Direction};

/// A data access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Effective address.
    pub address: u32,
    /// Bytes: 1, 2, 4, 8; 32 for PREF and the cache instructions.
    pub size: u8,
    /// Read or write. PREF is a read, the cache instructions are writes.
    pub direction: Direction,
    /// What a write of up to 32 bits stores, the low word of a longer one; 0 for reads.
    pub value: u32,
}

/// An instruction that ran to its end.
#[derive(Clone, Copy, Debug)]
pub struct Retired<'a> {
    /// Its address.
    pub pc: u32,
    /// Its opcode.
    pub opcode: u16,
    /// What it is.
    pub id: Id,
    /// Destination register field, scaled to the first register it names; 0 without one.
    pub n: u8,
    /// Source register field, likewise.
    pub m: u8,
    /// Whether it stood in a delay slot.
    pub in_slot: bool,
    /// For a branch: whether it was taken.
    pub taken: bool,
    /// Its data accesses in order; at most two.
    pub accesses: &'a [Access],
}

/// Hears of every instruction, in program order: a branch before its slot. Cycle costs are its business.
pub trait Observer {
    /// False leaves the calls out at compile time.
    const ENABLED: bool = true;

    /// `event` has just run.
    fn retire(&mut self, event: &Retired<'_>);
}

/// Does not listen, and costs nothing.
impl Observer for () {
    const ENABLED: bool = false;

    fn retire(&mut self, _event: &Retired<'_>) {}
}

impl<O: Observer> Observer for &mut O {
    const ENABLED: bool = O::ENABLED;

    fn retire(&mut self, event: &Retired<'_>) {
        (**self).retire(event);
    }
}

/// What the run loop drives: a bus, and whoever listens beside it.
pub(crate) trait World {
    /// What operations access.
    type Bus: Bus;
    /// Whether `begin` and `retire` want to be called.
    const OBSERVED: bool;

    fn bus(&mut self) -> &mut Self::Bus;

    /// An instruction begins.
    fn begin(&mut self);

    /// It has run; its accesses are added to `event`.
    fn retire(&mut self, event: Retired<'_>);
}

/// A bus nobody listens to: operations reach it directly.
pub(crate) struct Quiet<'a, B>(pub(crate) &'a mut B);

impl<B: Bus> World for Quiet<'_, B> {
    type Bus = B;
    const OBSERVED: bool = false;

    #[inline(always)]
    fn bus(&mut self) -> &mut B {
        self.0
    }

    fn begin(&mut self) {}

    fn retire(&mut self, _event: Retired<'_>) {}
}

/// A bus that notes the accesses that pass through it, while an observer listens.
pub(crate) struct Recorder<'a, B, O> {
    bus: &'a mut B,
    observer: &'a mut O,
    accesses: [Access; 2],
    count: usize,
}

impl<'a, B: Bus, O: Observer> Recorder<'a, B, O> {
    pub(crate) fn new(bus: &'a mut B, observer: &'a mut O) -> Self {
        let none = Access {
            address: 0,
            size: 0,
            direction: Direction::Read,
            value: 0,
        };
        Recorder {
            bus,
            observer,
            accesses: [none; 2],
            count: 0,
        }
    }

    /// Read-modify-write instructions and TAS.B read and write; none does more than two.
    #[inline]
    fn note(&mut self, address: u32, size: u8, direction: Direction, value: u32) {
        if let Some(slot) = self.accesses.get_mut(self.count) {
            *slot = Access {
                address,
                size,
                direction,
                value,
            };
            self.count += 1;
        }
    }
}

impl<B: Bus, O: Observer> World for Recorder<'_, B, O> {
    type Bus = Self;
    const OBSERVED: bool = true;

    #[inline(always)]
    fn bus(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn begin(&mut self) {
        self.count = 0;
    }

    fn retire(&mut self, event: Retired<'_>) {
        self.observer.retire(&Retired {
            accesses: &self.accesses[..self.count],
            ..event
        });
    }
}

macro_rules! pass_through {
    ($($read:ident $write:ident $size:literal $value:ty;)+) => {$(
        #[inline]
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.note(address, $size, Direction::Read, 0);
            self.bus.$read(address)
        }

        #[inline]
        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.note(address, $size, Direction::Write, value as u32);
            self.bus.$write(address, value)
        }
    )+};
}

impl<B: Bus, O: Observer> Bus for Recorder<'_, B, O> {
    pass_through! {
        read8 write8 1 u8;
        read16 write16 2 u16;
        read32 write32 4 u32;
        read64 write64 8 u64;
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.bus.fetch(address)
    }

    #[inline]
    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        self.note(address, 32, Direction::Read, 0);
        self.bus.prefetch(address)
    }

    fn cache(&mut self, operation: CacheOperation, address: u32) -> Result<(), BusError> {
        self.note(address, 32, Direction::Write, 0);
        self.bus.cache(operation, address)
    }

    fn write32_allocate(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.note(address, 4, Direction::Write, value);
        self.bus.write32_allocate(address, value)
    }

    fn purge_for_test_and_set(&mut self, address: u32) -> Result<(), BusError> {
        self.bus.purge_for_test_and_set(address)
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.bus.code_watch(address, bytes);
    }

    #[inline]
    fn code_epoch(&self) -> u64 {
        self.bus.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.bus.code_version(address)
    }
}
