//! PNG and GIF files.

use crate::error::{Result, bail};
use pvr::Image;
use std::io::Write;

/// Encodes an image as an 8-bit RGBA PNG.
///
/// # Errors
/// If the image is empty.
pub fn png_bytes(image: &Image) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()?;
    Ok(bytes)
}

/// Writer of an animated GIF that repeats forever.
pub struct GifWriter<W: Write> {
    encoder: gif::Encoder<W>,
    size: [u16; 2],
}

impl<W: Write> GifWriter<W> {
    /// Starts a GIF with its width and height in pixels.
    ///
    /// # Errors
    /// If a side has more than 65,535 pixels, or `out` cannot be written.
    pub fn new(out: W, size: [u32; 2]) -> Result<Self> {
        let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
            bail!(
                "found {}x{} pixels, expected at most 65535 a side for a GIF",
                size[0],
                size[1]
            );
        };
        let mut encoder = gif::Encoder::new(out, width, height, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        let size = [width, height];
        Ok(Self { encoder, size })
    }

    /// Adds an RGBA picture that is shown for `delay` hundredths of a second.
    ///
    /// # Errors
    /// If the picture has another size, or the output cannot be written.
    pub fn add(&mut self, rgba: &[u8], delay: u16) -> Result<()> {
        let [width, height] = self.size;
        let wanted = 4 * usize::from(width) * usize::from(height);
        if rgba.len() != wanted {
            bail!(
                "found a picture of {} bytes in a GIF, expected {wanted}",
                rgba.len()
            );
        }
        // 10 is the quantiser's default, between quality (1) and speed (30).
        let mut picture = gif::Frame::from_rgba_speed(width, height, &mut rgba.to_vec(), 10);
        picture.delay = delay;
        Ok(self.encoder.write_frame(&picture)?)
    }

    /// Output until now.
    pub fn output(&self) -> &W {
        self.encoder.get_ref()
    }

    /// Ends the GIF and returns its output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> Result<W> {
        Ok(self.encoder.into_inner()?)
    }
}

/// Returns the delay of picture `count` in hundredths of a second. Distributes rounding so that the animation
/// keeps its rate.
#[must_use]
pub fn gif_delay(frames_a_second: u32, count: u32) -> u16 {
    let due = |count: u32| (f64::from(count) * 100.0 / f64::from(frames_a_second)).round() as u32;
    (due(count + 1) - due(count)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixty pictures must take one second in total, despite rounding.
    #[test]
    fn delays_keep_pace() {
        for rate in [24, 30, 60] {
            let sum: u32 = (0..rate).map(|count| u32::from(gif_delay(rate, count))).sum();
            assert_eq!(sum, 100);
        }
    }

    #[test]
    fn a_picture_of_another_size_is_refused() {
        let mut gif = GifWriter::new(Vec::new(), [2, 2]).expect("a GIF");
        let error = gif.add(&[0; 12], 3).expect_err("an error");
        assert_eq!(
            error.to_string(),
            "found a picture of 12 bytes in a GIF, expected 16"
        );
        assert!(GifWriter::new(Vec::new(), [65_536, 1]).is_err());
    }
}
