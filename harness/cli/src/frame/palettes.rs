//! Palettes into PALETTE_RAM.

use super::textures::NamedPalette;
use anyhow::{Context, Result, bail};
use pvr::texture::PaletteFormat;
use pvr::{Frame, reg};
use std::ops::Range;

/// Words of PALETTE_RAM.
const WORDS: usize = 1024;

/// What PALETTE_RAM holds.
#[derive(Default)]
pub(crate) struct Palettes {
    /// PAL_RAM_CTRL: the chip has one format for all palettes.
    format: Option<u32>,
    held: Vec<Held>,
}

/// Entries that a file has filled.
struct Held {
    entries: Range<usize>,
    name: String,
    given: bool,
}

/// A grey level of 0 to 255, opaque, in a format of PAL_RAM_CTRL.
fn grey(format: u32, level: u32) -> u32 {
    let [four, five, six] = [level >> 4, level >> 3, level >> 2];
    match format {
        format if format == PaletteFormat::Argb1555 as u32 => 1 << 15 | five << 10 | five << 5 | five,
        format if format == PaletteFormat::Rgb565 as u32 => five << 11 | six << 5 | five,
        format if format == PaletteFormat::Argb4444 as u32 => 15 << 12 | four << 8 | four << 4 | four,
        _ => 0xFF00_0000 | (level * 0x01_0101),
    }
}

impl Palettes {
    /// Whether any of these entries has been filled.
    pub(crate) fn holds(&self, entries: &Range<usize>) -> bool {
        let meets = |held: &Held| held.entries.start < entries.end && entries.start < held.entries.end;
        self.held.iter().any(meets)
    }

    /// Fills entries with grey levels: indices are seen, where no palette tells their colours.
    pub(crate) fn fill_grey(&mut self, entries: Range<usize>, frame: &mut Frame) {
        let default = PaletteFormat::Argb8888 as u32;
        let format = *self.format.get_or_insert(default);
        let last = entries.len().saturating_sub(1).max(1);
        let pvr = frame.pvr_mut();
        pvr.write_register(reg::PAL_RAM_CTRL, format);
        for (index, place) in entries.clone().enumerate() {
            let word = grey(format, (index * 255 / last) as u32);
            pvr.write_register(reg::PALETTE_RAM + 4 * place as u32, word);
        }
    }

    /// Writes a palette of a file; a warning where it takes the place of another one, unless the command line
    /// names it and the other lies beside the input.
    pub(crate) fn load(&mut self, named: &NamedPalette, frame: &mut Frame) -> Result<Option<String>> {
        let NamedPalette { name, given, palette } = named;
        let format = palette.format().with_context(|| name.to_owned())? as u32;
        if *self.format.get_or_insert(format) != format {
            bail!("{name}: palettes of different formats, expected one for all (PAL_RAM_CTRL)");
        }
        let start = palette.ram_index();
        let place = start..start + palette.entries.len();
        if place.end > WORDS {
            bail!(
                "{name}: palette up to entry {}, expected at most {WORDS}",
                place.end
            );
        }
        let meets = |other: &&Held| {
            let overlaps = other.entries.start < place.end && place.start < other.entries.end;
            overlaps && other.name != *name && (!*given || other.given)
        };
        let warning = self.held.iter().find(meets).map(|Held { name: other, .. }| {
            let first = place.start;
            format!("{name}: a palette from entry {first} on takes the place of {other}'s")
        });
        let pvr = frame.pvr_mut();
        pvr.write_register(reg::PAL_RAM_CTRL, format);
        for (entry, index) in palette.entries.iter().zip(start as u32..) {
            pvr.write_register(reg::PALETTE_RAM + 4 * index, *entry);
        }
        self.held.push(Held {
            entries: place,
            name: name.clone(),
            given: *given,
        });
        Ok(warning)
    }
}
