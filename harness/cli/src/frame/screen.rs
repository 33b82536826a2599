//! The chip and its memory: textures and parameters in, pictures out.

use super::options::RenderOptions;
use super::palettes::Palettes;
use super::textures::TextureSet;
use super::values::Size;
use anyhow::{Result, bail};
use pvr::container::PvrTexture;
use pvr::texture::{PixelFormat, Rgba};
use pvr::{Argb, Frame, Image, Pvr, TextureWord, reg};
use scene::{BoundTexture, Shadows, TaLists, Textures};
use std::ops::Range;

/// What the punch-through list compares alpha with: half. Programs choose it; files do not tell, and the
/// chip's 0 after a reset would let everything through.
const PT_ALPHA_REF: u32 = 0x80;

/// Frames larger than this are drawn in bands and parts (see `pvr::Frame`).
const ONE_PART: Size = Size {
    width: 992,
    height: 512,
};

/// A chip that draws frames of one size.
pub(crate) struct Screen {
    frame: Frame,
    palettes: Palettes,
    size: Size,
    threads: usize,
}

/// A frame as the chip drew it.
pub(crate) struct ChipFrame {
    pub(crate) image: Image,
    /// The tile accelerator's input.
    pub(crate) blocks: Vec<[u32; 8]>,
    /// What the chip does not do yet, and was asked for.
    pub(crate) warnings: Vec<pvr::Warning>,
}

impl Screen {
    pub(crate) fn new(render: &RenderOptions) -> Result<Self> {
        let Size { width, height } = render.size;
        // docs/formats/chunk-model.md 3.6: NJD_FSS controls super-sampling.
        let mut settings = pvr::Settings::default();
        settings.set("supersample", "average")?;
        let mut frame = Frame::new(width, height, render.chip.settings_from(settings)?)?;
        frame.set_background(Argb(render.background));
        frame.pvr_mut().write_register(reg::PT_ALPHA_REF, PT_ALPHA_REF);
        Ok(Self {
            frame,
            palettes: Palettes::default(),
            size: render.size,
            threads: render.threads,
        })
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Changes what is behind everything.
    pub(crate) fn set_background(&mut self, colour: Argb) {
        self.frame.set_background(colour);
    }

    /// Puts the pictures of a texture list into video memory; with warnings of what is left out.
    pub(crate) fn bind(&mut self, pictures: &TextureSet) -> Result<(Textures, Vec<String>)> {
        let mut warnings = Vec::new();
        for palette in &pictures.palettes {
            warnings.extend(self.palettes.load(palette, &mut self.frame)?);
        }
        let mut bound = Vec::new();
        for (number, texture) in pictures.textures.iter().enumerate() {
            // The list's bank beats the texture's own, which is advisory.
            let bank = pictures.banks.get(number).copied().filter(|bank| *bank > 0);
            let bank = bank.map(u32::from);
            if let Some(texture) = texture
                && let Some((bank, entries)) = self.missing_bank(texture, bank)
            {
                self.palettes.fill_grey(entries, &mut self.frame);
                let name = pictures.names.get(number);
                let name = name.map_or_else(|| number.to_string(), Clone::clone);
                warnings.push(format!(
                    "texture {name} needs palette bank {bank}, which no palette (.pvp) holds: its indices \
                     are drawn as grey levels"
                ));
            }
            let texture = texture.as_ref().map(|texture| self.upload(texture, bank));
            bound.push(texture.transpose()?);
        }
        let checker = self.upload(&checker()?, None)?;
        Ok((Textures { bound, checker }, warnings))
    }

    /// The bank of a paletted texture and the entries of its palette, if no file has filled any of them.
    fn missing_bank(&self, texture: &PvrTexture, bank: Option<u32>) -> Option<(u32, Range<usize>)> {
        let entries = match texture.data_format.palette_index()? {
            PixelFormat::Pal4 => 16,
            _ => 256,
        };
        let bank = bank.or(texture.palette_bank()).unwrap_or(0);
        let start = bank as usize * 16 / entries * entries;
        let entries = start..start + entries;
        (!self.palettes.holds(&entries)).then_some((bank, entries))
    }

    /// Puts a texture into video memory; `bank` beats the palette bank that its file names.
    pub(crate) fn upload(&mut self, texture: &PvrTexture, bank: Option<u32>) -> Result<BoundTexture> {
        let bank = bank.or(texture.palette_bank()).unwrap_or(0);
        let address = self.frame.upload_texture(&texture.data, 32)?;
        let bits = texture.tsp_size_bits();
        Ok(BoundTexture {
            word: TextureWord(texture.tcw(address, bank)),
            width: 8 << (bits >> 3 & 7),
            height: 8 << (bits & 7),
        })
    }

    /// Draws a frame.
    pub(crate) fn render(&mut self, lists: &TaLists, shadows: Shadows) -> Result<ChipFrame> {
        let blocks = lists.blocks();
        self.frame.begin();
        let pvr = self.frame.pvr_mut();
        pvr.write_register(reg::FPU_SHAD_SCALE, shadows.register());
        self.frame.blocks(&blocks);
        Ok(ChipFrame {
            image: self.frame.render(self.threads)?,
            blocks,
            warnings: self.frame.warnings().to_vec(),
        })
    }

    /// The chip and the size of the frame that it drew last, for looking into it.
    pub(crate) fn chip(&mut self) -> Result<(&mut Pvr, (u32, u32))> {
        let Size { width, height } = self.size;
        // Of several bands or parts, only the last one is left.
        if width > ONE_PART.width || height > ONE_PART.height {
            let Size {
                width: most,
                height: highest,
            } = ONE_PART;
            bail!("a frame of {width}x{height} pixels, expected at most {most}x{highest} to look into");
        }
        Ok((self.frame.pvr_mut(), (width, height)))
    }
}

/// The stand-in for a texture that is missing: light and dark squares with a tinge that no artist picks.
fn checker() -> Result<PvrTexture> {
    use pvr::container::{PvrDataFormat, PvrPixelFormat};
    let side = 64;
    let texel = |i: u32| {
        if (i % side / 16 + i / side / 16).is_multiple_of(2) {
            0xFFF0_E8F0
        } else {
            0xFFB0_80B0
        }
    };
    let image = Rgba {
        width: side,
        height: side,
        texels: (0..side * side).map(texel).collect(),
    };
    Ok(PvrTexture::from_image(
        &image,
        PvrPixelFormat::Rgb565,
        PvrDataFormat::Twiddled,
    )?)
}
