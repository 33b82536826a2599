//! Debug information of an ELF program: names and lines of addresses, call-frame information, and layouts of
//! structures.
//!
//! Every reader below stops at the first damaged entry, and treats all following ones as absent.

use crate::limits::STRUCTURE_MEMBERS as MOST_MEMBERS;
use gimli::{BaseAddresses, DebugFrame, EhFrame, EndianSlice, LittleEndian};
use object::{Object, ObjectSection};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) type Reader<'a> = EndianSlice<'a, LittleEndian>;
/// Bytes of an address.
const ADDRESS_SIZE: u8 = 4;
/// Maximum number of functions printed for one address; each inlined call adds one.
const MOST_INLINED: usize = 16;

/// A function at an address.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Place {
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
}

/// Debug information of a program.
pub(crate) struct DebugInfo<'a> {
    symbols: Option<addr2line::Context<Reader<'a>>>,
    dwarf: Option<gimli::Dwarf<Reader<'a>>>,
    pub(super) debug_frame: DebugFrame<Reader<'a>>,
    pub(super) eh_frame: EhFrame<Reader<'a>>,
    pub(super) bases: BaseAddresses,
}

impl<'a> DebugInfo<'a> {
    /// Reads an ELF file. Any other file has no debug information.
    pub(crate) fn of(elf: &'a [u8]) -> Self {
        let file = object::File::parse(elf).ok();
        let section = |name: &str| file.as_ref().and_then(|file| file.section_by_name(name));
        let data = |name: &str| {
            let bytes = section(name).and_then(|section| section.data().ok());
            EndianSlice::new(bytes.unwrap_or_default(), LittleEndian)
        };
        let address = |name: &str| section(name).map_or(0, |section| section.address());
        let dwarf = file.as_ref().and_then(|_| load(elf));
        let mut debug_frame = DebugFrame::from(data(".debug_frame"));
        let mut eh_frame = EhFrame::from(data(".eh_frame"));
        debug_frame.set_address_size(ADDRESS_SIZE);
        eh_frame.set_address_size(ADDRESS_SIZE);
        let bases = BaseAddresses::default();
        Self {
            symbols: file
                .as_ref()
                .filter(|_| dwarf.is_some())
                .and_then(|_| gimli::Dwarf::load(|id| Ok::<_, gimli::Error>(data(id.name()))).ok())
                .and_then(|dwarf| addr2line::Context::from_dwarf(dwarf).ok()),
            dwarf,
            debug_frame,
            eh_frame,
            bases: bases
                .set_eh_frame(address(".eh_frame"))
                .set_text(address(".text"))
                .set_got(address(".got")),
        }
    }

    /// Returns the functions at an address: the innermost inlined call first, the containing function last.
    pub(crate) fn places(&self, address: u32) -> Vec<Place> {
        let found = self.symbols.as_ref();
        let frames = found.and_then(|symbols| symbols.find_frames(address.into()).skip_all_loads().ok());
        let mut places = Vec::new();
        let Some(mut frames) = frames else {
            return places;
        };
        while places.len() < MOST_INLINED
            && let Ok(Some(frame)) = frames.next()
        {
            let location = frame.location.as_ref();
            places.push(Place {
                function: frame
                    .function
                    .map(|function| machine::shown_name(&String::from_utf8_lossy(function.name.slice()))),
                file: location.and_then(|at| at.file).map(str::to_owned),
                line: location.and_then(|at| at.line),
            });
        }
        places
    }

    /// Returns the byte offsets of a structure's members, by name.
    pub(super) fn members(&self, structure: &str) -> Option<BTreeMap<String, u32>> {
        let dwarf = self.dwarf.as_ref()?;
        let mut units = dwarf.units();
        while let Some(header) = units.next().ok()? {
            let found = dwarf
                .unit(header)
                .ok()
                .and_then(|unit| members_in(dwarf, &unit, structure));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Loads debug information that readers can process with bounded work. For a larger file, prints a warning
/// and returns `None`.
fn load(elf: &[u8]) -> Option<gimli::Dwarf<Reader<'_>>> {
    static WARNED: AtomicBool = AtomicBool::new(false);
    match profile::load_dwarf(elf) {
        Ok(dwarf) => Some(dwarf),
        Err(error) => {
            if !WARNED.swap(true, Ordering::Relaxed) {
                eprintln!("swirl: warning: {error}; the output has no functions and lines");
            }
            None
        }
    }
}

/// Returns the members of a structure that a unit defines.
fn members_in(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: &gimli::Unit<Reader<'_>>,
    structure: &str,
) -> Option<BTreeMap<String, u32>> {
    let name = |entry: &gimli::DebuggingInformationEntry<'_, '_, Reader<'_>>| {
        let value = entry.attr_value(gimli::DW_AT_name).ok()??;
        let text = dwarf.attr_string(unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    };
    let mut entries = unit.entries();
    while let Some((_, entry)) = entries.next_dfs().ok()? {
        let defines = entry.tag() == gimli::DW_TAG_structure_type
            && entry.has_children()
            && name(entry).as_deref() == Some(structure);
        if !defines {
            continue;
        }
        let mut members = BTreeMap::new();
        entries.next_entry().ok()?;
        while members.len() < MOST_MEMBERS
            && let Some(member) = entries.current()
        {
            let offset = member
                .attr_value(gimli::DW_AT_data_member_location)
                .ok()
                .flatten();
            let offset = offset.and_then(|value| value.udata_value());
            if let (Some(name), Some(offset)) = (name(member), offset.and_then(|at| u32::try_from(at).ok())) {
                members.insert(name, offset);
            }
            if !matches!(entries.next_sibling(), Ok(Some(_))) {
                break;
            }
        }
        return Some(members);
    }
    None
}
