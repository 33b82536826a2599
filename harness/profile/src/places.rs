//! Names of addresses: functions, source lines, code.

use sh4::{Mode, disassemble};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// File name from the debug information.
    pub file: Arc<str>,
    /// Counted from 1.
    pub line: u32,
}

/// Names for addresses.
#[derive(Clone, Debug, Default)]
pub struct Places {
    symbols: BTreeMap<u32, String>,
    /// Names and ends of functions, if the file marks symbols as functions.
    functions: BTreeMap<u32, (u32, String)>,
    lines: BTreeMap<u32, Option<SourceLine>>,
}

impl Places {
    /// Creates names from symbols by address. Without [`Places::set_functions`], every symbol except an
    /// assembler label begins a function.
    pub fn new<'a>(symbols: impl IntoIterator<Item = (u32, &'a str)>) -> Places {
        Places {
            symbols: symbols
                .into_iter()
                .map(|(address, name)| (address, name.to_owned()))
                .collect(),
            ..Places::default()
        }
    }

    /// Adds source lines. Each covers the addresses up to the next entry.
    pub fn set_lines(&mut self, lines: BTreeMap<u32, Option<SourceLine>>) {
        self.lines = lines;
    }

    /// Sets the functions: start, end and name. Labels inside them do not count as functions.
    pub fn set_functions(&mut self, functions: BTreeMap<u32, (u32, String)>) {
        self.functions = functions;
    }

    /// Moves the names in a range by `by` bytes.
    pub fn shift(&mut self, range: std::ops::Range<u32>, by: u32) {
        let moved = |at: u32| {
            if range.contains(&at) {
                at.wrapping_add(by)
            } else {
                at
            }
        };
        self.symbols = std::mem::take(&mut self.symbols)
            .into_iter()
            .map(|(at, name)| (moved(at), name))
            .collect();
        self.functions = std::mem::take(&mut self.functions)
            .into_iter()
            .map(|(at, (end, name))| (moved(at), (moved(end - 1) + 1, name)))
            .collect();
        self.lines = std::mem::take(&mut self.lines)
            .into_iter()
            .map(|(at, line)| (moved(at), line))
            .collect();
    }

    /// Returns whether any source line is known.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the source line of an address.
    #[must_use]
    pub fn line(&self, address: u32) -> Option<&SourceLine> {
        self.lines.range(..=address).next_back()?.1.as_ref()
    }

    /// Formats an address as `symbol`, `symbol+0x12`, or a number.
    #[must_use]
    pub fn describe(&self, address: u32) -> String {
        match self.symbols.range(..=address).next_back() {
            Some((start, name)) if *start == address => name.clone(),
            Some((start, name)) if address - start < 0x10_0000 => format!("{name}+{:#x}", address - start),
            _ => format!("{address:08x}"),
        }
    }

    /// Returns start and name of the function that contains an address. Assembler labels (`.L`, digits) do
    /// not count as functions.
    #[must_use]
    pub fn function(&self, address: u32) -> (u32, String) {
        let known = self.functions.range(..=address).next_back();
        if let Some((start, (_, name))) = known.filter(|(_, (end, _))| address < *end) {
            return (*start, name.clone());
        }
        let mut before = self.symbols.range(..=address).rev();
        let function = before
            .find(|(_, name)| !name.starts_with('.') && !name.starts_with(|c: char| c.is_ascii_digit()));
        match function {
            Some((start, name)) if address - start < 0x10_0000 => (*start, name.clone()),
            _ => (address & !0xFFF, format!("{:08x}", address & !0xFFF)),
        }
    }
}

/// Disassembles an executed instruction.
#[must_use]
pub fn instruction(opcode: u16, pc: u32, id: sh4::table::Id) -> String {
    // Finds the mode in which the opcode decodes to `id`.
    let mode = Mode::ALL
        .into_iter()
        .find(|mode| sh4::decode(opcode, pc, *mode).is_some_and(|op| op.id == id));
    disassemble(opcode, pc, mode.unwrap_or_default())
}
