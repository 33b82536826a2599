//! Register file: byte offsets from 005F8000, read-back masks and reset values.
//!
//! The masks are the values that a console reads back after writing FFFFFFFF (`docs/hardware/pvr2.md`,
//! "Register file"). Emulators agree on the reset values, which they took from Sega's manual.

/// Size of the register file in bytes.
const BYTES: u32 = 0x2000;

const WORDS: usize = (BYTES / 4) as usize;

/// Number of words of FOG_TABLE.
const FOG_ENTRIES: usize = 128;

/// Number of words of TA_OL_POINTERS: one for each tile of a 40 x 15 matrix, the largest that the registers
/// cover.
pub(crate) const OL_POINTERS: usize = 600;

/// Number of words of PALETTE_RAM.
const PALETTE_ENTRIES: usize = 1024;

/// Generates the constants of [`reg`], the table of names, the masks and the reset values.
macro_rules! registers {
    ($($name:ident = $offset:literal, $mask:literal, $reset:literal;)*) => {
        /// Byte offsets of the registers, named as in the manual.
        #[allow(missing_docs)] // the names are the manual's
        pub mod reg {
            $(pub const $name: u32 = $offset;)*

            /// All registers with their names, by ascending offset.
            pub const ALL: &[(&str, u32)] = &[$((stringify!($name), $offset),)*];
        }

        const MASKS: [u32; WORDS] = {
            let mut masks = [0; WORDS];
            $(masks[$offset / 4] = $mask;)*
            masks = filled(masks, reg::FOG_TABLE, FOG_ENTRIES);
            filled(masks, reg::PALETTE_RAM, PALETTE_ENTRIES)
        };

        const RESET: &[(u32, u32)] = &[$((reg::$name, $reset),)*];
    };
}

/// Sets the masks of a table of registers, in which all bits are writable.
const fn filled(mut masks: [u32; WORDS], first: u32, count: usize) -> [u32; WORDS] {
    let mut n = 0;
    while n < count {
        masks[first as usize / 4 + n] = 0xFFFF_FFFF;
        n += 1;
    }
    masks
}

// Name = offset, writable bits, reset value. Mask 0 means read-only, or write-only and read as 0.
registers! {
    ID = 0x000, 0, 0x17FD_11DB;
    REVISION = 0x004, 0, 0x0000_0011;
    SOFTRESET = 0x008, 0x0000_0007, 7;
    STARTRENDER = 0x014, 0, 0;
    TEST_SELECT = 0x018, 0x0000_07FF, 0;
    PARAM_BASE = 0x020, 0x00F0_0000, 0;
    REGION_BASE = 0x02C, 0x00FF_FFFC, 0;
    SPAN_SORT_CFG = 0x030, 0x0001_0101, 0;
    VO_BORDER_COL = 0x040, 0x01FF_FFFF, 0;
    FB_R_CTRL = 0x044, 0x00FF_FF7F, 0;
    FB_W_CTRL = 0x048, 0x00FF_FF0F, 0;
    FB_W_LINESTRIDE = 0x04C, 0x0000_01FF, 0;
    FB_R_SOF1 = 0x050, 0x00FF_FFFC, 0;
    FB_R_SOF2 = 0x054, 0x00FF_FFFC, 0;
    FB_R_SIZE = 0x05C, 0x3FFF_FFFF, 0;
    FB_W_SOF1 = 0x060, 0x01FF_FFFC, 0;
    FB_W_SOF2 = 0x064, 0x01FF_FFFC, 0;
    FB_X_CLIP = 0x068, 0x07FF_07FF, 0;
    FB_Y_CLIP = 0x06C, 0x03FF_03FF, 0;
    FPU_SHAD_SCALE = 0x074, 0x0000_01FF, 0;
    FPU_CULL_VAL = 0x078, 0x7FFF_FFFF, 0;
    FPU_PARAM_CFG = 0x07C, 0x003F_FFFF, 0x0007_DF77;
    HALF_OFFSET = 0x080, 0x0000_0007, 7;
    FPU_PERP_VAL = 0x084, 0x7FFF_FFFF, 0;
    ISP_BACKGND_D = 0x088, 0xFFFF_FFF0, 0;
    ISP_BACKGND_T = 0x08C, 0x1FFF_FFFF, 0;
    ISP_FEED_CFG = 0x098, 0x00FF_FFF9, 0x0040_2000;
    SDRAM_REFRESH = 0x0A0, 0x0000_00FF, 0;
    SDRAM_ARB_CFG = 0x0A4, 0x003F_FFFF, 0;
    SDRAM_CFG = 0x0A8, 0x1FFF_FFFF, 0x15F2_8997;
    FOG_COL_RAM = 0x0B0, 0x00FF_FFFF, 0;
    FOG_COL_VERT = 0x0B4, 0x00FF_FFFF, 0;
    FOG_DENSITY = 0x0B8, 0x0000_FFFF, 0;
    FOG_CLAMP_MAX = 0x0BC, 0xFFFF_FFFF, 0;
    FOG_CLAMP_MIN = 0x0C0, 0xFFFF_FFFF, 0;
    SPG_TRIGGER_POS = 0x0C4, 0, 0;
    SPG_HBLANK_INT = 0x0C8, 0x03FF_33FF, 0x031D_0000;
    SPG_VBLANK_INT = 0x0CC, 0x03FF_03FF, 0x0015_0104;
    SPG_CONTROL = 0x0D0, 0x0000_03FF, 0;
    SPG_HBLANK = 0x0D4, 0x03FF_03FF, 0x007E_0345;
    SPG_LOAD = 0x0D8, 0x03FF_03FF, 0x0106_0359;
    SPG_VBLANK = 0x0DC, 0x03FF_03FF, 0x0150_0104;
    SPG_WIDTH = 0x0E0, 0xFFFF_FF7F, 0x07F1_933F;
    TEXT_CONTROL = 0x0E4, 0x0003_1F1F, 0;
    VO_CONTROL = 0x0E8, 0x003F_01FF, 0x0000_0108;
    VO_STARTX = 0x0EC, 0x0000_03FF, 0x0000_009D;
    VO_STARTY = 0x0F0, 0x03FF_03FF, 0x0015_0015;
    SCALER_CTL = 0x0F4, 0x0007_FFFF, 0x0000_0400;
    PAL_RAM_CTRL = 0x108, 0x0000_0003, 0;
    SPG_STATUS = 0x10C, 0, 0;
    FB_BURSTCTRL = 0x110, 0x000F_FF3F, 0x0009_0639;
    FB_C_SOF = 0x114, 0, 0;
    // The reset value is unknown; this is the value written by the boot ROM and all libraries.
    Y_COEFF = 0x118, 0x0000_FFFF, 0x0000_8040;
    PT_ALPHA_REF = 0x11C, 0x0000_00FF, 0x0000_00FF;
    TA_OL_BASE = 0x124, 0x00FF_FFE0, 0;
    TA_ISP_BASE = 0x128, 0x00FF_FFFC, 0;
    TA_OL_LIMIT = 0x12C, 0x00FF_FFE0, 0;
    TA_ISP_LIMIT = 0x130, 0x00FF_FFFC, 0;
    TA_NEXT_OPB = 0x134, 0, 0;
    TA_ITP_CURRENT = 0x138, 0, 0;
    TA_GLOB_TILE_CLIP = 0x13C, 0x000F_003F, 0;
    TA_ALLOC_CTRL = 0x140, 0x0013_3333, 0;
    TA_LIST_INIT = 0x144, 0, 0;
    TA_YUV_TEX_BASE = 0x148, 0x00FF_FFF8, 0;
    TA_YUV_TEX_CTRL = 0x14C, 0x0101_3F3F, 0;
    TA_YUV_TEX_CNT = 0x150, 0, 0;
    TA_LIST_CONT = 0x160, 0, 0;
    TA_NEXT_OPB_INIT = 0x164, 0x00FF_FFE0, 0;
    // The masks are known, the meaning is not.
    UNKNOWN_1A8 = 0x1A8, 0x0000_0001, 0;
    UNKNOWN_1AC = 0x1AC, 0x0300_FFFF, 0;
    FOG_TABLE = 0x200, 0xFFFF_FFFF, 0;
    TA_OL_POINTERS = 0x600, 0, 0;
    PALETTE_RAM = 0x1000, 0xFFFF_FFFF, 0;
}

/// Returns the byte offset of a register by the manual's name. A table of registers has the offset of its
/// first word.
#[must_use]
pub fn offset_of(name: &str) -> Option<u32> {
    let found = reg::ALL.iter().find(|(known, _)| *known == name);
    found.map(|&(_, offset)| offset)
}

/// Returns the writable bits of the register at a byte offset: 0 if it is read-only or not a register.
#[must_use]
pub fn writable_bits(offset: u32) -> u32 {
    MASKS[index(offset)]
}

#[inline]
fn index(offset: u32) -> usize {
    (offset % BYTES / 4) as usize
}

/// Values of the register file, without the effects of writes (see [`crate::Pvr::write_register`]).
///
/// A copy of [`crate::Pvr::registers`] represents the state that the chip latches: at STARTRENDER for
/// [`crate::Pvr::render_with`], once per field for [`crate::Pvr::scan_out`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    words: Box<[u32; WORDS]>,
}

state::fields!(Registers { words });

impl Default for Registers {
    fn default() -> Self {
        Self::new()
    }
}

impl Registers {
    /// Creates the values after reset.
    #[must_use]
    pub fn new() -> Self {
        let mut regs = Self {
            words: Box::new([0; WORDS]),
        };
        for &(offset, value) in RESET {
            regs.latch(offset, value);
        }
        regs
    }

    /// Reads the register at a byte offset. Offsets wrap around at 2000, and their low two bits are ignored.
    /// Write-only registers, time-dependent registers (SPG_STATUS, SPG_TRIGGER_POS, FB_C_SOF) and unused
    /// offsets read 0.
    #[inline]
    #[must_use]
    pub fn get(&self, offset: u32) -> u32 {
        self.words[index(offset)]
    }

    /// Stores the writable bits of a value at a byte offset, addressed as in [`Self::get`].
    #[inline]
    pub fn set(&mut self, offset: u32, value: u32) {
        let at = index(offset);
        self.words[at] = value & MASKS[at] | self.words[at] & !MASKS[at];
    }

    /// Stores a value that the chip itself writes to a register, even to a read-only one.
    #[inline]
    pub(crate) fn latch(&mut self, offset: u32, value: u32) {
        self.words[index(offset)] = value;
    }

    /// Reads the register at a byte offset as a float.
    #[must_use]
    pub fn float(&self, offset: u32) -> f32 {
        f32::from_bits(self.get(offset))
    }

    /// Returns FOG_TABLE: 128 entries, one per word.
    #[must_use]
    pub fn fog_table(&self) -> &[u32] {
        let first = index(reg::FOG_TABLE);
        &self.words[first..first + FOG_ENTRIES]
    }

    /// Returns PALETTE_RAM: 1,024 entries, one per word.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        let first = index(reg::PALETTE_RAM);
        &self.words[first..first + PALETTE_ENTRIES]
    }

    /// Columns and rows of the tile matrix, from TA_GLOB_TILE_CLIP: 1 to 64 and 1 to 16.
    #[must_use]
    pub fn tile_grid(&self) -> (u32, u32) {
        let clip = self.get(reg::TA_GLOB_TILE_CLIP);
        ((clip & 0x3F) + 1, (clip >> 16 & 0xF) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_read_back_through_the_masks() {
        let mut regs = Registers::new();
        for offset in (0..BYTES).step_by(4) {
            regs.set(offset, 0xFFFF_FFFF);
        }
        // Rows of the console's read-back test.
        for (offset, read) in [
            (0x000, 0x17FD_11DB),
            (0x004, 0x11),
            (0x008, 7),
            (0x00C, 0),
            (0x014, 0),
            (0x044, 0x00FF_FF7F),
            (0x05C, 0x3FFF_FFFF),
            (0x0C8, 0x03FF_33FF),
            (0x0D0, 0x3FF),
            (0x10C, 0),
            (0x134, 0),
            (0x144, 0),
            (0x14C, 0x0101_3F3F),
            (0x1AC, 0x0300_FFFF),
            (0x600, 0),
            (0x1FFC, 0xFFFF_FFFF),
        ] {
            assert_eq!(regs.get(offset), read, "{offset:#x}");
        }
    }

    #[test]
    fn offsets_rise_and_wrap() {
        assert!(reg::ALL.is_sorted_by_key(|&(_, offset)| offset));
        let mut regs = Registers::new();
        regs.set(0x2000 + reg::PT_ALPHA_REF + 3, 0x123);
        assert_eq!(regs.get(reg::PT_ALPHA_REF), 0x23);
    }
}
