//! The 8 MiB of video memory and its two address maps (`facts/pvr2.md` section 1).
//!
//! Two banks of 4 MiB. Seen through the 64-bit area (textures) they interleave every four bytes; seen through
//! the 32-bit area (parameters, lists, framebuffer) bank 0 comes before bank 1. All addresses are byte
//! addresses and wrap at 8 MiB, as the chip's address mask does. Words are little-endian.

/// Size of video memory in bytes.
pub const VRAM_BYTES: usize = 8 << 20;

/// Mask of a byte address.
const MASK: u32 = VRAM_BYTES as u32 - 1;

/// Bytes of a page, the grain at which writes are remembered.
const PAGE: usize = 4096;

/// Video memory, held in the order of the 64-bit area.
#[derive(Clone)]
pub struct Vram {
    bytes: Box<[u8; VRAM_BYTES]>,
    /// Clock of the last write to each page: what was made from memory can tell whether it still holds.
    written: Box<[u64; VRAM_BYTES / PAGE]>,
    clock: u64,
}

impl std::fmt::Debug for Vram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vram").field("bytes", &self.bytes.len()).finish()
    }
}

impl Default for Vram {
    fn default() -> Self {
        Self::new()
    }
}

/// 64-bit-area address of a 32-bit-area address: `((a & 0x3FFFFC) << 1) | ((a >> 22 & 1) << 2) | (a & 3)`.
pub const fn phys(a: u32) -> u32 {
    (a & 0x3F_FFFC) << 1 | (a >> 22 & 1) << 2 | a & 3
}

/// An array that never stands on the stack.
fn zeroed<T: Clone + Default, const N: usize>() -> Box<[T; N]> {
    let Ok(array) = vec![T::default(); N].try_into() else {
        unreachable!("as many as the type says");
    };
    array
}

impl Vram {
    /// Zeroed memory. (The console's is undefined after power-on.)
    pub fn new() -> Self {
        Self {
            bytes: zeroed(),
            written: zeroed(),
            clock: 1,
        }
    }

    /// Marks bytes of the 64-bit area as written.
    #[inline]
    fn touch(&mut self, bytes: std::ops::Range<usize>) {
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE).min(VRAM_BYTES / PAGE);
        for page in &mut self.written[pages] {
            *page = self.clock;
        }
    }

    /// Marks one word or less as written.
    #[inline]
    fn touch_word(&mut self, at: usize) {
        self.written[at / PAGE] = self.clock;
    }

    /// The present, for [`Self::last_write`].
    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }

    /// Lets time go on: later writes can be told from earlier ones.
    pub(crate) fn tick(&mut self) {
        self.clock += 1;
    }

    /// Clock of the last write to bytes of the 64-bit area, which may wrap at the end of memory.
    pub(crate) fn last_write(&self, bytes: std::ops::Range<usize>) -> u64 {
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        pages
            .map(|page| self.written[page % (VRAM_BYTES / PAGE)])
            .max()
            .unwrap_or(0)
    }

    /// The word at a 32-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn read32(&self, address: u32) -> u32 {
        self.read64_area(phys(address))
    }

    /// Writes a word at a 32-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn write32(&mut self, address: u32, value: u32) {
        self.write64_area(phys(address), value);
    }

    /// The byte at a 32-bit-area address.
    pub fn read8(&self, address: u32) -> u8 {
        self.bytes[phys(address) as usize]
    }

    /// Writes a byte at a 32-bit-area address.
    pub fn write8(&mut self, address: u32, value: u8) {
        let at = phys(address) as usize;
        self.touch_word(at);
        self.bytes[at] = value;
    }

    /// The word at a 64-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn read64_area(&self, address: u32) -> u32 {
        let at = (address & MASK & !3) as usize;
        let mut word = [0; 4];
        word.copy_from_slice(&self.bytes[at..at + 4]);
        u32::from_le_bytes(word)
    }

    /// Writes a word at a 64-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn write64_area(&mut self, address: u32, value: u32) {
        let at = (address & MASK & !3) as usize;
        self.touch_word(at);
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// The byte at a 64-bit-area address.
    #[inline]
    pub fn read8_64(&self, address: u32) -> u8 {
        self.bytes[(address & MASK) as usize]
    }

    /// Writes a byte at a 64-bit-area address.
    #[inline]
    pub fn write8_64(&mut self, address: u32, value: u8) {
        let at = (address & MASK) as usize;
        self.touch_word(at);
        self.bytes[at] = value;
    }

    /// The 16-bit texel at a 64-bit-area address; the low bit is ignored.
    #[inline]
    pub fn read16_64(&self, address: u32) -> u16 {
        let at = (address & MASK & !1) as usize;
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// All memory in the order of the 64-bit area.
    pub fn bytes64(&self) -> &[u8] {
        &self.bytes[..]
    }

    /// All memory in the order of the 64-bit area, to be written.
    pub fn bytes64_mut(&mut self) -> &mut [u8] {
        self.touch(0..VRAM_BYTES);
        &mut self.bytes[..]
    }

    /// A part of the 64-bit area, to be written; `None` beyond its end.
    pub(crate) fn part64_mut(&mut self, bytes: std::ops::Range<usize>) -> Option<&mut [u8]> {
        if bytes.end > VRAM_BYTES {
            return None;
        }
        self.touch(bytes.clone());
        self.bytes.get_mut(bytes)
    }

    /// Copies `data` to a 64-bit-area address, wrapping at the end of memory.
    pub fn upload64(&mut self, address: u32, data: &[u8]) {
        let mut at = (address & MASK) as usize;
        let mut rest = data;
        while !rest.is_empty() {
            let n = rest.len().min(VRAM_BYTES - at);
            self.touch(at..at + n);
            self.bytes[at..at + n].copy_from_slice(&rest[..n]);
            rest = &rest[n..];
            at = 0;
        }
    }

    /// Copies `data` to a 32-bit-area address, wrapping at the end of memory.
    pub fn upload32(&mut self, address: u32, data: &[u8]) {
        for (i, &byte) in data.iter().enumerate() {
            self.write8(address.wrapping_add(i as u32), byte);
        }
    }

    /// Writes words from a 32-bit-area address on if they all lie in one bank; returns whether they do.
    pub(crate) fn write_row32(&mut self, address: u32, words: &[u32]) -> bool {
        let first = phys(address & !3) as usize;
        // Words of one bank lie eight bytes apart.
        let Some(cells) = self.part64_mut(first & !7..(first & !7) + words.len() * 8) else {
            return false;
        };
        let lane = first & 4;
        for (cell, word) in cells.chunks_exact_mut(8).zip(words) {
            cell[lane..lane + 4].copy_from_slice(&word.to_le_bytes());
        }
        true
    }

    /// Fills `len` bytes from a 32-bit-area address with `value`, wrapping at the end of memory.
    pub fn fill32(&mut self, address: u32, len: u32, value: u8) {
        for i in 0..len.min(VRAM_BYTES as u32) {
            self.write8(address.wrapping_add(i), value);
        }
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
        vram.write32(0x40_0008, 0x1122_3344);
        assert_eq!(vram.read64_area(0x14), 0x1122_3344);
        assert_eq!(vram.read8(0x40_0009), 0x33);
        vram.upload64(VRAM_BYTES as u32 - 2, &[1, 2, 3, 4]);
        assert_eq!(vram.read16_64(VRAM_BYTES as u32 - 2), 0x0201);
        assert_eq!(vram.read16_64(0), 0x0403);
    }
}
