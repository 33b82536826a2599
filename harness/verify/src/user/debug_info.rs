//! Reads compiler options and function prototypes from a program's debug information (DWARF).

use gimli::{AttributeValue, DebuggingInformationEntry, Section, UnitOffset};
use profile::DwarfReader as Reader;

type Entry<'abbrev, 'unit, 'a> = DebuggingInformationEntry<'abbrev, 'unit, Reader<'a>>;

/// The DWARF sections of an ELF file.
pub(crate) struct DebugInfo<'a> {
    dwarf: gimli::Dwarf<Reader<'a>>,
}

/// A function's prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prototype {
    /// Names and types in order.
    pub(crate) parameters: Vec<(String, CType)>,
    pub(crate) result: CType,
}

/// A C type, as far as a specification distinguishes types. Numbers are sizes in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CType {
    Void,
    Float(u64),
    Signed(u64),
    Unsigned(u64),
    /// Type of the target, and true if the target is `const`.
    Pointer(Box<CType>, bool),
    /// A structure or array of this size in bytes.
    Aggregate(u64),
}

/// Maximum length of a chain of types, such as pointers to pointers.
const MAX_DEPTH: usize = 16;

impl<'a> DebugInfo<'a> {
    /// Returns `None` if the file has no debug information or is no ELF file.
    pub(crate) fn of(elf: &'a [u8]) -> Option<Self> {
        let dwarf = profile::load_dwarf(elf).ok()?;
        (!dwarf.debug_info.reader().is_empty()).then_some(DebugInfo { dwarf })
    }

    /// Returns the compiler and its options for the code at `address`.
    pub(crate) fn producer(&self, address: u32) -> Option<String> {
        let mut units = self.dwarf.units();
        while let Ok(Some(header)) = units.next() {
            let Ok(unit) = self.dwarf.unit(header) else {
                continue;
            };
            if self.covers(&unit, address.into()) {
                return self.unit_producer(&unit);
            }
        }
        None
    }

    fn covers(&self, unit: &gimli::Unit<Reader<'a>>, address: u64) -> bool {
        let Ok(mut ranges) = self.dwarf.unit_ranges(unit) else {
            return false;
        };
        while let Ok(Some(range)) = ranges.next() {
            if (range.begin..range.end).contains(&address) {
                return true;
            }
        }
        false
    }

    fn unit_producer(&self, unit: &gimli::Unit<Reader<'a>>) -> Option<String> {
        let mut entries = unit.entries();
        let (_, root) = entries.next_dfs().ok()??;
        self.text(unit, root, gimli::DW_AT_producer)
    }

    /// Returns the prototype of the function `name`, from its definition or a declaration.
    pub(crate) fn prototype(&self, name: &str) -> Option<Prototype> {
        let mut units = self.dwarf.units();
        while let Ok(Some(header)) = units.next() {
            let Ok(unit) = self.dwarf.unit(header) else {
                continue;
            };
            if let Some(found) = self.prototype_in(&unit, name) {
                return Some(found);
            }
        }
        None
    }

    fn prototype_in(&self, unit: &gimli::Unit<Reader<'a>>, name: &str) -> Option<Prototype> {
        let mut entries = unit.entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            let named = entry.tag() == gimli::DW_TAG_subprogram
                && self.text(unit, entry, gimli::DW_AT_name).as_deref() == Some(name);
            if named && entry.attr_value(gimli::DW_AT_prototyped).ok().flatten().is_some() {
                return self.prototype_at(unit, entry.offset());
            }
        }
        None
    }

    fn prototype_at(&self, unit: &gimli::Unit<Reader<'a>>, offset: UnitOffset) -> Option<Prototype> {
        let mut tree = unit.entries_tree(Some(offset)).ok()?;
        let root = tree.root().ok()?;
        let result = self.type_of(unit, root.entry());
        let mut parameters = Vec::new();
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            if entry.tag() == gimli::DW_TAG_formal_parameter {
                let name = self.text(unit, entry, gimli::DW_AT_name);
                let name = name.unwrap_or_else(|| format!("arg{}", parameters.len()));
                parameters.push((name, self.type_of(unit, entry)));
            }
        }
        Some(Prototype { parameters, result })
    }

    /// The type that `entry` refers to.
    fn type_of(&self, unit: &gimli::Unit<Reader<'a>>, entry: &Entry<'_, '_, 'a>) -> CType {
        match type_offset(entry) {
            Some(offset) => self.resolve(unit, offset, MAX_DEPTH).0,
            None => CType::Void,
        }
    }

    /// The type at `offset`, and whether it is `const`.
    fn resolve(&self, unit: &gimli::Unit<Reader<'a>>, offset: UnitOffset, depth: usize) -> (CType, bool) {
        let (Ok(entry), Some(depth)) = (unit.entry(offset), depth.checked_sub(1)) else {
            return (CType::Void, false);
        };
        let size = number(&entry, gimli::DW_AT_byte_size).unwrap_or(4);
        let inner = || match type_offset(&entry) {
            Some(offset) => self.resolve(unit, offset, depth),
            None => (CType::Void, false),
        };
        match entry.tag() {
            gimli::DW_TAG_const_type => (inner().0, true),
            gimli::DW_TAG_typedef | gimli::DW_TAG_volatile_type | gimli::DW_TAG_restrict_type => inner(),
            gimli::DW_TAG_pointer_type => {
                let (target, constant) = inner();
                (CType::Pointer(Box::new(target), constant), false)
            }
            gimli::DW_TAG_base_type => (base_type(&entry, size), false),
            gimli::DW_TAG_enumeration_type => (CType::Unsigned(size), false),
            // An array is represented by the type of its elements.
            gimli::DW_TAG_array_type => inner(),
            _ => (CType::Aggregate(size), false),
        }
    }

    fn text(
        &self,
        unit: &gimli::Unit<Reader<'a>>,
        entry: &Entry<'_, '_, 'a>,
        attribute: gimli::DwAt,
    ) -> Option<String> {
        let value = entry.attr_value(attribute).ok()??;
        let text = self.dwarf.attr_string(unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }
}

fn type_offset(entry: &Entry<'_, '_, '_>) -> Option<UnitOffset> {
    match entry.attr_value(gimli::DW_AT_type).ok()?? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

fn number(entry: &Entry<'_, '_, '_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr_value(attribute).ok()??.udata_value()
}

fn base_type(entry: &Entry<'_, '_, '_>, size: u64) -> CType {
    let encoding = match entry.attr_value(gimli::DW_AT_encoding) {
        Ok(Some(AttributeValue::Encoding(encoding))) => encoding,
        _ => gimli::DW_ATE_unsigned,
    };
    match encoding {
        gimli::DW_ATE_float => CType::Float(size),
        gimli::DW_ATE_signed | gimli::DW_ATE_signed_char => CType::Signed(size),
        _ => CType::Unsigned(size),
    }
}
