//! Resizes images to power-of-two sides.

use super::{Layout, Options};
use anyhow::{Result, bail};
use clap::ValueEnum;
use pvr::texture::Rgba;
use std::collections::VecDeque;
use std::path::Path;

/// Method of resizing a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Resize {
    /// Uses the nearest pixel.
    Nearest,
    /// Uses the mean of surrounding pixels, weighted by distance and alpha.
    Filtered,
    /// Keeps the picture at the top left, and repeats its last row and column. Pictures larger than 1024x1024
    /// cannot be padded.
    Pad,
}

/// Permitted sides of a twiddled texture.
const SIDES: std::ops::RangeInclusive<u32> = 8..=1024;

/// Returns the next permitted side.
fn side(s: u32) -> u32 {
    s.clamp(*SIDES.start(), *SIDES.end()).next_power_of_two()
}

/// Returns the size of the texture for a picture of `w` x `h` pixels. Rectangle and stride layouts keep the
/// picture's size; the encoder checks their widths.
///
/// # Errors
/// If the size does not fit and no option requests resizing.
pub(super) fn fitting_size(path: &Path, (w, h): (u32, u32), options: &Options) -> Result<(u32, u32)> {
    let name = path.display();
    if matches!(options.layout, Some(Layout::Rect | Layout::Stride)) {
        if w.max(h) > *SIDES.end() {
            bail!("{name}: found {w}x{h} pixels, expected at most 1024x1024");
        }
        return Ok((w, h));
    }
    let (width, height) = (side(w), side(h));
    if (width, height) == (w, h) {
        return Ok((w, h));
    }
    match options.resize {
        None => bail!(
            "{name}: found {w}x{h} pixels, expected sides that are powers of two from 8 to 1024: --resize \
            nearest, filtered or pad makes {width}x{height}; --layout rect keeps widths that are multiples \
            of 32"
        ),
        Some(Resize::Pad) if w > width || h > height => bail!(
            "{name}: found {w}x{h} pixels, expected at most 1024x1024 for --resize pad: nearest or filtered \
             makes {width}x{height}"
        ),
        Some(_) => Ok((width, height)),
    }
}

/// Returns the image resized to fit the layout, or unchanged.
///
/// # Errors
/// If its size does not fit and no option requests resizing.
pub(super) fn fitting(path: &Path, image: Rgba, options: &Options) -> Result<Rgba> {
    let size @ (width, height) = fitting_size(path, (image.width, image.height), options)?;
    match options.resize {
        _ if size == (image.width, image.height) => Ok(image),
        // `None` does not reach this arm: without an option, `fitting_size` returns the picture's own size.
        None | Some(Resize::Pad) => Ok(picked(&image, width, height, |i, _, given| i.min(given - 1))),
        Some(Resize::Nearest) => Ok(picked(&image, width, height, |i, made, given| {
            // Samples at the centre of the texel.
            let at = (u64::from(i) * 2 + 1) * u64::from(given) / (u64::from(made) * 2);
            (at as u32).min(given - 1)
        })),
        Some(Resize::Filtered) => Ok(filtered(&image, width, height)),
    }
}

/// Resamples with nearest neighbours: `from(dst, dst_len, src_len)` is the source index.
fn picked(image: &Rgba, width: u32, height: u32, from: impl Fn(u32, u32, u32) -> u32) -> Rgba {
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        let row = from(y, height, image.height) as usize * image.width as usize;
        texels.extend((0..width).map(|x| image.texels[row + from(x, width, image.width) as usize]));
    }
    Rgba {
        width,
        height,
        texels,
    }
}

/// Red, green and blue times alpha, and alpha.
type Sum = [f64; 4];

/// Resamples with a triangle filter. Holds only the rows that one row of the result needs, because the
/// largest picture has 2 GiB of such sums.
fn filtered(image: &Rgba, width: u32, height: u32) -> Rgba {
    let (w, h) = (image.width as usize, image.height as usize);
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    let (mut first, mut held) = (0, VecDeque::new());
    for y in 0..height as usize {
        let (start, end) = covered(y, h, height as usize);
        while first < start {
            held.pop_front();
            first += 1;
        }
        for row in first + held.len()..=end {
            held.push_back(across(&image.texels[row * w..][..w], width as usize));
        }
        let texel = |x: usize| {
            let [r, g, b, a] = resampled(y, h, height as usize, |row| held[row - first][x]);
            let colour = |c: f64| if a > 0.0 { (c / a).round() as u8 } else { 0 };
            u32::from_be_bytes([a.round() as u8, colour(r), colour(g), colour(b)])
        };
        texels.extend((0..width as usize).map(texel));
    }
    Rgba {
        width,
        height,
        texels,
    }
}

/// Resamples a row of texels to `made` values.
fn across(texels: &[u32], made: usize) -> Vec<Sum> {
    let weighted = |at: usize| {
        let [a, r, g, b] = texels[at].to_be_bytes().map(f64::from);
        [r * a, g * a, b * a, a]
    };
    (0..made)
        .map(|i| resampled(i, texels.len(), made, weighted))
        .collect()
}

/// Returns the centre and the half width of the triangle filter for output value `i` of `made`, in positions
/// of the `given` input values.
fn filter(i: usize, given: usize, made: usize) -> (f64, f64) {
    let scale = given as f64 / made as f64;
    ((i as f64 + 0.5) * scale - 0.5, scale.max(1.0))
}

/// Returns the first and the last input value that output value `i` depends on.
fn covered(i: usize, given: usize, made: usize) -> (usize, usize) {
    let (middle, reach) = filter(i, given, made);
    let inside = |at: f64| (at as i64).clamp(0, given as i64 - 1) as usize;
    (inside((middle - reach).ceil()), inside((middle + reach).floor()))
}

/// Returns output value `i` of `made` values, resampled from `given` input values. Repeats the edge values.
fn resampled(i: usize, given: usize, made: usize, value: impl Fn(usize) -> Sum) -> Sum {
    let (middle, reach) = filter(i, given, made);
    let (mut sum, mut all) = ([0.0; 4], 0.0);
    for at in (middle - reach).ceil() as i64..=(middle + reach).floor() as i64 {
        let weight = 1.0 - (at as f64 - middle).abs() / reach;
        let value = value(at.clamp(0, given as i64 - 1) as usize);
        for (sum, value) in sum.iter_mut().zip(value) {
            *sum += weight * value;
        }
        all += weight;
    }
    sum.map(|s| s / all)
}

#[cfg(test)]
mod tests {
    use super::{filtered, picked};
    use pvr::texture::Rgba;

    fn picture(width: u32, texels: &[u32]) -> Rgba {
        Rgba {
            width,
            height: texels.len() as u32 / width,
            texels: texels.to_vec(),
        }
    }

    #[test]
    fn one_colour_stays_and_ramps_rise() {
        let flat = filtered(&picture(3, &[0xff12_3456; 9]), 8, 16);
        assert_eq!((flat.width, flat.height), (8, 16));
        assert!(flat.texels.iter().all(|t| *t == 0xff12_3456));
        let ramp = filtered(&picture(2, &[0xff00_0000, 0xffff_ffff]), 8, 8);
        let row: Vec<u32> = ramp.texels[..8].iter().map(|t| t & 255).collect();
        assert!(
            row.windows(2).all(|p| p[0] <= p[1]) && row[0] == 0 && row[7] == 255,
            "{row:?}"
        );
        assert_eq!(row[3] + row[4], 255);
    }

    #[test]
    fn invisible_pixels_give_no_colour() {
        let made = filtered(&picture(16, &[0x0000_ff00, 0xffff_0000].repeat(128)), 8, 8);
        assert!(
            made.texels.iter().all(|t| t & 0x00ff_ffff == 0x00ff_0000),
            "{:x?}",
            &made.texels[..8]
        );
    }

    #[test]
    fn padding_repeats_the_last_row_and_column() {
        let made = picked(&picture(2, &[1, 2, 3, 4]), 4, 4, |i, _, given| i.min(given - 1));
        assert_eq!(made.texels, [1, 2, 2, 2, 3, 4, 4, 4, 3, 4, 4, 4, 3, 4, 4, 4]);
    }
}
