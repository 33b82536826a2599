//! Palettes into PALETTE_RAM.

use super::textures::NamedPalette;
use anyhow::{Context, Result, bail};
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

impl Palettes {
    /// Whether any of these entries has been filled.
    pub(crate) fn holds(&self, entries: &Range<usize>) -> bool {
        let meets = |held: &Held| held.entries.start < entries.end && entries.start < held.entries.end;
        self.held.iter().any(meets)
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
