//! The 8 MiB of video memory and its two address maps (`docs/hardware/pvr2.md`, "Video memory").
//!
//! Memory consists of two banks of 4 MiB. The 64-bit area (textures) interleaves them every four bytes. The
//! 32-bit area (parameters, object lists, framebuffer) puts bank 0 before bank 1. All addresses are byte
//! addresses and wrap around at 8 MiB, because the chip masks them. Values are little-endian.

use state::Memory;

/// Size of video memory in bytes.
pub const VRAM_BYTES: usize = 8 << 20;

/// Mask of a byte address.
const MASK: u32 = VRAM_BYTES as u32 - 1;

/// Size of a bank in bytes.
const BANK: usize = VRAM_BYTES / 2;

/// Size in bytes of a page's part in each bank. Writes are tracked by page. A page covers both banks, because
/// textures use both.
const PAGE: usize = 2048;
const PAGES: usize = BANK / PAGE;

/// An address map of video memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// The 32-bit path (05000000): one bank after the other. This is also the order of [`Vram::bytes`].
    Bits32,
    /// The 64-bit path (04000000): the banks alternate every four bytes.
    Bits64,
}

impl Area {
    /// Returns the index in [`Vram::bytes`] of an address.
    #[inline]
    #[must_use]
    pub const fn index(self, address: u32) -> usize {
        match self {
            Self::Bits32 => (address & MASK) as usize,
            Self::Bits64 => place64(address),
        }
    }
}

/// Video memory. [`Self::bytes`] is in the order of the 32-bit area, so that parameters and framebuffers are
/// contiguous.
#[derive(Clone)]
pub struct Vram {
    bytes: Memory<VRAM_BYTES>,
    /// Time of the last write to each page. A cache entry derived from memory is valid if no later write
    /// occurred.
    written: Box<[u64; PAGES]>,
    clock: u64,
}

impl std::fmt::Debug for Vram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vram").field("bytes", &VRAM_BYTES).finish()
    }
}

impl Default for Vram {
    fn default() -> Self {
        Self::new()
    }
}

/// Converts a 32-bit-area address to a 64-bit-area address. The bank bit 22 becomes bit 2, bits 21:2 move up
/// by one, and bits 1:0 stay.
#[must_use]
pub const fn phys(a: u32) -> u32 {
    (a & 0x3F_FFFC) << 1 | (a >> 22 & 1) << 2 | a & 3
}

/// Returns the index of a byte of the 64-bit area; the inverse of [`phys`].
#[inline]
const fn place64(a: u32) -> usize {
    ((a & 4) << 20 | (a & MASK & !7) >> 1 | a & 3) as usize
}

/// Allocates an array on the heap without a copy on the stack.
fn zeroed<T: Clone + Default, const N: usize>() -> Box<[T; N]> {
    let Ok(array) = vec![T::default(); N].try_into() else {
        unreachable!("the vector has N elements");
    };
    array
}

impl Vram {
    /// Creates zeroed memory. On the console it is undefined after power-on.
    #[must_use]
    pub fn new() -> Self {
        Self {
            bytes: Memory::zeroed(),
            written: zeroed(),
            clock: 1,
        }
    }

    /// Creates a video memory without bytes, for [`crate::Pvr::without_memory`].
    pub(crate) fn absent() -> Self {
        Self {
            bytes: Memory::absent(),
            written: zeroed(),
            clock: 1,
        }
    }

    /// Marks bytes as written.
    #[inline]
    fn touch(&mut self, bytes: std::ops::Range<usize>) {
        if (1..=PAGE).contains(&bytes.len()) {
            self.touch_word(bytes.start);
            self.touch_word(bytes.end - 1);
        } else {
            self.touch_all(bytes);
        }
    }

    fn touch_all(&mut self, bytes: std::ops::Range<usize>) {
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE).min(bytes.start / PAGE + PAGES);
        for page in pages {
            self.written[page % PAGES] = self.clock;
        }
    }

    /// Marks one word or less as written.
    #[inline]
    fn touch_word(&mut self, at: usize) {
        self.written[at / PAGE % PAGES] = self.clock;
    }

    /// Current time, for comparison with [`Self::last_write`].
    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }

    /// Advances the time, so that later writes differ from earlier ones.
    pub(crate) fn tick(&mut self) {
        self.clock += 1;
    }

    /// Returns the current time for [`Self::is_unwritten_since`]. Later writes get a later time.
    pub fn checkpoint(&mut self) -> u64 {
        self.clock += 1;
        self.clock - 1
    }

    /// Returns true if no write to a range of [`Self::bytes`] is later than `time`, a result of
    /// [`Self::checkpoint`]. Writes close to the range may also count.
    #[must_use]
    pub fn is_unwritten_since(&self, time: u64, bytes: std::ops::Range<usize>) -> bool {
        let mut pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        pages.all(|page| self.written[page % PAGES] <= time)
    }

    /// Time of the last write to a range of the 64-bit area, which may wrap around at the end of memory.
    pub(crate) fn last_write(&self, bytes: std::ops::Range<usize>) -> u64 {
        let pages = bytes.start / (2 * PAGE)..bytes.end.div_ceil(2 * PAGE);
        pages.map(|page| self.written[page % PAGES]).max().unwrap_or(0)
    }

    #[inline]
    fn word(&self, at: usize) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(&self.bytes[at..at + 4]);
        u32::from_le_bytes(word)
    }

    #[inline]
    fn set_word(&mut self, at: usize, value: u32) {
        self.touch_word(at);
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Reads the byte at an address of an area.
    #[inline]
    #[must_use]
    pub fn read8(&self, area: Area, address: u32) -> u8 {
        self.bytes[area.index(address)]
    }

    /// Reads the 16 bits at an address of an area; bit 0 of the address is ignored.
    #[inline]
    #[must_use]
    pub fn read16(&self, area: Area, address: u32) -> u16 {
        let at = area.index(address & !1);
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// Reads the 32 bits at an address of an area; bits 1:0 of the address are ignored.
    #[inline]
    #[must_use]
    pub fn read32(&self, area: Area, address: u32) -> u32 {
        self.word(area.index(address & !3))
    }

    /// Reads the 64 bits at an address of an area; bits 2:0 of the address are ignored.
    #[inline]
    #[must_use]
    pub fn read64(&self, area: Area, address: u32) -> u64 {
        let word = |n| u64::from(self.read32(area, (address & !7) + n));
        word(0) | word(4) << 32
    }

    /// Writes a byte at an address of an area.
    #[inline]
    pub fn write8(&mut self, area: Area, address: u32, value: u8) {
        let at = area.index(address);
        self.touch_word(at);
        self.bytes[at] = value;
    }

    /// Writes 16 bits at an address of an area; bit 0 of the address is ignored.
    #[inline]
    pub fn write16(&mut self, area: Area, address: u32, value: u16) {
        let at = area.index(address & !1);
        self.touch_word(at);
        self.bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }

    /// Writes 32 bits at an address of an area; bits 1:0 of the address are ignored.
    #[inline]
    pub fn write32(&mut self, area: Area, address: u32, value: u32) {
        self.set_word(area.index(address & !3), value);
    }

    /// Writes 64 bits at an address of an area; bits 2:0 of the address are ignored.
    #[inline]
    pub fn write64(&mut self, area: Area, address: u32, value: u64) {
        self.write32(area, address & !7, value as u32);
        self.write32(area, address | 4, (value >> 32) as u32);
    }

    /// Copies bytes from an address of an area, wrapping around at the end of memory.
    pub fn read_bytes(&self, area: Area, address: u32, out: &mut [u8]) {
        let (mut at, mut rest) = ((address & MASK) as usize, out);
        while !rest.is_empty() {
            let (part, after) = rest.split_at_mut(rest.len().min(VRAM_BYTES - at));
            match area {
                Area::Bits32 => part.copy_from_slice(&self.bytes[at..at + part.len()]),
                Area::Bits64 => self.read_interleaved(at, part),
            }
            (at, rest) = (0, after);
        }
    }

    fn read_interleaved(&self, start: usize, out: &mut [u8]) {
        let lead = out.len().min(start.wrapping_neg() & 7);
        let (head, rest) = out.split_at_mut(lead);
        let (quads, tail) = rest.as_chunks_mut::<8>();
        let tail_start = start + lead + 8 * quads.len();
        let (low, high) = self.bytes.split_at(BANK);
        let at = (start + lead) / 2;
        let words = low[at..]
            .as_chunks::<4>()
            .0
            .iter()
            .zip(high[at..].as_chunks::<4>().0);
        for (quad, (low, high)) in quads.iter_mut().zip(words) {
            quad[..4].copy_from_slice(low);
            quad[4..].copy_from_slice(high);
        }
        for (n, byte) in (start..).zip(head).chain((tail_start..).zip(tail)) {
            *byte = self.bytes[place64(n as u32)];
        }
    }

    /// Copies `data` to an address of an area, wrapping at the end of memory.
    pub fn write_bytes(&mut self, area: Area, address: u32, data: &[u8]) {
        if (address & 3) as usize + data.len() <= 4 {
            // A store of the CPU. The bytes of a word are adjacent in both areas.
            let at = area.index(address);
            self.touch_word(at);
            self.bytes[at..at + data.len()].copy_from_slice(data);
            return;
        }
        let (mut at, mut rest) = ((address & MASK) as usize, data);
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.len().min(VRAM_BYTES - at));
            match area {
                Area::Bits32 => {
                    self.touch(at..at + part.len());
                    self.bytes[at..at + part.len()].copy_from_slice(part);
                }
                Area::Bits64 => self.write_interleaved(at, part),
            }
            (at, rest) = (0, after);
        }
    }

    fn write_interleaved(&mut self, start: usize, data: &[u8]) {
        let (head, rest) = data.split_at(data.len().min(start.wrapping_neg() & 7));
        let (quads, tail) = rest.as_chunks::<8>();
        let first = start + head.len();
        for (n, &byte) in (start..).zip(head).chain((first + 8 * quads.len()..).zip(tail)) {
            self.write8(Area::Bits64, n as u32, byte);
        }
        let at = first / 2;
        if !quads.is_empty() {
            self.touch(at..at + 4 * quads.len());
        }
        let (low, high) = self.bytes.split_at_mut(BANK);
        let words = low[at..].as_chunks_mut::<4>().0.iter_mut();
        for (quad, (low, high)) in quads.iter().zip(words.zip(high[at..].as_chunks_mut::<4>().0)) {
            low.copy_from_slice(&quad[..4]);
            high.copy_from_slice(&quad[4..]);
        }
    }

    /// Fills `len` bytes with `value`, starting at an address of an area and wrapping at the end of memory.
    pub fn fill(&mut self, area: Area, address: u32, len: u32, value: u8) {
        for i in 0..len.min(VRAM_BYTES as u32) {
            self.write8(area, address.wrapping_add(i), value);
        }
    }

    /// Returns the memory in the order of the 32-bit area; [`Area::index`] gives the index of an address.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..]
    }

    /// Returns the memory in the order of the 32-bit area for direct writing. The caller must report its
    /// writes with [`Self::mark_written`] before the next render; otherwise a texture decoded earlier may be
    /// drawn again.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..]
    }

    /// Returns the memory in the order of the 32-bit area, the marks of its pages, and the present mark, for
    /// direct writing. The caller must store the mark of page `n % marks.len()` before it writes to the page
    /// of [`Self::PAGE_BYTES`] bytes that begins at `n * PAGE_BYTES`.
    #[inline]
    pub fn marked_mut(&mut self) -> (&mut [u8], &mut [u64], u64) {
        (&mut self.bytes[..], &mut self.written[..], self.clock)
    }

    /// Bytes of a page in [`Self::marked_mut`].
    pub const PAGE_BYTES: u32 = PAGE as u32;

    /// Reports a range of [`Self::bytes`] as written. The part beyond the end of memory is ignored.
    pub fn mark_written(&mut self, bytes: std::ops::Range<usize>) {
        let end = bytes.end.min(VRAM_BYTES);
        if bytes.start < end {
            self.touch(bytes.start..end);
        }
    }

    /// Size in bytes of all pages written so far: an upper bound of the used memory.
    #[must_use]
    pub fn written_bytes(&self) -> usize {
        PAGE * self.written.iter().filter(|clock| **clock > 0).count()
    }

    /// Returns the ranges of [`Self::bytes`] written since the beginning or the last `refill`.
    pub fn written_ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let pages = self.written.iter().enumerate().filter(|(_, clock)| **clock > 0);
        pages.flat_map(|(page, _)| [page * PAGE, page * PAGE + BANK].map(|start| start..start + PAGE))
    }

    /// Fills the written pages with `value`, and treats them as never written. Decoded textures become stale;
    /// [`crate::Pvr::reset`] discards them.
    pub(crate) fn refill(&mut self, value: u8) {
        let ranges: Vec<_> = self.written_ranges().collect();
        for range in ranges {
            self.bytes[range].fill(value);
        }
        self.written.fill(0);
    }

    /// Returns a copy of `len` bytes from an address of an area, wrapping around at the end of memory.
    #[must_use]
    pub fn to_vec(&self, area: Area, address: u32, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.read_bytes(area, address, &mut bytes);
        bytes
    }

    /// Returns a part of the 32-bit area for writing; `None` beyond its end.
    pub(crate) fn part32_mut(&mut self, bytes: std::ops::Range<usize>) -> Option<&mut [u8]> {
        if bytes.end > VRAM_BYTES {
            return None;
        }
        self.touch(bytes.clone());
        self.bytes.get_mut(bytes)
    }

    /// Writes words to the 32-bit area, starting at `address`. Returns false if they exceed the memory.
    #[inline]
    pub(crate) fn write_row32(&mut self, address: u32, words: &[u32]) -> bool {
        let first = (address & MASK & !3) as usize;
        let Some(bytes) = self.part32_mut(first..first + words.len() * 4) else {
            return false;
        };
        for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_interleave_every_four_bytes() {
        assert_eq!(phys(0), 0);
        assert_eq!(phys(0x40_0000), 4);
        assert_eq!(phys(5), 9);
        assert_eq!(phys(0x7F_FFFF), 0x7F_FFFF);
        assert_eq!(phys(0x80_0004), 8, "addresses wrap at 8 MiB");
    }

    #[test]
    fn both_maps_see_the_same_words() {
        let mut vram = Vram::new();
        vram.write32(Area::Bits32, 0x40_0008, 0x1122_3344);
        assert_eq!(vram.read32(Area::Bits64, 0x14), 0x1122_3344);
        assert_eq!(vram.read8(Area::Bits32, 0x40_0009), 0x33);
        assert_eq!(vram.bytes()[Area::Bits64.index(0x15)], 0x33);
        vram.write_bytes(Area::Bits64, VRAM_BYTES as u32 - 2, &[1, 2, 3, 4]);
        assert_eq!(vram.read16(Area::Bits64, VRAM_BYTES as u32 - 2), 0x0201);
        assert_eq!(vram.read16(Area::Bits64, 0), 0x0403);
        let around = vram.to_vec(Area::Bits64, VRAM_BYTES as u32 - 3, 5);
        assert_eq!(around, [0, 1, 2, 3, 4], "from an odd address, around the end");
        for address in [0, 5, 0x40_0002, 0x7F_FFFF] {
            assert_eq!(place64(phys(address)), address as usize);
        }
    }

    #[test]
    fn accesses_of_all_sizes_agree() {
        let data: Vec<u8> = (1..=100).collect();
        for area in [Area::Bits32, Area::Bits64] {
            for start in [0, 1, 6, 0x3F_FFFD, 0x7F_FFF0] {
                for count in [1, 2, 3, 4, 7, 100] {
                    let data = &data[..count];
                    let (mut bytes, mut block) = (Vram::new(), Vram::new());
                    for (n, &byte) in (start..).zip(data) {
                        bytes.write8(area, n, byte);
                    }
                    block.write_bytes(area, start, data);
                    assert!(bytes.bytes() == block.bytes(), "{area:?} {start:#x} {count}");
                    assert_eq!(block.to_vec(area, start, count), data, "{area:?} {start:#x}");
                }
            }
            let mut vram = Vram::new();
            vram.write64(area, 0x7F_FFFF, 0x0807_0605_0403_0201);
            assert_eq!(vram.to_vec(area, 0x7F_FFF8, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
            assert_eq!(vram.read64(area, 0x7F_FFF8), 0x0807_0605_0403_0201);
            vram.write16(area, 0x7F_FFFB, 0xAABB);
            assert_eq!(vram.read32(area, 0x7F_FFF8), 0xAABB_0201);
        }
    }

    #[test]
    fn writes_are_reported() {
        let mut vram = Vram::new();
        vram.tick();
        vram.bytes_mut()[0x1000] = 1;
        assert_eq!(vram.last_write(0..VRAM_BYTES), 0);
        vram.mark_written(0x1000..0x1001);
        assert_eq!(vram.last_write(0x2000..0x2001), vram.clock());
        vram.mark_written(VRAM_BYTES..VRAM_BYTES + 9);
    }
}
