//! Scaler between tiles and framebuffer: SCALER_CTL and Y_COEFF (`docs/hardware/pvr2.md`, "Framebuffer
//! output").
//!
//! Horizontally the scaler either combines two pixels to one or keeps all. Vertically it computes line `n` of
//! the framebuffer around line `n * vscale / 1024` of the image. In interlace mode the second field is taken
//! half a step further down. A vscale of 2 then puts even lines into one field and odd lines into the other.
//! This is inferred; no source describes it.

use super::super::PIXELS;
use super::super::plane::TILE;
use crate::regs::{Registers, reg};
use crate::settings::ScalerFilter;

/// Vertical factor of 1.
const ONE: u32 = 0x400;

/// SCALER_CTL and Y_COEFF.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scaler {
    /// Image lines per framebuffer line, 6.10.
    vertical: u32,
    halve: bool,
    /// Offset of the vertical position, in 1/1024 line.
    shift: u32,
    /// Weights of the line and of each neighbour, over 256.
    weights: [u32; 2],
    filter: ScalerFilter,
}

/// Field of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// No interlace, or the first field: FB_W_SOF1.
    First,
    /// FB_W_SOF2.
    Second,
}

impl Field {
    /// Reads the field from SCALER_CTL bits 17 and 18.
    pub(super) fn of(regs: &Registers) -> Self {
        if regs.get(reg::SCALER_CTL) >> 17 & 3 == 3 {
            Self::Second
        } else {
            Self::First
        }
    }
}

impl Scaler {
    /// Creates a scaler; `None` if it would keep all pixels. A vertical factor of 0 has no meaning and is
    /// treated as 1.
    pub(super) fn new(regs: &Registers, filter: ScalerFilter) -> Option<Self> {
        let control = regs.get(reg::SCALER_CTL);
        let vertical = match control & 0xFFFF {
            0 => ONE,
            factor => factor,
        };
        let halve = control >> 16 & 1 != 0;
        let coefficients = regs.get(reg::Y_COEFF);
        let shift = match Field::of(regs) {
            Field::First => 0,
            Field::Second => vertical / 2,
        };
        (halve || vertical != ONE).then_some(Self {
            vertical,
            halve,
            shift,
            weights: [coefficients >> 8 & 0xFF, coefficients & 0xFF],
            filter,
        })
    }

    /// Returns the colour of a framebuffer pixel; `None` if no tile of the image covers it.
    pub(super) fn pixel(&self, picture: &Picture, x: u32, y: u32) -> Option<u32> {
        let line = (y * self.vertical + self.shift) / ONE;
        let middle = self.across(picture, x, line)?;
        if self.vertical == ONE || self.filter == ScalerFilter::Nearest {
            return Some(middle);
        }
        let neighbour = |line: u32| self.across(picture, x, line).unwrap_or(middle);
        let (above, below) = (neighbour(line.wrapping_sub(1)), neighbour(line + 1));
        let [own, other] = self.weights;
        let channel = |shift: u32| {
            let part = |c: u32| c >> shift & 0xFF;
            let sum = own * part(middle) + other * (part(above) + part(below));
            (sum >> 8).min(0xFF) << shift
        };
        Some(channel(24) | channel(16) | channel(8) | channel(0))
    }

    /// Returns a pixel of a line after horizontal scaling: the mean of two pixels, truncated.
    fn across(&self, picture: &Picture, x: u32, line: u32) -> Option<u32> {
        if !self.halve {
            return picture.pixel(x, line);
        }
        let left = picture.pixel(2 * x, line)?;
        if self.filter == ScalerFilter::Nearest {
            return Some(left);
        }
        let right = picture.pixel(2 * x + 1, line).unwrap_or(left);
        Some((left & right) + ((left ^ right) >> 1 & 0x7F7F_7F7F))
    }
}

/// Tiles of a frame, combined to an image.
#[derive(Debug)]
pub(super) struct Picture<'a> {
    columns: u32,
    /// Tiles, row by row; tiles that were not flushed are `None`.
    tiles: Vec<Option<&'a [u32]>>,
}

impl<'a> Picture<'a> {
    /// Creates the image from the flushed tiles; a later tile replaces an earlier one.
    pub(super) fn new(flushed: &[(u32, u32, &'a [u32])]) -> Self {
        let columns = flushed.iter().map(|&(x, ..)| x + 1).max().unwrap_or(0);
        let rows = flushed.iter().map(|&(_, y, _)| y + 1).max().unwrap_or(0);
        let mut tiles = vec![None; (columns * rows) as usize];
        for &(x, y, colours) in flushed {
            tiles[(y * columns + x) as usize] = (colours.len() == PIXELS).then_some(colours);
        }
        Self { columns, tiles }
    }

    fn pixel(&self, x: u32, y: u32) -> Option<u32> {
        let side = TILE as u32;
        if x / side >= self.columns {
            return None;
        }
        let index = (y / side).checked_mul(self.columns)?.checked_add(x / side)?;
        let tile = (*self.tiles.get(index as usize)?)?;
        Some(tile[(y % side * side + x % side) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One tile in which the pixel at (x, y) is grey 2 * x + 4 * y.
    fn ramp() -> Vec<u32> {
        (0..PIXELS as u32)
            .map(|n| 0x0101_0101 * (2 * (n % 32) + 4 * (n / 32)))
            .collect()
    }

    fn scaler(control: u32, coefficients: u32, filter: ScalerFilter) -> Scaler {
        let mut regs = Registers::new();
        regs.set(reg::SCALER_CTL, control);
        regs.set(reg::Y_COEFF, coefficients);
        Scaler::new(&regs, filter).expect("a scale")
    }

    fn grey(scaler: &Scaler, picture: &Picture<'_>, x: u32, y: u32) -> Option<u32> {
        scaler.pixel(picture, x, y).map(|c| c & 0xFF)
    }

    #[test]
    fn one_to_one_needs_no_scaler() {
        let mut regs = Registers::new();
        assert!(Scaler::new(&regs, ScalerFilter::YCoeff).is_none());
        regs.set(reg::SCALER_CTL, 0);
        assert!(Scaler::new(&regs, ScalerFilter::YCoeff).is_none());
    }

    #[test]
    fn half_width_is_the_mean_of_two() {
        let ramp = ramp();
        let picture = Picture::new(&[(0, 0, &ramp)]);
        let half = scaler(0x1_0400, 0x8040, ScalerFilter::YCoeff);
        // Columns 6 and 7 of line 1: 16 and 18.
        assert_eq!(grey(&half, &picture, 3, 1), Some(17));
        assert_eq!(grey(&half, &picture, 16, 0), None);
        let nearest = scaler(0x1_0400, 0x8040, ScalerFilter::Nearest);
        assert_eq!(grey(&nearest, &picture, 3, 1), Some(16));
    }

    #[test]
    fn half_height_weighs_three_lines() {
        let ramp = ramp();
        let picture = Picture::new(&[(0, 0, &ramp)]);
        // Line 3 of the framebuffer is around line 6, grey 24: (64 * 20 + 128 * 24 + 64 * 28) / 256.
        let half = scaler(0x800, 0x8040, ScalerFilter::YCoeff);
        assert_eq!(grey(&half, &picture, 0, 3), Some(24));
        // Coefficients with a sum other than 256: (32 * 48 + 128 * 24) / 256 = 18; the edge repeats.
        let dark = scaler(0x800, 0x8020, ScalerFilter::YCoeff);
        assert_eq!(grey(&dark, &picture, 0, 3), Some(18));
        assert_eq!(grey(&dark, &picture, 4, 0), Some((32 * (8 + 12) + 128 * 8) / 256));
        // Saturates.
        let bright = scaler(0x800, 0xFFFF, ScalerFilter::YCoeff);
        assert_eq!(grey(&bright, &picture, 31, 15), Some(255));
        assert_eq!(grey(&bright, &picture, 0, 16), None);
        // The second field is between the lines of the first.
        let second = scaler(0x6_0800, 0x8040, ScalerFilter::Nearest);
        assert_eq!(grey(&second, &picture, 0, 3), Some(28));
    }
}
