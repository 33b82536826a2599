//! Listings of SH-4 code: instructions with symbols, and literals as data.

use crate::elf::{Segment, Symbols};
use sh4::Mode;
use std::collections::BTreeMap;
use std::ops::Range;

/// FSCHG, which toggles FPSCR.SZ.
const FSCHG: u16 = 0xF3FD;

/// Disassembler for the code of a program, with its symbols.
///
/// The name of a branch's target follows the branch. A load of a literal is followed by the literal's value,
/// and by its symbol if the value is an address of the program. FPSCR.PR and SZ change the meaning of FPU
/// opcodes: each function starts with the mode `start`, and FSCHG toggles SZ for the following lines.
#[derive(Clone, Debug)]
pub struct Listing<'a> {
    /// Names of addresses.
    pub symbols: &'a Symbols,
    /// Address ranges of the program's memory. A literal inside them is shown with a symbol.
    pub memory: Vec<Range<u32>>,
    /// FPSCR.PR and SZ at the start of a function.
    pub start: Mode,
}

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingLine<'a> {
    /// Address of the instruction or literal.
    pub address: u32,
    /// Symbol at this address.
    pub symbol: Option<&'a str>,
    /// Address, opcode and instruction, or a literal as `.long` or `.word`.
    pub text: String,
}

impl<'a> Listing<'a> {
    /// Lists the code of a segment: calls `show` with each line for which `is_shown` accepts the address.
    pub fn list(
        &self,
        segment: &Segment,
        is_shown: impl Fn(u32) -> bool,
        mut show: impl FnMut(ListingLine<'a>),
    ) {
        let mut mode = self.start;
        let literals = literals(segment);
        let mut data_end = segment.address;
        for (i, opcode) in segment.bytes.as_chunks::<2>().0.iter().enumerate() {
            let pc = segment.address.wrapping_add(2 * i as u32);
            if pc < data_end {
                continue;
            }
            let opcode = u16::from_le_bytes(*opcode);
            if self.symbols.begins_function(pc) {
                mode = self.start;
            }
            if is_shown(pc) {
                let literal = literals.get(&pc).map(|literal| self.literal_line(pc, *literal));
                let symbol = self.symbols.before(pc).filter(|(_, offset)| *offset == 0);
                show(ListingLine {
                    address: pc,
                    symbol: symbol.map(|(name, _)| name),
                    text: literal.unwrap_or_else(|| self.instruction_line(pc, opcode, mode, &literals)),
                });
            }
            match literals.get(&pc) {
                Some(literal) => data_end = pc.wrapping_add(literal.bytes()),
                None => mode.sz ^= opcode == FSCHG,
            }
        }
    }

    fn instruction_line(
        &self,
        pc: u32,
        opcode: u16,
        mode: Mode,
        literals: &BTreeMap<u32, Literal>,
    ) -> String {
        let instruction = sh4::disassemble(opcode, pc, mode);
        let loaded = literal_of(opcode, pc).and_then(|(place, _)| literals.get(&place));
        let target = match loaded {
            Some(literal) => format!("  = {}", self.value(literal.value())),
            None => self.target(&instruction),
        };
        format!("{pc:08x}  {opcode:04x}  {instruction}{target}")
    }

    /// Formats a literal as a data directive.
    fn literal_line(&self, pc: u32, literal: Literal) -> String {
        match literal {
            Literal::Word(word) => format!("{pc:08x}  {word:04x}  .word {word:#06x}"),
            Literal::Long(long) => format!("{pc:08x}  {long:08x}  .long {}", self.value(long)),
        }
    }

    /// Formats a value, followed by its symbol if it is an address of the program.
    fn value(&self, value: u32) -> String {
        let is_inside = self.memory.iter().any(|range| range.contains(&value));
        match self.symbols.before(value).filter(|_| is_inside) {
            Some(_) => format!("{value:#010x}  <{}>", self.symbols.describe(value)),
            None => format!("{value:#010x}"),
        }
    }

    /// Returns the symbol of the address in an instruction's text, such as a branch target. Empty if there is
    /// none.
    fn target(&self, instruction: &str) -> String {
        let address = instruction
            .split_once("0x")
            .and_then(|(_, digits)| u32::from_str_radix(digits.trim_end_matches(')'), 16).ok());
        match address.and_then(|address| self.symbols.before(address).map(|_| address)) {
            Some(address) => format!("  <{}>", self.symbols.describe(address)),
            None => String::new(),
        }
    }
}

/// A constant that code loads relative to PC.
#[derive(Clone, Copy)]
enum Literal {
    Word(u16),
    Long(u32),
}

impl Literal {
    fn bytes(self) -> u32 {
        match self {
            Self::Word(_) => 2,
            Self::Long(_) => 4,
        }
    }

    /// Returns the value that the register gets: words are sign-extended.
    fn value(self) -> u32 {
        match self {
            Self::Word(word) => i32::from(word as i16) as u32,
            Self::Long(long) => long,
        }
    }
}

/// Returns address and size of the literal that MOV.W @(disp,PC) or MOV.L @(disp,PC) loads.
fn literal_of(opcode: u16, pc: u32) -> Option<(u32, u32)> {
    let displacement = u32::from(opcode & 0xFF);
    match opcode >> 12 {
        0x9 => Some((pc.wrapping_add(4 + 2 * displacement), 2)),
        0xD => Some(((pc & !3).wrapping_add(4 + 4 * displacement), 4)),
        _ => None,
    }
}

/// Returns the literals of a segment by address. Loads relative to PC only reach forwards, so one pass
/// distinguishes literals from code.
fn literals(segment: &Segment) -> BTreeMap<u32, Literal> {
    let mut found = BTreeMap::<u32, Literal>::new();
    let mut data_end = segment.address;
    for (i, opcode) in segment.bytes.as_chunks::<2>().0.iter().enumerate() {
        let pc = segment.address.wrapping_add(2 * i as u32);
        if let Some(literal) = found.get(&pc) {
            data_end = data_end.max(pc.wrapping_add(literal.bytes()));
        }
        if pc < data_end {
            continue;
        }
        let Some((place, bytes)) = literal_of(u16::from_le_bytes(*opcode), pc) else {
            continue;
        };
        let offset = place.wrapping_sub(segment.address) as usize;
        let rest = segment.bytes.get(offset..).unwrap_or_default();
        let literal = match bytes {
            2 => rest
                .first_chunk()
                .map(|bytes| Literal::Word(u16::from_le_bytes(*bytes))),
            _ => rest
                .first_chunk()
                .map(|bytes| Literal::Long(u32::from_le_bytes(*bytes))),
        };
        if let Some(literal) = literal {
            found.entry(place).or_insert(literal);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long and a word follow the code. The first half of the long would be a load if it were code.
    #[test]
    fn literals_are_data() {
        let words: [u16; 8] = [0xD001, 0x9102, 0x000B, 0x0009, 0xD000, 0x8C01, 0xFFFE, 0x0009];
        let segment = Segment {
            address: 0x8C01_0000,
            bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            size: 16,
            executable: true,
        };
        let found: Vec<(u32, u32, u32)> = literals(&segment)
            .into_iter()
            .map(|(place, literal)| (place, literal.bytes(), literal.value()))
            .collect();
        let expected = [(0x8C01_0008, 4, 0x8C01_D000), (0x8C01_000A, 2, 0xFFFF_8C01)];
        assert_eq!(found, expected);
        let listing = Listing {
            symbols: &Symbols::default(),
            memory: Vec::new(),
            start: Mode::default(),
        };
        let mut lines = Vec::new();
        listing.list(&segment, |pc| pc != 0x8C01_0002, |line| lines.push(line.text));
        assert_eq!(
            lines[0],
            "8c010000  d001  mov.l @(4,pc),r0 ! 0x8c010008  = 0x8c01d000"
        );
        assert_eq!(lines[3], "8c010008  8c01d000  .long 0x8c01d000");
        assert!(lines[4].starts_with("8c01000c  fffe  "), "{lines:?}");
    }
}
