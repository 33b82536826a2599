//! The 8 MiB of video memory and its two address maps (`facts/pvr2.md` section 1).
//!
//! Two banks of 4 MiB. Seen through the 64-bit area (textures) they interleave every four bytes; seen through
//! the 32-bit area (parameters, lists, framebuffer) bank 0 comes before bank 1. All addresses are byte
//! addresses and wrap at 8 MiB, as the chip's address mask does. Words are little-endian.

/// Size of video memory in bytes.
pub const VRAM_BYTES: usize = 8 << 20;

/// Mask of a byte address.
const MASK: u32 = VRAM_BYTES as u32 - 1;

/// Bytes of a bank.
const BANK: usize = VRAM_BYTES / 2;

/// Bytes of a page in one bank, the grain at which writes are remembered: in both banks at once, as textures lie in both.
const PAGE: usize = 2048;
const PAGES: usize = BANK / PAGE;

/// Video memory, held in the order of the 32-bit area: what is read and written most, parameters and the framebuffer, lies together.
#[derive(Clone)]
pub struct Vram {
    bytes: Box<[u8; VRAM_BYTES]>,
    /// Clock of the last write to each page: what was made from memory can tell whether it still holds.
    written: Box<[u64; PAGES]>,
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

/// Place of a byte of the 64-bit area: [`phys`] the other way round.
#[inline]
const fn place64(a: u32) -> usize {
    ((a & 4) << 20 | (a & MASK & !7) >> 1 | a & 3) as usize
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

    #[inline]
    fn set_byte(&mut self, at: usize, value: u8) {
        self.touch_word(at);
        self.bytes[at] = value;
    }

    /// The word at a 32-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn read32(&self, address: u32) -> u32 {
        self.word((address & MASK & !3) as usize)
    }

    /// Writes a word at a 32-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn write32(&mut self, address: u32, value: u32) {
        self.set_word((address & MASK & !3) as usize, value);
    }

    /// The byte at a 32-bit-area address.
    pub fn read8(&self, address: u32) -> u8 {
        self.bytes[(address & MASK) as usize]
    }

    /// Writes a byte at a 32-bit-area address.
    pub fn write8(&mut self, address: u32, value: u8) {
        self.set_byte((address & MASK) as usize, value);
    }

    /// The word at a 64-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn read64_area(&self, address: u32) -> u32 {
        self.word(place64(address & !3))
    }

    /// Writes a word at a 64-bit-area address; the low two bits are ignored.
    #[inline]
    pub fn write64_area(&mut self, address: u32, value: u32) {
        self.set_word(place64(address & !3), value);
    }

    /// The byte at a 64-bit-area address.
    #[inline]
    pub fn read8_64(&self, address: u32) -> u8 {
        self.bytes[place64(address)]
    }

    /// Writes a byte at a 64-bit-area address.
    #[inline]
    pub fn write8_64(&mut self, address: u32, value: u8) {
        self.set_byte(place64(address), value);
    }

    /// The 16-bit texel at a 64-bit-area address; the low bit is ignored.
    #[inline]
    pub fn read16_64(&self, address: u32) -> u16 {
        let at = place64(address & !1);
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// All memory in the order of the 32-bit area.
    pub fn bytes32(&self) -> &[u8] {
        &self.bytes[..]
    }

    /// All memory in the order of the 64-bit area, a copy.
    pub fn bytes64(&self) -> Vec<u8> {
        self.part64(0, VRAM_BYTES)
    }

    /// `len` bytes of the 64-bit area from an address on, a copy; what lies beyond the end of memory is read from its beginning.
    pub(crate) fn part64(&self, start: u32, len: usize) -> Vec<u8> {
        let first = (start & MASK & !3) as usize;
        let skipped = (start & 3) as usize;
        let words = (first..first + skipped + len).step_by(4);
        let mut bytes: Vec<u8> = words
            .flat_map(|at| self.word(place64(at as u32)).to_le_bytes())
            .collect();
        bytes.truncate(skipped + len);
        bytes.drain(..skipped);
        bytes
    }

    /// A part of the 32-bit area, to be written; `None` beyond its end.
    pub(crate) fn part32_mut(&mut self, bytes: std::ops::Range<usize>) -> Option<&mut [u8]> {
        if bytes.end > VRAM_BYTES {
            return None;
        }
        self.touch(bytes.clone());
        self.bytes.get_mut(bytes)
    }

    /// Copies `data` to a 64-bit-area address, wrapping at the end of memory.
    pub fn upload64(&mut self, address: u32, data: &[u8]) {
        for (n, &byte) in (0..).zip(data) {
            self.write8_64(address.wrapping_add(n), byte);
        }
    }

    /// Copies `data` to a 32-bit-area address, wrapping at the end of memory.
    pub fn upload32(&mut self, address: u32, data: &[u8]) {
        for (n, &byte) in (0..).zip(data) {
            self.write8(address.wrapping_add(n), byte);
        }
    }

    /// Writes words from a 32-bit-area address on; returns whether there is room for them before the end of memory.
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
        let around = vram.part64(VRAM_BYTES as u32 - 3, 5);
        assert_eq!(around, [0, 1, 2, 3, 4], "from an odd address, around the end");
        for address in [0, 5, 0x40_0002, 0x7F_FFFF] {
            assert_eq!(place64(phys(address)), address as usize);
        }
    }
}
