//! Colour reduction without bands: the error of each texel is distributed to its neighbours (Floyd and
//! Steinberg, rows alternately from the left and from the right).

use super::color::{LowBits, from_565, from_1555, from_4444, pack};
use super::encode::Rgba;
use crate::param::PixelFormat;

/// Converts the image to the colours of a 16-bit format with error diffusion. Formats without colour channels
/// (YUV422, bump maps, palettes) leave it unchanged.
///
/// ```
/// use pvr::texture::{PixelFormat, Rgba, dither};
/// let grey = Rgba { width: 8, height: 8, texels: vec![0xFF84_8484; 64] };
/// let dithered = dither(&grey, PixelFormat::Argb4444);
/// // 0x84 is between 0x77 and 0x88, so both occur.
/// assert!(dithered.texels.iter().all(|&c| c == 0xFF77_7777 || c == 0xFF88_8888));
/// ```
#[must_use]
pub fn dither(image: &Rgba, format: PixelFormat) -> Rgba {
    let word = |c: u32| pack(format, c);
    match format {
        PixelFormat::Argb1555 => diffuse(image, |c| from_1555(word(c), LowBits::REPEATED)),
        PixelFormat::Rgb565 => diffuse(image, |c| from_565(word(c), LowBits::REPEATED)),
        PixelFormat::Argb4444 => diffuse(image, |c| from_4444(word(c), LowBits::REPEATED)),
        _ => image.clone(),
    }
}

/// Replaces every colour with `nearest` of the colour plus its neighbours' errors. Alpha is not diffused, so
/// that sharp edges remain.
pub(super) fn diffuse(image: &Rgba, nearest: impl Fn(u32) -> u32) -> Rgba {
    let width = image.width as usize;
    // Errors times 16 of this row and the next, with one extra entry on both sides.
    let mut errors = [vec![[0i32; 3]; width + 2], vec![[0i32; 3]; width + 2]];
    let mut texels = image.texels.clone();
    for (y, row) in texels.chunks_exact_mut(width.max(1)).enumerate() {
        let ahead: isize = if y % 2 == 0 { 1 } else { -1 };
        for n in 0..width {
            let x = if ahead > 0 { n } else { width - 1 - n };
            let at = |dx: isize| (x + 1).wrapping_add_signed(dx);
            let wanted = with_error(row[x], errors[0][at(0)]);
            let chosen = nearest(wanted);
            for (k, shift) in [16, 8, 0].into_iter().enumerate() {
                let error = (wanted >> shift & 0xFF) as i32 - (chosen >> shift & 0xFF) as i32;
                errors[0][at(ahead)][k] += 7 * error;
                errors[1][at(-ahead)][k] += 3 * error;
                errors[1][at(0)][k] += 5 * error;
                errors[1][at(ahead)][k] += error;
            }
            row[x] = chosen;
        }
        errors.swap(0, 1);
        errors[1].fill([0; 3]);
    }
    Rgba { texels, ..*image }
}

fn with_error(colour: u32, error: [i32; 3]) -> u32 {
    let channel = |shift: u32, k: usize| {
        let value = (colour >> shift & 0xFF) as i32 + (error[k] + 8).div_euclid(16);
        (value.clamp(0, 255) as u32) << shift
    };
    colour & 0xFF00_0000 | channel(16, 0) | channel(8, 1) | channel(0, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_stays_and_exact_colours_do_not_change() {
        let ramp = Rgba {
            width: 64,
            height: 16,
            texels: (0..1024)
                .map(|n| 0xFF00_0000 | ((n % 64 * 2 + 60) * 0x0001_0101))
                .collect(),
        };
        let dithered = dither(&ramp, PixelFormat::Argb4444);
        let sum = |image: &Rgba| image.texels.iter().map(|c| i64::from(c & 0xFF)).sum::<i64>();
        let error = (sum(&ramp) - sum(&dithered)).abs();
        assert!(error < 1024 / 2, "mean off by {error} / 1024");
        assert_ne!(dithered, ramp);
        let exact = Rgba {
            width: 2,
            height: 1,
            texels: vec![0x0011_2233, 0xFFFF_0088],
        };
        assert_eq!(dither(&exact, PixelFormat::Argb4444), exact);
    }
}
