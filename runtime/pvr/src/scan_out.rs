//! Video output: conversion of the framebuffer to the displayed image (`docs/hardware/pvr2.md`, "Video
//! output").

mod raster;

use crate::frame::Image;
use crate::pvr::Pvr;
use crate::regs::{Registers, reg};
use crate::settings::{FbConcatGreen, FbDisabled, Settings};
use crate::vram::{Area, Vram};
use raster::Raster;

/// Displayed fields of an interlaced image. Other images are equal for all variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Field {
    /// Only the first field (FB_R_SOF1), with the lines of one field.
    First,
    /// Only the second field (FB_R_SOF2).
    Second,
    /// Both fields with alternating lines, the first field above.
    #[default]
    Both,
}

/// Area around the pixels of the framebuffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Border {
    /// No border: the image has the size of the framebuffer.
    #[default]
    None,
    /// No border; framebuffer lines and columns outside the raster are cropped at the bottom and on the
    /// right.
    Cropped,
    /// This number of pixels of VO_BORDER_COL on each side, at most 256.
    Pixels(u32),
    /// The complete area that SPG_HBLANK and SPG_VBLANK do not blank. VO_STARTX and VO_STARTY give the
    /// position of the framebuffer.
    Visible,
}

/// Pixel format, FB_R_CTRL 3:2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Rgb0555,
    Rgb565,
    Rgb888,
    Rgb0888,
}

impl Depth {
    fn of(control: u32) -> Self {
        match control >> 2 & 3 {
            0 => Self::Rgb0555,
            1 => Self::Rgb565,
            2 => Self::Rgb888,
            _ => Self::Rgb0888,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Rgb0555 | Self::Rgb565 => 2,
            Self::Rgb888 => 3,
            Self::Rgb0888 => 4,
        }
    }
}

/// Contents of the image inside the border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Framebuffer,
    Black,
    /// VO_CONTROL bit 3.
    BorderColour,
}

/// State of the video registers.
#[derive(Debug)]
struct Video {
    depth: Depth,
    /// Low bits of five-bit channels, and of six-bit green.
    concat: [u32; 2],
    shown: Shown,
    double_lines: bool,
    double_pixels: bool,
    /// Start addresses of the displayed fields.
    fields: [Option<u32>; 2],
    /// Number of pixels of a framebuffer line.
    width: u32,
    /// Number of lines of a field.
    lines: u32,
    raster: Raster,
    /// Distance in bytes between lines of a field.
    stride: u32,
}

/// Returns the start addresses of the displayed fields, as VO_CONTROL 7:4 assigns them: 0 by the field
/// signal, 1 by its inverse, 2 always the first and 3 always the second field.
fn fields(regs: &Registers, field: Field) -> [Option<u32>; 2] {
    let starts = [reg::FB_R_SOF1, reg::FB_R_SOF2].map(|register| Some(regs.get(register) & 0xFF_FFFC));
    let interlaced = regs.get(reg::SPG_CONTROL) >> 4 & 1 != 0;
    let [first, second] = match regs.get(reg::VO_CONTROL) >> 4 & 15 {
        1 => [starts[1], starts[0]],
        2 => [starts[0]; 2],
        3 => [starts[1]; 2],
        _ => starts,
    };
    match field {
        Field::Both if interlaced => [first, second],
        Field::Second if interlaced => [second, None],
        _ => [first, None],
    }
}

impl Video {
    fn new(regs: &Registers, settings: &Settings, field: Field) -> Self {
        let control = regs.get(reg::FB_R_CTRL);
        let output = regs.get(reg::VO_CONTROL);
        let size = regs.get(reg::FB_R_SIZE);
        let depth = Depth::of(control);
        let concat = control >> 4 & 7;
        // Line length and modulus in 32-bit words. The modulus counts from the last word of a line, so 1
        // means no gap.
        let (words, modulus) = ((size & 0x3FF) + 1, size >> 20 & 0x3FF);
        Self {
            depth,
            concat: match settings.fb_concat_green {
                FbConcatGreen::High => [concat, concat >> 1],
                FbConcatGreen::Low => [concat, concat & 3],
            },
            shown: match (output >> 3 & 1, control & 1, settings.fb_disabled) {
                (1, _, _) | (0, 0, FbDisabled::Border) => Shown::BorderColour,
                (_, 0, FbDisabled::Black) => Shown::Black,
                _ => Shown::Framebuffer,
            },
            double_lines: control >> 1 & 1 != 0,
            double_pixels: output >> 8 & 1 != 0,
            fields: fields(regs, field),
            width: words * 4 / depth.bytes() as u32,
            lines: (size >> 10 & 0x3FF) + 1,
            raster: Raster::new(regs),
            stride: (words + modulus).wrapping_sub(1) * 4,
        }
    }

    /// Returns the address of an image line. Two fields alternate line by line. With line doubling, each line
    /// appears twice.
    fn line(&self, y: u32) -> u32 {
        let y = if self.double_lines { y / 2 } else { y };
        match self.fields {
            [Some(first), Some(second)] => {
                (if y & 1 == 0 { first } else { second }).wrapping_add((y / 2).wrapping_mul(self.stride))
            }
            [first, _] => first.unwrap_or(0).wrapping_add(y.wrapping_mul(self.stride)),
        }
    }

    fn picture_size(&self) -> (u32, u32) {
        let doubled = |n: u32, on: bool| if on { 2 * n } else { n };
        (
            doubled(self.width, self.double_pixels),
            doubled(self.lines * self.field_count(), self.double_lines),
        )
    }

    fn field_count(&self) -> u32 {
        if self.fields[1].is_some() { 2 } else { 1 }
    }

    /// Returns [`Self::picture_size`] limited to the raster.
    fn cropped_size(&self) -> (u32, u32) {
        let Raster { active, dots } = self.raster;
        let (width, height) = self.picture_size();
        (width.min(dots), height.min(active * self.field_count()))
    }

    /// Returns red, green and blue of the pixel in the first bytes.
    fn pixel(&self, bytes: &[u8]) -> [u8; 3] {
        let short = || u32::from(bytes[0]) | u32::from(bytes[1]) << 8;
        let [five, six] = self.concat;
        match self.depth {
            Depth::Rgb0555 => {
                let word = short();
                [10, 5, 0].map(|shift| ((word >> shift & 0x1F) << 3 | five) as u8)
            }
            Depth::Rgb565 => {
                let word = short();
                [
                    (word >> 11 << 3 | five) as u8,
                    ((word >> 5 & 0x3F) << 2 | six) as u8,
                    ((word & 0x1F) << 3 | five) as u8,
                ]
            }
            Depth::Rgb888 | Depth::Rgb0888 => [bytes[2], bytes[1], bytes[0]],
        }
    }

    /// Reads an image line as RGBA into `out`, up to its length.
    fn read_line(&self, vram: &Vram, y: u32, line: &mut Vec<u8>, out: &mut [[u8; 4]]) {
        let size = self.depth.bytes();
        line.resize(self.width as usize * size, 0);
        vram.read_bytes(Area::Bits32, self.line(y), line);
        let repeat = if self.double_pixels { 2 } else { 1 };
        for (out, pixel) in out.chunks_mut(repeat).zip(line.chunks_exact(size)) {
            let [r, g, b] = self.pixel(pixel);
            out.fill([r, g, b, 255]);
        }
    }
}

/// Position of the framebuffer in an image, in pixels. Parts may be outside.
#[derive(Debug, PartialEq, Eq)]
struct Placement {
    width: u32,
    height: u32,
    left: i64,
    top: i64,
}

impl Placement {
    fn new(regs: &Registers, video: &Video, field: Field, border: Border) -> Self {
        let (width, height) = video.picture_size();
        let around = match border {
            Border::None => 0,
            Border::Cropped => {
                let (width, height) = video.cropped_size();
                return Self {
                    width,
                    height,
                    left: 0,
                    top: 0,
                };
            }
            Border::Pixels(n) => n.min(256),
            Border::Visible => return Self::visible(regs, field),
        };
        Self {
            width: width + 2 * around,
            height: height + 2 * around,
            left: around.into(),
            top: around.into(),
        }
    }

    /// SPG_HBLANK and VO_STARTX count dots. SPG_VBLANK counts lines or, if interlaced, half-lines. VO_STARTY
    /// counts the lines of each field.
    fn visible(regs: &Registers, field: Field) -> Self {
        let low = |register| i64::from(regs.get(register) & 0x3FF);
        let high = |register| i64::from(regs.get(register) >> 16 & 0x3FF);
        let (left, right) = (high(reg::SPG_HBLANK), low(reg::SPG_HBLANK));
        let (top, bottom) = (high(reg::SPG_VBLANK), low(reg::SPG_VBLANK));
        let interlaced = regs.get(reg::SPG_CONTROL) >> 4 & 1 != 0;
        // Units of SPG_VBLANK shifted right by `shift` are image lines. A line of VO_STARTY has `units`
        // units.
        let (shift, units) = match (interlaced, field) {
            (true, Field::Both) => (0, 2),
            (true, _) => (1, 2),
            (false, _) => (0, 1),
        };
        let start = match field {
            Field::Second if interlaced => high(reg::VO_STARTY),
            _ => low(reg::VO_STARTY),
        };
        Self {
            width: (right - left).max(0) as u32,
            height: ((bottom - top).max(0) >> shift) as u32,
            left: low(reg::VO_STARTX) - left,
            top: (start * units - top) >> shift,
        }
    }
}

impl Pvr {
    /// Returns the displayed image, for latched registers FB_R_*, VO_* and SPG_*.
    ///
    /// With VO_CONTROL bit 3 (blank) the complete image has the colour VO_BORDER_COL. The setting
    /// `fb_disabled` defines the output without FB_R_CTRL bit 0, and `fb_concat_green` the lowest bits of
    /// green. Not modelled: the strip buffer and the chroma key of FB_R_CTRL.
    #[must_use]
    pub fn scan_out(&self, registers: &Registers, field: Field, border: Border) -> Image {
        let video = Video::new(registers, self.settings(), field);
        let place = Placement::new(registers, &video, field, border);
        let (width, height) = video.picture_size();
        let [_, r, g, b] = registers.get(reg::VO_BORDER_COL).to_be_bytes();
        let mut pixels = vec![[r, g, b, 255]; place.width as usize * place.height as usize];
        let columns = visible(place.left, width, place.width);
        // Framebuffer pixels to the left of the image.
        let hidden = (-place.left).clamp(0, width.into()) as usize;
        let mut row = vec![[0, 0, 0, 255]; width as usize];
        let (mut line, mut read) = (Vec::new(), u32::MAX);
        for y in visible(place.top, height, place.height) {
            if video.shown == Shown::BorderColour || columns.is_empty() {
                break;
            }
            let from = (y as i64 - place.top) as u32;
            let address = video.line(from);
            if video.shown == Shown::Framebuffer && address != read {
                video.read_line(&self.vram, from, &mut line, &mut row);
                read = address;
            }
            let start = y * place.width as usize;
            let out = &mut pixels[start + columns.start..start + columns.end];
            out.copy_from_slice(&row[hidden..hidden + columns.len()]);
        }
        Image {
            width: place.width,
            height: place.height,
            rgba: pixels.into_flattened(),
        }
    }
}

/// Clips the range of `len` pixels from `start` on to an image axis of `size` pixels.
fn visible(start: i64, len: u32, size: u32) -> std::ops::Range<usize> {
    let first = start.clamp(0, size.into());
    let end = (start + i64::from(len)).clamp(first, size.into());
    first as usize..end as usize
}

#[cfg(test)]
mod tests;
