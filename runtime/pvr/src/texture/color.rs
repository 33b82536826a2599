//! Conversion between 16-bit words or YUV and ARGB8888.

use crate::param::PixelFormat;
use crate::settings::LinearExpand;

/// Mask for the low bits of widened channels: repeat the top bits, or zeros.
#[derive(Clone, Copy)]
pub(crate) struct LowBits(u32);

impl LowBits {
    pub(crate) const REPEATED: Self = Self(u32::MAX);

    pub(crate) fn new(expand: LinearExpand, twiddled: bool) -> Self {
        match expand {
            LinearExpand::ByLayout if !twiddled => Self(0),
            LinearExpand::Zero => Self(0),
            LinearExpand::ByLayout | LinearExpand::Replicate => Self::REPEATED,
        }
    }
}

#[inline]
fn argb(a: u32, r: u32, g: u32, b: u32) -> u32 {
    a << 24 | r << 16 | g << 8 | b
}

// All channels of a word are moved and widened at once: first to the top of their byte, then with their top
// bits repeated below.

/// Converts ARGB1555 to ARGB8888.
#[inline]
pub(crate) fn from_1555(v: u16, below: LowBits) -> u32 {
    let v = u32::from(v);
    let high = (v & 0x7C00) << 9 | (v & 0x03E0) << 6 | (v & 0x001F) << 3;
    ((v >> 15) * 0xFF00_0000) | high | (high >> 5 & 0x0007_0707 & below.0)
}

/// Converts RGB565 to ARGB8888 with alpha 255.
#[inline]
pub(crate) fn from_565(v: u16, below: LowBits) -> u32 {
    let v = u32::from(v);
    let red_blue = (v & 0xF800) << 8 | (v & 0x001F) << 3;
    let green = (v & 0x07E0) << 5;
    let low = red_blue >> 5 & 0x0007_0007 | green >> 6 & 0x0000_0300;
    0xFF00_0000 | red_blue | green | (low & below.0)
}

/// Converts ARGB4444 to ARGB8888.
#[inline]
pub(crate) fn from_4444(v: u16, below: LowBits) -> u32 {
    let v = u32::from(v);
    let high = (v & 0xF000) << 16 | (v & 0x0F00) << 12 | (v & 0x00F0) << 8 | (v & 0x000F) << 4;
    high | (high >> 4 & below.0)
}

/// Converts one texel of a YUV422 pair to ARGB8888 with alpha 255.
///
/// R = Y + 11/8 (V-128); G = Y - (11 (U-128) + 22 (V-128)) / 32; B = Y + 110/64 (U-128). Divisions truncate
/// toward zero; results are clamped to 0..255 (docs/hardware/pvr2.md, "Textures").
#[inline]
pub(crate) fn from_yuv(y: u8, u: u8, v: u8) -> u32 {
    let (y, u, v) = (i32::from(y), i32::from(u) - 128, i32::from(v) - 128);
    let clamp = |c: i32| c.clamp(0, 255) as u32;
    argb(
        255,
        clamp(y + v * 11 / 8),
        clamp(y - (u * 11 + v * 22) / 32),
        clamp(y + u * 110 / 64),
    )
}

/// Returns the value of `bits` bits nearest to an 8-bit channel; the exact inverse of widening by repetition.
fn narrow(channel: u32, bits: u32) -> u32 {
    let max = (1 << bits) - 1;
    ((channel & 255) * max + 127) / 255
}

/// Converts ARGB8888 to a 16-bit colour word, each channel rounded to nearest. In ARGB1555 an alpha of 128
/// and up is opaque.
///
/// `Bump` uses the low 16 bits unchanged. YUV422 needs a pair ([`pack_yuv_pair`]); palettes need indices.
pub(crate) fn pack(format: PixelFormat, c: u32) -> u16 {
    let n = |shift: u32, bits: u32| narrow(c >> shift, bits);
    let word = match format {
        PixelFormat::Argb1555 => (c >> 31) << 15 | n(16, 5) << 10 | n(8, 5) << 5 | n(0, 5),
        PixelFormat::Argb4444 => n(24, 4) << 12 | n(16, 4) << 8 | n(8, 4) << 4 | n(0, 4),
        PixelFormat::Rgb565 => n(16, 5) << 11 | n(8, 6) << 5 | n(0, 5),
        PixelFormat::Bump | PixelFormat::Yuv422 | PixelFormat::Pal4 | PixelFormat::Pal8 => c & 0xFFFF,
    };
    word as u16
}

/// Converts two neighbouring texels, left first, to their YUV422 words; U and V come from the pair's mean
/// colour.
///
/// This inverts [`from_yuv`]: eliminating U and V there gives Y = (5 R + 10 G + 2 B) / 17.
pub(crate) fn pack_yuv_pair(left: u32, right: u32) -> [u16; 2] {
    let channels = |c: u32| [c >> 16 & 255, c >> 8 & 255, c & 255].map(|v| v as i32);
    let luma = |[r, g, b]: [i32; 3]| (5 * r + 10 * g + 2 * b + 8) / 17;
    let (l, r) = (channels(left), channels(right));
    // Twice the mean colour keeps half steps until the final rounding.
    let sum = [l[0] + r[0], l[1] + r[1], l[2] + r[2]];
    let sum_y = luma(sum);
    // B - Y = 110/64 U and R - Y = 11/8 V, on doubled values.
    let u = 128 + round_div((sum[2] - sum_y) * 64, 220);
    let v = 128 + round_div((sum[0] - sum_y) * 8, 22);
    let word = |y: i32, chroma: i32| ((y.clamp(0, 255) << 8) | chroma.clamp(0, 255)) as u16;
    [word(luma(l), u), word(luma(r), v)]
}

fn round_div(n: i32, d: i32) -> i32 {
    (2 * n + if n < 0 { -d } else { d }) / (2 * d)
}

/// Converts four texels in twiddled order (top left, bottom left, top right, bottom right) to their words.
pub(crate) fn pack_quad(format: PixelFormat, quad: [u32; 4]) -> [u16; 4] {
    if format != PixelFormat::Yuv422 {
        return quad.map(|c| pack(format, c));
    }
    let ([a, c], [b, d]) = (pack_yuv_pair(quad[0], quad[2]), pack_yuv_pair(quad[1], quad[3]));
    [a, b, c, d]
}

/// Inverse of [`pack_quad`]; channels are widened by repetition.
pub(crate) fn unpack_quad(format: PixelFormat, words: [u16; 4]) -> [u32; 4] {
    match format {
        PixelFormat::Argb1555 => words.map(|w| from_1555(w, LowBits::REPEATED)),
        PixelFormat::Rgb565 => words.map(|w| from_565(w, LowBits::REPEATED)),
        PixelFormat::Argb4444 => words.map(|w| from_4444(w, LowBits::REPEATED)),
        PixelFormat::Yuv422 => {
            let [a, b, c, d] = words.map(u16::to_be_bytes);
            [
                from_yuv(a[0], a[1], c[1]),
                from_yuv(b[0], b[1], d[1]),
                from_yuv(c[0], a[1], c[1]),
                from_yuv(d[0], b[1], d[1]),
            ]
        }
        PixelFormat::Bump | PixelFormat::Pal4 | PixelFormat::Pal8 => words.map(u32::from),
    }
}

/// Formats of palette entries, selected by PAL_RAM_CTRL bits 1:0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaletteFormat {
    /// ARGB1555 in the low 16 bits.
    Argb1555 = 0,
    /// RGB565 in the low 16 bits.
    Rgb565 = 1,
    /// ARGB4444 in the low 16 bits.
    Argb4444 = 2,
    /// ARGB8888.
    Argb8888 = 3,
}

impl PaletteFormat {
    /// Returns the format for a two-bit field (PAL_RAM_CTRL).
    #[must_use]
    pub fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Argb1555,
            1 => Self::Rgb565,
            2 => Self::Argb4444,
            _ => Self::Argb8888,
        }
    }

    /// Converts ARGB8888 to a palette entry, each channel rounded to nearest.
    #[must_use]
    pub fn pack(self, c: u32) -> u32 {
        match self {
            Self::Argb1555 => pack(PixelFormat::Argb1555, c).into(),
            Self::Rgb565 => pack(PixelFormat::Rgb565, c).into(),
            Self::Argb4444 => pack(PixelFormat::Argb4444, c).into(),
            Self::Argb8888 => c,
        }
    }

    /// Converts a palette entry to ARGB8888.
    #[must_use]
    pub fn expand(self, entry: u32, expand: LinearExpand) -> u32 {
        let below = LowBits::new(expand, true);
        match self {
            Self::Argb1555 => from_1555(entry as u16, below),
            Self::Rgb565 => from_565(entry as u16, below),
            Self::Argb4444 => from_4444(entry as u16, below),
            Self::Argb8888 => entry,
        }
    }
}
