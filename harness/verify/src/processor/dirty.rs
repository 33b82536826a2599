//! The pages of RAM that a call has changed.

use machine::{Image, Machine, MemoryError};

const PAGE_BITS: u32 = 12;
const PAGE: u32 = 1 << PAGE_BITS;
/// Number of pages in 16 MiB.
const PAGES: usize = (16 << 20) >> PAGE_BITS;
/// Size in bytes of the parts that are compared and restored. It is small, because restoring a part
/// invalidates the decoded code in it.
const PART: usize = 64;
/// RAM through P1.
const RAM: u32 = 0x8C00_0000;
/// First address of the store queues and on-chip registers.
const REGISTERS: u32 = 0xE400_0000;
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// Pages and other state changed since loading.
#[derive(Clone, Debug)]
pub(crate) struct DirtyPages {
    /// A bit for each page of RAM.
    pages: Box<[u64; PAGES / 64]>,
    /// True if a call may have changed state other than RAM and the registers that every call sets.
    machine: bool,
}

impl Default for DirtyPages {
    fn default() -> Self {
        DirtyPages {
            pages: Box::new([0; PAGES / 64]),
            machine: false,
        }
    }
}

impl DirtyPages {
    /// Marks all of RAM and all other state as changed.
    pub(crate) fn note_everything(&mut self) {
        self.pages.fill(u64::MAX);
        self.machine = true;
    }

    /// Marks all state except RAM as changed.
    pub(crate) fn note_machine(&mut self) {
        self.machine = true;
    }

    /// Marks `bytes` bytes at `address` as changed: RAM, a store queue, or a register.
    #[inline]
    pub(crate) fn note(&mut self, address: u32, bytes: u32) {
        if address >= REGISTERS {
            // After a store to QACR, PREF may write anywhere.
            self.note_everything();
            return;
        }
        let last = address.wrapping_add(bytes.saturating_sub(1)) & PHYSICAL;
        for page in (address & PHYSICAL) >> PAGE_BITS..=last >> PAGE_BITS {
            let page = page as usize % PAGES;
            self.pages[page / 64] |= 1 << (page % 64);
        }
    }

    /// Adds the pages of `other`.
    pub(crate) fn add(&mut self, other: &DirtyPages) {
        self.machine |= other.machine;
        for (all, more) in self.pages.iter_mut().zip(other.pages.iter()) {
            *all |= more;
        }
    }

    /// Restores the state after loading `image`, except for the registers that every call sets.
    pub(crate) fn restore(&self, machine: &mut Machine, image: &Image) -> Result<(), MemoryError> {
        if self.machine {
            machine.reset();
        }
        let words = self.pages.iter().enumerate().filter(|(_, word)| **word != 0);
        for page in words.flat_map(|(index, word)| bits(*word).map(move |bit| index * 64 + bit)) {
            restore_page(machine, image, RAM + page as u32 * PAGE)?;
        }
        machine.memory_mut().clear_queues();
        Ok(())
    }
}

fn restore_page(machine: &mut Machine, image: &Image, address: u32) -> Result<(), MemoryError> {
    let original = original(image, address);
    if machine.memory().read(address, PAGE)? == original {
        return Ok(());
    }
    for (index, part) in original.chunks_exact(PART).enumerate() {
        let at = address + (index * PART) as u32;
        if machine.memory().read(at, PART as u32)? != part {
            machine.memory_mut().write(at, part)?;
        }
    }
    Ok(())
}

fn bits(word: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| word >> bit & 1 != 0)
}

/// The contents after loading of the page at `address`.
fn original(image: &Image, address: u32) -> [u8; PAGE as usize] {
    let mut page = [0; PAGE as usize];
    let start = address & PHYSICAL;
    for segment in &image.segments {
        let from = segment.address & PHYSICAL;
        let (begin, end) = (
            from.max(start),
            (from + segment.bytes.len() as u32).min(start + PAGE),
        );
        if begin < end {
            let bytes = &segment.bytes[(begin - from) as usize..(end - from) as usize];
            page[(begin - start) as usize..(end - start) as usize].copy_from_slice(bytes);
        }
    }
    page
}
