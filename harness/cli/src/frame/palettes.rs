//! Palettes into PALETTE_RAM.

use anyhow::{Context, Result, bail};
use pvr::container::Palette;
use pvr::{Frame, reg};
use std::ops::Range;

/// Words of PALETTE_RAM.
const WORDS: usize = 1024;

/// What PALETTE_RAM holds.
#[derive(Default)]
pub(crate) struct Palettes {
    /// PAL_RAM_CTRL: the chip has one format for all palettes.
    format: Option<u32>,
    held: Vec<(Range<usize>, String)>,
}

impl Palettes {
    /// Nothing was loaded.
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Writes a palette of a file; a warning where it takes the place of another one.
    pub(crate) fn load(
        &mut self,
        name: &str,
        palette: &Palette,
        frame: &mut Frame,
    ) -> Result<Option<String>> {
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
        let meets = |(other, file): &&(Range<usize>, String)| {
            file != name && other.start < place.end && place.start < other.end
        };
        let warning = self.held.iter().find(meets).map(|(_, other)| {
            let first = place.start;
            format!("{name}: a palette from entry {first} on, where that of {other} lies: it takes its place")
        });
        let pvr = frame.pvr_mut();
        pvr.write_register(reg::PAL_RAM_CTRL, format);
        for (entry, index) in palette.entries.iter().zip(start as u32..) {
            pvr.write_register(reg::PALETTE_RAM + 4 * index, *entry);
        }
        self.held.push((place, name.to_owned()));
        Ok(warning)
    }
}
