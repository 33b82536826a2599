//! Reader for ELF executables.
//!
//! Supported are 32-bit little-endian SuperH executables from KallistiOS, GCC and the GNU assembler. e_flags
//! may specify any SH-4 variant. A segment is loaded at its virtual address. Bytes beyond its size in the
//! file are zero.

use crate::limits::{NAME_BYTES, NAME_FACTOR, SEGMENT_FACTOR, SEGMENTS, SHOWN_NAME};
use crate::names::{demangle, without_parameters};
use object::elf::{EM_SH, ET_EXEC, FileHeader32, PF_X, PT_LOAD, SHF_EXECINSTR, SHT_SYMTAB, STB_LOCAL};
use object::elf::{STT_FILE, STT_FUNC, STT_SECTION};
use object::read::StringTable;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};
use object::{Endianness, ReadRef};
use std::collections::BTreeMap;
use std::ops::Range;
use thiserror::Error;

/// Contents of an ELF program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Entry address.
    pub entry: u32,
    /// Loadable segments.
    pub segments: Vec<Segment>,
    /// Symbols with an address.
    pub symbols: Symbols,
}

/// A loadable segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the segment.
    pub address: u32,
    /// Bytes from the file; shorter than `size` if the rest is zero.
    pub bytes: Vec<u8>,
    /// Size in memory in bytes.
    pub size: u32,
    /// True if the segment contains code.
    pub executable: bool,
}

/// Maps between names and addresses. C++ names are demangled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    by_name: BTreeMap<String, u32>,
    by_address: BTreeMap<u32, Named>,
    /// Addresses by C++ names without parameters; `None` if several functions share the name.
    overloads: BTreeMap<String, Option<u32>>,
}

/// The name of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    shown: String,
    /// Not a local label of assembly.
    begins_function: bool,
}

/// Reason why a file is not a program for this machine.
#[derive(Debug, Error)]
pub enum ElfError {
    /// Not an ELF file, or a broken one.
    #[error("not a readable ELF file: {0}")]
    Format(#[from] object::read::Error),
    /// An ELF file of another kind.
    #[error("{field} is {found}, expected {expected}")]
    Kind {
        /// Field of the header.
        field: &'static str,
        /// Found value.
        found: u32,
        /// Expected value.
        expected: &'static str,
    },
    /// A count above a limit of this reader.
    #[error("{found} {what}, expected at most {most}")]
    Many {
        /// Name of the counted items.
        what: &'static str,
        /// Their number.
        found: u64,
        /// Largest accepted number.
        most: u64,
    },
    /// A segment outside the file or the address space.
    #[error("segment {index}: offset {offset:#x}, {size:#x} bytes, is outside the file or the address space")]
    Segment {
        /// Index of the program header.
        index: usize,
        /// Offset in the file.
        offset: u64,
        /// Size in the file.
        size: u64,
    },
}

impl Image {
    /// Reads an ELF file for the SH-4.
    ///
    /// # Errors
    /// See [`ElfError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ElfError> {
        Self::parse_for(bytes, EM_SH, "42 (SuperH)")
    }

    /// Returns the address ranges of the segments.
    #[must_use]
    pub fn memory(&self) -> Vec<Range<u32>> {
        let ranges = self.segments.iter();
        ranges
            .map(|segment| segment.address..segment.address.saturating_add(segment.size))
            .collect()
    }

    /// Reads an ELF file for the processor with the number `machine`; messages call it `expected`.
    ///
    /// # Errors
    /// See [`ElfError`].
    pub fn parse_for(bytes: &[u8], machine: u16, expected: &'static str) -> Result<Self, ElfError> {
        let check = |field, found: u32, ok, expected| {
            if ok {
                Ok(())
            } else {
                Err(ElfError::Kind {
                    field,
                    found,
                    expected,
                })
            }
        };
        if bytes.starts_with(b"\x7fELF") {
            // EI_CLASS 2: 64 bits. EI_DATA 2: big-endian.
            let [class, order] = [4, 5].map(|at: usize| bytes.get(at) == Some(&2));
            check("class", class.into(), !class, "0 (32 bits)")?;
            check("byte order", (!order).into(), !order, "1 (little-endian)")?;
        }
        let header = header(bytes)?;
        let endian = header.endian()?;
        let found = header.e_machine(endian);
        check("e_machine", found.into(), found == machine, expected)?;
        let found = header.e_type(endian);
        check("e_type", found.into(), found == ET_EXEC, "2 (executable)")?;
        Ok(Self {
            entry: header.e_entry(endian),
            segments: segments(bytes, header, endian)?,
            symbols: Symbols::of(bytes, header, endian)?,
        })
    }
}

type Header = FileHeader32<Endianness>;

fn header(bytes: &[u8]) -> Result<&Header, ElfError> {
    Ok(Header::parse(bytes)?)
}

fn at_most(what: &'static str, found: u64, most: u64) -> Result<(), ElfError> {
    match found > most {
        true => Err(ElfError::Many { what, found, most }),
        false => Ok(()),
    }
}

/// Copies the loadable segments. Their number and total size are limited before copying, because several
/// program headers can name the same bytes of the file.
fn segments(bytes: &[u8], header: &Header, endian: Endianness) -> Result<Vec<Segment>, ElfError> {
    let headers = header.program_headers(endian, bytes)?;
    let loadable = || {
        let all = headers.iter().enumerate();
        all.filter(|(_, header)| header.p_type(endian) == PT_LOAD)
    };
    at_most("loadable segments", loadable().count() as u64, SEGMENTS)?;
    let sizes = loadable().map(|(_, header)| u64::from(header.p_filesz(endian)));
    let most = SEGMENT_FACTOR * bytes.len() as u64;
    let mut segments = Vec::new();
    let mut total = 0;
    for ((index, header), file_size) in loadable().zip(sizes) {
        let (address, size) = (header.p_vaddr(endian), header.p_memsz(endian));
        let offset = u64::from(header.p_offset(endian));
        let data = bytes.read_bytes_at(offset, file_size).ok();
        let data = data.filter(|_| address.checked_add(size).is_some() && file_size <= size.into());
        let Some(data) = data else {
            return Err(ElfError::Segment {
                index,
                offset,
                size: file_size,
            });
        };
        total += file_size;
        at_most("bytes in the loadable segments together", total, most)?;
        segments.push(Segment {
            address,
            bytes: data.to_vec(),
            size,
            executable: header.p_flags(endian) & PF_X != 0,
        });
    }
    Ok(segments)
}

/// Returns `e_machine` of an ELF file, the number of its processor.
///
/// # Errors
/// Fails if the file is not an ELF file of 32 bits.
pub fn elf_machine(bytes: &[u8]) -> Result<u16, ElfError> {
    let header = header(bytes)?;
    Ok(header.e_machine(header.endian()?))
}

/// Returns the address ranges of the executable sections, in order and without overlap. Unlike segments they
/// contain no file headers. Empty for a file without sections.
///
/// # Errors
/// Fails if the file is not an ELF file of 32 bits.
pub fn code_sections(bytes: &[u8]) -> Result<Vec<Range<u32>>, ElfError> {
    let header = header(bytes)?;
    let endian = header.endian()?;
    let sections = header.section_headers(endian, bytes)?;
    let code = sections
        .iter()
        .filter(|section| section.sh_flags(endian) & SHF_EXECINSTR != 0);
    let ranges = code.map(|section| {
        let start = section.sh_addr(endian);
        start..start.saturating_add(section.sh_size(endian))
    });
    let mut ranges: Vec<Range<u32>> = ranges.filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let joined = next.start <= range.end;
        range.end = if joined {
            range.end.max(next.end)
        } else {
            range.end
        };
        joined
    });
    Ok(ranges)
}

impl Symbols {
    fn of(bytes: &[u8], header: &Header, endian: Endianness) -> Result<Self, ElfError> {
        // Sections need no names here, because a file may omit them.
        let headers = header.section_headers(endian, bytes)?;
        let sections: SectionTable<'_, Header> = SectionTable::new(headers, StringTable::default());
        let table = sections.symbols(endian, bytes, SHT_SYMTAB)?;
        // Names may share bytes in the file, but are copied individually.
        let most = NAME_FACTOR * bytes.len() as u64 + NAME_BYTES;
        let mut total = 0;
        let mut symbols = Self::default();
        for symbol in table.iter() {
            let named = symbol.st_type() != STT_SECTION
                && symbol.st_type() != STT_FILE
                && symbol.st_shndx(endian) != 0;
            let name = symbol.name(endian, table.strings()).unwrap_or_default();
            let name = std::str::from_utf8(name).unwrap_or_default();
            // `$a`, `$t` and `$d` mark ARM code and data; they are not names.
            let unnamed = name.is_empty() || name.starts_with('$');
            if !named || unnamed {
                continue;
            }
            let cpp = demangle(name);
            total += name.len().max(cpp.as_ref().map_or(0, String::len)) as u64;
            at_most("bytes in the names of symbols together", total, most)?;
            let (address, is_function) = (symbol.st_value(endian), symbol.st_type() == STT_FUNC);
            let global = symbol.st_bind() != STB_LOCAL;
            if let Some(full) = &cpp {
                symbols.overload(full, address);
                symbols.by_name.insert(full.clone(), address);
            }
            let shown = cpp.as_deref().unwrap_or(name);
            let row = Named {
                shown: shown.chars().take(SHOWN_NAME).collect(),
                begins_function: global || is_function || name.starts_with('_'),
            };
            // If an address has two names, the global one is used.
            if global && is_function {
                symbols.by_address.insert(address, row);
            } else {
                symbols.by_address.entry(address).or_insert(row);
            }
            symbols.by_name.insert(name.to_owned(), address);
        }
        Ok(symbols)
    }

    fn overload(&mut self, full: &str, address: u32) {
        if let Some(short) = without_parameters(full) {
            let same = self.overloads.entry(short.to_owned()).or_insert(Some(address));
            *same = same.filter(|known| *known == address);
        }
    }

    /// Address of `name`, with or without the leading underscore of C. A C++ function may be named by its
    /// symbol, with its parameters, or without them if no other function has the name.
    #[must_use]
    pub fn address(&self, name: &str) -> Option<u32> {
        let exact = self.by_name.get(name);
        let exact = exact.or_else(|| self.by_name.get(&format!("_{name}")));
        let overload = || self.overloads.get(name).copied().flatten();
        exact.copied().or_else(overload)
    }

    /// Last symbol at or before `address`, and the distance from it in bytes.
    #[must_use]
    pub fn before(&self, address: u32) -> Option<(&str, u32)> {
        let (start, name) = self.by_address.range(..=address).next_back()?;
        Some((&name.shown, address - start))
    }

    /// Returns true if a function or an object begins at `address`. Local labels of assembly are inside
    /// functions.
    #[must_use]
    pub fn begins_function(&self, address: u32) -> bool {
        self.by_address
            .get(&address)
            .is_some_and(|name| name.begins_function)
    }

    /// Iterates over the symbols in address order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.by_address
            .iter()
            .map(|(address, name)| (*address, name.shown.as_str()))
    }

    /// Returns the name of the last symbol at or before `address`.
    #[must_use]
    pub fn function(&self, address: u32) -> &str {
        self.before(address).map_or("no symbol", |(name, _)| name)
    }

    /// Formats `address` as `_symbol+0x12`; `no symbol` if there is no symbol at or before it.
    #[must_use]
    pub fn describe(&self, address: u32) -> String {
        match self.before(address) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => format!("{name}+{offset:#x}"),
            None => "no symbol".to_owned(),
        }
    }
}
