//! State of the operand cache: 512 direct-mapped lines of 32 bytes. With CCR.ORA, half of them are on-chip
//! RAM.
//!
//! Source: SH7750 manual, section 4. This module has the lines, the address mapping and the memory-mapped
//! arrays. The module `cached` accesses memory through the lines.

/// Bytes of a line.
pub const LINE: u32 = 32;
const LINES: usize = 512;
/// Address bits of the tag. The tag is a physical address, so that P0, P1 and P3 share lines.
const TAG: u32 = 0x1FFF_FC00;

/// Bits of CCR (SH7750 manual 4.2.1).
pub mod ccr {
    /// Operand cache enabled.
    pub const OCE: u32 = 1;
    /// P0, U0 and P3 use write-through.
    pub const WT: u32 = 1 << 1;
    /// P1 uses copy-back.
    pub const CB: u32 = 1 << 2;
    /// Invalidates the operand cache; reads 0.
    pub const OCI: u32 = 1 << 3;
    /// Half of the operand cache is RAM.
    pub const ORA: u32 = 1 << 5;
    /// Address bit 25 replaces bit 13 in the index.
    pub const OIX: u32 = 1 << 7;
    /// Invalidates the instruction cache; reads 0.
    pub const ICI: u32 = 1 << 11;
    /// Implemented bits. ICE (bit 8) and IIX (bit 15) are stored, but have no effect.
    pub const MASK: u32 = 0x89AF;
}

/// A cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Bits 28-10 of the physical address.
    tag: u32,
    pub(crate) valid: bool,
    /// U: the line differs from memory.
    pub(crate) dirty: bool,
    /// Mask of bytes that may have changed in memory since the line was filled: see
    /// [`OperandCache::mark_stale`].
    pub(crate) stale: u32,
}

state::fields!(Line {
    tag,
    valid,
    dirty,
    stale
});

/// Data of a line.
type LineData = [u8; LINE as usize];

/// Cache lines and CCR.
#[derive(Clone, Debug)]
pub struct OperandCache {
    ccr: u32,
    lines: Box<[Line; LINES]>,
    /// Data array: the data of all lines.
    data: Box<[LineData; LINES]>,
    /// True if a line may be valid. Access to a line or a write to CCR sets the flag. Writing back all lines
    /// clears it.
    used: bool,
}

state::fields!(OperandCache {
    ccr,
    lines,
    data,
    used
} after(|cache: &mut OperandCache| cache.ccr &= ccr::MASK));

impl Default for OperandCache {
    fn default() -> Self {
        Self {
            ccr: 0,
            lines: Box::new([Line::default(); LINES]),
            data: Box::new([LineData::default(); LINES]),
            used: false,
        }
    }
}

/// Physical address and data of a dirty line that the caller must write to memory, if there is one.
pub type WriteBack = Option<(u32, LineData)>;

impl OperandCache {
    /// Value of CCR.
    pub fn ccr(&self) -> u32 {
        self.ccr
    }

    /// Writes CCR. OCI discards all lines, including dirty ones (SH7750 manual 4.2.1).
    pub fn set_ccr(&mut self, value: u32) {
        self.used = true;
        if value & ccr::OCI != 0 {
            for line in self.lines.iter_mut() {
                (line.valid, line.dirty) = (false, false);
            }
        }
        self.ccr = value & ccr::MASK & !(ccr::OCI | ccr::ICI);
    }

    #[inline]
    pub(crate) fn has(&self, bits: u32) -> bool {
        self.ccr & bits != 0
    }

    /// Index of the line for an effective address.
    pub(crate) fn index(&self, address: u32) -> usize {
        let top = if self.has(ccr::OIX) { 25 } else { 13 };
        let bits = if self.has(ccr::ORA) { 0x7F } else { 0xFF };
        ((address >> top & 1) << 8 | address >> 5 & bits) as usize
    }

    pub(crate) fn line(&mut self, index: usize) -> &mut Line {
        self.used = true;
        &mut self.lines[index % LINES]
    }

    /// Data of the line at `index`.
    pub(crate) fn data(&mut self, index: usize) -> &mut LineData {
        &mut self.data[index % LINES]
    }

    /// True if the line at `index` contains `address`.
    pub(crate) fn hits(&self, index: usize, address: u32) -> bool {
        let line = &self.lines[index % LINES];
        line.valid && line.tag == address & TAG
    }

    /// True if a line may be valid.
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    /// Records that no line is valid. Lines used as RAM do not count.
    pub(crate) fn note_empty(&mut self) {
        self.used = false;
    }

    /// True if accesses at `address` use the cache: P0, P1 and P3 without area 7, if CCR.OCE is set.
    pub(crate) fn covers(&self, address: u32) -> bool {
        let area = address >> 29 != 5 && address < 0xE000_0000 && address & 0x1C00_0000 != 0x1C00_0000;
        area && self.has(ccr::OCE)
    }

    /// Returns the byte at `address` if a line contains it. Reading and writing it has no effect on the cache
    /// state.
    pub fn held(&mut self, address: u32) -> Option<&mut u8> {
        let index = self.index(address);
        let hit = self.covers(address) && self.hits(index, address);
        hit.then(|| &mut self.data[index][(address % LINE) as usize])
    }

    /// Sets the tag of the line at `index` to `address`, and makes the line valid and clean. Keeps its data.
    pub(crate) fn claim(&mut self, index: usize, address: u32) -> &mut Line {
        let line = self.line(index);
        (line.tag, line.valid, line.dirty, line.stale) = (address & TAG, true, false, 0);
        line
    }

    /// Physical address of the line at `index`. Bits 9-5 equal the index bits in every mode.
    pub(crate) fn address(&self, index: usize) -> u32 {
        self.lines[index % LINES].tag | (index as u32 & 0x1F) << 5
    }

    /// Marks a dirty line as clean and returns its physical address and data.
    pub(crate) fn clean(&mut self, index: usize) -> WriteBack {
        let address = self.address(index);
        let line = self.line(index);
        let dirty = line.valid && line.dirty;
        line.dirty = false;
        dirty.then_some((address, self.data[index % LINES]))
    }

    /// Iterates over the dirty lines: physical address, data, and a mask of bytes that may have changed in
    /// memory since the line was filled. With CCR.ORA, the lines used as RAM are omitted.
    pub fn dirty_lines(&self) -> impl Iterator<Item = (u32, &LineData, u32)> {
        let lines = self.lines.iter().enumerate();
        let lines = lines
            .filter(|(index, line)| line.valid && line.dirty && (index & 0x80 == 0 || !self.has(ccr::ORA)));
        lines.map(|(index, line)| (self.address(index), &self.data[index], line.stale))
    }

    /// Calls `visit` with address, data and dirty state of each valid line.
    pub fn visit_lines(&mut self, mut visit: impl FnMut(u32, &mut LineData, bool)) {
        for index in Self::indices() {
            let (address, has_ram) = (self.address(index), self.has(ccr::ORA));
            let line = &self.lines[index];
            if line.valid && (index & 0x80 == 0 || !has_ram) {
                visit(address, &mut self.data[index], line.dirty);
            }
        }
    }

    /// Returns the dirty line that contains `address`: its data, which memory does not have yet, and a mask
    /// of bytes that may have changed in memory since the line was filled.
    #[must_use]
    pub fn dirty_line(&self, address: u32) -> Option<(&LineData, u32)> {
        let index = self.index(address);
        let line = &self.lines[index % LINES];
        (self.hits(index, address) && line.dirty).then_some((&self.data[index % LINES], line.stale))
    }

    /// Records a write to memory that bypassed the cache: by an uncached store, a device or the host. Marks
    /// the bytes as stale in the lines that contain them.
    pub fn mark_stale(&mut self, address: u32, bytes: u32) {
        let (mut at, mut left) = (address, bytes);
        while left > 0 {
            let part = left.min(LINE - at % LINE);
            let index = self.index(at);
            if self.hits(index, at) {
                self.lines[index].stale |= bytes_mask(at, part);
            }
            (at, left) = (at.wrapping_add(part), left - part);
        }
    }

    /// Indices of all lines.
    pub(crate) fn indices() -> std::ops::Range<usize> {
        0..LINES
    }

    /// Returns line and offset of an address in the on-chip RAM at 7C000000-7FFFFFFF, if it exists. The RAM
    /// has two 4 KiB areas, lines 128-255 and 384-511. The RAM repeats over the remaining address bits
    /// (SH7750 manual 4.3.5).
    pub fn ram(&self, address: u32) -> Option<(usize, usize)> {
        let inside = self.has(ccr::ORA) && address >> 26 == 0x7C >> 2;
        let line = 0x80 | (address >> self.area_bit() & 1) << 8 | address >> 5 & 0x7F;
        inside.then_some((line as usize, (address & 31) as usize))
    }

    /// Address bit that selects the area of the on-chip RAM: bit 13, or bit 25 with OIX.
    #[inline]
    fn area_bit(&self) -> u8 {
        if self.has(ccr::OIX) { 25 } else { 13 }
    }

    /// Memory of the on-chip RAM for compiled code, if it exists.
    #[inline]
    pub fn lend_ram(&mut self) -> Option<sh4::OnChipRam<'_>> {
        let area_bit = self.area_bit();
        let data = self.has(ccr::ORA).then_some(self.data.as_flattened_mut())?;
        let data = data.first_chunk_mut()?;
        Some(sh4::OnChipRam { data, area_bit })
    }

    /// True if half of the cache is RAM.
    pub fn has_ram(&self) -> bool {
        self.has(ccr::ORA)
    }

    /// Reads bytes of the on-chip RAM; `None` if the RAM does not contain all of them.
    pub fn ram_bytes<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        let (line, offset) = self.ram(address)?;
        self.data[line].get(offset..)?.first_chunk().copied()
    }

    /// Writes bytes of the on-chip RAM; false if the RAM does not contain all of them.
    pub fn write_ram_bytes(&mut self, address: u32, value: &[u8]) -> bool {
        let Some((line, offset)) = self.ram(address) else {
            return false;
        };
        match self.data[line].get_mut(offset..offset + value.len()) {
            Some(target) => {
                target.copy_from_slice(value);
                true
            }
            None => false,
        }
    }

    /// Reads the memory-mapped address array, F4000000: tag in bits 28-10, U in bit 1, V in bit 0.
    pub fn read_address_array(&self, address: u32) -> u32 {
        let line = &self.lines[array_index(address)];
        line.tag | u32::from(line.dirty) << 1 | u32::from(line.valid)
    }

    /// Writes the memory-mapped address array. With address bit 3, the write needs a matching tag in a valid
    /// line, and changes only U and V (SH7750 manual 4.5.3). A dirty line that is overwritten, or loses U or
    /// V, must first be written back.
    pub fn write_address_array(&mut self, address: u32, value: u32) -> WriteBack {
        let index = array_index(address);
        let (dirty, valid) = (value & 2 != 0, value & 1 != 0);
        if address & 8 != 0 {
            if !self.hits(index, value) {
                return None;
            }
            let back = if dirty && valid { None } else { self.clean(index) };
            let line = self.line(index);
            (line.dirty, line.valid) = (dirty, valid);
            return back;
        }
        let back = self.clean(index);
        let line = self.line(index);
        (line.tag, line.dirty, line.valid) = (value & TAG, dirty, valid);
        back
    }

    /// A word of the memory-mapped data array, F5000000.
    pub fn array_word(&mut self, address: u32) -> &mut [u8] {
        let offset = (address & 0x1C) as usize;
        &mut self.data(array_index(address))[offset..offset + 4]
    }
}

/// Mask of the bytes at an address within their line.
pub(crate) fn bytes_mask(address: u32, bytes: u32) -> u32 {
    (((1_u64 << bytes) - 1) << (address % LINE)) as u32
}

/// Index of a line in the memory-mapped arrays: address bits 13-5, independent of CCR.
fn array_index(address: u32) -> usize {
    (address >> 5) as usize % LINES
}
