//! Memory through the operand cache: what is stored stays in a line until it is written back.
//!
//! | area | with CCR.OCE |
//! |---|---|
//! | P0, P3 | cached; copied back, or written through under CCR.WT |
//! | P1 | cached; written through, or copied back under CCR.CB |
//! | P2, P4, area 7 | not cached |
//!
//! Instructions are fetched from the memory behind the cache: code that is still in a dirty line is not
//! seen, as on the
//! chip. An instruction cache, if there is one, is the memory's own.

use crate::Memory;
use crate::cache::{LINE, OperandCache, bytes_mask, ccr};
use sh4::{Bus, BusError, CacheOperation, Interrupt};

/// Memory behind an operand cache: what the cache fills lines from and writes them back to.
pub trait Backing: Bus {
    /// The cache itself.
    fn operand_cache(&mut self) -> &mut OperandCache;
    /// Whether accesses at `address` may go through the cache: devices answer past it.
    fn is_cacheable(&self, _address: u32) -> bool {
        true
    }
    /// The 32 bytes at `address`; nothing where there is no memory.
    fn read_line(&self, address: u32) -> Option<[u8; LINE as usize]>;
    /// Writes a line back; false where there is no memory.
    fn write_line(&mut self, address: u32, data: &[u8; LINE as usize]) -> bool;
    /// The CPU is about to read these bytes of a line. Memory may hold others where `stale` has a bit
    /// ([`OperandCache::mark_stale`]).
    ///
    /// # Errors
    /// [`BusError::Deferred`] to be asked again with the time.
    fn reads_stale(&mut self, _address: u32, _held: &[u8], _stale: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// A dirty line is about to be written over memory that may have got bytes since the line was filled,
    /// where `stale`
    /// has a bit.
    ///
    /// # Errors
    /// As [`Backing::reads_stale`].
    fn writes_stale(&mut self, _address: u32, _data: &[u8], _stale: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// The CPU is about to read memory of its program, through the cache or past it.
    ///
    /// # Errors
    /// As [`Backing::reads_stale`].
    #[inline(always)]
    fn before_read(&mut self, _address: u32, _bytes: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// The CPU is about to write, through the cache or past it.
    ///
    /// # Errors
    /// As [`Backing::reads_stale`].
    #[inline(always)]
    fn before_write(&mut self, _address: u32, _bytes: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// The CPU has written, through the cache or past it.
    #[inline(always)]
    fn after_write(&mut self, _address: u32, _bytes: u32) {}
    /// A store has gone past the cache.
    #[inline(always)]
    fn stored_past(&mut self, _address: u32, _bytes: u32) {}
    /// A store has changed a line, and memory perhaps not.
    #[inline(always)]
    fn stored_in_line(&mut self, _address: u32) {}
}

impl Backing for Memory {
    fn operand_cache(&mut self) -> &mut OperandCache {
        &mut self.cache
    }

    fn read_line(&self, address: u32) -> Option<[u8; LINE as usize]> {
        self.read(address, LINE).ok()?.try_into().ok()
    }

    fn write_line(&mut self, address: u32, data: &[u8; LINE as usize]) -> bool {
        self.write(address, data).is_ok()
    }
}

/// A memory, seen by the CPU through its cache. DMA and the host see the memory itself.
pub struct Cached<'a, M> {
    memory: &'a mut M,
    /// The byte that TAS.B works on past the cache.
    past: Option<u32>,
}

impl<'a, M: Backing> Cached<'a, M> {
    /// The view of `memory` through its cache.
    pub fn new(memory: &'a mut M) -> Self {
        Self { memory, past: None }
    }

    /// Whether accesses at `address` go through the cache.
    fn is_cached(&mut self, address: u32) -> bool {
        let past = self.past == Some(address);
        if !past {
            self.past = None;
        }
        !past && self.memory.operand_cache().covers(address) && self.memory.is_cacheable(address)
    }

    /// Whether a store at `address` stays in the line.
    fn copies_back(&mut self, address: u32) -> bool {
        if address >> 29 == 4 {
            self.memory.operand_cache().has(ccr::CB)
        } else {
            !self.memory.operand_cache().has(ccr::WT)
        }
    }

    fn write_back(&mut self, index: usize) -> Result<(), BusError> {
        let line = self.memory.operand_cache().line(index);
        if line.stale != 0 && line.dirty && line.valid {
            let (data, stale) = (line.data, line.stale);
            let address = self.memory.operand_cache().address(index);
            self.memory.writes_stale(address, &data, stale)?;
        }
        match self.memory.operand_cache().clean(index) {
            Some((address, data)) => match self.memory.write_line(address, &data) {
                true => Ok(()),
                false => Err(BusError::Unmapped),
            },
            None => Ok(()),
        }
    }

    /// The line of `address`, read from memory unless it is there.
    #[inline]
    fn fill(&mut self, address: u32) -> Result<usize, BusError> {
        let index = self.memory.operand_cache().index(address);
        if self.memory.operand_cache().hits(index, address) {
            return Ok(index);
        }
        self.miss(index, address)
    }

    #[inline(never)]
    fn miss(&mut self, index: usize, address: u32) -> Result<usize, BusError> {
        let start = address & !(LINE - 1);
        let data = self.memory.read_line(start).ok_or(BusError::Unmapped)?;
        self.write_back(index)?;
        self.memory.operand_cache().claim(index, address).data = data;
        Ok(index)
    }

    #[inline]
    fn load<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        let index = self.fill(address)?;
        let offset = (address & (LINE - 1)) as usize;
        let line = self.memory.operand_cache().line(index);
        let stale = (line.stale >> offset) & bytes_mask(0, N as u32);
        // An access that is not aligned may leave the line: only with the CPU's checks turned off.
        let bytes = line.data.get(offset..).and_then(|rest| rest.first_chunk());
        let bytes = bytes.copied().ok_or(BusError::Refused)?;
        if stale != 0 {
            self.memory.reads_stale(address, &bytes, stale)?;
        }
        Ok(bytes)
    }

    /// A store through the cache. Copying back allocates; writing through does not (SH7750 manual 4.3.4), so
    /// the caller has to write to memory where this returns true.
    #[inline]
    fn store<const N: usize>(&mut self, address: u32, value: [u8; N]) -> Result<bool, BusError> {
        let copies_back = self.copies_back(address);
        let index = self.memory.operand_cache().index(address);
        if !self.memory.operand_cache().hits(index, address) {
            if !copies_back {
                return Ok(true);
            }
            self.miss(index, address)?;
        }
        let line = self.memory.operand_cache().line(index);
        let offset = (address & (LINE - 1)) as usize;
        let target = line
            .data
            .get_mut(offset..)
            .and_then(|rest| rest.first_chunk_mut());
        *target.ok_or(BusError::Refused)? = value;
        line.dirty |= copies_back;
        line.stale &= !bytes_mask(address, N as u32);
        self.memory.stored_in_line(address);
        Ok(!copies_back)
    }
}

macro_rules! through_the_cache {
    ($($read:ident $write:ident $value:ty;)+) => {$(
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.memory.before_read(address, size_of::<$value>() as u32)?;
            if self.is_cached(address) {
                self.load(address).map(<$value>::from_le_bytes)
            } else {
                self.memory.$read(address)
            }
        }

        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.memory.before_write(address, size_of::<$value>() as u32)?;
            let cached = self.is_cached(address);
            let through = !cached || self.store(address, value.to_le_bytes())?;
            self.past = None;
            if through {
                self.memory.$write(address, value)?;
            }
            self.memory.after_write(address, size_of::<$value>() as u32);
            if !cached {
                self.memory.stored_past(address, size_of::<$value>() as u32);
            }
            Ok(())
        }
    )+};
}

impl<M: Backing> Bus for Cached<'_, M> {
    through_the_cache! {
        read8 write8 u8;
        read16 write16 u16;
        read32 write32 u32;
        read64 write64 u64;
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.memory.fetch(address)
    }

    /// Fills the line; never an error, even where nothing is mapped.
    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        if self.is_cached(address) {
            let _ = self.fill(address);
            return Ok(());
        }
        self.memory.prefetch(address)
    }

    fn send_store_queue(&mut self, address: u32, physical: u32) -> Result<(), BusError> {
        self.memory.send_store_queue(address, physical)
    }

    fn cache(&mut self, operation: CacheOperation, address: u32) -> Result<(), BusError> {
        if !self.is_cached(address) {
            return Ok(());
        }
        let index = self.memory.operand_cache().index(address);
        if !self.memory.operand_cache().hits(index, address) {
            return Ok(());
        }
        if operation != CacheOperation::Invalidate {
            self.write_back(index)?;
        }
        if operation != CacheOperation::WriteBack {
            let line = self.memory.operand_cache().line(index);
            (line.valid, line.dirty) = (false, false);
        }
        Ok(())
    }

    /// A miss allocates a dirty line whose other bytes are what the line held before: undefined, says the
    /// manual. Where stores go through, it is a store.
    fn write32_allocate(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        if !self.is_cached(address) || !self.copies_back(address) {
            return self.write32(address, value);
        }
        let index = self.memory.operand_cache().index(address);
        if !self.memory.operand_cache().hits(index, address) {
            // Nothing is read, but there must be something to write to.
            self.memory
                .read_line(address & !(LINE - 1))
                .ok_or(BusError::Unmapped)?;
            self.write_back(index)?;
            self.memory.operand_cache().claim(index, address);
        }
        self.write32(address, value)
    }

    /// The line goes, and the two accesses that follow reach memory (SH7750 manual, TAS.B).
    fn purge_for_test_and_set(&mut self, address: u32) -> Result<(), BusError> {
        self.cache(CacheOperation::Purge, address)?;
        self.past = Some(address);
        Ok(())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.memory.interrupt()
    }

    fn begin_deferred(&mut self, retired: u64, elapsed: Option<u64>) {
        self.memory.begin_deferred(retired, elapsed);
    }

    fn deferred_pc(&mut self, pc: u32) {
        self.memory.deferred_pc(pc);
    }

    fn end_deferred(&mut self) -> bool {
        self.memory.end_deferred()
    }

    fn performance_count(&mut self, event: u8) -> Option<u64> {
        self.memory.performance_count(event)
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.memory.code_watch(address, bytes);
    }

    fn code_epoch(&self) -> u64 {
        self.memory.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.memory.code_version(address)
    }
}
