//! The operand cache as data: 512 lines of 32 bytes, direct mapped, with on-chip RAM in half of it if
//! CCR.ORA.
//!
//! Source: SH7750 manual, section 4. Here are only the lines and where an address falls; what an access does
//! with them is in `cached`, and the memory-mapped arrays are below.

/// Bytes of a line.
pub const LINE: u32 = 32;
const LINES: usize = 512;
/// Address bits of the tag: physical, so that P0, P1 and P3 share lines.
const TAG: u32 = 0x1FFF_FC00;

/// Bits of CCR (SH7750 manual 4.2.1).
pub mod ccr {
    /// Operand cache enabled.
    pub const OCE: u32 = 1;
    /// P0, U0 and P3 are written through.
    pub const WT: u32 = 1 << 1;
    /// P1 is copied back.
    pub const CB: u32 = 1 << 2;
    /// Invalidates the operand cache; reads 0.
    pub const OCI: u32 = 1 << 3;
    /// Half of the operand cache is RAM.
    pub const ORA: u32 = 1 << 5;
    /// Address bit 25 takes the place of bit 13 in the index.
    pub const OIX: u32 = 1 << 7;
    /// Invalidates the instruction cache; reads 0.
    pub const ICI: u32 = 1 << 11;
    /// The bits that exist; ICE (8) and IIX (15) are kept and do nothing.
    pub const MASK: u32 = 0x89AF;
}

/// A line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Physical address bits 28-10.
    tag: u32,
    pub(crate) valid: bool,
    /// U: differs from memory.
    pub(crate) dirty: bool,
    /// Bytes that memory may have got anew since the line was filled, a bit each.
    pub(crate) stale: u32,
    pub(crate) data: [u8; LINE as usize],
}

/// The lines, and CCR.
#[derive(Clone, Debug)]
pub struct OperandCache {
    ccr: u32,
    lines: Box<[Line; LINES]>,
    /// A line may be valid: one was used, or CCR was written, since all lines were written back.
    used: bool,
}

impl Default for OperandCache {
    fn default() -> Self {
        Self {
            ccr: 0,
            lines: Box::new([Line::default(); LINES]),
            used: false,
        }
    }
}

/// What the memory-mapped address array asks for beyond the line itself: a line to be written back first.
pub type WriteBack = Option<(u32, [u8; LINE as usize])>;

impl OperandCache {
    /// CCR.
    pub fn ccr(&self) -> u32 {
        self.ccr
    }

    /// Writes CCR. OCI discards everything, dirty lines too (SH7750 manual 4.2.1).
    pub fn set_ccr(&mut self, value: u32) {
        self.used = true;
        if value & ccr::OCI != 0 {
            for line in self.lines.iter_mut() {
                (line.valid, line.dirty) = (false, false);
            }
        }
        self.ccr = value & ccr::MASK & !(ccr::OCI | ccr::ICI);
    }

    pub(crate) fn has(&self, bits: u32) -> bool {
        self.ccr & bits != 0
    }

    /// The line of an effective address.
    pub(crate) fn index(&self, address: u32) -> usize {
        let top = if self.has(ccr::OIX) { 25 } else { 13 };
        let bits = if self.has(ccr::ORA) { 0x7F } else { 0xFF };
        ((address >> top & 1) << 8 | address >> 5 & bits) as usize
    }

    pub(crate) fn line(&mut self, index: usize) -> &mut Line {
        self.used = true;
        &mut self.lines[index % LINES]
    }

    /// Whether the line at `index` holds `address`.
    pub(crate) fn hits(&self, index: usize, address: u32) -> bool {
        let line = &self.lines[index % LINES];
        line.valid && line.tag == address & TAG
    }

    /// Whether a line may be valid.
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    /// No line is valid, except for those that are RAM.
    pub(crate) fn emptied(&mut self) {
        self.used = false;
    }

    /// Whether accesses at `address` go through the cache: P0, P1 and P3 without area 7, if CCR.OCE.
    pub(crate) fn covers(&self, address: u32) -> bool {
        let area = address >> 29 != 5 && address < 0xE000_0000 && address & 0x1C00_0000 != 0x1C00_0000;
        area && self.has(ccr::OCE)
    }

    /// The byte of `address`, if a line holds it: to be read and written without any effect on the cache.
    pub fn held(&mut self, address: u32) -> Option<&mut u8> {
        let index = self.index(address);
        let hit = self.covers(address) && self.hits(index, address);
        hit.then(|| &mut self.lines[index].data[(address % LINE) as usize])
    }

    /// Makes the line at `index` that of `address`, clean, and leaves its data.
    pub(crate) fn claim(&mut self, index: usize, address: u32) -> &mut Line {
        let line = self.line(index);
        (line.tag, line.valid, line.dirty, line.stale) = (address & TAG, true, false, 0);
        line
    }

    /// The physical address of what the line at `index` holds. Bits 9-5 are the index's in every mode.
    pub(crate) fn address(&self, index: usize) -> u32 {
        self.lines[index % LINES].tag | (index as u32 & 0x1F) << 5
    }

    /// A line that is dirty: its physical address and data. It becomes clean.
    pub(crate) fn clean(&mut self, index: usize) -> WriteBack {
        let address = self.address(index);
        let line = self.line(index);
        let dirty = line.valid && line.dirty;
        line.dirty = false;
        dirty.then_some((address, line.data))
    }

    /// The dirty lines: physical address, data, and a bit for each byte that memory got since. With CCR.ORA,
    /// half of the lines are RAM and not
    /// meant.
    pub fn dirty_lines(&self) -> impl Iterator<Item = (u32, &[u8; LINE as usize], u32)> {
        let lines = self.lines.iter().enumerate();
        let lines = lines
            .filter(|(index, line)| line.valid && line.dirty && (index & 0x80 == 0 || !self.has(ccr::ORA)));
        lines.map(|(index, line)| (self.address(index), &line.data, line.stale))
    }

    /// Shows `visit` the valid lines' addresses and data, and whether they are dirty.
    pub fn visit_lines(&mut self, mut visit: impl FnMut(u32, &mut [u8; LINE as usize], bool)) {
        for index in Self::indices() {
            let (address, has_ram) = (self.address(index), self.has(ccr::ORA));
            let line = &mut self.lines[index];
            if line.valid && (index & 0x80 == 0 || !has_ram) {
                visit(address, &mut line.data, line.dirty);
            }
        }
    }

    /// The dirty line of `address`: what the CPU has stored and memory does not have yet, and a bit for each
    /// byte that
    /// memory got after the line was filled.
    #[must_use]
    pub fn dirty_line(&self, address: u32) -> Option<(&[u8; LINE as usize], u32)> {
        let index = self.index(address);
        let line = &self.lines[index % LINES];
        (self.hits(index, address) && line.dirty).then_some((&line.data, line.stale))
    }

    /// Memory was written past the cache: these bytes of the lines that hold them may be stale from here on.
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

    /// All lines' indices.
    pub(crate) fn indices() -> std::ops::Range<usize> {
        0..LINES
    }

    /// The on-chip RAM at 7C000000-7FFFFFFF: line and offset of an address, if there is any. Its two 4 KiB
    /// areas are lines 128-255 and 384-511, chosen by address bit 13, or 25 under OIX; the rest of the
    /// address only repeats them (SH7750 manual 4.3.5).
    pub fn ram(&self, address: u32) -> Option<(usize, usize)> {
        let inside = self.has(ccr::ORA) && address >> 26 == 0x7C >> 2;
        let top = if self.has(ccr::OIX) { 25 } else { 13 };
        let line = 0x80 | (address >> top & 1) << 8 | address >> 5 & 0x7F;
        inside.then_some((line as usize, (address & 31) as usize))
    }

    /// Whether half of the cache is RAM.
    pub fn has_ram(&self) -> bool {
        self.has(ccr::ORA)
    }

    /// Bytes of the on-chip RAM at an address; nothing if they are not all there.
    pub fn ram_bytes<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        let (line, offset) = self.ram(address)?;
        self.lines[line].data.get(offset..)?.first_chunk().copied()
    }

    /// Writes bytes of the on-chip RAM; false if they are not all there.
    pub fn write_ram_bytes(&mut self, address: u32, value: &[u8]) -> bool {
        let Some((line, offset)) = self.ram(address) else {
            return false;
        };
        match self.line(line).data.get_mut(offset..offset + value.len()) {
            Some(target) => {
                target.copy_from_slice(value);
                true
            }
            None => false,
        }
    }

    /// The memory-mapped address array, F4000000: tag in bits 28-10, U in bit 1, V in bit 0.
    pub fn read_address_array(&self, address: u32) -> u32 {
        let line = &self.lines[array_index(address)];
        line.tag | u32::from(line.dirty) << 1 | u32::from(line.valid)
    }

    /// Writes it; with address bit 3 only if the tag matches a valid line, and then only U and V (SH7750
    /// manual 4.5.3). A dirty line that is overwritten, or whose U or V is cleared, has to be written back
    /// first.
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
        &mut self.line(array_index(address)).data[offset..offset + 4]
    }
}

/// A bit for each of `bytes` at an address, in their line.
pub(crate) fn bytes_mask(address: u32, bytes: u32) -> u32 {
    (((1_u64 << bytes) - 1) << (address % LINE)) as u32
}

/// The arrays' entry: address bits 13-5, whatever CCR says.
fn array_index(address: u32) -> usize {
    (address >> 5) as usize % LINES
}
