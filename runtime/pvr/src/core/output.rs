//! Output of tile colours to the framebuffer in VRAM (`docs/hardware/pvr2.md`, "Framebuffer output").

mod pack;
mod scale;
mod screen;

use super::plane::TILE;
use crate::event::{Warning, Warnings};
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::vram::{Area, VRAM_BYTES, Vram, phys};
use pack::{PackMode, Packer};
use scale::{Field, Picture, Scaler};
pub(crate) use screen::{Screen, show_line};
use std::sync::Mutex;

/// Destination and format of pixels.
#[derive(Debug)]
pub(super) struct Output {
    packer: Packer,
    scaler: Option<Scaler>,
    /// Distance between lines in bytes.
    stride: u32,
    /// Byte address of the first line.
    start: u32,
    /// True if the output goes through the 64-bit area: the result is a texture.
    texture: bool,
    /// First and last written column.
    x_clip: [u32; 2],
    /// First and last written line.
    y_clip: [u32; 2],
}

/// Size of a bank in bytes.
const BANK_BYTES: u32 = VRAM_BYTES as u32 / 2;

/// Memory of the framebuffer, one slice per row of tiles.
#[derive(Debug)]
pub(super) struct Bands<'v> {
    /// Distance between lines in bytes.
    line: usize,
    bands: Vec<Mutex<&'v mut [u8]>>,
}

impl Output {
    pub(super) fn new(regs: &Registers, settings: &Settings) -> Self {
        let start = regs.get(match Field::of(regs) {
            Field::First => reg::FB_W_SOF1,
            Field::Second => reg::FB_W_SOF2,
        });
        let texture = start >> 24 & 1 != 0;
        let (x, y) = (regs.get(reg::FB_X_CLIP), regs.get(reg::FB_Y_CLIP));
        Self {
            packer: Packer::new(regs, settings, texture),
            scaler: Scaler::new(regs, settings.scaler_filter),
            stride: (regs.get(reg::FB_W_LINESTRIDE) & 0x1FF) * 8,
            start: start & 0xFF_FFFC,
            texture,
            x_clip: [x & 0x7FF, x >> 16 & 0x7FF],
            y_clip: [y & 0x3FF, y >> 16 & 0x3FF],
        }
    }

    /// True if a [`Screen`] can show the pixels directly: colours of four bytes.
    pub(super) fn is_shown(&self) -> bool {
        self.packer.mode == PackMode::Argb8888
    }

    /// Divides the framebuffer into rows of tiles, so that threads can write tiles in parallel. Returns
    /// `None` where [`Self::write_frame`] is necessary: for formats other than two or four bytes per pixel,
    /// for a texture, with a scale, and if lines overlap or leave their bank or memory.
    pub(super) fn bands<'v>(&self, vram: &'v mut Vram, rows: u32) -> Option<Bands<'v>> {
        let bytes = self.packer.mode.bytes();
        if !matches!(bytes, 2 | 4) || self.texture || self.scaler.is_some() {
            return None;
        }
        let lines = (rows * TILE as u32).min(self.y_clip[1] + 1);
        let line_end = (self.x_clip[1] + 1) * bytes;
        let place = self.start & (BANK_BYTES - 1);
        let end = u64::from(place) + u64::from(lines) * u64::from(self.stride);
        let within = self.start < VRAM_BYTES as u32 && end <= u64::from(BANK_BYTES);
        if !within || lines == 0 || line_end > self.stride {
            return None;
        }
        let (first, bytes) = (self.start as usize, (lines * self.stride) as usize);
        let pixels = vram.part32_mut(first..first + bytes)?;
        let band = TILE * self.stride as usize;
        Some(Bands {
            line: self.stride as usize,
            bands: pixels.chunks_mut(band).map(Mutex::new).collect(),
        })
    }

    /// Writes a tile at pixel (`x`, `y`) like [`Self::write`]. [`super::fast::write_band`] calls it.
    #[inline(always)]
    pub(super) fn write_band(&self, bands: &Bands<'_>, x: u32, y: u32, colours: &[u32]) {
        let first = self.x_clip[0].saturating_sub(x).min(TILE as u32);
        let end = (self.x_clip[1] + 1).saturating_sub(x).min(TILE as u32);
        let Some(band) = bands.bands.get(y as usize / TILE).filter(|_| first < end) else {
            return;
        };
        let mut band = band.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let lines = band.chunks_exact_mut(bands.line);
        for ((line, colours), y) in lines.zip(colours.chunks_exact(TILE)).zip(y..) {
            if y < self.y_clip[0] {
                continue;
            }
            let bytes = self.packer.mode.bytes();
            let pixels = &mut line[((x + first) * bytes) as usize..((x + end) * bytes) as usize];
            let colours = &colours[first as usize..end as usize];
            self.packer.pack_row([x + first, y], colours, pixels);
        }
    }

    /// Writes a tile at pixel (`x`, `y`).
    fn write(&self, vram: &mut Vram, x: u32, y: u32, colours: &[u32]) {
        for (row, colours) in colours.chunks_exact(TILE).enumerate() {
            let y = y + row as u32;
            if !(self.y_clip[0]..=self.y_clip[1]).contains(&y) {
                continue;
            }
            let line = self.start.wrapping_add(y * self.stride);
            let first = self.x_clip[0].saturating_sub(x).min(TILE as u32);
            let end = (self.x_clip[1] + 1).saturating_sub(x).min(TILE as u32);
            for n in first..end {
                let at = line.wrapping_add((x + n) * self.packer.mode.bytes());
                self.pixel(vram, at, [x + n, y], colours[n as usize]);
            }
        }
    }

    /// Writes a frame's flushed tiles, given by their position in tiles and their pixels. They pass through
    /// the scaler or are written directly in order.
    pub(super) fn write_frame(&self, vram: &mut Vram, flushed: &[(u32, u32, &[u32])]) {
        let Some(scaler) = &self.scaler else {
            for &(x, y, colours) in flushed {
                self.write(vram, x * TILE as u32, y * TILE as u32, colours);
            }
            return;
        };
        let picture = Picture::new(flushed);
        for y in self.y_clip[0]..=self.y_clip[1] {
            let line = self.start.wrapping_add(y * self.stride);
            for x in self.x_clip[0]..=self.x_clip[1] {
                if let Some(colour) = scaler.pixel(&picture, x, y) {
                    self.pixel(
                        vram,
                        line.wrapping_add(x * self.packer.mode.bytes()),
                        [x, y],
                        colour,
                    );
                }
            }
        }
    }

    /// Warns if FB_W_CTRL selects the reserved pack mode.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        if self.packer.mode == PackMode::Reserved {
            warnings.add(Warning::PackMode);
        }
    }

    #[inline]
    fn pixel(&self, vram: &mut Vram, address: u32, place: [u32; 2], colour: u32) {
        let packed = self.packer.pack(place, colour);
        // Pixels of two and four bytes do not cross a memory word; pixels of three bytes may.
        let at = |n: u32| {
            if self.texture {
                address.wrapping_add(n)
            } else {
                phys(address.wrapping_add(n))
            }
        };
        match self.packer.mode.bytes() {
            4 => vram.write32(Area::Bits64, at(0), packed),
            bytes => {
                for (n, byte) in (0..bytes).zip(packed.to_le_bytes()) {
                    vram.write8(Area::Bits64, at(n), byte);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fast::{Lanes, write_band};

    /// Both methods of writing a tile give the same memory contents.
    #[test]
    fn bands_are_written_as_tiles_are() {
        let places = [
            (0, [0, 99], [0, 69]),
            (0x0040_1000, [5, 90], [3, 60]),
            (0x100, [40, 50], [33, 33]),
        ];
        // All modes of two and four bytes, with and without dithering.
        let modes = [0, 1, 2, 3, 5, 6, 8, 9, 10, 11, 13, 14];
        let mut regs = Registers::new();
        regs.set(reg::FB_W_LINESTRIDE, 100 * 4 / 8);
        for (mode, (start, clip_x, clip_y)) in modes.iter().flat_map(|mode| places.map(|p| (mode, p))) {
            regs.set(reg::FB_W_CTRL, mode | 0x0080_5500);
            regs.set(reg::FB_W_SOF1, start);
            regs.set(reg::FB_X_CLIP, clip_x[1] << 16 | clip_x[0]);
            regs.set(reg::FB_Y_CLIP, clip_y[1] << 16 | clip_y[0]);
            let settings = Settings::default();
            let output = Output::new(&regs, &settings);
            let mut one = Vram::new();
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
            for lanes in Lanes::available() {
                let mut other = Vram::new();
                let bands = output.bands(&mut other, 3).expect("a plain framebuffer");
                for &(x, y) in &tiles {
                    write_band(lanes, &output, &bands, [x, y], &colours(x, y));
                }
                drop(bands);
                assert!(one.bytes() == other.bytes(), "mode {mode}, {start:#x}, {lanes:?}");
            }
            assert!(
                one.bytes().iter().any(|byte| *byte != 0),
                "mode {mode}, {start:#x}"
            );
        }
    }
}
