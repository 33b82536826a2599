//! Image of the framebuffer, copied while its lines are in the host's cache.

use super::{Bands, TILE};
use std::sync::Mutex;

/// Part of an image that shows a framebuffer of four bytes per pixel, from its first line on.
#[derive(Debug)]
pub(crate) struct Screen<'i> {
    /// R, G, B, A of each pixel.
    pub(crate) rgba: &'i mut [u8],
    /// Size of a line in bytes.
    pub(crate) line: usize,
    /// Visible columns in pixels, the second exclusive.
    pub(crate) columns: [usize; 2],
}

/// A [`Screen`] divided into rows of tiles.
#[derive(Debug)]
pub(in crate::core) struct ScreenBands<'i> {
    line: usize,
    columns: [usize; 2],
    bands: Vec<Mutex<&'i mut [u8]>>,
}

impl<'i> Screen<'i> {
    /// True if this number of tile rows fills the screen.
    pub(in crate::core) fn is_within(&self, rows: u32) -> bool {
        self.rgba.len() <= self.line * rows as usize * TILE
    }

    pub(in crate::core) fn bands(self) -> ScreenBands<'i> {
        ScreenBands {
            line: self.line,
            columns: self.columns,
            bands: self.rgba.chunks_mut(self.line * TILE).map(Mutex::new).collect(),
        }
    }
}

impl ScreenBands<'_> {
    /// Copies a row of tiles from memory to the screen.
    pub(in crate::core) fn show(&self, bands: &Bands<'_>, row: u32) {
        let (Some(from), Some(to)) = (bands.bands.get(row as usize), self.bands.get(row as usize)) else {
            return;
        };
        let from = from.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut to = to.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let [left, right] = self.columns;
        for (pixels, out) in from.chunks_exact(bands.line).zip(to.chunks_exact_mut(self.line)) {
            let (Some(pixels), Some(out)) = (pixels.get(left * 4..), out.get_mut(left * 4..right * 4)) else {
                return;
            };
            show_line(pixels, out);
        }
    }
}

/// Converts ARGB words to bytes R, G, B and 255: the video output has no alpha.
pub(crate) fn show_line(pixels: &[u8], rgba: &mut [u8]) {
    let pixels = pixels.as_chunks::<4>().0;
    for (rgba, pixel) in rgba.as_chunks_mut::<4>().0.iter_mut().zip(pixels) {
        let argb = u32::from_le_bytes(*pixel);
        // Swap B and R.
        let low = argb.rotate_left(16) & 0x00FF_00FF;
        *rgba = (low | argb & 0x0000_FF00 | 0xFF00_0000).to_le_bytes();
    }
}
