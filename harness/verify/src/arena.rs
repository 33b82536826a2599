//! Buffers in a processor's memory, each between two guard zones.

use std::borrow::Cow;

use machine::MemoryError;
use thiserror::Error;

use crate::Processor;

/// Bytes on each side of a buffer that the call must not change.
pub(crate) const GUARD: u32 = 32;
/// The byte in the guard zones.
const GUARD_BYTE: u8 = 0xA5;

/// Allocates addresses from the arena's start upwards.
pub(crate) struct Arena {
    next: u32,
    end: u32,
}

/// A buffer's address and size; size 0 for arguments other than buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BufferPlace {
    pub(crate) address: u32,
    pub(crate) bytes: u32,
}

/// The reason why a buffer cannot be placed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlaceError {
    /// The arena has too little free memory.
    #[error("an argument of {bytes} bytes does not fit: {left} bytes of memory are left for arguments")]
    Full {
        /// Size of the buffer.
        bytes: usize,
        /// Free bytes.
        left: u32,
    },
    /// The address is not memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A changed guard zone, before or after a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    Before,
    After,
}

impl Arena {
    pub(crate) fn of<P: Processor + ?Sized>(processor: &P) -> Self {
        let arena = processor.arena();
        Arena {
            next: arena.start,
            end: arena.end,
        }
    }

    /// Copies `data` to an address that is `skew` bytes above a multiple of `align`, with a guard zone on
    /// each side.
    pub(crate) fn place<P: Processor + ?Sized>(
        &mut self,
        processor: &mut P,
        data: &[u8],
        align: u32,
        skew: u32,
    ) -> Result<BufferPlace, PlaceError> {
        let full = PlaceError::Full {
            bytes: data.len(),
            left: self.end - self.next,
        };
        let bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let address = (self.next + GUARD)
            .checked_next_multiple_of(align.max(1))
            .and_then(|address| address.checked_add(skew));
        let end = address.and_then(|address| address.checked_add(bytes)?.checked_add(GUARD));
        let (Some(address), Some(end)) = (address, end.filter(|end| *end <= self.end)) else {
            return Err(full);
        };
        let guard = [GUARD_BYTE; GUARD as usize];
        processor.write(address - GUARD, &[&guard, data, &guard].concat())?;
        self.next = end;
        Ok(BufferPlace { address, bytes })
    }
}

impl BufferPlace {
    /// Returns the current contents of the buffer, or the side on which its guard zone changed.
    pub(crate) fn take<'a, P: Processor + ?Sized>(
        &self,
        processor: &'a P,
    ) -> Result<Result<Cow<'a, [u8]>, Zone>, MemoryError> {
        let all = processor.read(self.address - GUARD, self.bytes + 2 * GUARD)?;
        let (guard, end) = (GUARD as usize, (GUARD + self.bytes) as usize);
        let changed = |zone: &[u8]| zone.iter().any(|byte| *byte != GUARD_BYTE);
        if changed(&all[..guard]) {
            return Ok(Err(Zone::Before));
        }
        if changed(&all[end..]) {
            return Ok(Err(Zone::After));
        }
        Ok(Ok(match all {
            Cow::Borrowed(all) => Cow::Borrowed(&all[guard..end]),
            Cow::Owned(mut all) => {
                all.truncate(end);
                all.drain(..guard);
                Cow::Owned(all)
            }
        }))
    }
}
