//! Encoder from ARGB8888 to texture bytes in the chip's layout.

use super::Texture;
use super::cluster;
use super::color::{pack, pack_quad, pack_yuv_pair, unpack_quad};
use super::layout::{CODEBOOK_BYTES, MAX_SIDE, TextureError, TextureLayout};
use super::twiddle::{TwiddleTable, twiddled_offset};
use super::vq;
use crate::param::PixelFormat;
use crate::settings::TextureSettings;

/// An image: colours with alpha, `0xAARRGGBB`, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rgba {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width * height` colours.
    pub texels: Vec<u32>,
}

impl From<Texture> for Rgba {
    fn from(texture: Texture) -> Self {
        Self {
            width: texture.width,
            height: texture.height,
            texels: texture.texels,
        }
    }
}

/// Order of an encoded texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row by row.
    Linear,
    /// Twiddled.
    Twiddled {
        /// Adds all levels down to 1x1 (square images only), averaged from 2x2 texels.
        mipmaps: bool,
    },
    /// Vector quantized: 256 codes of 2x2 texels, found by a deterministic k-means search.
    Vq {
        /// Adds all levels down to 1x1 (square images only), sharing one codebook.
        mipmaps: bool,
    },
}

/// Output format of [`encode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Texel format, a 16-bit one.
    pub format: PixelFormat,
    /// Order of the texels.
    pub layout: Order,
}

impl Encoding {
    /// Returns the layout of the encoded bytes for an image of this size.
    #[must_use]
    pub fn layout(&self, width: u32, height: u32) -> TextureLayout {
        let (vq, mipmapped) = match self.layout {
            Order::Linear => (false, false),
            Order::Twiddled { mipmaps } => (false, mipmaps),
            Order::Vq { mipmaps } => (true, mipmaps),
        };
        let twiddled = self.layout != Order::Linear;
        TextureLayout {
            format: self.format,
            twiddled,
            vq,
            mipmapped,
            stride: width,
            width,
            height,
        }
    }
}

/// Encodes an image as the bytes for a texture address.
///
/// Channels are rounded to nearest. Twiddled sides must be powers of two from 8 to 1024. Bump words come from
/// the low 16 bits of the texels. They cannot be averaged or clustered, so they support neither mip levels
/// nor VQ. The same image gives the same bytes on every host.
///
/// ```
/// use pvr::texture::{Encoding, Order, Rgba, PixelFormat, encode};
/// let image = Rgba { width: 8, height: 8, texels: vec![0xFFFF_0000; 64] };
/// let layout = Order::Twiddled { mipmaps: false };
/// let bytes = encode(&image, Encoding { format: PixelFormat::Rgb565, layout })?;
/// assert_eq!(bytes, [0x00, 0xF8].repeat(64));
/// # Ok::<(), pvr::texture::TextureError>(())
/// ```
///
/// # Errors
/// [`TextureError`] for a size or a combination of format and order that the chip does not support.
pub fn encode(image: &Rgba, encoding: Encoding) -> Result<Vec<u8>, TextureError> {
    encode_with_codes(image, encoding, 256)
}

/// Encodes like [`encode`], with at most `codes` (16 to 256) codes at the start of the codebook.
pub(crate) fn encode_with_codes(
    image: &Rgba,
    encoding: Encoding,
    codes: usize,
) -> Result<Vec<u8>, TextureError> {
    let format = encoding.format;
    let layout = encoding.layout(image.width, image.height);
    check(image, &layout)?;
    let words = match encoding.layout {
        Order::Linear => linear_words(image, format),
        Order::Twiddled { .. } => twiddled_words(image, &layout),
        Order::Vq { .. } => return Ok(vq_bytes(image, &layout, codes)),
    };
    Ok(words.into_iter().flat_map(u16::to_le_bytes).collect())
}

/// Encodes palette indices, row by row, as a twiddled [`PixelFormat::Pal4`] or [`PixelFormat::Pal8`] texture.
///
/// # Errors
/// [`TextureError`] if the format is not paletted, the size is invalid, the number of indices differs from
/// the number of texels, or an index exceeds the palette.
pub fn encode_indices(
    indices: &[u8],
    width: u32,
    height: u32,
    format: PixelFormat,
) -> Result<Vec<u8>, TextureError> {
    index_bytes(&[indices], TextureLayout::twiddled(format, width, height))
}

/// Encodes like [`encode_indices`] with mip levels: the indices of a square of `side` texels, then the
/// indices of each half size down to 1x1.
///
/// # Errors
/// Fails under the conditions of [`encode_indices`], or for a wrong number of levels.
pub fn encode_index_levels(
    levels: &[&[u8]],
    side: u32,
    format: PixelFormat,
) -> Result<Vec<u8>, TextureError> {
    let layout = TextureLayout {
        mipmapped: true,
        ..TextureLayout::twiddled(format, side, side)
    };
    index_bytes(levels, layout)
}

fn index_bytes(levels: &[&[u8]], layout: TextureLayout) -> Result<Vec<u8>, TextureError> {
    layout.validate()?;
    let format = layout.format;
    if !format.is_paletted() {
        return Err(TextureError::Layout {
            found: "palette indices in a colour format",
            expected: "Pal4 or Pal8",
        });
    }
    let count = if layout.mipmapped {
        layout.width.ilog2() as usize + 1
    } else {
        1
    };
    let sizes: Vec<(u32, u32)> = (0..count)
        .map(|n| (layout.width >> n, layout.height >> n))
        .collect();
    let expected = sizes.iter().map(|&(w, h)| w as usize * h as usize).sum();
    let found = levels.iter().map(|level| level.len()).sum();
    let whole = |(level, &(w, h)): (&&[u8], &(u32, u32))| level.len() == w as usize * h as usize;
    if levels.len() != count || !levels.iter().zip(&sizes).all(whole) {
        return Err(TextureError::Image { found, expected });
    }
    let colors = if format == PixelFormat::Pal4 { 16 } else { 256 };
    if let Some(&index) = levels
        .iter()
        .copied()
        .flatten()
        .find(|&&i| usize::from(i) >= colors)
    {
        return Err(TextureError::Palette {
            found: colors,
            expected: usize::from(index) + 1,
        });
    }
    let mut bytes = vec![0; layout.byte_len(&TextureSettings::default())];
    for (level, &(width, height)) in levels.iter().zip(&sizes) {
        let base = if layout.mipmapped {
            TextureLayout::mip_offset(width)
        } else {
            0
        };
        for (i, &index) in (0u32..).zip(*level) {
            let address = base + twiddled_offset(i % width, i / width, width, height) as usize;
            match format {
                PixelFormat::Pal4 => bytes[address / 2] |= index << (4 * (address & 1)),
                _ => bytes[address] = index,
            }
        }
    }
    Ok(bytes)
}

fn check(image: &Rgba, layout: &TextureLayout) -> Result<(), TextureError> {
    layout.validate()?;
    let expected = image.width as usize * image.height as usize;
    if image.texels.len() != expected {
        return Err(TextureError::Image {
            found: image.texels.len(),
            expected,
        });
    }
    let side = 8..=MAX_SIDE;
    if layout.twiddled && !(side.contains(&image.width) && side.contains(&image.height)) {
        let expected = "sides of 8 to 1024 for a twiddled texture";
        return Err(TextureError::Size {
            width: image.width,
            height: image.height,
            expected,
        });
    }
    let layout_error = |found, expected| Err(TextureError::Layout { found, expected });
    match layout.format {
        PixelFormat::Pal4 | PixelFormat::Pal8 => {
            layout_error("colours for a paletted format", "indices (encode_indices)")
        }
        PixelFormat::Bump if layout.mipmapped || layout.vq => layout_error(
            "a bump map with mip levels or VQ",
            "a plain linear or twiddled one",
        ),
        _ => Ok(()),
    }
}

fn linear_words(image: &Rgba, format: PixelFormat) -> Vec<u16> {
    if format == PixelFormat::Yuv422 {
        // The width is even, so pairs do not cross rows.
        return image
            .texels
            .chunks_exact(2)
            .flat_map(|pair| pack_yuv_pair(pair[0], pair[1]))
            .collect();
    }
    image.texels.iter().map(|&c| pack(format, c)).collect()
}

fn twiddled_words(image: &Rgba, layout: &TextureLayout) -> Vec<u16> {
    let mut words = vec![0; layout.texel_count()];
    for_each_quad(image, layout, |address, quad| {
        words[address..address + 4].copy_from_slice(&pack_quad(layout.format, quad));
    });
    if layout.mipmapped {
        words[TextureLayout::mip_offset(1)] = one_by_one_word(image, layout.format);
    }
    words
}

fn vq_bytes(image: &Rgba, layout: &TextureLayout, codes: usize) -> Vec<u8> {
    let format = layout.format;
    let mut quads = vec![[0; 4]; layout.texel_count().div_ceil(4)];
    for_each_quad(image, layout, |address, quad| {
        quads[address / 4] = pack_quad(format, quad)
    });
    // Index 0 of a mipmapped texture is the 1x1 level, which is not a quad.
    let first = usize::from(layout.mipmapped);
    // In a YUV texture the 1x1 level is RGB565 and needs a separate code.
    let own_code = layout.mipmapped && format == PixelFormat::Yuv422;
    let mut result = vq::quantize(&quads[first..], codes - usize::from(own_code), format);
    if layout.mipmapped {
        let word = one_by_one_word(image, format);
        if own_code {
            result.codebook.push([0, 0, 0, word]);
        }
        result.indices.insert(
            0,
            nearest_last_texel(
                &result.codebook,
                word,
                if own_code { PixelFormat::Rgb565 } else { format },
            ),
        );
    }
    let mut bytes: Vec<u8> = result
        .codebook
        .iter()
        .flatten()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    bytes.resize(CODEBOOK_BYTES, 0);
    bytes.extend(result.indices);
    bytes
}

/// Returns the code with the last texel nearest to a word. The 1x1 level uses this texel.
fn nearest_last_texel(codebook: &[[u16; 4]], word: u16, format: PixelFormat) -> u8 {
    let target = vq::components(unpack_quad(format, [word; 4]));
    let distance =
        |code: &[u16; 4]| cluster::distance(&vq::components(unpack_quad(format, [code[3]; 4])), &target);
    (0..=255u8)
        .zip(codebook)
        .min_by_key(|(_, code)| distance(code))
        .map_or(0, |(i, _)| i)
}

/// Calls `f` with the texel address and the colours, in twiddled order, of every 2x2 quad in all levels
/// except 1x1.
fn for_each_quad(image: &Rgba, layout: &TextureLayout, mut f: impl FnMut(usize, [u32; 4])) {
    let mut level = image.clone();
    loop {
        let base = if layout.mipmapped {
            TextureLayout::mip_offset(level.width)
        } else {
            0
        };
        let table = TwiddleTable::new(level.width, level.height);
        let width = level.width as usize;
        for y in (0..level.height as usize).step_by(2) {
            for x in (0..width).step_by(2) {
                let at = |dx: usize, dy: usize| level.texels[(y + dy) * width + x + dx];
                let address = base + (table.row[y] | table.column[x]) as usize;
                f(address, [at(0, 0), at(0, 1), at(1, 0), at(1, 1)]);
            }
        }
        if !layout.mipmapped || level.width == 2 {
            return;
        }
        level = half(&level);
    }
}

fn one_by_one_word(image: &Rgba, format: PixelFormat) -> u16 {
    let mut level = image.clone();
    while level.width > 1 {
        level = half(&level);
    }
    pack(
        if format == PixelFormat::Yuv422 {
            PixelFormat::Rgb565
        } else {
            format
        },
        level.texels[0],
    )
}

/// Returns the image at half size; each texel is the mean of four, weighted by alpha.
pub(super) fn half(image: &Rgba) -> Rgba {
    let (width, height) = (image.width / 2, image.height / 2);
    let row = image.width as usize;
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height as usize {
        for x in 0..width as usize {
            let i = 2 * y * row + 2 * x;
            texels.push(mean([i, i + 1, i + row, i + row + 1].map(|i| image.texels[i])));
        }
    }
    Rgba {
        width,
        height,
        texels,
    }
}

/// Returns the mean of four colours, rounded. Alpha is the weight, so that invisible texels do not affect
/// visible ones.
fn mean(quad: [u32; 4]) -> u32 {
    let alpha_sum: u32 = quad.iter().map(|c| c >> 24).sum();
    let channel = |shift: u32| {
        if alpha_sum == 0 {
            return (quad.iter().map(|c| c >> shift & 255).sum::<u32>() + 2) / 4;
        }
        (quad.iter().map(|c| (c >> shift & 255) * (c >> 24)).sum::<u32>() + alpha_sum / 2) / alpha_sum
    };
    ((alpha_sum + 2) / 4) << 24 | channel(16) << 16 | channel(8) << 8 | channel(0)
}
