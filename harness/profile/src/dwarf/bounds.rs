//! Limits the work that debug information can cause, before a reader starts.
//!
//! DWARF data can be shared: one line program or abbreviation table by many units, one range list by many
//! functions, one name by many files. Readers follow each reference, so a small file can cause gigabytes or
//! hours of work. Compilers share little. Each limit is many times the largest value of real programs.

use super::{DwarfError, Reader};
use gimli::{AttributeValue, Reader as _, Section, UnitHeader};
use std::collections::BTreeSet;

/// Maximum nesting of functions, inlined calls and blocks.
const DEPTH: usize = 512;
/// Maximum bytes of an abbreviation table, and of the header of a line program.
const TABLE: usize = 1 << 18;
/// Bytes of the file per permitted line, and per permitted range.
const BYTES_FOR_EACH: usize = 8;
/// Number of lines, and of ranges, that any file may have.
const FREE: usize = 1 << 16;
/// Bytes of the file per permitted unit, and the number of units that any file may have. A unit takes 2 KB.
const BYTES_FOR_UNIT: usize = 256;
const FREE_UNITS: usize = 1 << 15;
/// Maximum bytes of the path of a source file, as Linux has. Listings repeat it.
const PATH: usize = 4096;
/// Limit for file names, abbreviation tables and line program headers, counted once per using unit. It is
/// this factor times the file's size, plus [`FREE_BYTES`].
const FACTOR: usize = 2;
const FREE_BYTES: usize = 16 << 20;

/// An amount of work, and its limit.
struct Count {
    what: &'static str,
    found: usize,
    most: usize,
}

impl Count {
    fn each(what: &'static str, file: usize) -> Self {
        let most = file / BYTES_FOR_EACH + FREE;
        Self { what, found: 0, most }
    }

    fn bytes(what: &'static str, file: usize) -> Self {
        let most = FACTOR * file + FREE_BYTES;
        Self { what, found: 0, most }
    }

    fn add(&mut self, more: usize) -> Result<(), DwarfError> {
        self.found = self.found.saturating_add(more);
        at_most(self.what, self.found, self.most)
    }
}

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), DwarfError> {
    match found > most {
        true => Err(DwarfError::Many { what, found, most }),
        false => Ok(()),
    }
}

/// Counts the work caused by a file of `size` bytes.
///
/// # Errors
/// If a limit is exceeded. Readers report damaged parts later.
pub(super) fn check(dwarf: &gimli::Dwarf<Reader<'_>>, size: usize) -> Result<(), DwarfError> {
    let mut counts = Counts {
        units: Count {
            what: "units",
            found: 0,
            most: size / BYTES_FOR_UNIT + FREE_UNITS,
        },
        abbreviations: Count::bytes("bytes in the tables of abbreviations of all units", size),
        headers: Count::bytes("bytes in the headers of the line programs of all units", size),
        names: Count::bytes("bytes in the file names of all units", size),
        programs: Count {
            what: "bytes in all line programs",
            found: 0,
            most: dwarf.debug_line.reader().len(),
        },
        lines: Count::each("lines", size),
        ranges: Count::each("address ranges of functions", size),
        read: BTreeSet::new(),
    };
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        counts.unit(dwarf, header)?;
    }
    Ok(())
}

struct Counts {
    units: Count,
    abbreviations: Count,
    headers: Count,
    names: Count,
    programs: Count,
    lines: Count,
    ranges: Count,
    /// Offsets of line programs.
    read: BTreeSet<usize>,
}

impl Counts {
    fn unit(
        &mut self,
        dwarf: &gimli::Dwarf<Reader<'_>>,
        header: UnitHeader<Reader<'_>>,
    ) -> Result<(), DwarfError> {
        self.units.add(1)?;
        let mut table = *dwarf.debug_abbrev.reader();
        if table.skip(header.debug_abbrev_offset().0).is_err() {
            return Ok(());
        }
        let length = table_length(table);
        at_most("bytes in a table of abbreviations", length, TABLE)?;
        self.abbreviations.add(length)?;
        if let Some(offset) = line_program(dwarf, &header) {
            let length = line_header_length(dwarf, offset);
            at_most("bytes in the header of a line program", length, TABLE)?;
            self.headers.add(length)?;
        }
        let Ok(unit) = dwarf.unit(header) else {
            return Ok(());
        };
        self.line_program(dwarf, &unit)?;
        self.entries(dwarf, &unit)
    }

    fn line_program(
        &mut self,
        dwarf: &gimli::Dwarf<Reader<'_>>,
        unit: &gimli::Unit<Reader<'_>>,
    ) -> Result<(), DwarfError> {
        let Some(program) = &unit.line_program else {
            return Ok(());
        };
        let header = program.header();
        let folder = unit.comp_dir.map_or(0, |folder| folder.len());
        for file in header.file_names() {
            let length = |value| dwarf.attr_string(unit, value).map_or(0, |text| text.len());
            let directory = file.directory(header).map_or(0, length);
            let path = length(file.path_name()) + directory + folder;
            at_most("bytes in the path of a source file", path, PATH)?;
            self.names.add(path)?;
        }
        if !self.read.insert(header.offset().0) {
            return Ok(());
        }
        self.programs.add(header.raw_program_buf().len())?;
        let mut rows = program.clone().rows();
        while let Ok(Some(_)) = rows.next_row() {
            self.lines.add(1)?;
        }
        Ok(())
    }

    /// Walks the functions, without recursion.
    fn entries(
        &mut self,
        dwarf: &gimli::Dwarf<Reader<'_>>,
        unit: &gimli::Unit<Reader<'_>>,
    ) -> Result<(), DwarfError> {
        let (mut entries, mut depth) = (unit.entries(), 0);
        while let Ok(Some((step, entry))) = entries.next_dfs() {
            depth += step;
            let found = usize::try_from(depth).unwrap_or(0);
            at_most("nested functions, calls and blocks", found, DEPTH)?;
            let Ok(Some(value)) = entry.attr_value(gimli::DW_AT_ranges) else {
                continue;
            };
            let offset = dwarf.attr_ranges_offset(unit, value).ok().flatten();
            let ranges = offset.and_then(|offset| dwarf.raw_ranges(unit, offset).ok());
            let Some(mut ranges) = ranges else { continue };
            while let Ok(Some(_)) = ranges.next() {
                self.ranges.add(1)?;
            }
        }
        Ok(())
    }
}

/// Returns the bytes of an abbreviation table (DWARF 5, 7.5.3), up to its end or the first damage.
fn table_length(table: Reader<'_>) -> usize {
    let mut rest = table;
    while let Ok(true) = skip_abbreviation(&mut rest) {}
    table.len() - rest.len()
}

/// Skips an abbreviation. Returns false at the end of the table.
fn skip_abbreviation(table: &mut Reader<'_>) -> gimli::Result<bool> {
    if table.read_uleb128()? == 0 {
        return Ok(false);
    }
    // Tag, and the flag for children.
    table.read_uleb128()?;
    table.read_u8()?;
    loop {
        let (name, form) = (table.read_uleb128()?, table.read_uleb128()?);
        if form == u64::from(gimli::DW_FORM_implicit_const.0) {
            table.read_sleb128()?;
        }
        if name == 0 && form == 0 {
            return Ok(true);
        }
    }
}

/// Returns the offset of a unit's line program.
fn line_program(dwarf: &gimli::Dwarf<Reader<'_>>, header: &UnitHeader<Reader<'_>>) -> Option<usize> {
    let abbreviations = header.abbreviations(&dwarf.debug_abbrev).ok()?;
    let mut entries = header.entries(&abbreviations);
    let (_, root) = entries.next_dfs().ok()??;
    match root.attr_value(gimli::DW_AT_stmt_list).ok()?? {
        AttributeValue::DebugLineRef(offset) => Some(offset.0),
        _ => None,
    }
}

/// Returns the bytes of a line program's header (DWARF 5, 6.2.4), limited by the end of the section.
fn line_header_length(dwarf: &gimli::Dwarf<Reader<'_>>, offset: usize) -> usize {
    let mut section = *dwarf.debug_line.reader();
    let mut read = || {
        section.skip(offset)?;
        let (_, format) = section.read_initial_length()?;
        // Since version 5 the sizes of addresses and segment selectors follow.
        if section.read_u16()? >= 5 {
            section.skip(2)?;
        }
        section.read_length(format)
    };
    read().unwrap_or(0).min(dwarf.debug_line.reader().len())
}
