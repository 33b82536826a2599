//! Memory in regions with permissions.

use crate::EngineError;
use crate::limits::MAPPED_BYTES as LIMIT;
use sh4::watch::{CodeWatch, LINE};

/// Bits of a physical address: P0 to P3 show the same memory.
pub(crate) const PHYSICAL: u32 = 0x1FFF_FFFF;
/// P4 is not memory.
pub(crate) const P4: u32 = 0xE000_0000;

/// What the program may do with a region. The host may always read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission(u8);

impl Permission {
    /// Nothing.
    pub const NONE: Permission = Permission(0);
    /// Loads.
    pub const READ: Permission = Permission(1);
    /// Stores.
    pub const WRITE: Permission = Permission(2);
    /// Instruction fetches.
    pub const EXEC: Permission = Permission(4);
    /// All three.
    pub const ALL: Permission = Permission(7);

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Permission) -> Permission {
        Permission(self.0 | other.0)
    }

    /// Whether all of `other` is allowed.
    #[must_use]
    pub const fn allows(self, other: Permission) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A region as [`Mapped::regions`] shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    /// Physical address.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// What the program may do.
    pub permission: Permission,
}

#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) start: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) permission: Permission,
    pub(crate) watch: CodeWatch,
    /// Differs between all regions there ever were, so that code decoded from an older one is never current.
    pub(crate) generation: u32,
}

impl Region {
    pub(crate) fn end(&self) -> u32 {
        self.start + self.bytes.len() as u32
    }

    /// Where a physical address is for `watch`, whose lines begin at multiples of 64 as the CPU's do.
    pub(crate) fn watched(&self, physical: u32) -> u32 {
        physical.saturating_sub(self.start & !(LINE - 1))
    }
}

/// Regions of memory, by physical address.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// In the order of their addresses.
    pub(crate) regions: Vec<Region>,
    generation: u32,
    pub(crate) epoch: u64,
}

impl Mapped {
    /// Adds `size` zero bytes at `address` in P0 to P3. Neither needs to be aligned.
    ///
    /// # Errors
    /// If the range is empty, wraps, overlaps a region, lies in P4, or exceeds 256 MiB with all others.
    pub fn map(&mut self, address: u32, size: u32, permission: Permission) -> Result<(), EngineError> {
        let refuse = |reason| EngineError::Map {
            address,
            size,
            reason,
        };
        let (start, end) =
            range(address, size).ok_or_else(|| refuse("the range is empty, wraps, or lies in P4"))?;
        if self.regions.iter().any(|r| start < r.end() && r.start < end) {
            return Err(refuse("the range overlaps another region"));
        }
        let mapped: u64 = self.regions.iter().map(|r| r.bytes.len() as u64).sum();
        if mapped + u64::from(size) > LIMIT {
            return Err(refuse("all regions together would be larger than 256 MiB"));
        }
        self.insert(start, vec![0; size as usize], permission);
        Ok(())
    }

    fn insert(&mut self, start: u32, bytes: Vec<u8>, permission: Permission) {
        self.generation += 1;
        self.epoch += 1;
        let region = Region {
            start,
            watch: CodeWatch::new(bytes.len() + (start & (LINE - 1)) as usize),
            bytes,
            permission,
            generation: self.generation,
        };
        let place = self.regions.partition_point(|r| r.start < start);
        self.regions.insert(place, region);
    }

    /// Takes `size` bytes at `address` away, which may be parts of regions.
    ///
    /// # Errors
    /// If not all of the range is mapped; nothing is changed then.
    pub fn unmap(&mut self, address: u32, size: u32) -> Result<(), EngineError> {
        for region in self.cut(address, size)? {
            self.regions.retain(|other| other.generation != region);
        }
        self.epoch += 1;
        Ok(())
    }

    /// Changes the permissions of `size` bytes at `address`, which may be parts of regions.
    ///
    /// # Errors
    /// If not all of the range is mapped; nothing is changed then.
    pub fn protect(&mut self, address: u32, size: u32, permission: Permission) -> Result<(), EngineError> {
        for generation in self.cut(address, size)? {
            let mut regions = self.regions.iter_mut();
            if let Some(region) = regions.find(|region| region.generation == generation) {
                region.permission = permission;
            }
        }
        self.epoch += 1;
        Ok(())
    }

    /// Cuts regions so that the range is made of whole ones; their generations.
    fn cut(&mut self, address: u32, size: u32) -> Result<Vec<u32>, EngineError> {
        let unmapped = EngineError::Unmapped { address, size };
        let (start, end) = range(address, size).ok_or(unmapped)?;
        self.is_covered(start, end).then_some(()).ok_or(unmapped)?;
        for edge in [start, end] {
            let inside = self.regions.iter().position(|r| r.start < edge && edge < r.end());
            if let Some(index) = inside {
                let mut low = self.regions.remove(index);
                let high = low.bytes.split_off((edge - low.start) as usize);
                self.insert(low.start, low.bytes, low.permission);
                self.insert(edge, high, low.permission);
            }
        }
        let whole = self.regions.iter_mut();
        let whole = whole.filter(|region| start <= region.start && region.end() <= end);
        // A new generation: code decoded under other permissions is not current.
        let mut generations = Vec::new();
        for region in whole {
            self.generation += 1;
            region.generation = self.generation;
            generations.push(region.generation);
        }
        Ok(generations)
    }

    fn is_covered(&self, start: u32, end: u32) -> bool {
        let reached = self.regions.iter().fold(start, |at, region| {
            if region.start <= at && at < region.end() {
                region.end()
            } else {
                at
            }
        });
        reached >= end
    }

    /// The regions in the order of their addresses.
    pub fn regions(&self) -> impl Iterator<Item = RegionInfo> {
        self.regions.iter().map(|region| RegionInfo {
            address: region.start,
            size: region.bytes.len() as u32,
            permission: region.permission,
        })
    }

    /// Fills `target` from `address` on.
    ///
    /// # Errors
    /// If not all of the range is mapped; `target` is unchanged then.
    pub fn read(&self, address: u32, target: &mut [u8]) -> Result<(), EngineError> {
        let size = u32::try_from(target.len()).unwrap_or(u32::MAX);
        let Some((start, end)) = self.whole(address, size)? else {
            return Ok(());
        };
        for region in &self.regions {
            let (from, to) = (region.start.max(start), region.end().min(end));
            if from < to {
                let source = &region.bytes[(from - region.start) as usize..(to - region.start) as usize];
                target[(from - start) as usize..(to - start) as usize].copy_from_slice(source);
            }
        }
        Ok(())
    }

    /// Copies `source` to `address`.
    ///
    /// # Errors
    /// If not all of the range is mapped; nothing is written then.
    pub fn write(&mut self, address: u32, source: &[u8]) -> Result<(), EngineError> {
        let size = u32::try_from(source.len()).unwrap_or(u32::MAX);
        let Some((start, end)) = self.whole(address, size)? else {
            return Ok(());
        };
        for region in &mut self.regions {
            let (from, to) = (region.start.max(start), region.end().min(end));
            if from < to {
                let target = &mut region.bytes[(from - region.start) as usize..(to - region.start) as usize];
                target.copy_from_slice(&source[(from - start) as usize..(to - start) as usize]);
                region.watch.written_range(region.watched(from), to - from);
                self.epoch += 1;
            }
        }
        Ok(())
    }

    /// The physical range, all of it mapped; nothing if it is empty.
    fn whole(&self, address: u32, size: u32) -> Result<Option<(u32, u32)>, EngineError> {
        if size == 0 {
            return Ok(None);
        }
        match range(address, size) {
            Some((start, end)) if self.is_covered(start, end) => Ok(Some((start, end))),
            _ => Err(EngineError::Unmapped { address, size }),
        }
    }
}

/// The physical range of `size` bytes at `address`.
fn range(address: u32, size: u32) -> Option<(u32, u32)> {
    let start = address & PHYSICAL;
    let end = start.checked_add(size)?;
    (address < P4 && size > 0 && end <= PHYSICAL + 1).then_some((start, end))
}
