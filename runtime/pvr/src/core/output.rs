//! From tile colours to the framebuffer in VRAM (`facts/pvr2.md` section 9).

use super::plane::TILE;
use crate::regs::{Registers, reg};
use crate::settings::{DitherMatrix, FbRound, Settings};
use crate::vram::{VRAM_BYTES, Vram, phys};
use std::sync::Mutex;

/// Biases out of 255 (refsw2).
const DITHER_REFSW2: [[u32; 4]; 4] = [
    [8, 136, 40, 168],
    [200, 72, 232, 104],
    [56, 184, 24, 152],
    [248, 120, 216, 88],
];
/// The same out of 16 (flycast).
const DITHER_FLYCAST: [[u32; 4]; 4] = [[5, 13, 7, 15], [9, 1, 11, 3], [6, 14, 4, 12], [10, 2, 8, 0]];

/// Where and how pixels are written.
#[derive(Debug)]
pub(super) struct Output<'a> {
    settings: &'a Settings,
    mode: u32,
    dither: bool,
    /// K value: the alpha bits of modes 0 and 5.
    k: u32,
    alpha_threshold: u32,
    /// Bytes from one line to the next.
    stride: u32,
    start: u32,
    /// Through the 64-bit area: the result is a texture.
    texture: bool,
    x_clip: [u32; 2],
    y_clip: [u32; 2],
}

/// Bytes of a bank.
const BANK_BYTES: u32 = VRAM_BYTES as u32 / 2;

/// Memory of the framebuffer, a row of tiles each, in the order of the 64-bit area.
#[derive(Debug)]
pub(super) struct Bands<'v> {
    /// Byte of an eight-byte cell at which the framebuffer's bank begins.
    lane: usize,
    bands: Vec<Mutex<&'v mut [u8]>>,
}

impl<'a> Output<'a> {
    pub(super) fn new(regs: &Registers, settings: &'a Settings) -> Self {
        let control = regs.get(reg::FB_W_CTRL);
        let start = regs.get(reg::FB_W_SOF1);
        let (x, y) = (regs.get(reg::FB_X_CLIP), regs.get(reg::FB_Y_CLIP));
        Self {
            settings,
            mode: control & 7,
            dither: control >> 3 & 1 != 0,
            k: control >> 8 & 0xFF,
            alpha_threshold: control >> 16 & 0xFF,
            stride: (regs.get(reg::FB_W_LINESTRIDE) & 0x1FF) * 8,
            start: start & 0xFF_FFFC,
            texture: start >> 24 & 1 != 0,
            x_clip: [x & 0x7FF, x >> 16 & 0x7FF],
            y_clip: [y & 0x3FF, y >> 16 & 0x3FF],
        }
    }

    /// Bytes of a pixel.
    fn bytes(&self) -> u32 {
        match self.mode {
            0..=3 => 2,
            4 => 3,
            _ => 4,
        }
    }

    /// The framebuffer cut into rows of tiles, so that threads can write tiles side by side; `None` where
    /// [`Self::write`] has to do it: for another format than four bytes a pixel, for a texture, and where lines
    /// overlap, leave their bank or leave memory.
    pub(super) fn bands<'v>(&self, vram: &'v mut Vram, rows: u32) -> Option<Bands<'v>> {
        let lines = (rows * TILE as u32).min(self.y_clip[1] + 1);
        let line_end = (self.x_clip[1] + 1) * 4;
        let place = self.start & (BANK_BYTES - 1);
        let end = u64::from(place) + u64::from(lines) * u64::from(self.stride);
        let plain = self.mode == 6 && !self.texture && self.start < VRAM_BYTES as u32;
        if !plain || lines == 0 || line_end > self.stride || end > u64::from(BANK_BYTES) {
            return None;
        }
        // Words of one bank lie eight bytes apart.
        let (first, bytes) = (place as usize * 2, (lines * self.stride) as usize * 2);
        let cells = vram.part64_mut(first..first + bytes)?;
        let band = 2 * TILE * self.stride as usize;
        Some(Bands {
            lane: if self.start < BANK_BYTES { 0 } else { 4 },
            bands: cells.chunks_mut(band).map(Mutex::new).collect(),
        })
    }

    /// Writes a tile at pixel (`x`, `y`) as [`Self::write`] does.
    pub(super) fn write_band(&self, bands: &Bands<'_>, x: u32, y: u32, colours: &[u32]) {
        let first = self.x_clip[0].saturating_sub(x).min(TILE as u32);
        let end = (self.x_clip[1] + 1).saturating_sub(x).min(TILE as u32);
        let Some(band) = bands.bands.get(y as usize / TILE).filter(|_| first < end) else {
            return;
        };
        let mut band = band.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let lines = band.chunks_exact_mut(2 * self.stride as usize);
        for ((line, colours), y) in lines.zip(colours.chunks_exact(TILE)).zip(y..) {
            if y < self.y_clip[0] {
                continue;
            }
            let cells = line[(x + first) as usize * 8..(x + end) as usize * 8]
                .as_chunks_mut::<8>()
                .0;
            let colours = &colours[first as usize..end as usize];
            for (cell, colour) in cells.iter_mut().zip(colours) {
                cell[bands.lane..bands.lane + 4].copy_from_slice(&colour.to_le_bytes());
            }
        }
    }

    /// Writes a tile at pixel (`x`, `y`).
    pub(super) fn write(&self, vram: &mut Vram, x: u32, y: u32, colours: &[u32]) {
        for (row, colours) in colours.chunks_exact(TILE).enumerate() {
            let y = y + row as u32;
            if !(self.y_clip[0]..=self.y_clip[1]).contains(&y) {
                continue;
            }
            let line = self.start.wrapping_add(y * self.stride);
            let first = self.x_clip[0].saturating_sub(x).min(TILE as u32);
            let end = (self.x_clip[1] + 1).saturating_sub(x).min(TILE as u32);
            if first < end && self.mode == 6 && !self.texture {
                let at = line.wrapping_add((x + first) * 4);
                if vram.write_row32(at, &colours[first as usize..end as usize]) {
                    continue;
                }
            }
            for n in first..end {
                let at = line.wrapping_add((x + n) * self.bytes());
                self.pixel(vram, at, [x + n, y], colours[n as usize]);
            }
        }
    }

    #[inline]
    fn pixel(&self, vram: &mut Vram, address: u32, [x, y]: [u32; 2], colour: u32) {
        // Pixels of two and four bytes lie within a word of memory; those of three do not.
        let place = |n: u32| {
            if self.texture {
                address.wrapping_add(n)
            } else {
                phys(address.wrapping_add(n))
            }
        };
        match self.mode {
            4 => {
                for (n, byte) in (0..3).zip(colour.to_le_bytes()) {
                    vram.write8_64(place(n), byte);
                }
            }
            5 => vram.write64_area(place(0), colour & 0x00FF_FFFF | self.k << 24),
            6 => vram.write64_area(place(0), colour),
            // Mode 7 is reserved.
            7 => {}
            _ => {
                for (n, byte) in (0..2).zip(self.short(x, y, colour).to_le_bytes()) {
                    vram.write8_64(place(n), byte);
                }
            }
        }
    }

    /// A colour in one of the 16-bit modes.
    fn short(&self, x: u32, y: u32, colour: u32) -> u16 {
        let part = |shift: u32, bits: u32| self.reduce(x, y, colour >> shift & 0xFF, bits);
        let rgb555 = || part(16, 5) << 10 | part(8, 5) << 5 | part(0, 5);
        let packed = match self.mode {
            0 => (self.k >> 7) << 15 | rgb555(),
            1 => part(16, 5) << 11 | part(8, 6) << 5 | part(0, 5),
            2 => part(24, 4) << 12 | part(16, 4) << 8 | part(8, 4) << 4 | part(0, 4),
            _ => u32::from(colour >> 24 >= self.alpha_threshold) << 15 | rgb555(),
        };
        packed as u16
    }

    /// Reduces a channel to `bits` bits.
    fn reduce(&self, x: u32, y: u32, c: u32, bits: u32) -> u32 {
        let max = (1 << bits) - 1;
        let (x, y) = ((x & 3) as usize, (y & 3) as usize);
        if self.dither {
            return match self.settings.dither_matrix {
                DitherMatrix::Refsw2 => (c * max + DITHER_REFSW2[y][x]) / 255,
                DitherMatrix::Flycast => ((c * max * 16 / 255 + DITHER_FLYCAST[y][x]) / 16).min(max),
            };
        }
        let round = match self.settings.fb_round {
            FbRound::Truncate => false,
            FbRound::Round => true,
            FbRound::RoundForTexture => self.texture,
        };
        if round {
            (c * max + 127) / 255
        } else {
            c >> (8 - bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two ways to write a tile leave the same memory.
    #[test]
    fn bands_are_written_as_tiles_are() {
        let mut regs = Registers::new();
        regs.set(reg::FB_W_CTRL, 6);
        regs.set(reg::FB_W_LINESTRIDE, 100 * 4 / 8);
        for (start, clip_x, clip_y) in [
            (0, [0, 99], [0, 69]),
            (0x0040_1000, [5, 90], [3, 60]),
            (0x100, [40, 50], [33, 33]),
        ] {
            regs.set(reg::FB_W_SOF1, start);
            regs.set(reg::FB_X_CLIP, clip_x[1] << 16 | clip_x[0]);
            regs.set(reg::FB_Y_CLIP, clip_y[1] << 16 | clip_y[0]);
            let settings = Settings::default();
            let output = Output::new(&regs, &settings);
            let (mut one, mut other) = (Vram::new(), Vram::new());
            let tiles: Vec<(u32, u32)> = (0..3)
                .flat_map(|y| (0..4).map(move |x| (32 * x, 32 * y)))
                .collect();
            let colours = |x: u32, y: u32| -> Vec<u32> {
                (0..1024_u32)
                    .map(|n| n.wrapping_mul(0x0101_0305) ^ (x * 7 + y))
                    .collect()
            };
            for &(x, y) in &tiles {
                output.write(&mut one, x, y, &colours(x, y));
            }
            let bands = output.bands(&mut other, 3).expect("a plain framebuffer");
            for &(x, y) in &tiles {
                output.write_band(&bands, x, y, &colours(x, y));
            }
            drop(bands);
            assert!(one.bytes64() == other.bytes64(), "{start:#x}");
        }
    }
}
