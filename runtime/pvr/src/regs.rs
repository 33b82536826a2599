//! The register file, byte offsets from 0x005F8000 (`facts/pvr2.md` section 1).

/// Byte offsets of the registers that this crate gives a meaning.
#[allow(missing_docs)] // the names are the manual's
pub mod reg {
    pub const SOFTRESET: u32 = 0x008;
    pub const STARTRENDER: u32 = 0x014;
    pub const PARAM_BASE: u32 = 0x020;
    pub const REGION_BASE: u32 = 0x02C;
    pub const FB_W_CTRL: u32 = 0x048;
    pub const FB_W_LINESTRIDE: u32 = 0x04C;
    pub const FB_W_SOF1: u32 = 0x060;
    pub const FB_X_CLIP: u32 = 0x068;
    pub const FB_Y_CLIP: u32 = 0x06C;
    pub const FPU_SHAD_SCALE: u32 = 0x074;
    pub const FPU_CULL_VAL: u32 = 0x078;
    pub const FPU_PARAM_CFG: u32 = 0x07C;
    pub const HALF_OFFSET: u32 = 0x080;
    pub const FPU_PERP_VAL: u32 = 0x084;
    pub const ISP_BACKGND_D: u32 = 0x088;
    pub const ISP_BACKGND_T: u32 = 0x08C;
    pub const ISP_FEED_CFG: u32 = 0x098;
    pub const FOG_COL_RAM: u32 = 0x0B0;
    pub const FOG_COL_VERT: u32 = 0x0B4;
    pub const FOG_DENSITY: u32 = 0x0B8;
    pub const FOG_CLAMP_MAX: u32 = 0x0BC;
    pub const FOG_CLAMP_MIN: u32 = 0x0C0;
    pub const TEXT_CONTROL: u32 = 0x0E4;
    pub const SCALER_CTL: u32 = 0x0F4;
    pub const PAL_RAM_CTRL: u32 = 0x108;
    pub const PT_ALPHA_REF: u32 = 0x11C;
    pub const TA_OL_BASE: u32 = 0x124;
    pub const TA_ISP_BASE: u32 = 0x128;
    pub const TA_OL_LIMIT: u32 = 0x12C;
    pub const TA_ISP_LIMIT: u32 = 0x130;
    pub const TA_NEXT_OPB: u32 = 0x134;
    pub const TA_ITP_CURRENT: u32 = 0x138;
    pub const TA_GLOB_TILE_CLIP: u32 = 0x13C;
    pub const TA_ALLOC_CTRL: u32 = 0x140;
    pub const TA_LIST_INIT: u32 = 0x144;
    pub const TA_LIST_CONT: u32 = 0x160;
    pub const TA_NEXT_OPB_INIT: u32 = 0x164;
    pub const FOG_TABLE: u32 = 0x200;
    pub const PALETTE_RAM: u32 = 0x1000;
}

/// Bytes of the register file.
const BYTES: u32 = 0x2000;

/// The fog table in entries.
const FOG_ENTRIES: usize = 128;

/// Palette RAM in entries.
const PALETTE_ENTRIES: usize = 1024;

/// The register file as plain words. Writing a word here has no side effect; see [`crate::Pvr::write_register`].
#[derive(Debug, Clone)]
pub struct Registers {
    words: Vec<u32>,
}

impl Default for Registers {
    fn default() -> Self {
        Self::new()
    }
}

impl Registers {
    /// All zero, but HALF_OFFSET = 7 (its reset value) and SCALER_CTL = 0x400 (scale 1).
    pub fn new() -> Self {
        let mut regs = Self {
            words: vec![0; (BYTES / 4) as usize],
        };
        regs.set(reg::HALF_OFFSET, 7);
        regs.set(reg::SCALER_CTL, 0x400);
        regs
    }

    /// The word at a byte offset; offsets wrap at 0x2000 and their low two bits are ignored.
    #[inline]
    pub fn get(&self, offset: u32) -> u32 {
        self.words[(offset % BYTES / 4) as usize]
    }

    /// Sets the word at a byte offset, addressed as in [`Self::get`].
    pub fn set(&mut self, offset: u32, value: u32) {
        self.words[(offset % BYTES / 4) as usize] = value;
    }

    /// The word at a byte offset, read as a float.
    pub fn float(&self, offset: u32) -> f32 {
        f32::from_bits(self.get(offset))
    }

    /// FOG_TABLE: 128 entries, one a word.
    pub fn fog_table(&self) -> &[u32] {
        let first = (reg::FOG_TABLE / 4) as usize;
        &self.words[first..first + FOG_ENTRIES]
    }

    /// Palette RAM: 1,024 entries, one a word.
    pub fn palette(&self) -> &[u32] {
        let first = (reg::PALETTE_RAM / 4) as usize;
        &self.words[first..first + PALETTE_ENTRIES]
    }

    /// Columns and rows of the tile matrix, from TA_GLOB_TILE_CLIP: 1..=64 and 1..=16.
    pub fn tile_grid(&self) -> (u32, u32) {
        let clip = self.get(reg::TA_GLOB_TILE_CLIP);
        ((clip & 0x3F) + 1, (clip >> 16 & 0xF) + 1)
    }
}
