//! Code of a program: source lines and disassembly.

use crate::Failure;
use dreamcast::Dreamcast;
use machine::{Image, Listing, Segment, code_sections};
use profile::{Places, source_lines};
use serde::Serialize;
use std::ops::Range;

/// Maximum number of bytes that are disassembled around an address.
const MOST_BYTES: u32 = 4096;
/// Bytes before an address without a symbol.
const BEFORE: u32 = 64;

/// A place in the program.
#[derive(Clone, Debug, Serialize)]
pub struct CodePlace {
    address: String,
    /// Symbol with offset; `no symbol` if there is no symbol at or before the address.
    symbol: String,
    /// File name from the debug information.
    file: Option<String>,
    line: Option<u32>,
}

/// A line of a disassembly.
#[derive(Clone, Debug, Serialize)]
struct CodeLine {
    /// Symbol at this address.
    symbol: Option<String>,
    /// `file:line`, if the previous instruction has another line.
    source: Option<String>,
    text: String,
    /// Set for the next instruction of the program.
    next: bool,
}

/// Disassembly around an address.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Disassembly {
    /// Function, or the address if it has no symbol.
    function: String,
    lines: Vec<CodeLine>,
}

/// Code of the loaded program.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) places: Places,
    memory: Vec<Range<u32>>,
    /// Sections with code.
    pub(crate) code: Vec<Range<u32>>,
}

impl Code {
    /// Reads the debug information of an ELF file. Lines are unknown if the file has no debug information, or
    /// if it is damaged; damage also returns a warning.
    pub(crate) fn of_elf(bytes: &[u8], image: &Image) -> (Self, Option<String>) {
        let mut places = Places::new(image.symbols.iter());
        let warning = match source_lines(bytes) {
            Ok(lines) => {
                places.set_lines(lines);
                None
            }
            Err(error) => Some(format!("no source lines: {error}")),
        };
        let code = Self {
            places,
            memory: image.memory(),
            code: code_sections(bytes).unwrap_or_default(),
        };
        (code, warning)
    }

    /// Describes an address.
    pub(crate) fn place(&self, console: &Dreamcast, address: u32) -> CodePlace {
        let line = self.places.line(address);
        CodePlace {
            address: format!("{address:08x}"),
            symbol: console.symbols().describe(address),
            file: line.map(|line| line.file.to_string()),
            line: line.map(|line| line.line),
        }
    }

    /// Disassembles the function at a symbol, at an address in hexadecimal, or at PC. Reads the console's
    /// memory, so that code that the program has changed or loaded is shown.
    pub(crate) fn disassemble(&self, console: &mut Dreamcast, place: &str) -> Result<Disassembly, Failure> {
        let pc = console.cpu.pc;
        let at = self.address(console, place)? & !1;
        let mut range = function_range(console, at);
        if let Some(section) = self.code.iter().find(|section| section.contains(&at)) {
            range.end = range.end.min(section.end);
        }
        let bytes = range.clone().map_while(|address| console.peek(address)).collect();
        let segment = Segment {
            address: range.start,
            bytes,
            size: range.end - range.start,
            executable: true,
        };
        let symbols = console.symbols();
        let listing = Listing {
            symbols,
            memory: self.memory.clone(),
            start: sh4::Mode::default(),
        };
        let (mut lines, mut last) = (Vec::new(), None);
        listing.list(
            &segment,
            |_| true,
            |line| {
                let source = self.places.line(line.address);
                let shown = source.filter(|_| source != last);
                last = source.or(last);
                lines.push(CodeLine {
                    symbol: line.symbol.map(str::to_owned),
                    source: shown.map(|source| format!("{}:{}", source.file, source.line)),
                    text: line.text,
                    next: line.address == pc,
                });
            },
        );
        if lines.is_empty() {
            return Err(Failure::new(format!(
                "{at:08x}: found no memory, expected code of the program"
            )));
        }
        let function = symbols.before(at).map(|(name, _)| name.to_owned());
        Ok(Disassembly {
            function: function.unwrap_or_else(|| format!("{at:08x}")),
            lines,
        })
    }

    fn address(&self, console: &Dreamcast, place: &str) -> Result<u32, Failure> {
        let place = place.trim();
        if place.is_empty() {
            return Ok(console.cpu.pc);
        }
        let digits = place.trim_start_matches("0x");
        let named = console.symbols().address(place);
        named
            .or_else(|| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| {
                Failure::new(format!(
                    "found {place:?}, expected a function of the program or an address in hexadecimal"
                ))
            })
    }
}

/// Returns the addresses of the function that contains `at`, or its surroundings.
fn function_range(console: &Dreamcast, at: u32) -> Range<u32> {
    let symbols = console.symbols();
    let starts = symbols.iter().map(|(address, _)| address);
    let mut functions = starts.filter(|address| symbols.begins_function(*address));
    let (mut start, mut end) = (None, u32::MAX);
    for address in functions.by_ref() {
        if address > at {
            end = address;
            break;
        }
        start = Some(address);
    }
    let near = |start: &u32| at - start < MOST_BYTES;
    match start.filter(near) {
        Some(start) => start..end.min(start.saturating_add(MOST_BYTES)),
        None => at.saturating_sub(BEFORE)..at.saturating_add(MOST_BYTES / 8),
    }
}
