//! Memory access through the operand cache. With copy-back, stored data remain in a line until it is written
//! back.
//!
//! | area | with CCR.OCE |
//! |---|---|
//! | P0, P3 | cached; copied back, or written through under CCR.WT |
//! | P1 | cached; written through, or copied back under CCR.CB |
//! | P2, P4, area 7 | not cached |
//!
//! Instruction fetches bypass the operand cache. As on the chip, they do not see code in a dirty line. If
//! there is an instruction cache, the [`Backing`] models it.

use crate::Memory;
use crate::cache::{LINE, OperandCache, bytes_mask, ccr};
use sh4::{Bus, BusError, CacheOperation, Interrupt};

/// Memory from which an operand cache fills lines, and to which it writes them back.
pub trait Backing: Bus {
    /// The operand cache.
    fn operand_cache(&mut self) -> &mut OperandCache;
    /// True if accesses at `address` may use the cache. Accesses to devices bypass it.
    fn is_cacheable(&self, _address: u32) -> bool {
        true
    }
    /// Reads the 32 bytes at `address`; `None` if there is no memory.
    fn read_line(&self, address: u32) -> Option<[u8; LINE as usize]>;
    /// Writes a line back; false if there is no memory.
    fn write_line(&mut self, address: u32, data: &[u8; LINE as usize]) -> bool;
    /// Called before the CPU reads these bytes of a line. Bits of `stale` mark the bytes that may have
    /// changed in memory ([`OperandCache::mark_stale`]).
    ///
    /// # Errors
    /// [`BusError::Deferred`] requests the exact time: the CPU passes it to [`Bus::begin_deferred`] and
    /// repeats the access.
    fn reads_stale(&mut self, _address: u32, _held: &[u8], _stale: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// Called before a dirty line overwrites memory. Bits of `stale` mark the bytes that may have changed in
    /// memory since the line was filled.
    ///
    /// # Errors
    /// [`BusError::Deferred`]; see [`Backing::reads_stale`].
    fn writes_stale(&mut self, _address: u32, _data: &[u8], _stale: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// Called before the CPU reads data, with or without the cache.
    ///
    /// # Errors
    /// [`BusError::Deferred`]; see [`Backing::reads_stale`].
    #[inline(always)]
    fn before_read(&mut self, _address: u32, _bytes: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// Called before the CPU writes, with or without the cache.
    ///
    /// # Errors
    /// [`BusError::Deferred`]; see [`Backing::reads_stale`].
    #[inline(always)]
    fn before_write(&mut self, _address: u32, _bytes: u32) -> Result<(), BusError> {
        Ok(())
    }
    /// Called after the CPU wrote, with or without the cache.
    #[inline(always)]
    fn after_write(&mut self, _address: u32, _bytes: u32) {}
    /// Called after a store that bypassed the cache.
    #[inline(always)]
    fn stored_uncached(&mut self, _address: u32, _bytes: u32) {}
    /// Called after a store that changed a line; memory may be unchanged.
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

/// The CPU's view of a memory through its operand cache. DMA and the host access the memory directly.
pub struct Cached<'a, M> {
    memory: &'a mut M,
    /// Address of the byte that a running TAS.B accesses without the cache.
    uncached: Option<u32>,
}

impl<'a, M: Backing> Cached<'a, M> {
    /// Creates the view of `memory` through its cache.
    pub fn new(memory: &'a mut M) -> Self {
        Self {
            memory,
            uncached: None,
        }
    }

    /// True if accesses at `address` use the cache.
    fn is_cached(&mut self, address: u32) -> bool {
        let uncached = self.uncached == Some(address);
        if !uncached {
            self.uncached = None;
        }
        !uncached && self.memory.operand_cache().covers(address) && self.memory.is_cacheable(address)
    }

    /// True if a store at `address` uses copy-back; otherwise it uses write-through.
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
            let stale = line.stale;
            let data = *self.memory.operand_cache().data(index);
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

    /// Returns the index of the line that contains `address`. On a miss, fills the line from memory.
    #[inline]
    fn fill(&mut self, address: u32) -> Result<usize, BusError> {
        let index = self.memory.operand_cache().index(address);
        if self.memory.operand_cache().hits(index, address) {
            return Ok(index);
        }
        self.miss(index, address)
    }

    /// Fills the line at `index` from memory, after writing back its dirty data.
    #[inline(never)]
    fn miss(&mut self, index: usize, address: u32) -> Result<usize, BusError> {
        let start = address & !(LINE - 1);
        let data = self.memory.read_line(start).ok_or(BusError::Unmapped)?;
        self.write_back(index)?;
        self.memory.operand_cache().claim(index, address);
        *self.memory.operand_cache().data(index) = data;
        Ok(index)
    }

    #[inline]
    fn load<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        let index = self.fill(address)?;
        let offset = (address & (LINE - 1)) as usize;
        let stale = self.memory.operand_cache().line(index).stale;
        let stale = (stale >> offset) & bytes_mask(0, N as u32);
        // An unaligned access may leave the line. This happens only if the CPU's checks are disabled.
        let data = self.memory.operand_cache().data(index);
        let bytes = data.get(offset..).and_then(|rest| rest.first_chunk());
        let bytes = bytes.copied().ok_or(BusError::Refused)?;
        if stale != 0 {
            self.memory.reads_stale(address, &bytes, stale)?;
        }
        Ok(bytes)
    }

    /// Stores through the cache. Copy-back allocates a line, write-through does not (SH7750 manual 4.3.4). If
    /// it returns true, the caller must write to memory.
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
        let offset = (address & (LINE - 1)) as usize;
        let data = self.memory.operand_cache().data(index);
        let target = data.get_mut(offset..).and_then(|rest| rest.first_chunk_mut());
        *target.ok_or(BusError::Refused)? = value;
        let line = self.memory.operand_cache().line(index);
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
            self.uncached = None;
            if through {
                self.memory.$write(address, value)?;
            }
            self.memory.after_write(address, size_of::<$value>() as u32);
            if !cached {
                self.memory.stored_uncached(address, size_of::<$value>() as u32);
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

    /// Fills the line of a cached address. Ignores errors, such as an address without memory.
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

    /// Stores a word and allocates its line. On a miss the other bytes keep the line's old contents, which
    /// the manual calls undefined. With write-through it is an ordinary store.
    fn write32_allocate(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        if !self.is_cached(address) || !self.copies_back(address) {
            return self.write32(address, value);
        }
        let index = self.memory.operand_cache().index(address);
        if !self.memory.operand_cache().hits(index, address) {
            // Discards the data: the read only checks that the address has memory.
            self.memory
                .read_line(address & !(LINE - 1))
                .ok_or(BusError::Unmapped)?;
            self.write_back(index)?;
            self.memory.operand_cache().claim(index, address);
        }
        self.write32(address, value)
    }

    /// Removes the line, so that the two following accesses reach memory (SH7750 manual, TAS.B).
    fn purge_for_test_and_set(&mut self, address: u32) -> Result<(), BusError> {
        self.cache(CacheOperation::Purge, address)?;
        self.uncached = Some(address);
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
