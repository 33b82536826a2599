//! Drawing with the emulated PowerVR2: copies textures and palettes to its memory, and draws frames.

use crate::error::{At, Result, bail};
use crate::textures::{NamedPalette, TextureSet};
use crate::{Options, Warning};
use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture};
use pvr::texture::{PaletteFormat, PixelFormat, Rgba};
use pvr::{Argb, Frame, FrameError, Image, Pvr, TextureWord, reg};
use scene::{BoundTexture, Shadows, Textures};
use std::fmt::Display;
use std::ops::Range;

/// Alpha reference of the punch-through list: half. Programs choose it, and model files do not store it. The
/// chip's reset value, 0, would draw every texel.
const PT_ALPHA_REF: u32 = 0x80;

/// Largest frame that [`Frame`] draws at once, not in several bands or parts.
const ONE_PART: [u32; 2] = [992, 512];

/// Words of PALETTE_RAM.
const PALETTE_WORDS: usize = 1024;

/// An emulated chip that draws frames of one size.
pub(crate) struct Screen {
    frame: Frame,
    pub(crate) size: [u32; 2],
    threads: usize,
    /// Value of PAL_RAM_CTRL: the chip has one format for all palettes.
    palette_format: Option<PaletteFormat>,
    filled: Vec<PaletteRange>,
    /// First overflow of a frame, which since then is drawn in parts.
    overflow: Option<FrameError>,
}

/// A range of PALETTE_RAM entries that a palette file has filled.
struct PaletteRange {
    entries: Range<usize>,
    name: String,
    requested: bool,
}

impl PaletteRange {
    fn overlaps(&self, entries: &Range<usize>) -> bool {
        self.entries.start < entries.end && entries.start < self.entries.end
    }
}

impl Screen {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        let [width, height] = options.size;
        let mut frame = Frame::new(width, height, options.chip)?;
        frame.set_background(options.background);
        frame.pvr_mut().write_register(reg::PT_ALPHA_REF, PT_ALPHA_REF);
        Ok(Self {
            frame,
            size: options.size,
            threads: options.threads,
            palette_format: None,
            filled: Vec::new(),
            overflow: None,
        })
    }

    pub(crate) fn set_background(&mut self, colour: Argb) {
        self.frame.set_background(colour);
    }

    /// Copies textures and palettes into the chip's memory. Warnings name the file `place`.
    pub(crate) fn bind(
        &mut self,
        set: &TextureSet,
        place: impl Display,
        warnings: &mut Vec<Warning>,
    ) -> Result<Textures> {
        let mut warn = |text: String| warnings.push(Warning::new(&place, text));
        for palette in &set.palettes {
            self.load_palette(palette)?.map(&mut warn);
        }
        let mut bound = Vec::new();
        for (number, texture) in set.textures.iter().enumerate() {
            let Some(texture) = texture else {
                bound.push(None);
                continue;
            };
            // The bank in the texture list overrides the bank in the texture, which is advisory.
            let listed = set.banks.get(number).filter(|bank| **bank > 0);
            let bank = listed
                .map(|bank| u32::from(*bank))
                .or(texture.palette_bank())
                .unwrap_or(0);
            if let Some(entries) = self.missing_palette(texture, bank) {
                self.fill_grey(entries);
                let name = set.names.get(number);
                let name = name.map_or_else(|| number.to_string(), Clone::clone);
                warn(format!(
                    "texture {name} needs palette bank {bank}, but no palette (.pvp) contains it: its \
                    indices are drawn as grey levels"
                ));
            }
            bound.push(Some(self.upload(texture, bank)?));
        }
        let checker = self.upload(&checker()?, 0)?;
        Ok(Textures { bound, checker })
    }

    /// Returns the palette entries that a texture uses, if no file has filled any of them.
    fn missing_palette(&self, texture: &PvrTexture, bank: u32) -> Option<Range<usize>> {
        let entries = match texture.data_format.palette_index()? {
            PixelFormat::Pal4 => 16,
            _ => 256,
        };
        let start = bank as usize * 16 / entries * entries;
        let entries = start..start + entries;
        (!self.filled.iter().any(|range| range.overlaps(&entries))).then_some(entries)
    }

    fn upload(&mut self, texture: &PvrTexture, bank: u32) -> Result<BoundTexture> {
        let address = self.frame.upload_texture(&texture.data, 32)?;
        let bits = texture.tsp_size_bits();
        Ok(BoundTexture {
            word: TextureWord(texture.tcw(address, bank)),
            width: 8 << (bits >> 3 & 7),
            height: 8 << (bits & 7),
        })
    }

    fn write_palette(&mut self, format: PaletteFormat, entries: impl Iterator<Item = (usize, u32)>) {
        let pvr = self.frame.pvr_mut();
        pvr.write_register(reg::PAL_RAM_CTRL, format as u32);
        for (index, word) in entries {
            pvr.write_register(reg::PALETTE_RAM + 4 * index as u32, word);
        }
    }

    /// Fills entries with grey levels, so that a texture without a palette shows its indices.
    fn fill_grey(&mut self, entries: Range<usize>) {
        let format = *self.palette_format.get_or_insert(PaletteFormat::Argb8888);
        let last = entries.len().saturating_sub(1).max(1);
        let levels = entries.enumerate();
        let words = levels.map(|(index, entry)| (entry, grey(format, (index * 255 / last) as u32)));
        self.write_palette(format, words);
    }

    /// Loads a palette. Returns a warning if it overwrites another palette. A requested palette overwrites an
    /// unrequested one without a warning.
    fn load_palette(&mut self, named: &NamedPalette) -> Result<Option<String>> {
        let NamedPalette {
            name,
            requested,
            palette,
        } = named;
        let format = palette.format().at(name)?;
        if *self.palette_format.get_or_insert(format) != format {
            bail!(
                "{name}: its format differs from the other palettes, expected one format for all \
                 (PAL_RAM_CTRL)"
            );
        }
        let first = palette.ram_index();
        let entries = first..first + palette.entries.len();
        if entries.end > PALETTE_WORDS {
            let end = entries.end;
            bail!("{name}: the palette ends at entry {end} of PALETTE_RAM, expected at most {PALETTE_WORDS}");
        }
        let replaced = self.filled.iter().find(|other| {
            other.overlaps(&entries) && other.name != *name && (!*requested || other.requested)
        });
        let warning = replaced.map(|other| {
            format!(
                "{name}: its palette, from entry {first}, overwrites entries of {}",
                other.name
            )
        });
        self.write_palette(format, (first..).zip(palette.entries.iter().copied()));
        self.filled.push(PaletteRange {
            entries,
            name: name.clone(),
            requested: *requested,
        });
        Ok(warning)
    }

    /// Draws a frame from the tile accelerator's input `blocks`. Returns it with the warnings of the chip.
    pub(crate) fn render(
        &mut self,
        blocks: &[[u32; 8]],
        shadows: Shadows,
    ) -> Result<(Image, Vec<pvr::Warning>)> {
        self.frame.begin();
        self.frame
            .pvr_mut()
            .write_register(reg::FPU_SHAD_SCALE, shadows.register());
        self.frame.blocks(blocks);
        let image = loop {
            match self.frame.render(self.threads) {
                Err(error) if error.is_overflow() && self.frame.split() => {
                    self.overflow.get_or_insert(error);
                    self.frame.blocks(blocks);
                }
                image => break image?,
            }
        };
        Ok((image, self.frame.warnings().to_vec()))
    }

    /// Returns a warning if a frame's polygons did not fit into video memory at once.
    pub(crate) fn overflow(&self) -> Option<String> {
        let error = self.overflow.as_ref()?;
        let parts = self.frame.parts();
        Some(format!(
            "{error}: it is drawn in {parts} parts, for each of which the tile accelerator receives all \
            polygons"
        ))
    }

    /// The emulated chip after its last frame.
    pub(crate) fn chip(&mut self) -> Result<&mut Pvr> {
        let ([width, height], [most_wide, most_high]) = (self.size, ONE_PART);
        // A frame in several bands or parts leaves only the last one in the chip.
        if self.overflow.is_some() {
            bail!(
                "a frame in {} parts, expected one part to inspect the chip",
                self.frame.parts()
            );
        }
        if width > most_wide || height > most_high {
            bail!(
                "a frame of {width}x{height} pixels, expected at most {most_wide}x{most_high} to inspect the \
                 chip"
            );
        }
        Ok(self.frame.pvr_mut())
    }
}

/// An opaque grey level from 0 to 255, in a palette format.
fn grey(format: PaletteFormat, level: u32) -> u32 {
    let [four, five, six] = [level >> 4, level >> 3, level >> 2];
    match format {
        PaletteFormat::Argb1555 => 1 << 15 | five << 10 | five << 5 | five,
        PaletteFormat::Rgb565 => five << 11 | six << 5 | five,
        PaletteFormat::Argb4444 => 15 << 12 | four << 8 | four << 4 | four,
        PaletteFormat::Argb8888 => 0xFF00_0000 | (level * 0x01_0101),
    }
}

/// Placeholder for a missing texture: a checkerboard in unusual tints.
pub(crate) fn checker() -> Result<PvrTexture> {
    let side = 64;
    let is_light = |i: u32| (i % side / 16 + i / side / 16).is_multiple_of(2);
    let texels = (0..side * side).map(|i| if is_light(i) { 0xFFF0_E8F0 } else { 0xFFB0_80B0 });
    let image = Rgba {
        width: side,
        height: side,
        texels: texels.collect(),
    };
    Ok(PvrTexture::from_image(
        &image,
        PvrPixelFormat::Rgb565,
        PvrDataFormat::Twiddled,
    )?)
}
