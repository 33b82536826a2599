//! Size, settings and registers.

use super::Machine;
use crate::text::{SceneError, Statement};
use crate::texture::read_size;
use pvr::settings::{Error, Table};
use pvr::{Settings, reg};

impl Machine<'_> {
    pub(super) fn set_size(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a size such as 64x64")?;
        if self.begun {
            return Err(word.fault("a size inside a frame", "the size before the first list"));
        }
        let size = read_size(&word, 1024)?;
        if size.1 > 512 {
            return Err(word.error("at most 512 lines (TA_GLOB_TILE_CLIP)"));
        }
        self.size = size;
        self.lay_out();
        Ok(())
    }

    /// Reads `setting NAME CHOICE`.
    pub(super) fn setting(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a switch")?;
        let choice = statement.word("a choice")?;
        let mut settings = *self.pvr.settings();
        match settings.set(name.text, choice.text) {
            Ok(()) => {
                self.pvr.set_settings(settings);
                Ok(())
            }
            Err(error @ Error::Value { .. }) => Err(choice.error(error.expected())),
            Err(error) => Err(name.error(error.expected())),
        }
    }

    /// Reads `preset NAME`.
    pub(super) fn preset(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a preset")?;
        let mut settings = Settings::default();
        settings
            .set_preset(name.text)
            .map_err(|error| name.fault(error.to_string(), "a preset"))?;
        self.pvr.set_settings(settings);
        Ok(())
    }

    pub(super) fn register(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a register")?;
        let (base, skip) = match name.text.split_once('+') {
            Some((base, skip)) => (base, skip.parse::<u32>().ok()),
            None => (name.text, Some(0)),
        };
        let offset = pvr::regs::offset_of(base)
            .zip(skip)
            .map(|(offset, skip)| offset + skip * 4);
        let offset =
            offset.ok_or_else(|| name.error("a register by the manual's name, NAME or NAME+WORDS"))?;
        let value = statement.word("a value: 0x1F, 12 or 0.5")?;
        let value = if value.text.contains('.') {
            value.float()?.to_bits()
        } else {
            value.integer()?
        };
        self.pvr.write_register(offset, value);
        Ok(())
    }

    /// Reads `palette FIRST FORMAT COLOUR...`.
    pub(super) fn palette(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let formats = [("1555", 0), ("565", 1), ("4444", 2), ("8888", 3)];
        let format: u32 = statement.word("a format of entries")?.one_of(&formats)?;
        let mut at = statement.word("the first entry")?.within(0..=1023)?;
        self.pvr.write_register(reg::PAL_RAM_CTRL, format);
        let mut word = statement.word("an entry in hexadecimal")?;
        loop {
            let entry = u32::from_str_radix(word.text, 16)
                .ok()
                .filter(|&e| format == 3 || e <= 0xFFFF);
            let entry = entry
                .ok_or_else(|| word.error("an entry in hexadecimal: 8 digits in format 8888, otherwise 4"))?;
            if at > 1023 {
                return Err(word.fault("an entry beyond 1023", "the end of the line"));
            }
            self.pvr.write_register(reg::PALETTE_RAM + 4 * at, entry);
            at += 1;
            match statement.next() {
                Some(next) => word = next,
                None => return Ok(()),
            }
        }
    }

    /// Reads `fog_table FROM TO`: fills the 128 entries with alphas from FROM (farthest) to TO (nearest).
    pub(super) fn fog_table(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let from = statement.word("fog alpha far away")?.within(0..=255)?;
        let to = statement.word("fog alpha close by")?.within(0..=255)?;
        let at = |n: u32| (from * (128 - n.min(128)) + to * n.min(128)) / 128;
        for n in 0..128 {
            self.pvr
                .write_register(reg::FOG_TABLE + 4 * n, at(n) << 8 | at(n + 1));
        }
        Ok(())
    }
}
