//! YUV converter of the tile accelerator: it converts macroblocks to a UYVY texture in the 64-bit area
//! (`docs/hardware/pvr2.md`, "YUV converter").
//!
//! A macroblock is 16x16 pixels and consists of planes of 8x8 bytes. In format 4:2:0 it has 384 bytes: U, V,
//! then Y top left, top right, bottom left, bottom right. In format 4:2:2 it has 512 bytes: U, V, left Y and
//! right Y of the upper 8 rows, then the four planes of the lower 8 rows.

use crate::regs::{Registers, reg};
use crate::settings::YuvRestart;
use crate::vram::{Area, Vram};

/// Side of a macroblock in pixels.
const SIDE: u32 = 16;
/// Size of an 8x8 plane in bytes.
const PLANE: usize = 64;

/// Macroblock being received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Yuv {
    bytes: Vec<u8>,
    /// Number of macroblocks received since the start of the texture.
    count: u32,
}

state::fields!(Yuv { bytes, count } check(|yuv: &Yuv| yuv.bytes.len() < 8 * PLANE && yuv.count <= 1 << 12));

/// Result of receiving a 32-byte block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// The texture is not complete yet.
    More,
    /// The texture is complete.
    Whole,
    /// The texture was already complete; the block was dropped.
    Dropped,
}

/// TA_YUV_TEX_CTRL.
struct Control(u32);

impl Control {
    fn is_422(&self) -> bool {
        self.0 >> 24 & 1 != 0
    }

    /// True if each macroblock becomes a separate 16x16 texture, false if all together form one texture.
    fn many_textures(&self) -> bool {
        self.0 >> 16 & 1 != 0
    }

    /// Number of macroblocks in a row: bits 5:0 plus one.
    fn columns(&self) -> u32 {
        (self.0 & 0x3F) + 1
    }

    /// Total number of macroblocks; the number of rows is bits 13:8 plus one.
    fn total(&self) -> u32 {
        self.columns() * ((self.0 >> 8 & 0x3F) + 1)
    }

    fn block_bytes(&self) -> usize {
        if self.is_422() { 8 * PLANE } else { 6 * PLANE }
    }

    /// Returns the byte offset of macroblock `n`, and the size of a texture row in bytes.
    fn place(&self, n: u32) -> (u32, u32) {
        if self.many_textures() {
            return (n * SIDE * SIDE * 2, SIDE * 2);
        }
        let row = self.columns() * SIDE * 2;
        (
            n / self.columns() * SIDE * row + n % self.columns() * SIDE * 2,
            row,
        )
    }
}

impl Yuv {
    /// Starts a new texture. A write to TA_YUV_TEX_BASE or STARTRENDER causes this.
    pub(crate) fn start(&mut self, regs: &mut Registers) {
        *self = Self::default();
        regs.latch(reg::TA_YUV_TEX_CNT, 0);
    }

    /// Receives 32 bytes, and writes the macroblock to VRAM when it is complete.
    pub(crate) fn block(
        &mut self,
        regs: &mut Registers,
        vram: &mut Vram,
        restart: YuvRestart,
        block: &[u32; 8],
    ) -> Received {
        let control = Control(regs.get(reg::TA_YUV_TEX_CTRL));
        if self.count >= control.total() {
            match restart {
                YuvRestart::NextInput => self.start(regs),
                YuvRestart::TexBase => return Received::Dropped,
            }
        }
        self.bytes
            .extend(block.iter().flat_map(|word| word.to_le_bytes()));
        if self.bytes.len() < control.block_bytes() {
            return Received::More;
        }
        let base = regs.get(reg::TA_YUV_TEX_BASE) & 0xFF_FFF8;
        let (offset, row) = control.place(self.count);
        write_macroblock(
            vram,
            base.wrapping_add(offset),
            row,
            &self.bytes,
            control.is_422(),
        );
        self.bytes.clear();
        self.count += 1;
        regs.latch(reg::TA_YUV_TEX_CNT, self.count);
        if self.count == control.total() {
            Received::Whole
        } else {
            Received::More
        }
    }
}

/// Writes 16 rows of 16 pixels as U Y V Y. 420 uses each row of U and V twice. A macroblock of 422 consists
/// of two halves of 8 rows, each with U, V and two planes of Y (KallistiOS,
/// `examples/dreamcast/pvr/yuv_converter/YUV422`).
fn write_macroblock(vram: &mut Vram, address: u32, row: u32, bytes: &[u8], is_422: bool) {
    for y in 0..SIDE {
        let (part, chroma_row, luma_row) = match is_422 {
            true => (&bytes[y as usize / 8 * 4 * PLANE..], y % 8, y % 8),
            false => (bytes, y / 2, y),
        };
        let (u, rest) = part.split_at(PLANE);
        let (v, luma) = rest.split_at(PLANE);
        for x in 0..SIDE / 2 {
            let c = (chroma_row * 8 + x) as usize;
            let [left, right] = [0, 1].map(|n| luma_at(luma, 2 * x + n, luma_row));
            let word = u32::from_le_bytes([u[c], left, v[c], right]);
            vram.write32(Area::Bits64, address.wrapping_add(y * row + x * 4), word);
        }
    }
}

/// Returns Y of a pixel from its 8x8 plane; two planes are next to each other.
fn luma_at(luma: &[u8], x: u32, y: u32) -> u8 {
    let plane = (y / 8 * 2 + x / 8) as usize;
    luma[plane * PLANE + (y % 8 * 8 + x % 8) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Pvr, Settings, Warning};

    const BASE: u32 = 0x0070_0000;

    /// A macroblock with U = 1, V = 2 (lower halves of 422: 3 and 4) and Y = 16 * row + column.
    fn macroblock(is_422: bool) -> Vec<u8> {
        let y = |top: u8, left: u8| (0..64).map(move |n| 16 * (top + n / 8) + left + n % 8);
        let mut bytes = Vec::new();
        let chroma = |bytes: &mut Vec<u8>, values: [u8; 2]| {
            for value in values {
                bytes.extend([value; PLANE]);
            }
        };
        chroma(&mut bytes, [1, 2]);
        bytes.extend(y(0, 0).chain(y(0, 8)));
        if is_422 {
            chroma(&mut bytes, [3, 4]);
        }
        bytes.extend(y(8, 0).chain(y(8, 8)));
        bytes
    }

    fn feed(pvr: &mut Pvr, bytes: &[u8]) {
        pvr.write_yuv(bytes);
    }

    fn converter(control: u32) -> Pvr {
        let mut pvr = Pvr::new(Settings::default());
        pvr.write_register(reg::TA_YUV_TEX_CTRL, control);
        pvr.write_register(reg::TA_YUV_TEX_BASE, BASE);
        pvr
    }

    #[test]
    fn macroblocks_of_420_stand_side_by_side() {
        // Two macroblocks in one row.
        let mut pvr = converter(1);
        let block = macroblock(false);
        assert_eq!(block.len(), 384);
        feed(&mut pvr, &block);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 1);
        assert!(!pvr.events().has(Event::YuvDone));
        feed(&mut pvr, &block);
        assert!(pvr.events().has(Event::YuvDone));
        let at = |x: u32, y: u32| pvr.vram.read32(Area::Bits64, BASE + y * 64 + x * 2);
        // U Y V Y: row 0 columns 0 and 1; row 9 columns 8 and 9; the second macroblock.
        assert_eq!(at(0, 0), 0x0102_0001);
        assert_eq!(at(8, 9), 0x9902_9801);
        assert_eq!(at(16, 15), 0xF102_F001);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 2);
    }

    #[test]
    fn a_whole_texture_is_followed_by_the_next_or_by_nothing() {
        let block = macroblock(false);
        let mut pvr = converter(0);
        feed(&mut pvr, &block);
        feed(&mut pvr, &block[..96]);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 0);
        let mut white = block.clone();
        white[128..].fill(255);
        feed(&mut pvr, &white[96..]);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 1);
        assert_eq!(pvr.vram.read32(Area::Bits64, BASE), 0xFF02_FF01);
        let mut pvr = converter(0);
        pvr.set_settings(Settings {
            yuv_restart: YuvRestart::TexBase,
            ..Settings::default()
        });
        feed(&mut pvr, &block);
        feed(&mut pvr, &white);
        assert_eq!(pvr.vram.read32(Area::Bits64, BASE), 0x0102_0001);
        assert_eq!(pvr.warnings(), [Warning::YuvOverrun]);
    }

    #[test]
    fn startrender_begins_a_texture_anew() {
        // Four macroblocks in one row; two and a part of the third arrive before STARTRENDER.
        let mut pvr = converter(3);
        let block = macroblock(false);
        feed(&mut pvr, &block);
        feed(&mut pvr, &block);
        feed(&mut pvr, &block[..96]);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 2);
        pvr.write_register(reg::STARTRENDER, 1);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 0);
        let mut white = block;
        white[128..].fill(255);
        feed(&mut pvr, &white);
        assert_eq!(pvr.read_register(reg::TA_YUV_TEX_CNT), 1);
        let at = |n: u32| pvr.vram.read32(Area::Bits64, BASE + n * 32);
        assert_eq!([0, 1, 2].map(at), [0xFF02_FF01, 0x0102_0001, 0]);
    }

    #[test]
    fn macroblocks_of_422_have_two_chroma_planes_and_many_textures_follow_each_other() {
        let mut pvr = converter(1 << 24 | 1 << 16 | 1);
        let block = macroblock(true);
        assert_eq!(block.len(), 512);
        feed(&mut pvr, &[&block[..], &block[..]].concat());
        let at = |n: u32, x: u32, y: u32| pvr.vram.read32(Area::Bits64, BASE + n * 512 + y * 32 + x * 2);
        assert_eq!(at(0, 0, 7), 0x7102_7001);
        assert_eq!(at(1, 14, 8), 0x8F04_8E03);
    }
}
