//! Textures of the PowerVR2: conversion between texture memory and ARGB8888.
//!
//! | module | holds |
//! |---|---|
//! | `layout` | texel formats, sizes, mip offsets, errors |
//! | `twiddle` | the texel order |
//! | `color` | 16-bit colours, YUV, palette entries |
//! | `decode` | bytes to texels |
//! | `fetch` | one texel at a time; it defines the results of `decode` |
//! | `encode`, `vq` | texels to bytes, the codebook search |
//! | `dither`, `palette`, `cluster` | fewer colours: error diffusion, palettes from images, k-means |
//!
//! Colours are `u32` words `0xAARRGGBB`. Source of the layouts: `docs/hardware/pvr2.md`, "Textures".
//! Filtering, clamping and the choice of a level belong to the core, not here.

mod cluster;
mod color;
mod decode;
mod dither;
mod encode;
mod fetch;
mod layout;
mod palette;
mod twiddle;
mod vq;

pub use crate::param::PixelFormat;
pub use crate::settings::{LinearExpand, TextureSettings, VqPalette};
pub use color::PaletteFormat;
pub use decode::decode_bytes;
pub use dither::dither;
pub(crate) use encode::encode_with_codes;
pub use encode::{Encoding, Order, Rgba, encode, encode_index_levels, encode_indices};
pub(crate) use fetch::Texels;
pub use layout::{CODEBOOK_BYTES, MAX_SIDE, TextureError, TextureLayout};
pub use palette::{Indexed, index_image, make_palette};
pub use twiddle::twiddled_offset;

use crate::param::{TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::vram::{Area, Vram};

/// A decoded texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Width of level 0 in texels.
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
    /// Level 0, row by row from the top, ARGB8888 (bump maps: the raw word `0x0000_SSRR`).
    pub texels: Vec<u32>,
    /// Smaller levels, half size first, down to 1x1; empty without mip levels.
    pub levels: Vec<Level>,
}

/// One smaller level of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Texels row by row from the top, as in [`Texture::texels`].
    pub texels: Vec<u32>,
}

/// Registers that affect texture reads.
#[derive(Clone, Copy, Debug)]
pub struct TextureRegisters<'a> {
    /// PAL_RAM_CTRL (offset 0x108); bits 1:0 are the format of palette entries.
    pub pal_ram_ctrl: u32,
    /// PALETTE_RAM (offset 0x1000), 1024 words.
    pub palette_ram: &'a [u32],
    /// TEXT_CONTROL (offset 0x0E4); bits 4:0 are the stride in units of 32 texels.
    pub text_control: u32,
}

/// Decodes the texture described by a texture control word and the size fields of a TSP word.
///
/// - Size: TSP bits 5:3 (U) and 2:0 (V), 8 << n texels. Mipmapped textures are square, of the U size.
/// - Paletted textures are always twiddled; their bits 26:21 select one of 64 banks of 16 palette entries.
///   For 8-bit indices only the top two of these bits count (4 banks of 256).
/// - The stride of TEXT_CONTROL applies only if bits 26 (linear) and 25 (stride) are both set. A stride of 0
///   repeats one row.
/// - Mip levels apply to twiddled textures. In a linear texture bit 31 is ignored, because no linear mip
///   layout is known.
/// - Reads wrap around at the end of the 8 MiB.
/// - The index and codebook endian bits of TEXT_CONTROL (16, 17) are not modelled.
///
/// # Errors
/// [`TextureError`] for a reserved format, or a size that the layout does not support.
pub fn decode(
    vram: &Vram,
    tcw: TextureWord,
    tsp: TspWord,
    regs: &TextureRegisters<'_>,
    settings: &Settings,
) -> Result<Texture, TextureError> {
    let settings = &settings.texture;
    let layout = layout_of(tcw, tsp, regs.text_control);
    let address = tcw.address();
    let bytes = vram.to_vec(Area::Bits64, address, layout.byte_len(settings));
    let palette = selected_palette(&layout, tcw, regs, settings);
    decode_bytes(&bytes, &layout, &palette, settings)
}

impl<'a> From<&'a Registers> for TextureRegisters<'a> {
    fn from(regs: &'a Registers) -> Self {
        Self {
            pal_ram_ctrl: regs.get(reg::PAL_RAM_CTRL),
            palette_ram: regs.palette(),
            text_control: regs.get(reg::TEXT_CONTROL),
        }
    }
}

/// Returns the layout described by a texture control word, a TSP word and TEXT_CONTROL.
///
/// A texture with both VQ and mip levels is twiddled: the chip ignores the scan-order bit (flycast commit
/// b6930a2a9, for a released game).
#[must_use]
pub fn layout_of(tcw: TextureWord, tsp: TspWord, text_control: u32) -> TextureLayout {
    let format = tcw.format();
    let twiddled = format.is_paletted() || !tcw.linear() || tcw.vq() && tcw.mip();
    let mipmapped = tcw.mip() && twiddled;
    let width = tsp.width();
    let height = if mipmapped { width } else { tsp.height() };
    let stride = if !twiddled && tcw.stride() {
        (text_control & 31) * 32
    } else {
        width
    };
    TextureLayout {
        format,
        twiddled,
        vq: tcw.vq(),
        mipmapped,
        stride,
        width,
        height,
    }
}

fn selected_palette(
    layout: &TextureLayout,
    tcw: TextureWord,
    regs: &TextureRegisters<'_>,
    settings: &TextureSettings,
) -> Vec<u32> {
    let selector = tcw.palette_selector() as usize;
    let range = match layout.format {
        PixelFormat::Pal4 => selector * 16..selector * 16 + 16,
        PixelFormat::Pal8 => (selector >> 4) * 256..(selector >> 4) * 256 + 256,
        _ => 0..0,
    };
    let format = PaletteFormat::from_bits(regs.pal_ram_ctrl);
    regs.palette_ram
        .get(range)
        .unwrap_or_default()
        .iter()
        .map(|&entry| format.expand(entry, settings.linear_expand))
        .collect()
}
