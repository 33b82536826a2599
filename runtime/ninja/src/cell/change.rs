//! Chunk that changes blocks of a cell (docs/formats/cell-sprite.md 3, docs/formats/ninja.md 1.11).

use super::CellAttr;
use crate::color::Argb;

/// CE: new values for blocks of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellChange {
    /// Number of the cell.
    pub entry: u16,
    /// The size field, 0..=15: words of data modulo 16. The runtime ignores it (docs/formats/ninja.md 1.11).
    pub size: u8,
    /// Blocks in this chunk.
    pub blocks: BlockBits,
    /// Data of the blocks in file order; [`BlockBits::words`] gives the length.
    pub words: Vec<u32>,
}

/// Set of blocks in a CE, bits 23 to 16 of its first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BlockBits(pub u8);

impl BlockBits {
    /// Texture and attributes, 1 word.
    pub const IA0: BlockBits = BlockBits(0x80);
    /// Offset, size and rotation, 5 words; with [`BlockBits::PR2`] the last word also contains the priority.
    pub const MO1: BlockBits = BlockBits(0x40);
    /// Priority; 1 word without [`BlockBits::MO1`].
    pub const PR2: BlockBits = BlockBits(0x20);
    /// Centre, 2 words.
    pub const CE3: BlockBits = BlockBits(0x10);
    /// Vertex colours, 4 words.
    pub const VC4: BlockBits = BlockBits(0x08);
    /// Texture coordinates, 4 words.
    pub const UV5: BlockBits = BlockBits(0x04);
    /// Bits with a meaning.
    pub const KNOWN: BlockBits = BlockBits(0xFC);

    /// True if all bits of `other` are set.
    pub const fn contains(self, other: BlockBits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Number of data words, 0 to 16.
    pub fn words(self) -> usize {
        let has = |bits: BlockBits| usize::from(self.contains(bits));
        let turn = if self.contains(Self::MO1) {
            5
        } else {
            has(Self::PR2)
        };
        has(Self::IA0) + turn + 2 * has(Self::CE3) + 4 * has(Self::VC4) + 4 * has(Self::UV5)
    }
}

impl std::ops::BitOr for BlockBits {
    type Output = BlockBits;

    fn bitor(self, other: BlockBits) -> BlockBits {
        BlockBits(self.0 | other.0)
    }
}

/// Decoded blocks of a CE.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CellBlocks {
    /// IA0: texture and attributes.
    pub texture: Option<(i16, CellAttr)>,
    /// MO1: offset, size and rotation.
    pub motion: Option<BlockMotion>,
    /// PR2: priority.
    pub priority: Option<i16>,
    /// CE3: centre.
    pub center: Option<[f32; 2]>,
    /// VC4: vertex colours.
    pub argb: Option<[Argb; 4]>,
    /// UV5: u0, v0, u2, v2.
    pub uv: Option<[f32; 4]>,
}

/// MO1: offset, size and rotation of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BlockMotion {
    /// cox, coy.
    pub offset: [f32; 2],
    /// csx, csy.
    pub size: [f32; 2],
    /// czang in BAMS.
    pub zang: i16,
}

impl CellChange {
    /// Creates a chunk of the given blocks.
    pub fn new(entry: u16, blocks: &CellBlocks) -> Self {
        let mut bits = BlockBits::default();
        let mut words = Vec::new();
        let halves = |high: u16, low: u16| u32::from(high) << 16 | u32::from(low);
        if let Some((tex_id, attr)) = blocks.texture {
            bits = bits | BlockBits::IA0;
            words.push(halves(tex_id as u16, attr.0));
        }
        if let Some(motion) = blocks.motion {
            bits = bits | BlockBits::MO1;
            words.extend(motion.offset.iter().chain(&motion.size).map(|f| f.to_bits()));
        }
        if blocks.priority.is_some() {
            bits = bits | BlockBits::PR2;
        }
        match (
            blocks.motion.map(|m| m.zang as u16),
            blocks.priority.map(|p| p as u16),
        ) {
            (Some(zang), Some(priority)) => words.push(halves(zang, priority)),
            (Some(low), None) | (None, Some(low)) => words.push(u32::from(low)),
            (None, None) => {}
        }
        if let Some(center) = blocks.center {
            bits = bits | BlockBits::CE3;
            words.extend(center.map(f32::to_bits));
        }
        if let Some(argb) = blocks.argb {
            bits = bits | BlockBits::VC4;
            words.extend(argb.map(|c| c.0));
        }
        if let Some(uv) = blocks.uv {
            bits = bits | BlockBits::UV5;
            words.extend(uv.map(f32::to_bits));
        }
        CellChange {
            entry,
            size: (words.len() % 16) as u8,
            blocks: bits,
            words,
        }
    }

    /// Decodes the blocks. Blocks with missing words are `None`; chunks from a reader always have all words.
    pub fn decode(&self) -> CellBlocks {
        let mut words = self.words.iter().copied();
        let mut blocks = CellBlocks::default();
        let has = |bits| self.blocks.contains(bits);
        let mut take = |wanted: bool| if wanted { words.next() } else { None };
        if let Some(word) = take(has(BlockBits::IA0)) {
            blocks.texture = Some(((word >> 16) as i16, CellAttr(word as u16)));
        }
        let mut floats = |wanted: bool| take(wanted).map(f32::from_bits);
        let moved = has(BlockBits::MO1);
        let place = [floats(moved), floats(moved), floats(moved), floats(moved)];
        let turn = take(moved || has(BlockBits::PR2));
        if let ([Some(ox), Some(oy), Some(sx), Some(sy)], Some(turn)) = (place, turn) {
            let zang = if has(BlockBits::PR2) { turn >> 16 } else { turn };
            blocks.motion = Some(BlockMotion {
                offset: [ox, oy],
                size: [sx, sy],
                zang: zang as i16,
            });
        }
        blocks.priority = turn.filter(|_| has(BlockBits::PR2)).map(|turn| turn as i16);
        let mut pair = |wanted: bool| Some([take(wanted)?, take(wanted)?]);
        blocks.center = pair(has(BlockBits::CE3)).map(|c| c.map(f32::from_bits));
        let mut four = |wanted: bool| {
            let ([a, b], [c, d]) = (pair(wanted)?, pair(wanted)?);
            Some([a, b, c, d])
        };
        blocks.argb = four(has(BlockBits::VC4)).map(|c| c.map(Argb));
        blocks.uv = four(has(BlockBits::UV5)).map(|uv| uv.map(f32::from_bits));
        blocks
    }
}
