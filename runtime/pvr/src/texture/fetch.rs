//! Reader of single texels from memory. It defines the results; `decode` processes complete textures.

use super::color::{LowBits, PaletteFormat, from_565, from_1555, from_4444, from_yuv};
use super::layout::{CODEBOOK_BYTES, TextureLayout};
use super::{TextureRegisters, layout_of, twiddled_offset};
use crate::param::{PixelFormat, TextureWord, TspWord};
use crate::settings::TextureSettings;
use crate::vram::{Area, Vram};

/// A texture in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texels<'a> {
    vram: &'a Vram,
    regs: TextureRegisters<'a>,
    settings: TextureSettings,
    address: u32,
    selector: u32,
    layout: TextureLayout,
}

impl<'a> Texels<'a> {
    pub(crate) fn new(
        vram: &'a Vram,
        regs: TextureRegisters<'a>,
        settings: TextureSettings,
        tcw: TextureWord,
        tsp: TspWord,
    ) -> Self {
        Self {
            vram,
            regs,
            settings,
            address: tcw.address(),
            selector: tcw.palette_selector(),
            layout: layout_of(tcw, tsp, regs.text_control),
        }
    }

    /// Width and height of a level; level 0 is the full size.
    pub(crate) fn size(&self, level: u32) -> [u32; 2] {
        [self.layout.width, self.layout.height].map(|side| (side >> level).max(1))
    }

    /// Index of the smallest level: 0 without mip levels.
    pub(crate) fn last_level(&self) -> u32 {
        if self.layout.mipmapped {
            self.layout.width.ilog2()
        } else {
            0
        }
    }

    /// Returns the texel in column `x` and row `y` of a level as ARGB8888. For a bump map it is the raw word.
    pub(crate) fn texel(&self, level: u32, x: u32, y: u32) -> u32 {
        let [width, _] = self.size(level);
        let at = |x| self.offset(level, x, y);
        let below = LowBits::new(self.settings.linear_expand, self.layout.twiddled);
        match self.layout.format {
            PixelFormat::Pal4 | PixelFormat::Pal8 => self.colour(self.index(at(x))),
            PixelFormat::Yuv422 if width > 1 => {
                let [_, u] = self.word(at(x & !1)).to_be_bytes();
                let [_, v] = self.word(at(x | 1)).to_be_bytes();
                let [luma, _] = self.word(at(x)).to_be_bytes();
                from_yuv(luma, u, v)
            }
            // The 1x1 level of a YUV texture is RGB565.
            PixelFormat::Yuv422 | PixelFormat::Rgb565 => from_565(self.word(at(x)), below),
            PixelFormat::Bump => u32::from(self.word(at(x))),
            PixelFormat::Argb4444 => from_4444(self.word(at(x)), below),
            PixelFormat::Argb1555 => from_1555(self.word(at(x)), below),
        }
    }

    /// Offset in texels from the start of the texture (after a codebook).
    fn offset(&self, level: u32, x: u32, y: u32) -> u32 {
        if !self.layout.twiddled {
            return y * self.layout.stride + x;
        }
        let [width, height] = self.size(level);
        let base = if self.layout.mipmapped {
            TextureLayout::mip_offset(width)
        } else {
            0
        };
        base as u32 + twiddled_offset(x, y, width, height)
    }

    fn byte(&self, offset: u32) -> u8 {
        self.vram.read8(Area::Bits64, self.address.wrapping_add(offset))
    }

    /// Returns the start of the code that contains a texel, and the texel's index in it.
    fn code(&self, offset: u32) -> (u32, u32) {
        let texels = self.layout.texels_per_code(&self.settings) as u32;
        let code = self.byte(CODEBOOK_BYTES as u32 + offset / texels);
        (u32::from(code) * 8, offset % texels)
    }

    /// Returns a 16-bit texel.
    fn word(&self, offset: u32) -> u16 {
        let (start, n) = if self.layout.vq {
            self.code(offset)
        } else {
            (0, offset)
        };
        self.vram
            .read16(Area::Bits64, self.address.wrapping_add(start + n * 2))
    }

    /// Returns a palette index.
    fn index(&self, offset: u32) -> u32 {
        let (start, n) = if self.layout.vq {
            self.code(offset)
        } else {
            (0, offset)
        };
        u32::from(if self.layout.format == PixelFormat::Pal4 {
            self.byte(start + n / 2) >> (4 * (n & 1)) & 15
        } else {
            self.byte(start + n)
        })
    }

    /// Returns a colour of the selected palette.
    fn colour(&self, index: u32) -> u32 {
        let first = if self.layout.format == PixelFormat::Pal4 {
            self.selector * 16
        } else {
            (self.selector >> 4) * 256
        };
        let entry = self.regs.palette_ram.get((first + index) as usize);
        let format = PaletteFormat::from_bits(self.regs.pal_ram_ctrl);
        format.expand(entry.copied().unwrap_or_default(), self.settings.linear_expand)
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;
    use crate::regs::{Registers, reg};
    use crate::settings::Settings;
    use crate::vram::{Area, VRAM_BYTES};

    /// Tests every format, order, size and level with random memory, palette RAM and control words.
    #[test]
    fn texels_one_by_one_are_the_decoded_ones() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        let mut vram = Vram::new();
        for at in (0..VRAM_BYTES as u32).step_by(4) {
            vram.write32(Area::Bits32, at, random());
        }
        let mut regs = Registers::new();
        for n in 0..1024 {
            regs.set(reg::PALETTE_RAM + n * 4, random());
        }
        let mut compared = 0;
        for case in 0..600 {
            regs.set(reg::PAL_RAM_CTRL, random() & 3);
            regs.set(reg::TEXT_CONTROL, random());
            let tcw = TextureWord(random());
            let tsp = TspWord(random()).with_size(8 << (case % 6), 8 << (random() % 6));
            let registers = TextureRegisters::from(&regs);
            let settings = Settings::default();
            let texture = decode(&vram, tcw, tsp, &registers, &settings).expect("every word has a meaning");
            let texels = Texels::new(&vram, registers, settings.texture, tcw, tsp);
            let levels = [&texture.texels]
                .into_iter()
                .chain(texture.levels.iter().map(|l| &l.texels));
            for (level, decoded) in (0..).zip(levels) {
                let [width, height] = texels.size(level);
                for (n, &texel) in (0..width * height).zip(decoded) {
                    let (x, y) = (n % width, n / width);
                    assert_eq!(
                        texels.texel(level, x, y),
                        texel,
                        "{tcw:?} {tsp:?} level {level} at {x}, {y}"
                    );
                    compared += 1;
                }
            }
            assert_eq!(texels.last_level() as usize, texture.levels.len());
        }
        println!("600 textures, {compared} texels");
    }
}
