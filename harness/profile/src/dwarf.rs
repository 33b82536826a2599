//! Source lines from an ELF file's debug information.

use crate::places::SourceLine;
use gimli::{EndianSlice, LittleEndian};
use object::{Object, ObjectSection};
use std::collections::BTreeMap;
use thiserror::Error;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// Debug information that cannot be read.
#[derive(Debug, Error)]
pub enum DwarfError {
    /// The file is no ELF file.
    #[error("not a readable ELF file: {0}")]
    Elf(#[from] object::Error),
    /// The debug information is damaged.
    #[error("debug information: {0}")]
    Dwarf(#[from] gimli::Error),
}

/// The start address of each source line's code; no line where code without lines begins. Empty for a file
/// without debug information.
///
/// # Errors
/// If the file or its debug information is damaged.
pub fn source_lines(elf: &[u8]) -> Result<BTreeMap<u32, Option<SourceLine>>, DwarfError> {
    let file = object::File::parse(elf)?;
    let section = |id: gimli::SectionId| -> Result<Reader<'_>, gimli::Error> {
        let data = file
            .section_by_name(id.name())
            .and_then(|section| section.data().ok());
        Ok(EndianSlice::new(data.unwrap_or_default(), LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section)?;
    let mut lines = BTreeMap::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        unit_lines(&dwarf, &unit, &mut lines)?;
    }
    Ok(lines)
}

fn unit_lines(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: &gimli::Unit<Reader<'_>>,
    lines: &mut BTreeMap<u32, Option<SourceLine>>,
) -> Result<(), gimli::Error> {
    let Some(program) = unit.line_program.clone() else {
        return Ok(());
    };
    let mut rows = program.rows();
    while let Some((header, row)) = rows.next_row()? {
        let Ok(address) = u32::try_from(row.address()) else {
            continue;
        };
        if row.end_sequence() {
            lines.entry(address).or_insert(None);
            continue;
        }
        let file = match row.file(header) {
            Some(file) => dwarf
                .attr_string(unit, file.path_name())?
                .to_string_lossy()
                .into_owned(),
            None => continue,
        };
        let line = row
            .line()
            .map_or(0, |line| u32::try_from(line.get()).unwrap_or(u32::MAX));
        lines.insert(address, Some(SourceLine { file, line }));
    }
    Ok(())
}
