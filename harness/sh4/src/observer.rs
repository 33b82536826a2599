//! Listening to what the CPU does.

use crate::table::Id;
use crate::{Bus, BusError, CacheOperation, Direction, Interrupt, Taken};

/// A data access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Effective address.
    pub address: u32,
    /// Bytes: 1, 2, 4, 8; 32 for PREF and the cache instructions.
    pub size: u8,
    /// Read or write. PREF is a read, the cache instructions are writes.
    pub direction: Direction,
    /// What was read or written, zero-extended; 0 for PREF, the cache instructions and reads that failed.
    pub value: u64,
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

    /// An exception or interrupt was entered. Instructions that raised one are not retired, TRAPA is.
    fn taken(&mut self, _taken: &Taken) {}
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

    fn taken(&mut self, taken: &Taken) {
        (**self).taken(taken);
    }
}

/// What the run loop drives: a bus, and whoever listens beside it.
pub(crate) trait World {
    /// What operations access.
    type Bus: Bus;
    /// Whether `begin` and `retire` want to be called, and `tapped` knows the accesses.
    const OBSERVED: bool;

    fn bus(&mut self) -> &mut Self::Bus;

    /// An instruction begins.
    fn begin(&mut self);

    /// It has run; its accesses are added to `event`.
    fn retire(&mut self, event: Retired<'_>);

    /// An exception was entered.
    fn taken(&mut self, taken: &Taken);

    /// The accesses of the instruction that began last.
    fn tapped(&self) -> &[Access];
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

    fn taken(&mut self, _taken: &Taken) {}

    fn tapped(&self) -> &[Access] {
        &[]
    }
}

/// An observer as an object.
pub(crate) trait Listener {
    fn heard(&mut self, event: &Retired<'_>);
    fn heard_taken(&mut self, taken: &Taken);
}

impl<O: Observer> Listener for O {
    fn heard(&mut self, event: &Retired<'_>) {
        self.retire(event);
    }

    fn heard_taken(&mut self, taken: &Taken) {
        self.taken(taken);
    }
}

/// A bus that notes the accesses that pass through it. Bus and observer are objects here, so that the
/// operations for observed runs are compiled once, in this crate.
pub(crate) struct Tap<'a> {
    bus: &'a mut dyn Bus,
    accesses: [Access; 2],
    count: usize,
}

/// A tapped bus, and an observer.
pub(crate) struct Observed<'a> {
    tap: Tap<'a>,
    listener: &'a mut dyn Listener,
}

impl<'a> Observed<'a> {
    pub(crate) fn new(bus: &'a mut dyn Bus, listener: &'a mut dyn Listener) -> Self {
        let none = Access {
            address: 0,
            size: 0,
            direction: Direction::Read,
            value: 0,
        };
        let tap = Tap {
            bus,
            accesses: [none; 2],
            count: 0,
        };
        Observed { tap, listener }
    }
}

impl<'a> World for Observed<'a> {
    type Bus = Tap<'a>;
    const OBSERVED: bool = true;

    #[inline(always)]
    fn bus(&mut self) -> &mut Self::Bus {
        &mut self.tap
    }

    #[inline]
    fn begin(&mut self) {
        self.tap.count = 0;
    }

    fn retire(&mut self, event: Retired<'_>) {
        self.listener.heard(&Retired {
            accesses: &self.tap.accesses[..self.tap.count],
            ..event
        });
    }

    fn taken(&mut self, taken: &Taken) {
        self.listener.heard_taken(taken);
    }

    fn tapped(&self) -> &[Access] {
        &self.tap.accesses[..self.tap.count]
    }
}

impl Tap<'_> {
    /// Read-modify-write instructions and TAS.B read and write; none does more than two. What is read is filled
    /// in behind the access.
    #[inline]
    fn note(&mut self, address: u32, size: u8, direction: Direction, value: u64) {
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

    #[inline]
    fn note_read(&mut self, value: u64) {
        if let Some(slot) = self.accesses.get_mut(self.count.wrapping_sub(1)) {
            slot.value = value;
        }
    }
}

macro_rules! pass_through {
    ($($read:ident $write:ident $size:literal $value:ty;)+) => {$(
        #[inline]
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.note(address, $size, Direction::Read, 0);
            let value = self.bus.$read(address)?;
            self.note_read(value.into());
            Ok(value)
        }

        #[inline]
        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.note(address, $size, Direction::Write, value.into());
            self.bus.$write(address, value)
        }
    )+};
}

impl Bus for Tap<'_> {
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
        self.note(address, 4, Direction::Write, value.into());
        self.bus.write32_allocate(address, value)
    }

    fn purge_for_test_and_set(&mut self, address: u32) -> Result<(), BusError> {
        self.bus.purge_for_test_and_set(address)
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.bus.interrupt()
    }

    fn performance_count(&mut self, event: u8) -> Option<u64> {
        self.bus.performance_count(event)
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
