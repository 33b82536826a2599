//! Layout of a texture: formats, sizes, mip offsets.

use crate::param::PixelFormat;
use thiserror::Error;

/// Size in bytes of a VQ codebook in texture memory: 256 codes of 8 bytes, before the indices.
pub const CODEBOOK_BYTES: usize = 2048;

/// Largest side of a texture, in texels (TSP size code 7).
pub const MAX_SIDE: u32 = 1024;

impl PixelFormat {
    /// Number of bits of a texel.
    #[must_use]
    pub fn bits_per_texel(self) -> usize {
        match self {
            Self::Pal4 => 4,
            Self::Pal8 => 8,
            _ => 16,
        }
    }

    /// True if texels are palette indices.
    #[must_use]
    pub fn is_paletted(self) -> bool {
        matches!(self, Self::Pal4 | Self::Pal8)
    }
}

/// Reason why a texture cannot be decoded or encoded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextureError {
    /// The size does not match the layout.
    #[error("texture of {width}x{height} texels; expected {expected}")]
    Size {
        /// Width found, in texels.
        width: u32,
        /// Height found, in texels.
        height: u32,
        /// Limit of the layout.
        expected: &'static str,
    },
    /// A layout that the chip does not support.
    #[error("{found}; expected {expected}")]
    Layout {
        /// Found combination.
        found: &'static str,
        /// Possible values.
        expected: &'static str,
    },
    /// Fewer bytes than the texture needs.
    #[error("texture data of {found} bytes; expected at least {expected}")]
    Data {
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// A texel refers to a missing palette entry.
    #[error("palette of {found} entries; expected at least {expected} for the indices in use")]
    Palette {
        /// Entries given.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// The number of an image's texels is not width times height.
    #[error("image holds {found} texels; expected {expected}")]
    Image {
        /// Texels given.
        found: usize,
        /// Width times height.
        expected: usize,
    },
}

/// Layout of a texture in memory, as given by texture control word, TSP size and TEXT_CONTROL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureLayout {
    /// Texel format.
    pub format: PixelFormat,
    /// True for twiddled, false for linear (row by row).
    pub twiddled: bool,
    /// Vector quantized: a 2048-byte codebook, then one byte per code.
    pub vq: bool,
    /// All levels from 1x1 up to the full size are present, smallest first. Square and twiddled only.
    pub mipmapped: bool,
    /// Distance between rows in texels; only for linear layouts. Equal to `width` without stride.
    pub stride: u32,
    /// Width of level 0 in texels.
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
}

impl TextureLayout {
    /// Creates a twiddled texture without VQ or levels.
    #[must_use]
    pub fn twiddled(format: PixelFormat, width: u32, height: u32) -> Self {
        Self {
            format,
            twiddled: true,
            vq: false,
            mipmapped: false,
            stride: width,
            width,
            height,
        }
    }

    /// Checks the size against the limits of the layout.
    ///
    /// # Errors
    /// [`TextureError`] with the exceeded limit.
    pub fn validate(&self) -> Result<(), TextureError> {
        let (width, height) = (self.width, self.height);
        let size = |expected| {
            Err(TextureError::Size {
                width,
                height,
                expected,
            })
        };
        let layout = |found, expected| Err(TextureError::Layout { found, expected });
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return size("sides of 1 to 1024");
        }
        if !self.twiddled && self.mipmapped {
            return layout("a linear texture with mip levels", "a twiddled one");
        }
        if !self.twiddled && self.format.is_paletted() {
            return layout("a linear texture with a palette", "a twiddled one");
        }
        if self.twiddled && !(width.is_power_of_two() && height.is_power_of_two()) {
            return size("powers of two for a twiddled texture");
        }
        if self.mipmapped && width != height {
            return size("a square for a texture with mip levels");
        }
        if !self.twiddled && self.stride > MAX_SIDE {
            return layout("a row stride above 1024 texels", "at most 1024");
        }
        if self.format == PixelFormat::Yuv422
            && (width % 2 != 0 || (!self.twiddled && !self.stride.is_multiple_of(2)))
        {
            return size("an even width and stride for YUV422, whose texels come in pairs");
        }
        Ok(())
    }

    /// Number of texels before the level with sides of `side`: 3 for 1x1, 4 for 2x2, 8 for 4x4, 0x18 for 8x8
    /// and so on.
    ///
    /// Source: docs/hardware/pvr2.md, "Textures". The first three texels of a mipmapped texture are unused.
    #[must_use]
    pub fn mip_offset(side: u32) -> usize {
        let side = side as usize;
        3 + (side * side - 1) / 3
    }

    /// Number of texels before level 0.
    pub(crate) fn base_offset(&self) -> usize {
        if self.mipmapped {
            Self::mip_offset(self.width)
        } else {
            0
        }
    }

    /// Number of texels from the start of the texture to the end of level 0, including unused ones.
    pub(crate) fn texel_count(&self) -> usize {
        let (width, height) = (self.width as usize, self.height as usize);
        if self.twiddled {
            self.base_offset() + width * height
        } else {
            height.saturating_sub(1) * self.stride as usize + width
        }
    }

    /// Number of texels of one VQ code under `settings`.
    pub(crate) fn texels_per_code(&self, settings: &super::TextureSettings) -> usize {
        match settings.vq_palette {
            super::VqPalette::WholeCode => 64 / self.format.bits_per_texel(),
            super::VqPalette::Quad => 4,
        }
    }

    /// Number of bytes from the texture address to the end of level 0, including the codebook of a VQ
    /// texture.
    #[must_use]
    pub fn byte_len(&self, settings: &super::TextureSettings) -> usize {
        let texels = self.texel_count();
        if self.vq {
            CODEBOOK_BYTES + texels.div_ceil(self.texels_per_code(settings))
        } else {
            (texels * self.format.bits_per_texel()).div_ceil(8)
        }
    }
}
