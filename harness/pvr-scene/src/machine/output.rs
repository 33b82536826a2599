//! Render target, displayed image, and expected pixels.

use super::Machine;
use super::textures::lookup;
use crate::memory;
use crate::show::{Show, Target, texture_picture};
use crate::text::{SceneError, Statement, Word};
use pvr::{Border, Field, Image};

/// An expected pixel, computed by hand.
#[derive(Debug)]
pub(super) struct Expected {
    place: [u32; 2],
    rgb: u32,
    /// Error for a difference; the found value is filled in later.
    error: SceneError,
}

impl Expected {
    pub(super) fn check(&self, image: &Image) -> Result<(), SceneError> {
        let [x, y] = self.place;
        let at = ((y * image.width + x) * 4) as usize;
        let found = image.rgba.get(at..at + 3).filter(|_| x < image.width);
        match found {
            Some(&[r, g, b]) if u32::from_be_bytes([0, r, g, b]) == self.rgb => Ok(()),
            Some(&[r, g, b]) => Err(SceneError {
                found: format!("{r:02X}{g:02X}{b:02X} at ({x}, {y})"),
                ..self.error.clone()
            }),
            _ => Err(SceneError {
                found: format!("a picture of {}x{} pixels", image.width, image.height),
                ..self.error.clone()
            }),
        }
    }
}

impl Machine<'_> {
    pub(super) fn picture(&self, end: &Word<'_>) -> Result<Image, SceneError> {
        let framebuffer = |size: Option<(u32, u32)>, alpha| {
            self.target
                .picture(&self.pvr, size.unwrap_or(self.size), self.size.0, alpha)
        };
        match self.show {
            None => Ok(framebuffer(None, false)),
            Some(Show::Framebuffer { size, alpha }) => Ok(framebuffer(size, alpha)),
            Some(Show::Video { border }) => {
                let registers = self.pvr.registers();
                Ok(self.pvr.scan_out(registers, Field::Both, Border::Pixels(border)))
            }
            Some(Show::Texture { word, size }) => texture_picture(&self.pvr, word, size).ok_or_else(|| {
                end.fault(
                    "a texture that cannot be decoded",
                    "a texture that can be decoded",
                )
            }),
        }
    }

    /// Reads `target framebuffer|second|texture=NAME [pack=MODE] [dither] [k=N] [threshold=N]`.
    pub(super) fn set_target(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a target")?;
        self.target = match word.key_value() {
            ("framebuffer", None) => Target::default(),
            ("second", None) => Target {
                address: memory::SECOND,
                ..Target::default()
            },
            ("texture", Some(name)) => self.texture_target(&name)?,
            _ => return Err(word.error("one of framebuffer, second, texture=NAME")),
        };
        self.target.read(statement)
    }

    pub(super) fn texture_target(&self, name: &Word<'_>) -> Result<Target, SceneError> {
        let texture = lookup(&self.textures)(name)?;
        let pack = match texture.word.format() {
            pvr::PixelFormat::Rgb565 => 1,
            pvr::PixelFormat::Argb4444 => 2,
            pvr::PixelFormat::Argb1555 => 3,
            _ => return Err(name.error("a texture of format 565, 4444 or 1555")),
        };
        if !texture.word.linear() {
            return Err(name.error("a linear texture"));
        }
        Ok(Target {
            address: texture.word.address(),
            texture: true,
            control: pack,
            line: Some(texture.width),
        })
    }

    /// Reads `expect X Y RRGGBB`: a pixel of the image, computed by hand.
    pub(super) fn expect(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut place = |name| statement.word(name)?.within(0..=2047);
        let place = [place("column")?, place("row")?];
        let colour = statement.word("a colour")?;
        self.expected.push(Expected {
            place,
            rgb: colour.colour()? & 0xFF_FFFF,
            error: colour.error(format!("{} there", colour.text)),
        });
        Ok(())
    }

    pub(super) fn set_show(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut ahead = statement.clone();
        if let Some(("texture", Some(name))) = ahead.next().map(|word| word.key_value()) {
            let texture = lookup(&self.textures)(&name)?;
            *statement = ahead;
            self.show = Some(Show::Texture {
                word: texture.word,
                size: (texture.width, texture.height),
            });
            return Ok(());
        }
        self.show = Some(Show::read(statement, &mut self.pvr, &self.target, self.size)?);
        Ok(())
    }
}
