//! Decoder from texture bytes to ARGB8888.

use super::color::{LowBits, from_565, from_1555, from_4444, from_yuv};
use super::layout::{CODEBOOK_BYTES, TextureError, TextureLayout};
use super::twiddle::TwiddleTable;
use super::{Level, Texture};
use crate::param::PixelFormat;
use crate::settings::TextureSettings;

/// Decodes a texture from its bytes, which are in the order of the 64-bit area.
///
/// `palette` contains the ARGB8888 colours from the selected bank on: 16 for [`PixelFormat::Pal4`], 256 for
/// [`PixelFormat::Pal8`]; other formats ignore it. Fewer entries are an error only if a texel uses a missing
/// one. Bytes after the texture are ignored.
///
/// # Errors
/// [`TextureError`] for a size that the layout does not support, for fewer bytes than
/// [`TextureLayout::byte_len`] (before memory is allocated), and for a missing palette entry.
pub fn decode_bytes(
    bytes: &[u8],
    layout: &TextureLayout,
    palette: &[u32],
    settings: &TextureSettings,
) -> Result<Texture, TextureError> {
    layout.validate()?;
    let expected = layout.byte_len(settings);
    let bytes = bytes.get(..expected).ok_or(TextureError::Data {
        found: bytes.len(),
        expected,
    })?;
    let source = Source {
        bytes,
        layout,
        palette,
        settings,
    };
    let texels = source.level(layout.width, layout.height)?;
    let mut levels = Vec::new();
    let mut side = if layout.mipmapped { layout.width / 2 } else { 0 };
    while side > 0 {
        levels.push(Level {
            width: side,
            height: side,
            texels: source.level(side, side)?,
        });
        side /= 2;
    }
    Ok(Texture {
        width: layout.width,
        height: layout.height,
        texels,
        levels,
    })
}

/// Texels of one texture. An address counts texels from the start of the texture, after the codebook if there
/// is one.
struct Source<'a> {
    bytes: &'a [u8],
    layout: &'a TextureLayout,
    palette: &'a [u32],
    settings: &'a TextureSettings,
}

impl Source<'_> {
    fn level(&self, width: u32, height: u32) -> Result<Vec<u32>, TextureError> {
        let below = LowBits::new(self.settings.linear_expand, self.layout.twiddled);
        let one_by_one = self.layout.mipmapped && width == 1;
        Ok(match self.layout.format {
            PixelFormat::Pal4 | PixelFormat::Pal8 => return self.paletted(width, height),
            // The 1x1 level of a YUV texture is RGB565.
            PixelFormat::Yuv422 if one_by_one => {
                self.words(width, height, |w| each(w, |v| from_565(v, below)))
            }
            PixelFormat::Yuv422 => self.words(width, height, yuv_pairs),
            PixelFormat::Bump => self.words(width, height, |w| each(w, u32::from)),
            PixelFormat::Argb4444 => self.words(width, height, |w| each(w, |v| from_4444(v, below))),
            PixelFormat::Rgb565 => self.words(width, height, |w| each(w, |v| from_565(v, below))),
            PixelFormat::Argb1555 => self.words(width, height, |w| each(w, |v| from_1555(v, below))),
        })
    }

    /// Decodes a level of 16-bit texels. `colors` converts two pairs of neighbours; a pair is a texel in an
    /// even column and its right neighbour.
    fn words(&self, width: u32, height: u32, colors: impl Fn([u16; 4]) -> [u32; 4]) -> Vec<u32> {
        let (codebook, data) = self
            .bytes
            .split_at(if self.layout.vq { CODEBOOK_BYTES } else { 0 });
        if !self.layout.twiddled || width == 1 || height == 1 {
            return self.words_by_address(width, height, colors);
        }
        let quad = |words: &[u8; 8]| {
            // In memory the left column comes first.
            let [a, b, c, d] = four_words(words);
            let [a, b, c, d] = colors([a, c, b, d]);
            [[a, b], [c, d]]
        };
        if self.layout.vq {
            // Compute the colours of each code once, not for each use.
            let codes: Vec<_> = codebook.as_chunks().0.iter().map(quad).collect();
            return self.quads(width, height, |index| codes[usize::from(data[index])]);
        }
        let quads = data.as_chunks().0;
        self.quads(width, height, |index| quad(&quads[index]))
    }

    /// Decodes a twiddled level of at least 2x2 texels from its quads (top row, bottom row). The number of a
    /// quad is the address of its first texel divided by 4.
    fn quads(&self, width: u32, height: u32, quad: impl Fn(usize) -> [[u32; 2]; 2]) -> Vec<u32> {
        let base = if self.layout.mipmapped {
            TextureLayout::mip_offset(width) / 4
        } else {
            0
        };
        let table = TwiddleTable::new(width / 2, height / 2);
        let width = width as usize;
        let mut texels = vec![0; width * height as usize];
        for (rows, &row) in texels.chunks_exact_mut(2 * width).zip(&table.row) {
            let (top, bottom) = rows.split_at_mut(width);
            let pairs = top.as_chunks_mut().0.iter_mut().zip(bottom.as_chunks_mut().0);
            for ((top, bottom), &column) in pairs.zip(&table.column) {
                [*top, *bottom] = quad(base + (row | column) as usize);
            }
        }
        texels
    }

    /// Decodes like [`Source::words`], for every layout.
    fn words_by_address(&self, width: u32, height: u32, colors: impl Fn([u16; 4]) -> [u32; 4]) -> Vec<u32> {
        let bytes = self.bytes;
        if !self.layout.twiddled && !self.layout.vq {
            let stride = 2 * self.layout.stride as usize;
            let rows = (0..height as usize).map(|y| &bytes[y * stride..y * stride + 2 * width as usize]);
            return linear_rows(rows, width as usize * height as usize, colors);
        }
        let word = |byte: usize| u16::from_le_bytes([bytes[byte], bytes[byte + 1]]);
        let texel = |address: usize| match self.layout.vq {
            true => word(usize::from(bytes[CODEBOOK_BYTES + address / 4]) * 8 + address % 4 * 2),
            false => word(address * 2),
        };
        let address = self.addresses(width, height);
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height as usize {
            for x in 0..width as usize {
                let left = texel(address.of(x & !1, y));
                let right = if x | 1 < width as usize {
                    texel(address.of(x | 1, y))
                } else {
                    left
                };
                texels.push(colors([left, right, left, right])[x & 1]);
            }
        }
        texels
    }

    fn paletted(&self, width: u32, height: u32) -> Result<Vec<u32>, TextureError> {
        let four_bits = self.layout.format == PixelFormat::Pal4;
        let index = |data: &[u8], address: usize| {
            if four_bits {
                data[address >> 1] >> (4 * (address & 1)) & 15
            } else {
                data[address]
            }
        };
        let texels_per_code = self.layout.texels_per_code(self.settings);
        let indices = if self.layout.vq {
            let (codebook, codes) = self.bytes.split_at(CODEBOOK_BYTES);
            self.fill(width, height, |address| {
                let code = &codebook[usize::from(codes[address / texels_per_code]) * 8..];
                index(code, address % texels_per_code)
            })
        } else {
            self.fill(width, height, |address| index(self.bytes, address))
        };
        let expected = indices.iter().max().map_or(0, |&i| usize::from(i) + 1);
        if expected > self.palette.len() {
            return Err(TextureError::Palette {
                found: self.palette.len(),
                expected,
            });
        }
        Ok(indices
            .into_iter()
            .map(|i| self.palette[usize::from(i)])
            .collect())
    }

    fn fill(&self, width: u32, height: u32, texel: impl Fn(usize) -> u8) -> Vec<u8> {
        let address = self.addresses(width, height);
        let (width, height) = (width as usize, height as usize);
        (0..width * height)
            .map(|i| texel(address.of(i % width, i / width)))
            .collect()
    }

    fn addresses(&self, width: u32, height: u32) -> Addresses {
        if self.layout.twiddled {
            let base = if self.layout.mipmapped {
                TextureLayout::mip_offset(width)
            } else {
                0
            };
            Addresses::Twiddled {
                base,
                table: TwiddleTable::new(width, height),
            }
        } else {
            Addresses::Linear {
                stride: self.layout.stride as usize,
            }
        }
    }
}

enum Addresses {
    Linear { stride: usize },
    Twiddled { base: usize, table: TwiddleTable },
}

impl Addresses {
    fn of(&self, x: usize, y: usize) -> usize {
        match self {
            Self::Linear { stride } => y * stride + x,
            Self::Twiddled { base, table } => base + (table.row[y] | table.column[x]) as usize,
        }
    }
}

fn linear_rows<'a>(
    rows: impl Iterator<Item = &'a [u8]>,
    texel_count: usize,
    colors: impl Fn([u16; 4]) -> [u32; 4],
) -> Vec<u32> {
    let mut texels = Vec::with_capacity(texel_count);
    for row in rows {
        let (fours, rest) = row.as_chunks::<8>();
        for bytes in fours {
            texels.extend_from_slice(&colors(four_words(bytes)));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        texels.extend_from_slice(&colors(four_words(&last))[..rest.len() / 2]);
    }
    texels
}

/// Returns the colours of two YUV422 pairs: U is stored with the left Y, V with the right Y.
fn yuv_pairs(words: [u16; 4]) -> [u32; 4] {
    let [[y0, u0], [y1, v0], [y2, u1], [y3, v1]] = words.map(u16::to_be_bytes);
    [
        from_yuv(y0, u0, v0),
        from_yuv(y1, u0, v0),
        from_yuv(y2, u1, v1),
        from_yuv(y3, u1, v1),
    ]
}

/// Returns four 16-bit words in memory order.
#[inline]
fn four_words(bytes: &[u8; 8]) -> [u16; 4] {
    let v = u64::from_le_bytes(*bytes);
    [v as u16, (v >> 16) as u16, (v >> 32) as u16, (v >> 48) as u16]
}

/// Returns the colours of four independent words.
#[inline]
fn each(words: [u16; 4], color: impl Fn(u16) -> u32) -> [u32; 4] {
    let [a, b, c, d] = words;
    [color(a), color(b), color(c), color(d)]
}
