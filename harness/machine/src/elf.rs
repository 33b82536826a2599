//! Reader for ELF executables.
//!
//! Supported are 32-bit little-endian SuperH executables from KallistiOS, GCC and the GNU assembler. e_flags
//! may name any SH-4 variant. A segment is loaded at its virtual address. Bytes beyond its size in the file
//! are zero.

use crate::names::{demangle, without_parameters};
use goblin::elf::header::{EM_SH, ET_EXEC};
use goblin::elf::program_header::PT_LOAD;
use goblin::elf::sym::{STB_LOCAL, STT_FILE, STT_SECTION};
use std::collections::BTreeMap;
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
    Format(#[from] goblin::error::Error),
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

    /// Reads an ELF file for the processor with the number `machine`; messages call it `expected`.
    ///
    /// # Errors
    /// See [`ElfError`].
    pub fn parse_for(bytes: &[u8], machine: u16, expected: &'static str) -> Result<Self, ElfError> {
        let elf = goblin::elf::Elf::parse(bytes)?;
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
        check("class", u32::from(elf.is_64), !elf.is_64, "0 (32 bits)")?;
        check(
            "byte order",
            u32::from(elf.little_endian),
            elf.little_endian,
            "1 (little-endian)",
        )?;
        check(
            "e_machine",
            elf.header.e_machine.into(),
            elf.header.e_machine == machine,
            expected,
        )?;
        check(
            "e_type",
            elf.header.e_type.into(),
            elf.header.e_type == ET_EXEC,
            "2 (executable)",
        )?;
        let mut segments = Vec::new();
        for (index, header) in elf
            .program_headers
            .iter()
            .enumerate()
            .filter(|(_, h)| h.p_type == PT_LOAD)
        {
            let outside = ElfError::Segment {
                index,
                offset: header.p_offset,
                size: header.p_filesz,
            };
            let data = usize::try_from(header.p_offset)
                .ok()
                .zip(usize::try_from(header.p_filesz).ok())
                .and_then(|(start, size)| bytes.get(start..start.checked_add(size)?));
            let (Some(data), Ok(address), Ok(size)) =
                (data, u32::try_from(header.p_vaddr), u32::try_from(header.p_memsz))
            else {
                return Err(outside);
            };
            if address.checked_add(size).is_none() || data.len() > size as usize {
                return Err(outside);
            }
            segments.push(Segment {
                address,
                bytes: data.to_vec(),
                size,
                executable: header.is_executable(),
            });
        }
        Ok(Self {
            entry: elf.entry as u32,
            segments,
            symbols: Symbols::of(&elf),
        })
    }
}

/// Returns `e_machine` of an ELF file, the number of its processor.
///
/// # Errors
/// Fails if the file is not an ELF file.
pub fn elf_machine(bytes: &[u8]) -> Result<u16, ElfError> {
    Ok(goblin::elf::Elf::parse(bytes)?.header.e_machine)
}

/// Returns the address ranges of the executable sections. Unlike segments they contain no file headers. Empty
/// for a file without sections.
///
/// # Errors
/// Fails if the file is not an ELF file.
pub fn code_sections(bytes: &[u8]) -> Result<Vec<std::ops::Range<u32>>, ElfError> {
    let elf = goblin::elf::Elf::parse(bytes)?;
    let code = elf
        .section_headers
        .iter()
        .filter(|section| section.is_executable());
    let ranges = code.map(|section| {
        let end = section.sh_addr.saturating_add(section.sh_size);
        section.sh_addr as u32..u32::try_from(end).unwrap_or(u32::MAX)
    });
    Ok(ranges.collect())
}

impl Symbols {
    fn of(elf: &goblin::elf::Elf<'_>) -> Self {
        let mut symbols = Self::default();
        for symbol in &elf.syms {
            let named =
                symbol.st_type() != STT_SECTION && symbol.st_type() != STT_FILE && symbol.st_shndx != 0;
            let name = elf.strtab.get_at(symbol.st_name).unwrap_or("");
            // `$a`, `$t` and `$d` mark ARM code and data; they are not names.
            let unnamed = name.is_empty() || name.starts_with('$');
            let (true, false, Ok(address)) = (named, unnamed, u32::try_from(symbol.st_value)) else {
                continue;
            };
            let global = symbol.st_bind() != STB_LOCAL;
            let cpp = demangle(name);
            if let Some(full) = &cpp {
                symbols.overload(full, address);
                symbols.by_name.insert(full.clone(), address);
            }
            let row = Named {
                shown: cpp.unwrap_or_else(|| name.to_owned()),
                begins_function: global || symbol.is_function() || name.starts_with('_'),
            };
            // If an address has two names, the global one is used.
            if global && symbol.is_function() {
                symbols.by_address.insert(address, row);
            } else {
                symbols.by_address.entry(address).or_insert(row);
            }
            symbols.by_name.insert(name.to_owned(), address);
        }
        symbols
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

    /// Whether a function or an object begins at `address`. Local labels of assembly are inside functions.
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

    /// Formats `address` as `_symbol+0x12`; empty if there is no symbol before it.
    #[must_use]
    pub fn describe(&self, address: u32) -> String {
        match self.before(address) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => format!("{name}+{offset:#x}"),
            None => "no symbol".to_owned(),
        }
    }
}
