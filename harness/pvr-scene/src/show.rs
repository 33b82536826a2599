//! Statements `target` and `show`: destination of pixels, and their readback.

use crate::memory;
use crate::names;
use crate::text::{SceneError, Statement};
use crate::texture::read_size;
use pvr::{Area, Image, Pvr, TextureWord, TspWord, reg};

/// Target of a render.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) address: u32,
    /// True if pixels are written through the 64-bit area.
    pub(crate) texture: bool,
    /// FB_W_CTRL.
    pub(crate) control: u32,
    /// Number of pixels of a line, for FB_W_LINESTRIDE.
    pub(crate) line: Option<u32>,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            address: memory::FRAMEBUFFER,
            texture: false,
            control: 6,
            line: None,
        }
    }
}

/// Source of a scene's image.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Show {
    /// Packed contents of the framebuffer: colours, or alpha as grey.
    Framebuffer { size: Option<(u32, u32)>, alpha: bool },
    /// The video output.
    Video { border: u32 },
    /// A texture.
    Texture { word: TextureWord, size: (u32, u32) },
}

impl Target {
    /// Reads `target framebuffer|second [pack=MODE] [dither] [k=N] [threshold=N]`.
    pub(crate) fn read(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        while let Some(word) = statement.next() {
            match word.key_value() {
                ("pack", Some(value)) => self.control = self.control & !7 | value.one_of(names::PACKS)?,
                ("dither", None) => self.control |= 8,
                ("k", Some(value)) => self.control |= value.within(0..=255)? << 8,
                ("threshold", Some(value)) => self.control |= value.within(0..=255)? << 16,
                _ => return Err(word.error("one of pack=, dither, k=, threshold=")),
            }
        }
        Ok(())
    }

    pub(crate) fn pixel_bytes(&self) -> u32 {
        match self.control & 7 {
            0..=3 => 2,
            4 => 3,
            _ => 4,
        }
    }

    /// Returns the size in bytes of a line with this number of pixels: a multiple of 8.
    pub(crate) fn stride(&self, width: u32) -> u32 {
        (self.line.unwrap_or(width) * self.pixel_bytes()).next_multiple_of(8)
    }

    /// Returns the pixel at a byte address as ARGB. Extends channels of 5 and 6 bits with zeros, as the video
    /// output does. Repeats the bits of 4-bit channels, which the video output does not support.
    fn pixel(&self, pvr: &Pvr, address: u32) -> u32 {
        let byte = |n: u32| u32::from(pvr.vram().read8(Area::Bits32, address + n));
        let word = || byte(0) | byte(1) << 8;
        let five = |v: u32| (v & 31) << 3;
        match self.control & 7 {
            mode @ (0 | 3) => {
                let w = word();
                let alpha = if mode == 0 { 255 } else { (w >> 15) * 255 };
                alpha << 24 | five(w >> 10) << 16 | five(w >> 5) << 8 | five(w)
            }
            1 => {
                let w = word();
                let green = w >> 5 & 63;
                0xFF00_0000 | five(w >> 11) << 16 | green << 10 | five(w)
            }
            2 => {
                let w = word();
                [12, 8, 4, 0]
                    .iter()
                    .fold(0, |argb, shift| argb << 8 | ((w >> shift & 15) * 17))
            }
            4 => 0xFF00_0000 | byte(2) << 16 | byte(1) << 8 | byte(0),
            _ => byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0),
        }
    }

    /// Returns the framebuffer as an image.
    pub(crate) fn picture(&self, pvr: &Pvr, (width, height): (u32, u32), line: u32, alpha: bool) -> Image {
        let stride = self.stride(line);
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let argb = places.map(|(x, y)| self.pixel(pvr, self.address + y * stride + x * self.pixel_bytes()));
        image(
            (width, height),
            argb.map(|c| if alpha { 0x0101_0101 * (c >> 24) } else { c }),
        )
    }
}

impl Show {
    /// Reads `show framebuffer [WxH] [alpha]` or `show video [border=N] [concat=N] [double] [interlace]`. The
    /// latter sets FB_R_* to the format of `target`.
    pub(crate) fn read(
        statement: &mut Statement<'_>,
        pvr: &mut Pvr,
        target: &Target,
        size: (u32, u32),
    ) -> Result<Self, SceneError> {
        let what = statement.word("framebuffer, video or texture")?;
        match what.text {
            "framebuffer" => {
                let (mut size, mut alpha) = (None, false);
                while let Some(word) = statement.next() {
                    match word.text {
                        "alpha" => alpha = true,
                        _ => size = Some(read_size(&word, 1024)?),
                    }
                }
                Ok(Self::Framebuffer { size, alpha })
            }
            "video" => video(statement, pvr, target, size),
            _ => Err(what.error("one of framebuffer, video, texture")),
        }
    }
}

fn video(
    statement: &mut Statement<'_>,
    pvr: &mut Pvr,
    target: &Target,
    mut size: (u32, u32),
) -> Result<Show, SceneError> {
    let depth = match target.control & 7 {
        0 | 3 => 0,
        1 | 2 => 1,
        4 => 2,
        _ => 3,
    };
    let (mut border, mut control, mut interlace) = (0, 1 | depth << 2, false);
    let line = size.0;
    while let Some(word) = statement.next() {
        match word.key_value() {
            ("border", Some(value)) => border = value.within(0..=64)?,
            ("concat", Some(value)) => control |= value.within(0..=7)? << 4,
            ("double", None) => control |= 2,
            ("off", None) => control &= !1,
            ("interlace", None) => interlace = true,
            (_, None) => size = read_size(&word, 1024)?,
            _ => return Err(word.error("one of border=, concat=, double, interlace, off, WIDTHxHEIGHT")),
        }
    }
    let words = (size.0 * target.pixel_bytes()).div_ceil(4);
    let modulus = target.stride(line) / 4 - words.min(target.stride(line) / 4) + 1;
    for (register, value) in [
        (reg::FB_R_CTRL, control),
        (reg::FB_R_SIZE, modulus << 20 | (size.1 - 1) << 10 | (words - 1)),
        (reg::FB_R_SOF1, memory::FRAMEBUFFER),
        (reg::FB_R_SOF2, memory::SECOND),
        (reg::SPG_CONTROL, u32::from(interlace) << 4),
    ] {
        pvr.write_register(register, value);
    }
    Ok(Show::Video { border })
}

/// Returns the first level of a texture as an image.
pub(crate) fn texture_picture(pvr: &Pvr, word: TextureWord, (width, height): (u32, u32)) -> Option<Image> {
    let tsp = TspWord(0).with_size(width, height);
    let texture =
        pvr::texture::decode(pvr.vram(), word, tsp, &pvr.registers().into(), pvr.settings()).ok()?;
    let row = texture.width as usize;
    let texels = texture.texels.chunks_exact(row).take(height as usize);
    let texels: Vec<u32> = texels.flat_map(|row| row[..width as usize].to_vec()).collect();
    Some(image((width, height), texels.into_iter()))
}

fn image((width, height): (u32, u32), argb: impl Iterator<Item = u32>) -> Image {
    Image {
        width,
        height,
        rgba: argb.flat_map(|c| (c << 8 | 0xFF).to_be_bytes()).collect(),
    }
}
