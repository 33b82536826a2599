//! The register file, byte offsets from 0x005F8000 (`facts/pvr2.md` section 1).

/// Generates the constants of [`reg`] and the table that finds them by name.
macro_rules! registers {
    ($($name:ident = $offset:literal,)*) => {
        /// Byte offsets of the registers that this crate gives a meaning.
        #[allow(missing_docs)] // the names are the manual's
        pub mod reg {
            $(pub const $name: u32 = $offset;)*

            /// All of them with their names, by rising offset.
            pub const ALL: &[(&str, u32)] = &[$((stringify!($name), $offset),)*];
        }
    };
}

registers! {
    SOFTRESET = 0x008,
    STARTRENDER = 0x014,
    PARAM_BASE = 0x020,
    REGION_BASE = 0x02C,
    VO_BORDER_COL = 0x040,
    FB_R_CTRL = 0x044,
    FB_W_CTRL = 0x048,
    FB_W_LINESTRIDE = 0x04C,
    FB_R_SOF1 = 0x050,
    FB_R_SOF2 = 0x054,
    FB_R_SIZE = 0x05C,
    FB_W_SOF1 = 0x060,
    FB_W_SOF2 = 0x064,
    FB_X_CLIP = 0x068,
    FB_Y_CLIP = 0x06C,
    FPU_SHAD_SCALE = 0x074,
    FPU_CULL_VAL = 0x078,
    FPU_PARAM_CFG = 0x07C,
    HALF_OFFSET = 0x080,
    FPU_PERP_VAL = 0x084,
    ISP_BACKGND_D = 0x088,
    ISP_BACKGND_T = 0x08C,
    ISP_FEED_CFG = 0x098,
    FOG_COL_RAM = 0x0B0,
    FOG_COL_VERT = 0x0B4,
    FOG_DENSITY = 0x0B8,
    FOG_CLAMP_MAX = 0x0BC,
    FOG_CLAMP_MIN = 0x0C0,
    SPG_CONTROL = 0x0D0,
    TEXT_CONTROL = 0x0E4,
    VO_CONTROL = 0x0E8,
    SCALER_CTL = 0x0F4,
    PAL_RAM_CTRL = 0x108,
    Y_COEFF = 0x118,
    PT_ALPHA_REF = 0x11C,
    TA_OL_BASE = 0x124,
    TA_ISP_BASE = 0x128,
    TA_OL_LIMIT = 0x12C,
    TA_ISP_LIMIT = 0x130,
    TA_NEXT_OPB = 0x134,
    TA_ITP_CURRENT = 0x138,
    TA_GLOB_TILE_CLIP = 0x13C,
    TA_ALLOC_CTRL = 0x140,
    TA_LIST_INIT = 0x144,
    TA_YUV_TEX_BASE = 0x148,
    TA_YUV_TEX_CTRL = 0x14C,
    TA_YUV_TEX_CNT = 0x150,
    TA_LIST_CONT = 0x160,
    TA_NEXT_OPB_INIT = 0x164,
    FOG_TABLE = 0x200,
    PALETTE_RAM = 0x1000,
}

/// The byte offset of a register by the manual's name; `FOG_TABLE` and `PALETTE_RAM` are the first of their words.
pub fn offset_of(name: &str) -> Option<u32> {
    let found = reg::ALL.iter().find(|(known, _)| *known == name);
    found.map(|&(_, offset)| offset)
}

/// Bytes of the register file.
const BYTES: u32 = 0x2000;

const WORDS: usize = (BYTES / 4) as usize;

/// The fog table in entries.
const FOG_ENTRIES: usize = 128;

/// Palette RAM in entries.
const PALETTE_ENTRIES: usize = 1024;

/// The register file as plain words. Writing a word here has no side effect; see [`crate::Pvr::write_register`].
#[derive(Debug, Clone)]
pub struct Registers {
    words: Box<[u32; WORDS]>,
}

impl Default for Registers {
    fn default() -> Self {
        Self::new()
    }
}

impl Registers {
    /// All zero, but HALF_OFFSET = 7 (its reset value), SCALER_CTL = 0x400 (scale 1) and Y_COEFF = 0x8040 (its
    /// usual value).
    pub fn new() -> Self {
        let mut regs = Self {
            words: Box::new([0; WORDS]),
        };
        regs.set(reg::HALF_OFFSET, 7);
        regs.set(reg::SCALER_CTL, 0x400);
        regs.set(reg::Y_COEFF, 0x8040);
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
