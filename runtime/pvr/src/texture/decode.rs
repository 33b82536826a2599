//! Texture bytes to ARGB8888.

use super::color::{from_565, from_1555, from_4444, from_yuv, replicates};
use super::layout::{CODEBOOK_BYTES, TexelFormat, TextureError, TextureLayout};
use super::settings::TextureSettings;
use super::twiddle::TwiddleTable;
use super::{Level, Texture};

/// Decodes a texture whose bytes, in 64-bit-area order, start at the texture address.
///
/// `palette` holds the ARGB8888 colours from the selected bank on: 16 for [`TexelFormat::Pal4`], 256 for [`TexelFormat::Pal8`];
/// other formats ignore it. Fewer entries are an error only if a texel uses a missing one.
/// Bytes after the texture are not read; fewer than [`TextureLayout::byte_len`] are an error before anything is allocated.
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

/// The texels of one texture; an address counts texels from the start of the texture, after the codebook if there is one.
struct Source<'a> {
    bytes: &'a [u8],
    layout: &'a TextureLayout,
    palette: &'a [u32],
    settings: &'a TextureSettings,
}

impl Source<'_> {
    fn level(&self, width: u32, height: u32) -> Result<Vec<u32>, TextureError> {
        let format = self.layout.format;
        if format.is_paletted() {
            return self.paletted(width, height);
        }
        let one_by_one = self.layout.mipmapped && width == 1;
        let replicate = replicates(self.settings.linear_expand, self.layout.twiddled);
        let (bytes, vq) = (self.bytes, self.layout.vq);
        // The 1x1 level of a YUV texture is RGB565.
        match format {
            TexelFormat::Yuv422 if !one_by_one => Ok(if vq {
                self.yuv(width, height, code_word(bytes))
            } else {
                self.yuv(width, height, word(bytes))
            }),
            TexelFormat::Bump => Ok(self.words(width, height, u32::from)),
            TexelFormat::Argb4444 => Ok(self.words(width, height, |v| from_4444(v, replicate))),
            TexelFormat::Rgb565 | TexelFormat::Yuv422 => {
                Ok(self.words(width, height, |v| from_565(v, replicate)))
            }
            _ => Ok(self.words(width, height, |v| from_1555(v, replicate))),
        }
    }

    /// A level of independent 16-bit texels. A codebook's colours are converted once, not once a texel.
    fn words(&self, width: u32, height: u32, color: impl Fn(u16) -> u32) -> Vec<u32> {
        if !self.layout.vq {
            let word = word(self.bytes);
            return self.fill(width, height, |address| color(word(address)));
        }
        let (codebook, indices) = self.bytes.split_at(CODEBOOK_BYTES);
        let colors: Vec<u32> = (0..CODEBOOK_BYTES / 2)
            .map(|i| color(word(codebook)(i)))
            .collect();
        self.fill(width, height, |address| {
            colors[usize::from(indices[address >> 2]) << 2 | (address & 3)]
        })
    }

    fn yuv(&self, width: u32, height: u32, word: impl Fn(usize) -> u16) -> Vec<u32> {
        let address = self.addresses(width, height);
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height as usize {
            for x in (0..width as usize).step_by(2) {
                let [y0, u] = word(address.of(x, y)).to_be_bytes();
                let [y1, v] = word(address.of(x + 1, y)).to_be_bytes();
                texels.extend([from_yuv(y0, u, v), from_yuv(y1, u, v)]);
            }
        }
        texels
    }

    fn paletted(&self, width: u32, height: u32) -> Result<Vec<u32>, TextureError> {
        let four_bits = self.layout.format == TexelFormat::Pal4;
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
                u32::from(index(code, address % texels_per_code))
            })
        } else {
            self.fill(width, height, |address| u32::from(index(self.bytes, address)))
        };
        let expected = indices.iter().max().map_or(0, |&i| i as usize + 1);
        if expected > self.palette.len() {
            return Err(TextureError::Palette {
                found: self.palette.len(),
                expected,
            });
        }
        Ok(indices.into_iter().map(|i| self.palette[i as usize]).collect())
    }

    fn fill(&self, width: u32, height: u32, texel: impl Fn(usize) -> u32) -> Vec<u32> {
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        match self.addresses(width, height) {
            Addresses::Linear { stride } => {
                for row in 0..height as usize {
                    texels.extend((0..width as usize).map(|x| texel(row * stride + x)));
                }
            }
            Addresses::Twiddled { base, table } => {
                for &row in &table.row {
                    texels.extend(
                        table
                            .column
                            .iter()
                            .map(|&column| texel(base + (row | column) as usize)),
                    );
                }
            }
        }
        texels
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

/// Reads the 16-bit texel at an address.
fn word(bytes: &[u8]) -> impl Fn(usize) -> u16 {
    |address| u16::from_le_bytes([bytes[2 * address], bytes[2 * address + 1]])
}

/// Reads the 16-bit texel at an address through a codebook.
fn code_word(bytes: &[u8]) -> impl Fn(usize) -> u16 {
    let (codebook, codes) = bytes.split_at(CODEBOOK_BYTES);
    move |address| word(codebook)(usize::from(codes[address >> 2]) << 2 | (address & 3))
}
