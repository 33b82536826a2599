//! Reads functions and source lines of an ELF file.

mod bounds;

use crate::places::SourceLine;
use gimli::{EndianSlice, LittleEndian};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use thiserror::Error;

/// Reader for the bytes of a section.
pub type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// Debug information that cannot be read.
#[derive(Debug, Error)]
pub enum DwarfError {
    /// The file is not an ELF file.
    #[error("not a readable ELF file: {0}")]
    Elf(#[from] object::Error),
    /// The debug information is damaged.
    #[error("debug information: {0}")]
    Dwarf(#[from] gimli::Error),
    /// A limit is exceeded.
    #[error("debug information: {found} {what}, expected at most {most}")]
    Many {
        /// The counted items.
        what: &'static str,
        /// The number, or the first number above the limit.
        found: usize,
        /// Limit.
        most: usize,
    },
}

/// Loads the debug information of an ELF file; empty if the file has none. Readers of the result do a bounded
/// amount of work per byte of the file.
///
/// # Errors
/// If the file is damaged, or its debug information exceeds a limit.
pub fn load(elf: &[u8]) -> Result<gimli::Dwarf<Reader<'_>>, DwarfError> {
    let file = object::File::parse(elf)?;
    let section = |id: gimli::SectionId| -> Result<Reader<'_>, gimli::Error> {
        let data = file
            .section_by_name(id.name())
            .and_then(|section| section.data().ok());
        Ok(EndianSlice::new(data.unwrap_or_default(), LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section)?;
    bounds::check(&dwarf, elf.len())?;
    Ok(dwarf)
}

/// Returns the source line at each address where one begins. An entry without a line marks the start of code
/// without line information. Empty for a file without debug information.
///
/// # Errors
/// If the file or its debug information is damaged.
pub fn source_lines(elf: &[u8]) -> Result<BTreeMap<u32, Option<SourceLine>>, DwarfError> {
    let dwarf = load(elf)?;
    let (mut lines, mut read) = (BTreeMap::new(), BTreeSet::new());
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        // Units can share a line program.
        let program = unit
            .line_program
            .as_ref()
            .map(|program| program.header().offset());
        if program.is_some_and(|offset| read.insert(offset.0)) {
            unit_lines(&dwarf, &unit, &mut lines)?;
        }
    }
    Ok(lines)
}

/// Returns the data objects of an ELF file from its symbols: start, end and name. A symbol without a size
/// ends at the next symbol or at the end of its section.
///
/// # Errors
/// If the file is damaged.
pub fn objects(elf: &[u8]) -> Result<BTreeMap<u32, (u32, String)>, DwarfError> {
    let file = object::File::parse(elf)?;
    let mut starts: BTreeMap<u32, (u32, Option<String>)> = BTreeMap::new();
    for section in file.sections() {
        let end = section.address().saturating_add(section.size());
        for edge in [section.address(), end] {
            if let Ok(address) = u32::try_from(edge) {
                starts.entry(address).or_insert((0, None));
            }
        }
    }
    for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
        let (Ok(address), Ok(name)) = (u32::try_from(symbol.address()), symbol.name()) else {
            continue;
        };
        let section = symbol
            .section_index()
            .and_then(|index| file.section_by_index(index).ok());
        let holds_data = section.is_some_and(|section| {
            matches!(
                section.kind(),
                SectionKind::Data | SectionKind::ReadOnlyData | SectionKind::UninitializedData
            )
        });
        let known = symbol.kind() == SymbolKind::Data || holds_data && symbol.kind() != SymbolKind::Section;
        let name = (known && !name.is_empty()).then(|| name.to_owned());
        let size = u32::try_from(symbol.size()).unwrap_or(0);
        let row = starts.entry(address).or_default();
        // If an address has two names, use the one with a size.
        if name.is_some() && (row.1.is_none() || row.0 < size) {
            *row = (size, name);
        }
    }
    let ends: Vec<u32> = starts.keys().copied().skip(1).chain([u32::MAX]).collect();
    let all = starts.into_iter().zip(ends);
    Ok(all
        .filter_map(|((start, (size, name)), next)| {
            let end = if size > 0 {
                start.saturating_add(size)
            } else {
                next
            };
            Some((start, (end, name?)))
        })
        .collect())
}

/// Returns the functions of an ELF file: start, end and name. A function without a size, as in assembly
/// without `.size`, ends at the next function or global symbol.
///
/// # Errors
/// If the file is damaged.
pub fn functions(elf: &[u8]) -> Result<BTreeMap<u32, (u32, String)>, DwarfError> {
    let file = object::File::parse(elf)?;
    let mut starts: BTreeMap<u32, (u64, String, bool)> = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
        let function = symbol.kind() == SymbolKind::Text;
        let (Ok(address), Ok(name)) = (u32::try_from(symbol.address()), symbol.name()) else {
            continue;
        };
        if !name.is_empty() && (function || symbol.is_global()) {
            let row = (symbol.size(), name.to_owned(), function);
            let place = starts.entry(address).or_insert_with(|| row.clone());
            if (function && !place.2) || symbol.is_global() {
                *place = row;
            }
        }
    }
    let ends = starts.keys().skip(1).copied().chain([u32::MAX]);
    let rows = starts
        .iter()
        .zip(ends)
        .filter(|((_, (.., function)), _)| *function);
    let rows = rows.map(|((start, (size, name, _)), next)| {
        let sized = u32::try_from(*size).ok().filter(|size| *size > 0);
        (
            *start,
            (
                sized.map_or(next, |size| start.saturating_add(size)),
                name.clone(),
            ),
        )
    });
    Ok(rows.collect())
}

fn unit_lines(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: &gimli::Unit<Reader<'_>>,
    lines: &mut BTreeMap<u32, Option<SourceLine>>,
) -> Result<(), gimli::Error> {
    let Some(program) = unit.line_program.clone() else {
        return Ok(());
    };
    // Cache of names by number, because most lines are in the same file as the previous line.
    let mut names: BTreeMap<u64, Arc<str>> = BTreeMap::new();
    let mut rows = program.rows();
    while let Some((header, row)) = rows.next_row()? {
        let Ok(address) = u32::try_from(row.address()) else {
            continue;
        };
        if row.end_sequence() {
            lines.entry(address).or_insert(None);
            continue;
        }
        let file = match names.get(&row.file_index()) {
            Some(name) => name.clone(),
            None => {
                let Some(file) = row.file(header) else { continue };
                let name = dwarf.attr_string(unit, file.path_name())?;
                let name: Arc<str> = name.to_string_lossy().into();
                names.insert(row.file_index(), name.clone());
                name
            }
        };
        let line = row
            .line()
            .map_or(0, |line| u32::try_from(line.get()).unwrap_or(u32::MAX));
        lines.insert(address, Some(SourceLine { file, line }));
    }
    Ok(())
}
