//! Format bytes of a PVRT header, and the memory layout of each pair.
//!
//! The numbers come from Ninja's `NJD_TEXFMT_*` header in public copies. Data sizes of real files confirm the
//! numbers for 4 and 8 bits, which some public tables swap.

use crate::texture::{CODEBOOK_BYTES, PaletteFormat, PixelFormat, TextureLayout, TextureSettings};

/// First format byte: colour format of a texel, or of a palette entry if the data are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PvrPixelFormat {
    /// 0.
    Argb1555,
    /// 1.
    Rgb565,
    /// 2.
    Argb4444,
    /// 3.
    Yuv422,
    /// 4: bump map, elevation and rotation.
    Bump,
    /// 5: a PC format, not one of the chip's.
    Rgb555,
    /// 6: ARGB8888 in palettes (YUV420 source data elsewhere).
    Argb8888,
    /// Any other number. Some writers use one for paletted textures, where it has no effect.
    Other(u8),
}

impl PvrPixelFormat {
    /// Returns the format of a header byte.
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Argb1555,
            1 => Self::Rgb565,
            2 => Self::Argb4444,
            3 => Self::Yuv422,
            4 => Self::Bump,
            5 => Self::Rgb555,
            6 => Self::Argb8888,
            other => Self::Other(other),
        }
    }

    /// Returns the header byte of a format.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Argb1555 => 0,
            Self::Rgb565 => 1,
            Self::Argb4444 => 2,
            Self::Yuv422 => 3,
            Self::Bump => 4,
            Self::Rgb555 => 5,
            Self::Argb8888 => 6,
            Self::Other(code) => code,
        }
    }

    /// Returns the texel format of a texture without palette, if the chip supports it.
    #[must_use]
    pub fn texel_format(self) -> Option<PixelFormat> {
        match self {
            Self::Argb1555 => Some(PixelFormat::Argb1555),
            Self::Rgb565 => Some(PixelFormat::Rgb565),
            Self::Argb4444 => Some(PixelFormat::Argb4444),
            Self::Yuv422 => Some(PixelFormat::Yuv422),
            Self::Bump => Some(PixelFormat::Bump),
            _ => None,
        }
    }

    /// Returns the format of palette entries, if palettes support it. 7 is a second number for ARGB8888 in
    /// palettes of early samples.
    #[must_use]
    pub fn palette_format(self) -> Option<PaletteFormat> {
        match self {
            Self::Argb1555 => Some(PaletteFormat::Argb1555),
            Self::Rgb565 => Some(PaletteFormat::Rgb565),
            Self::Argb4444 => Some(PaletteFormat::Argb4444),
            Self::Argb8888 | Self::Other(7) => Some(PaletteFormat::Argb8888),
            _ => None,
        }
    }

    /// Known meaning of a number that is not a texel format.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Rgb555 => "(RGB555) is a PC format",
            Self::Argb8888 => "(ARGB8888, YUV420) is only for palettes and source data",
            Self::Other(0x80 | 0x81) => "(DXT) belongs to later PC ports",
            _ => "is unknown",
        }
    }
}

/// Second format byte: storage of the texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PvrDataFormat {
    /// 0x01: twiddled.
    Twiddled = 0x01,
    /// 0x02: twiddled with mip levels. The file omits the first two of the three unused texels.
    TwiddledMipmaps = 0x02,
    /// 0x03: vector quantized, 256 codes.
    Vq = 0x03,
    /// 0x04: vector quantized with mip levels.
    VqMipmaps = 0x04,
    /// 0x05: 4-bit palette indices, twiddled.
    Pal4 = 0x05,
    /// 0x06: 4-bit palette indices, twiddled, with mip levels.
    Pal4Mipmaps = 0x06,
    /// 0x07: 8-bit palette indices, twiddled.
    Pal8 = 0x07,
    /// 0x08: 8-bit palette indices, twiddled, with mip levels.
    Pal8Mipmaps = 0x08,
    /// 0x09: linear.
    Rectangle = 0x09,
    /// 0x0B: linear, with a width that needs the stride register.
    Stride = 0x0B,
    /// 0x0D: twiddled, not square.
    TwiddledRectangle = 0x0D,
    /// 0x10: vector quantized; the codebook's size depends on the texture ([`small_codebook_codes`]).
    SmallVq = 0x10,
    /// 0x11: small vector quantized format with mip levels.
    SmallVqMipmaps = 0x11,
    /// 0x12: twiddled with mip levels, exactly as in texture memory ("DMA").
    TwiddledMipmapsDma = 0x12,
}

impl PvrDataFormat {
    /// All data formats.
    pub const ALL: [Self; 14] = [
        Self::Twiddled,
        Self::TwiddledMipmaps,
        Self::Vq,
        Self::VqMipmaps,
        Self::Pal4,
        Self::Pal4Mipmaps,
        Self::Pal8,
        Self::Pal8Mipmaps,
        Self::Rectangle,
        Self::Stride,
        Self::TwiddledRectangle,
        Self::SmallVq,
        Self::SmallVqMipmaps,
        Self::TwiddledMipmapsDma,
    ];

    /// Returns the format of a header byte.
    ///
    /// # Errors
    /// Returns the known meaning of a number that is not a format.
    pub fn from_code(code: u8) -> Result<Self, &'static str> {
        Self::ALL
            .into_iter()
            .find(|&format| format as u8 == code)
            .ok_or(match code {
                // Public readers disagree on whether 0x0A and 0x0C contain levels; no such file is known.
                0x0A => "(rectangle with mip levels) has no agreed layout",
                0x0C => "(stride with mip levels) has no agreed layout",
                // 32-bit texels; public readers disagree on the channel order.
                0x0E | 0x0F => "(bitmap of 32-bit texels) is not a texture of the chip",
                _ => "is unknown",
            })
    }

    /// True if the data contain all levels down to 1x1.
    #[must_use]
    pub fn has_mipmaps(self) -> bool {
        use PvrDataFormat::*;
        matches!(
            self,
            TwiddledMipmaps | VqMipmaps | Pal4Mipmaps | Pal8Mipmaps | SmallVqMipmaps | TwiddledMipmapsDma
        )
    }

    /// True if texels are indices in a codebook.
    #[must_use]
    pub fn is_vq(self) -> bool {
        matches!(
            self,
            Self::Vq | Self::VqMipmaps | Self::SmallVq | Self::SmallVqMipmaps
        )
    }

    /// True if the codebook's size depends on the texture.
    #[must_use]
    pub fn is_small_vq(self) -> bool {
        matches!(self, Self::SmallVq | Self::SmallVqMipmaps)
    }

    /// True if the texels are in rows.
    #[must_use]
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Rectangle | Self::Stride)
    }

    /// Returns the texel format of paletted data.
    #[must_use]
    pub fn palette_index(self) -> Option<PixelFormat> {
        match self {
            Self::Pal4 | Self::Pal4Mipmaps => Some(PixelFormat::Pal4),
            Self::Pal8 | Self::Pal8Mipmaps => Some(PixelFormat::Pal8),
            _ => None,
        }
    }

    /// Returns the layout in texture memory, if the chip supports the pixel format.
    #[must_use]
    pub fn layout(self, pixel_format: PvrPixelFormat, width: u32, height: u32) -> Option<TextureLayout> {
        Some(TextureLayout {
            format: self.palette_index().or(pixel_format.texel_format())?,
            twiddled: !self.is_linear(),
            vq: self.is_vq(),
            mipmapped: self.has_mipmaps(),
            stride: width,
            width,
            height,
        })
    }

    /// Checks a size against the data format. The error describes valid sizes.
    pub(crate) fn check_size(self, width: u32, height: u32) -> Result<(), &'static str> {
        let power = |n: u32| n.is_power_of_two() && n <= 1024;
        if self.has_mipmaps() && !(width == height && power(width) && width >= 8) {
            return Err("a square with a side of 8, 16, ... 1024 for a texture with mip levels");
        }
        // Public readers and writers support small codebooks only for squares.
        if self.is_small_vq() && width != height {
            return Err("a square for small VQ");
        }
        if self.is_linear() && !(power(width) || (width.is_multiple_of(32) && (32..=992).contains(&width))) {
            return Err("a width that is a power of two or a multiple of 32 up to 992, for a linear texture");
        }
        if self.is_linear() && !(1..=1024).contains(&height) {
            return Err("a height of 1 to 1024");
        }
        if !(self.is_linear() || power(width) && power(height)) {
            return Err("powers of two up to 1024 for a twiddled texture");
        }
        Ok(())
    }
}

/// Number of codes in the codebook of a small VQ file with sides of `side` texels.
///
/// Sources: `pypvr` and KallistiOS `pvrtex`, which agree. For textures without mip levels, data sizes of real
/// files of 16, 32 and 64 texels confirm them.
#[must_use]
pub fn small_codebook_codes(side: u32, mipmaps: bool) -> usize {
    match (side, mipmaps) {
        (..=16, _) => 16,
        (..=32, false) => 32,
        (..=32, true) => 64,
        (..=64, false) => 128,
        _ => 256,
    }
}

/// Differences between the bytes in a file and in texture memory.
pub(crate) struct FileLayout {
    /// Size in memory in bytes.
    pub(crate) memory: usize,
    /// Number of bytes at the start of the texture that the file omits.
    pub(crate) left_out: usize,
    /// Size of the file's codebook in bytes, if it is smaller than in memory.
    pub(crate) codebook: Option<usize>,
}

impl FileLayout {
    pub(crate) fn new(format: PvrDataFormat, layout: &TextureLayout) -> Self {
        let codebook = format
            .is_small_vq()
            .then(|| 8 * small_codebook_codes(layout.width, layout.mipmapped));
        // Type 2 stores one of the three unused 16-bit texels (docs/hardware/pvr2.md, "Textures").
        let left_out = if format == PvrDataFormat::TwiddledMipmaps {
            4
        } else {
            0
        };
        // A setting affects the size only for paletted VQ. No such files are known, so the default settings
        // suffice.
        Self {
            memory: layout.byte_len(&TextureSettings::default()),
            left_out,
            codebook,
        }
    }

    /// Size in the file in bytes.
    pub(crate) fn file(&self) -> usize {
        self.memory - self.left_out - self.codebook.map_or(0, |bytes| CODEBOOK_BYTES - bytes)
    }

    /// Converts file bytes to memory bytes; `bytes` has the length [`FileLayout::file`].
    pub(crate) fn to_memory(&self, bytes: &[u8]) -> Vec<u8> {
        let mut memory = Vec::with_capacity(self.memory);
        memory.resize(self.left_out, 0);
        let (codebook, rest) = bytes.split_at(self.codebook.unwrap_or(0));
        memory.extend(codebook);
        if self.codebook.is_some() {
            memory.resize(CODEBOOK_BYTES, 0);
        }
        memory.extend(rest);
        memory
    }

    /// Converts memory bytes to file bytes; `memory` has the length of the texture in memory.
    pub(crate) fn to_file(&self, memory: &[u8]) -> Vec<u8> {
        match self.codebook {
            Some(bytes) => [&memory[..bytes], &memory[CODEBOOK_BYTES..]].concat(),
            None => memory[self.left_out..].to_vec(),
        }
    }
}
