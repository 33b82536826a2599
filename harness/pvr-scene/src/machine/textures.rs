//! Textures by name.

use super::Machine;
use crate::header::Bound;
use crate::memory;
use crate::text::{SceneError, Statement, Word};
use crate::texture;
use pvr::{Area, reg};
use std::collections::BTreeMap;

impl Machine<'_> {
    pub(super) fn texture(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a name")?;
        let made = texture::read(statement)?;
        let address = self.next_texture;
        let end = address + made.bytes.len() as u32;
        if end > memory::TEXTURES_END {
            return Err(name.fault("textures of more than 2 MiB", "less"));
        }
        if let Some(texels) = made.stride {
            let control = self.pvr.read_register(reg::TEXT_CONTROL);
            self.pvr
                .write_register(reg::TEXT_CONTROL, control & !31 | (texels / 32));
        }
        match made.converter {
            None => self
                .pvr
                .vram_mut()
                .write_bytes(Area::Bits64, address, &made.bytes),
            Some(is_422) => self.convert(&name, address, &made, is_422)?,
        }
        let bound = Bound {
            word: made.word.with_address(address),
            width: made.width,
            height: made.height,
        };
        self.textures.insert(name.text.to_owned(), bound);
        self.next_texture = end.next_multiple_of(64);
        Ok(())
    }

    /// Sends a texture through the YUV converter.
    pub(super) fn convert(
        &mut self,
        name: &Word<'_>,
        address: u32,
        made: &texture::Made,
        is_422: bool,
    ) -> Result<(), SceneError> {
        let whole = made.width.is_multiple_of(16)
            && made.height.is_multiple_of(16)
            && made.word.linear()
            && made.stride.is_none();
        if !whole || made.word.format() != pvr::PixelFormat::Yuv422 {
            return Err(name.fault(
                "a texture that the converter does not make",
                "yuv422 linear, with a width and a height that are multiples of 16 texels",
            ));
        }
        let control = u32::from(is_422) << 24 | (made.height / 16 - 1) << 8 | (made.width / 16 - 1);
        self.pvr.write_register(reg::TA_YUV_TEX_CTRL, control);
        self.pvr.write_register(reg::TA_YUV_TEX_BASE, address);
        self.pvr.write_yuv(&texture::macroblocks(
            &made.bytes,
            made.width,
            made.height,
            is_422,
        ));
        Ok(())
    }
}

/// Returns a texture by its name.
pub(super) fn lookup(
    textures: &BTreeMap<String, Bound>,
) -> impl Fn(&Word<'_>) -> Result<Bound, SceneError> + '_ {
    |name| {
        textures
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a texture that was made before"))
    }
}
