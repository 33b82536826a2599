//! Creation of palettes from images, and conversion of images to indices.

use super::cluster::{Point, centers, nearest};
use super::color::PaletteFormat;
use super::dither::diffuse;
use super::encode::{Rgba, encode_index_levels, encode_indices, half};
use super::layout::TextureError;
use crate::param::PixelFormat;
use crate::settings::LinearExpand;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Maximum number of distinct colours in the search; with more, neighbours are merged first. The search takes
/// time for each colour.
const MAX_DISTINCT: usize = 1 << 14;

/// Returns the colours (ARGB8888, limited to the format's precision) of at most `size` palette entries that
/// fit all images best. Images with few colours keep them exactly and may need fewer entries.
#[must_use]
pub fn make_palette(images: &[&Rgba], size: usize, format: PaletteFormat) -> Vec<u32> {
    let held = |c: u32| format.expand(format.pack(c), LinearExpand::Replicate);
    let mut colours: BTreeMap<u32, i64> = BTreeMap::new();
    for &texel in images.iter().flat_map(|image| &image.texels) {
        *colours.entry(held(invisible_alike(texel))).or_default() += 1;
    }
    if colours.len() <= size {
        return colours.into_keys().collect();
    }
    let points: Vec<Point<4>> = put_together(colours)
        .into_iter()
        .map(|(colour, weight)| Point {
            at: channels(colour),
            weight,
        })
        .collect();
    let mut palette: Vec<u32> = centers(&points, size)
        .into_iter()
        .map(|at| held(at.iter().fold(0, |word, &c| word << 8 | c as u32)))
        .collect();
    palette.sort_unstable();
    palette.dedup();
    palette
}

/// Replaces all invisible colours with one, so that they need only one entry.
fn invisible_alike(colour: u32) -> u32 {
    if colour >> 24 == 0 { 0 } else { colour }
}

fn channels(colour: u32) -> [i32; 4] {
    colour.to_be_bytes().map(i32::from)
}

/// Merges colours that differ only in low bits, until there are few enough.
fn put_together(mut colours: BTreeMap<u32, i64>) -> BTreeMap<u32, i64> {
    for low in [0x0101_0101u32, 0x0303_0303, 0x0707_0707, 0x0F0F_0F0F] {
        if colours.len() <= MAX_DISTINCT {
            break;
        }
        let mut fewer = BTreeMap::new();
        for (colour, weight) in colours {
            // Middle of the merged range.
            *fewer
                .entry(colour & !low | low >> 1 & 0x7F7F_7F7F & low)
                .or_default() += weight;
        }
        colours = fewer;
    }
    colours
}

/// Indices of an image, starting with level 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    levels: Vec<Vec<u8>>,
    width: u32,
    height: u32,
    format: PixelFormat,
}

/// Returns the nearest palette entry for every texel, with error diffusion if `dithered`, and for all smaller
/// levels if `mipmaps`. The format is [`PixelFormat::Pal4`] for palettes of up to 16 colours if `palette4`,
/// otherwise [`PixelFormat::Pal8`].
///
/// # Errors
/// [`TextureError::Palette`] if the palette is empty or has more colours than the format supports.
pub fn index_image(
    image: &Rgba,
    palette: &[u32],
    palette4: bool,
    dithered: bool,
    mipmaps: bool,
) -> Result<Indexed, TextureError> {
    let (format, most) = if palette4 {
        (PixelFormat::Pal4, 16)
    } else {
        (PixelFormat::Pal8, 256)
    };
    if palette.is_empty() || palette.len() > most {
        return Err(TextureError::Palette {
            found: palette.len(),
            expected: most,
        });
    }
    let entries: Vec<[i32; 4]> = palette.iter().map(|&colour| channels(colour)).collect();
    let known = RefCell::new(BTreeMap::new());
    let index = |colour: u32| -> usize {
        let colour = invisible_alike(colour);
        *known
            .borrow_mut()
            .entry(colour)
            .or_insert_with(|| nearest(&channels(colour), &entries).0)
    };
    let mut levels = Vec::new();
    let mut level = image.clone();
    loop {
        let near = if dithered {
            diffuse(&level, |c| palette[index(c)])
        } else {
            level.clone()
        };
        levels.push(near.texels.iter().map(|&colour| index(colour) as u8).collect());
        if !mipmaps || level.width <= 1 || level.height <= 1 {
            break;
        }
        level = half(&level);
    }
    Ok(Indexed {
        levels,
        width: image.width,
        height: image.height,
        format,
    })
}

impl Indexed {
    /// Returns the twiddled texture.
    ///
    /// # Errors
    /// [`TextureError`] if the size is not valid for a texture; with mip levels it must be square.
    pub fn encode(&self) -> Result<Vec<u8>, TextureError> {
        if let [level] = &self.levels[..] {
            return encode_indices(level, self.width, self.height, self.format);
        }
        if self.width != self.height {
            return Err(TextureError::Size {
                width: self.width,
                height: self.height,
                expected: "a square with mip levels",
            });
        }
        let levels: Vec<&[u8]> = self.levels.iter().map(Vec::as_slice).collect();
        encode_index_levels(&levels, self.width, self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(side: u32, texel: impl Fn(u32, u32) -> u32) -> Rgba {
        let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        Rgba {
            width: side,
            height: side,
            texels: places.map(|(x, y)| texel(x, y)).collect(),
        }
    }

    #[test]
    fn few_colours_are_kept_and_shared() {
        let red = image(8, |x, _| if x < 4 { 0xFFFF_0000 } else { 0x0012_3456 });
        let blue = image(8, |_, _| 0xFF00_00FF);
        let palette = make_palette(&[&red, &blue], 16, PaletteFormat::Argb8888);
        assert_eq!(palette, [0, 0xFF00_00FF, 0xFFFF_0000]);
        let indexed = index_image(&red, &palette, true, false, false).unwrap();
        assert_eq!(indexed.levels[0][..8], [2, 2, 2, 2, 0, 0, 0, 0]);
        assert!(index_image(&red, &[], true, false, false).is_err());
    }

    #[test]
    fn many_colours_become_as_many_as_asked_for() {
        let ramp = image(64, |x, y| 0xFF00_0000 | (x * 4) << 16 | (y * 4) << 8 | (x ^ y));
        for (size, worst) in [(16, 48), (256, 20)] {
            let palette = make_palette(&[&ramp], size, PaletteFormat::Rgb565);
            assert!(
                (size - size / 8..=size).contains(&palette.len()),
                "{}",
                palette.len()
            );
            let indexed = index_image(&ramp, &palette, false, false, true).unwrap();
            assert_eq!(indexed.levels.len(), 7);
            let far = ramp.texels.iter().zip(&indexed.levels[0]).map(|(&c, &i)| {
                let (a, b) = (channels(c), channels(palette[usize::from(i)]));
                (0..4).map(|k| (a[k] - b[k]).abs()).max().unwrap_or(0)
            });
            let far = far.max().unwrap_or(0);
            assert!(far <= worst, "{size}: {far}");
            assert_eq!(indexed.encode().unwrap().len(), 0x1000 + 0x558);
        }
    }
}
