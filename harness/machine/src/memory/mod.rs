//! Memory of the machine: the parts of the console's memory map that kernels use.
//!
//! | addresses | contents |
//! |---|---|
//! | physical 0C000000-0FFFFFFF | 16 MiB of RAM and its mirrors, through P0, P1, P2 and P3 |
//! | 7C000000-7FFFFFFF | on-chip RAM, if CCR.ORA |
//! | E0000000-E3FFFFFF | store queues: 32-bit and 64-bit stores; PREF sends one as 32 bytes |
//! | F0000000, F1000000 | arrays of the instruction cache: writes have no effect, since it is coherent |
//! | F4000000, F5000000 | arrays of the operand cache |
//! | FF00001C, FF000038, FF00003C | CCR, QACR0, QACR1 |
//! | the other on-chip registers | [`OnChipPeripherals`](crate::OnChipPeripherals), if attached |
//! | physical 10000000-107FFFFF | tile accelerator: takes 32-byte bursts, kept in order |
//! | regions of [`Memory::map`] | plain memory |
//!
//! The CPU uses the operand cache if the machine enables it ([`CacheMode`](crate::CacheMode)). The host's
//! accesses bypass the cache. An access to any other address fails, and the error gives the address.

mod bus;
mod p4;

use crate::cache::OperandCache;
use crate::peripherals::OnChipPeripherals;
use sh4::PerformanceSource;
use sh4::watch::CodeWatch;
use std::fmt;
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// Size of the console's RAM, bytes.
const RAM_BYTES: u32 = 16 << 20;
/// Bits of a physical address.
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// Maximum total size of all regions in bytes. The console has only 26 MiB of memory.
const MAP_LIMIT: usize = 256 << 20;
/// Maximum number of blocks that the tile accelerator stores before the host reads them: 32 MiB, four times
/// the video memory.
const TA_LIMIT: usize = 1 << 20;

/// Memory of the machine; see the module documentation.
#[derive(Clone, Debug)]
pub struct Memory {
    ram: Vec<u8>,
    watch: CodeWatch,
    regions: Vec<Region>,
    /// Sum of the epochs of the regions' code watches.
    regions_epoch: u64,
    queues: [[u8; 32]; 2],
    qacr: [u32; 2],
    ta: Vec<[u32; 8]>,
    pub(crate) cache: OperandCache,
    peripherals: Option<Box<OnChipPeripherals>>,
    source: Option<Source>,
}

/// Source of performance counts. It is shared, because the caller can also use it as an observer of the CPU.
#[derive(Clone)]
struct Source(Arc<Mutex<dyn PerformanceSource + Send>>);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerformanceSource")
    }
}

#[derive(Clone, Debug)]
struct Region {
    start: u32,
    bytes: Vec<u8>,
    watch: CodeWatch,
}

/// Reason why an access from outside the CPU failed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MemoryError {
    /// A range that is not entirely memory.
    #[error("{size} bytes at {address:08x} are not all memory")]
    Unmapped {
        /// First address.
        address: u32,
        /// Length in bytes.
        size: u32,
    },
    /// A region that cannot be mapped.
    #[error("{size} bytes at {address:08x} cannot be mapped: {reason}")]
    Map {
        /// First address.
        address: u32,
        /// Length in bytes.
        size: u32,
        /// Reason.
        reason: &'static str,
    },
}

/// Location of an address: a block of memory, and the offset in it.
#[derive(Clone, Copy)]
enum Place {
    Ram(usize),
    Region(usize, usize),
}

/// Offset in RAM. Area 3, 0C000000 to 0FFFFFFF, contains the RAM four times; P4 (E0000000 and up) is not
/// memory.
#[inline(always)]
fn ram_offset(address: u32) -> Option<usize> {
    let ram = address & 0x1C00_0000 == 0x0C00_0000 && address < 0xE000_0000;
    ram.then_some((address & (RAM_BYTES - 1)) as usize)
}

/// Returns the `N` bytes at `offset`.
#[inline(always)]
fn chunk<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}

#[inline(always)]
fn chunk_mut<const N: usize>(bytes: &mut [u8], offset: usize) -> Option<&mut [u8; N]> {
    bytes.get_mut(offset..)?.first_chunk_mut()
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Creates the console's RAM, filled with zeros, and empty store queues.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ram: vec![0; RAM_BYTES as usize],
            watch: CodeWatch::new(RAM_BYTES as usize),
            regions: Vec::new(),
            regions_epoch: 0,
            queues: [[0; 32]; 2],
            qacr: [0; 2],
            ta: Vec::new(),
            cache: OperandCache::default(),
            peripherals: None,
            source: None,
        }
    }

    /// Resets everything but RAM and regions: empties the store queues, the tile accelerator's blocks and the
    /// caches, and resets attached peripherals.
    pub(crate) fn reset(&mut self) {
        self.queues = [[0; 32]; 2];
        self.qacr = [0; 2];
        self.ta.clear();
        self.cache = OperandCache::default();
        if let Some(peripherals) = &mut self.peripherals {
            **peripherals = OnChipPeripherals::default();
        }
    }

    /// Adds `size` zero bytes of memory at physical `address`.
    ///
    /// # Errors
    /// Fails if the range is empty, wraps around or overlaps existing memory, or if all regions together
    /// exceed 256 MiB.
    pub fn map(&mut self, address: u32, size: u32) -> Result<(), MemoryError> {
        let start = address & PHYSICAL;
        let refuse = |reason| {
            Err(MemoryError::Map {
                address,
                size,
                reason,
            })
        };
        let Some(end) = start
            .checked_add(size)
            .filter(|end| size > 0 && *end <= PHYSICAL + 1)
        else {
            return refuse("the range is empty or leaves the address space");
        };
        let overlaps = |from: u32, to: u32| start < to && from < end;
        let taken = self
            .regions
            .iter()
            .any(|r| overlaps(r.start, r.start + r.bytes.len() as u32));
        let reserved = [0x0C00_0000..0x1080_0000, 0x1C00_0000..PHYSICAL + 1];
        if taken || reserved.iter().any(|range| overlaps(range.start, range.end)) {
            return refuse("the range overlaps RAM, the tile accelerator, area 7 or another region");
        }
        let mapped: usize = self.regions.iter().map(|region| region.bytes.len()).sum();
        if mapped + size as usize > MAP_LIMIT {
            return refuse("all regions together would be larger than 256 MiB");
        }
        let (bytes, watch) = (vec![0; size as usize], CodeWatch::new(size as usize));
        self.regions.push(Region { start, bytes, watch });
        Ok(())
    }

    /// Sets QACR0 and QACR1. Their bits 4-2 become bits 28-26 of a store queue's target address.
    pub fn set_qacr(&mut self, qacr: [u32; 2]) {
        self.qacr = qacr.map(|value| value & 0x1C);
    }

    /// Fills the store queues with zeros.
    pub fn clear_queues(&mut self) {
        self.queues = [[0; 32]; 2];
    }

    /// Adds the on-chip devices of [`OnChipPeripherals`]; without them, accesses to their registers fail.
    pub fn attach_peripherals(&mut self) {
        self.peripherals = Some(Box::default());
    }

    /// Connects the performance counters (PMCR1, PMCR2) to `source`. Without a source they count only
    /// instructions.
    pub fn set_performance_source(&mut self, source: Arc<Mutex<dyn PerformanceSource + Send>>) {
        self.source = Some(Source(source));
    }

    /// The on-chip devices, if attached.
    pub fn peripherals(&mut self) -> Option<&mut OnChipPeripherals> {
        self.peripherals.as_deref_mut()
    }

    /// Takes the blocks received by the tile accelerator.
    pub fn take_ta(&mut self) -> Vec<[u32; 8]> {
        std::mem::take(&mut self.ta)
    }

    /// Reads `size` bytes at `address`.
    ///
    /// # Errors
    /// Fails if the range is not entirely memory.
    pub fn read(&self, address: u32, size: u32) -> Result<&[u8], MemoryError> {
        let unmapped = MemoryError::Unmapped { address, size };
        let (bytes, offset) = match self.place(address).ok_or(unmapped)? {
            Place::Ram(offset) => (&self.ram, offset),
            Place::Region(region, offset) => (&self.regions[region].bytes, offset),
        };
        bytes.get(offset..offset + size as usize).ok_or(unmapped)
    }

    /// Copies `data` to `address`.
    ///
    /// # Errors
    /// Fails without writing if the range is not entirely memory.
    pub fn write(&mut self, address: u32, data: &[u8]) -> Result<(), MemoryError> {
        let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.range_mut(address, size)?.copy_from_slice(data);
        Ok(())
    }

    /// Fills `size` bytes at `address`.
    ///
    /// # Errors
    /// Fails without writing if the range is not entirely memory.
    pub fn fill(&mut self, address: u32, size: u32, value: u8) -> Result<(), MemoryError> {
        self.range_mut(address, size)?.fill(value);
        Ok(())
    }

    /// Returns a range for writing.
    fn range_mut(&mut self, address: u32, size: u32) -> Result<&mut [u8], MemoryError> {
        let unmapped = MemoryError::Unmapped { address, size };
        match self.place(address).ok_or(unmapped)? {
            Place::Ram(offset) => {
                let range = self.ram.get_mut(offset..offset + size as usize).ok_or(unmapped)?;
                self.watch.written_range(offset as u32, size);
                Ok(range)
            }
            Place::Region(index, offset) => {
                let Region { bytes, watch, .. } = &mut self.regions[index];
                let range = bytes.get_mut(offset..offset + size as usize).ok_or(unmapped)?;
                let before = watch.epoch();
                watch.written_range(offset as u32, size);
                self.regions_epoch += watch.epoch() - before;
                Ok(range)
            }
        }
    }

    #[inline(always)]
    fn place(&self, address: u32) -> Option<Place> {
        ram_offset(address)
            .map(Place::Ram)
            .or_else(|| self.region(address))
    }

    #[cold]
    fn region(&self, address: u32) -> Option<Place> {
        if address >= 0xE000_0000 {
            return None;
        }
        let physical = address & PHYSICAL;
        self.regions.iter().enumerate().find_map(|(index, region)| {
            let offset = physical.checked_sub(region.start)? as usize;
            (offset < region.bytes.len()).then_some(Place::Region(index, offset))
        })
    }
}
