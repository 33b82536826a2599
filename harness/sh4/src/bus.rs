//! The bus: memory and devices as the CPU accesses them.

use crate::translation::Translation;

/// A cache instruction of the manual's section 4 (SH7750), addressed by an operand address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheOperation {
    /// OCBI: invalidate the line, discarding dirty data.
    Invalidate,
    /// OCBP: write a dirty line back, and invalidate.
    Purge,
    /// OCBWB: write a dirty line back, and keep it.
    WriteBack,
}

/// An access that the bus refuses; the CPU turns it into a [`Fault`](crate::Fault) that names
/// program counter, instruction and address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BusError {
    /// No memory or device is mapped at this address.
    #[error("nothing is mapped there")]
    Unmapped,
    /// The memory's permissions forbid the access.
    #[error("the memory there does not permit it")]
    Protected,
    /// The device cannot do this kind or size of access.
    #[error("the device there does not support an access of this kind or size")]
    Refused,
    /// The device needs the exact time for its answer. The CPU leaves the block, passes the number of
    /// executed instructions to the bus ([`Bus::begin_deferred`]), and repeats the access.
    #[error("the device there needs the exact time, which the CPU did not supply")]
    Deferred,
}

/// An interrupt request from the interrupt controller to the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interrupt {
    /// 1 to 15; accepted if greater than SR.IMASK.
    pub level: u8,
    /// The value for INTEVT: 200 + 20n for IRL code n, 400 for TMU0 and so on.
    pub code: u16,
}

state::fields!(Interrupt { level, code } check(|interrupt: &Interrupt| interrupt.level < 16));

/// Plain memory of a bus: reads and writes have no side effects, but the bus records writes to watched lines.
/// PREF and the cache instructions have no effect.
#[derive(Debug)]
pub struct Window<'a> {
    /// The memory: a power of two of at least 64 bytes.
    pub bytes: &'a mut [u8],
    /// One word for each 64-byte line of the memory. If it is not 0, writes to the line must go through the
    /// bus, which records them. See [`CodeWatch::versions`](crate::watch::CodeWatch::versions).
    pub watched: &'a [u32],
    /// An address is inside if `address & select == value`. The address bits below the memory's size are the
    /// offset in the memory.
    pub select: u32,
    /// See `select`.
    pub value: u32,
    /// The two store queues, if a privileged write to them has no other effect; otherwise `None`. Such writes
    /// go to E0000000 to E3FFFFFF, where the queues repeat every 64 bytes (SH7750 manual, section 4.7).
    pub queues: Option<&'a mut [u8; 64]>,
    /// The on-chip RAM, if it exists and accesses to it have no other effect.
    pub on_chip_ram: Option<OnChipRam<'a>>,
    /// A second memory, if accesses to it have no other effect than a mark at each write; otherwise `None`.
    pub marked: Option<MarkedMemory<'a>>,
    /// True if only the CPU changes the memory while it runs, apart from deferred reads. Compiled code can
    /// then skip the iterations of a loop that waits for a value in memory.
    pub steady: bool,
}

/// The on-chip RAM of the operand cache with CCR.ORA, at 7C000000 to 7FFFFFFF (SH7750 manual 4.3.5).
#[derive(Debug)]
pub struct OnChipRam<'a> {
    /// Data of the whole operand cache. The RAM's two areas of 4 KiB begin at offsets 1000 and 3000.
    pub data: &'a mut [u8; 0x4000],
    /// Address bit that selects the area: 13, or 25 with CCR.OIX.
    pub area_bit: u8,
}

/// Memory of a device that has to know which pages were written, like video memory. A write of at most 8
/// bytes stores `mark` in the word of its page.
#[derive(Debug)]
pub struct MarkedMemory<'a> {
    /// The memory: a power of two of bytes.
    pub bytes: &'a mut [u8],
    /// The marks: a power of two of words. They repeat if the memory has more pages.
    pub marks: &'a mut [u64],
    /// The value that a write stores.
    pub mark: u64,
    /// Size of a page in bytes: a power of two of at least 8.
    pub page: u32,
    /// An address is inside if `address & select == value`, as in [`Window`].
    pub select: u32,
    /// See `select`.
    pub value: u32,
}

/// The answer to a read at a known time. It is valid until the next event, and until the CPU stores to a
/// device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedRead {
    /// The value.
    pub value: u64,
    /// The same read can give another value when the CPU has executed this number of instructions.
    pub until: u64,
    /// If it is not 0, the value is 1 less from `until` on, and decreases again after every `period`
    /// instructions.
    pub period: u64,
}

/// Memory and devices as the CPU sees them. Addresses are the program's 32-bit effective addresses,
/// already checked for alignment (unless `Settings` turns that off); values are little-endian.
///
/// The three `code_` methods let decoded blocks notice writes to code.
/// [`watch::CodeWatch`](crate::watch::CodeWatch) keeps the versions for a memory. If the code of a bus never
/// changes while the CPU lives, the bus can return constants.
pub trait Bus {
    /// Reads a byte.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn read8(&mut self, address: u32) -> Result<u8, BusError>;
    /// Reads two bytes.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn read16(&mut self, address: u32) -> Result<u16, BusError>;
    /// Reads four bytes.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn read32(&mut self, address: u32) -> Result<u32, BusError>;
    /// Reads eight bytes (FMOV with SZ = 1); the low half is the word at the lower address.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn read64(&mut self, address: u32) -> Result<u64, BusError>;
    /// Writes a byte.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError>;
    /// Writes two bytes.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError>;
    /// Writes four bytes.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError>;
    /// Writes eight bytes (FMOV with SZ = 1); the low half goes to the lower address.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError>;

    /// Reads an instruction. Must have no side effect: the CPU decodes ahead of execution.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn fetch(&mut self, address: u32) -> Result<u16, BusError>;

    /// PREF. At E0000000-E3FFFFFF it sends a store queue; elsewhere it must not fail.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn prefetch(&mut self, address: u32) -> Result<(), BusError>;

    /// PREF at a store queue under address translation: sends the queue selected by bit 5 of `address` to the
    /// 32 bytes at `physical`, a 29-bit physical address. QACR has no effect (SH7750 manual 4.6.3).
    ///
    /// # Errors
    /// If the address does not accept a burst. By default, no address does.
    fn send_store_queue(&mut self, _address: u32, _physical: u32) -> Result<(), BusError> {
        Err(BusError::Refused)
    }

    /// OCBI, OCBP, OCBWB. A bus without a cache ignores them.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn cache(&mut self, _operation: CacheOperation, _address: u32) -> Result<(), BusError> {
        Ok(())
    }

    /// MOVCA.L: a store that allocates the line without reading it. Without a cache, a store.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn write32_allocate(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.write32(address, value)
    }

    /// TAS.B purges its cache line before the read. A bus without a cache ignores this.
    ///
    /// # Errors
    /// If the bus refuses the access.
    fn purge_for_test_and_set(&mut self, _address: u32) -> Result<(), BusError> {
        Ok(())
    }

    /// The interrupt line: the request with the highest level from the bus's devices. The CPU reads it when a
    /// run begins and when [`Bus::code_epoch`] has changed.
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }

    /// The CPU calls this after the bus has answered an access of an instruction with
    /// [`BusError::Deferred`], and before it repeats the instruction's accesses. `retired` is the number of
    /// instructions that the CPU has executed before this one ([`Cpu::retired`](crate::Cpu::retired)).
    /// `elapsed` is the observer's cycle count before this instruction
    /// ([`Observer::elapsed`](crate::Observer::elapsed)). The bus must not defer the repeated accesses.
    fn begin_deferred(&mut self, _retired: u64, _elapsed: Option<u64>) {}

    /// The address of the instruction that [`Bus::begin_deferred`] announces, for reports about its accesses.
    fn deferred_pc(&mut self, _pc: u32) {}

    /// The CPU calls this after the repeated instruction. If it returns true, the run ends after the
    /// instruction with [`Stop::Yield`](crate::Stop::Yield), because the instruction has changed the caller's
    /// deadline or an interrupt request.
    fn end_deferred(&mut self) -> bool {
        false
    }

    /// Answers a deferred read of `1 << log2` bytes, given the number of executed instructions. Returns the
    /// value if the read needs only the time and has no side effect. Otherwise compiled code leaves its
    /// block.
    fn read_timed(&mut self, _address: u32, _log2: u32, _retired: u64) -> Option<TimedRead> {
        None
    }

    /// The number of times that performance event `event` (PMCR bits 5-0) has happened; it never decreases.
    /// `None` if the bus does not count the event. The CPU itself counts only instructions. Other events
    /// without a count read 0, and [`Cpu::uncounted_events`](crate::Cpu::uncounted_events) names them. See
    /// [`PerformanceSource`](crate::PerformanceSource).
    fn performance_count(&mut self, _event: u8) -> Option<u64> {
        None
    }

    /// The CPU has decoded `bytes` bytes at `address`. The bus must notice writes to them.
    fn code_watch(&mut self, address: u32, bytes: u32);

    /// A number that changes whenever any watched byte may have been written, or [`Bus::interrupt`] has
    /// changed. The CPU compares it before every block and after every store.
    fn code_epoch(&self) -> u64;

    /// A number that changes whenever a watched byte of the 64-byte line at `address` may have been written.
    /// The CPU reads it only after the epoch has changed.
    fn code_version(&self, address: u32) -> u64;

    /// Memory that compiled code may access directly. All other accesses, and writes to watched lines, use
    /// the bus. A bus that offers it does not change [`Bus::code_epoch`] in reads.
    fn window(&mut self) -> Option<Window<'_>> {
        None
    }

    /// Returns true if an operation that accesses an unmapped address tries the CPU's own registers itself.
    /// If false, the operation leaves its block, and the run loop repeats it on a wrapper that returns true.
    /// The code of the operations for other buses is then smaller.
    #[doc(hidden)]
    #[inline(always)]
    fn is_tapped(&self) -> bool {
        false
    }

    /// The results of address translation for the next accesses. Only the CPU's wrapper around another bus
    /// has them.
    #[doc(hidden)]
    #[inline(always)]
    fn translation(&mut self) -> Option<&mut Translation> {
        None
    }

    /// Records that a branch over one instruction has run as part of a block. `skipped` is 1 if it skipped
    /// the instruction.
    #[doc(hidden)]
    #[inline(always)]
    fn skipped(&mut self, _skipped: u32) {}
}
