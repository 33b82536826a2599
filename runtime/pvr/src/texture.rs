//! Texture decoding: texels from VRAM to rows of ARGB8888.
//!
//! This file reads 565, 1555 and 4444 texels, linear or twiddled, without mip levels.

use crate::param::{PixelFormat, TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::vram::Vram;

/// A decoded texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Width in texels, a power of two.
    pub width: u32,
    /// Height in texels, a power of two.
    pub height: u32,
    /// ARGB8888, row by row from the top: `width * height` words.
    pub texels: Vec<u32>,
}

/// The registers that decide what texels mean.
#[derive(Debug, Clone)]
pub struct TextureRegisters {
    /// PAL_RAM_CTRL: format of the palette entries.
    pub pal_ram_ctrl: u32,
    /// TEXT_CONTROL: stride, byte orders.
    pub text_control: u32,
    /// Palette RAM, 1,024 words.
    pub palette: Vec<u32>,
}

impl From<&Registers> for TextureRegisters {
    fn from(regs: &Registers) -> Self {
        Self {
            pal_ram_ctrl: regs.get(reg::PAL_RAM_CTRL),
            text_control: regs.get(reg::TEXT_CONTROL),
            palette: regs.palette().to_vec(),
        }
    }
}

/// Why a texture cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// The format is not handled here.
    #[error("texture at {address:#08X}: format {format:?} is not decoded")]
    Format {
        /// Byte address in the 64-bit area.
        address: u32,
        /// Texel format.
        format: PixelFormat,
    },
}

/// Decodes the largest level of a texture.
///
/// # Errors
/// [`TextureError::Format`] for formats other than 565, 1555 and 4444.
pub fn decode(
    vram: &Vram,
    tcw: TextureWord,
    tsp: TspWord,
    _regs: &TextureRegisters,
    _settings: &Settings,
) -> Result<Texture, TextureError> {
    let (width, height) = (tsp.width(), tsp.height());
    let convert: fn(u32) -> u32 = match tcw.format() {
        PixelFormat::Rgb565 => |t| 0xFF00_0000 | five(t >> 11) << 16 | six(t >> 5) << 8 | five(t),
        PixelFormat::Argb1555 => {
            |t| ((t >> 15) * 0xFF00_0000) | five(t >> 10) << 16 | five(t >> 5) << 8 | five(t)
        }
        PixelFormat::Argb4444 => |t| four(t >> 12) << 24 | four(t >> 8) << 16 | four(t >> 4) << 8 | four(t),
        format => {
            return Err(TextureError::Format {
                address: tcw.address(),
                format,
            });
        }
    };
    if tcw.vq() {
        return Err(TextureError::Format {
            address: tcw.address(),
            format: tcw.format(),
        });
    }
    let texels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| {
            let at = if tcw.linear() {
                y * width + x
            } else {
                twiddled(x, y, width.min(height))
            };
            convert(u32::from(vram.read16_64(tcw.address().wrapping_add(at * 2))))
        });
    Ok(Texture {
        width,
        height,
        texels: texels.collect(),
    })
}

/// Index of a texel in twiddled order; `square` is the smaller side.
fn twiddled(x: u32, y: u32, square: u32) -> u32 {
    let bits = square.ilog2();
    let low = (0..bits).fold(0, |at, b| {
        at | (y >> b & 1) << (2 * b) | (x >> b & 1) << (2 * b + 1)
    });
    low | (x >> bits | y >> bits) << (2 * bits)
}

fn four(t: u32) -> u32 {
    (t & 15) * 17
}

fn five(t: u32) -> u32 {
    (t & 31) << 3 | (t & 31) >> 2
}

fn six(t: u32) -> u32 {
    (t & 63) << 2 | (t & 63) >> 4
}
