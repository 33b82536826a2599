//! `swirl disasm`: disassembles an ELF file with symbols.

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input;
use crate::processors::EM_ARM;
use crate::sources::Sources;
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use machine::{Image, Segment};
use profile::{Places, SourceLine, source_lines};
use sh4::Mode;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify::{arm7, did_you_mean_symbol};

/// FSCHG, which toggles FPSCR.SZ.
const FSCHG: u16 = 0xF3FD;

/// Disassemble the code of an SH-4 or ARM ELF file, with symbols.
///
/// Each line has the address, the opcode and the instruction. If a branch refers to a symbol, its name
/// follows. A load of a literal shows its value, and its symbol if it is an address; literals are listed as
/// .long and .word. ARM code has a note for instructions that the ARM7DI does not execute. FPSCR.PR and SZ
/// change the meaning of FPU opcodes: each function starts with the state given by --pr and --sz, and FSCHG
/// changes SZ for the following lines.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl disasm roms/kernels.elf --symbol transform_points\n  \
    swirl disasm game.elf --symbol main --source=src"
)]
pub(crate) struct Args {
    /// ELF file to disassemble.
    elf: PathBuf,
    /// Show only this symbol, up to the next one; with or without the leading underscore.
    #[arg(long)]
    symbol: Option<String>,
    /// Show source lines from the debug information. Reads files only below the working folder and FOLDER.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    source: Option<PathBuf>,
    /// Start functions with double precision (FPSCR.PR = 1).
    #[arg(long)]
    pr: bool,
    /// Start functions with FMOV of pairs (FPSCR.SZ = 1).
    #[arg(long)]
    sz: bool,
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let name = args.elf.display();
    let bytes = input::read(&args.elf)?;
    input::expect_elf("disasm", &args.elf, &bytes)?;
    let arm = machine::elf_machine(&bytes).with_context(|| format!("{name}"))? == EM_ARM;
    GivenOptions(matches).warn(arm, &["pr", "sz"], &format!("on {name}, which is ARM code"));
    let image = if arm {
        arm7::parse(&bytes).map_err(anyhow::Error::from)
    } else {
        Image::parse(&bytes).map_err(anyhow::Error::from)
    };
    let image = image.with_context(|| format!("{name}"))?;
    let only = match &args.symbol {
        Some(symbol) => match image.symbols.address(symbol) {
            Some(address) => Some((address, function_end(&image, address, arm))),
            None => bail!(
                "{name}: no symbol {symbol} or _{symbol}{}",
                did_you_mean_symbol(symbol, &image.symbols)
            ),
        },
        None => None,
    };
    let mut listing = Listing {
        image: &image,
        shown: match only {
            Some((start, end)) => std::iter::once(start..end).collect(),
            None => machine::code_sections(&bytes).with_context(|| format!("{name}"))?,
        },
        start: Mode {
            pr: args.pr,
            sz: args.sz,
        },
        text: String::new(),
        source: args
            .source
            .as_deref()
            .map(|folder| SourceText::new(&bytes, folder))
            .transpose()?,
    };
    for segment in image.segments.iter().filter(|segment| segment.executable) {
        match arm {
            true => listing.arm_segment(segment)?,
            false => listing.segment(segment)?,
        }
    }
    print!("{}", listing.text);
    Ok(ExitStatus::Done)
}

/// Returns the start of the next function after `start`. Local labels belong to the function around them. ARM
/// assembly has functions without a type, so every symbol counts.
fn function_end(image: &Image, start: u32, arm: bool) -> u32 {
    let addresses = image.symbols.iter().map(|(address, _)| address);
    let begins = |address: &u32| *address > start && (arm || image.symbols.begins_function(*address));
    addresses.filter(begins).min().unwrap_or(u32::MAX)
}

struct Listing<'a> {
    image: &'a Image,
    /// FPSCR.PR and SZ at the start of a function.
    start: Mode,
    text: String,
    source: Option<SourceText>,
    /// Address ranges to list; empty for all.
    shown: Vec<Range<u32>>,
}

/// Source lines of a program.
struct SourceText {
    places: Places,
    sources: Sources,
    /// Lines of requested files; `None` for unreadable files.
    files: BTreeMap<Arc<str>, Vec<String>>,
    last: Option<SourceLine>,
}

impl SourceText {
    fn new(elf: &[u8], folder: &Path) -> Result<Self> {
        let mut places = Places::default();
        places.set_lines(source_lines(elf)?);
        if !places.has_lines() {
            bail!("--source: no debug information; compile and assemble with -g");
        }
        Ok(Self {
            places,
            sources: Sources::new(&[folder.to_owned()]),
            files: BTreeMap::new(),
            last: None,
        })
    }

    /// Returns `file:line: text` if the line differs from the previous instruction's.
    fn at(&mut self, pc: u32) -> Option<String> {
        let line = self.places.line(pc)?.clone();
        if self.last.as_ref() == Some(&line) {
            return None;
        }
        let sources = &self.sources;
        let lines = self
            .files
            .entry(line.file.clone())
            .or_insert_with(|| read_lines(sources, &line.file));
        let text = lines
            .get((line.line as usize).wrapping_sub(1))
            .map_or("", |text| text.trim_end());
        let shown = format!("; {}:{}: {text}", line.file, line.line);
        self.last = Some(line);
        Some(shown.trim_end_matches([':', ' ']).to_owned())
    }
}

fn read_lines(sources: &Sources, file: &str) -> Vec<String> {
    let name = Path::new(file).file_name().unwrap_or_default();
    let text = sources.read(file).or_else(|| sources.read(name.to_str()?));
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}

impl Listing<'_> {
    fn is_shown(&self, pc: u32) -> bool {
        let after = self.shown.partition_point(|range| range.start <= pc);
        self.shown.is_empty() || self.shown[..after].last().is_some_and(|range| pc < range.end)
    }

    fn segment(&mut self, segment: &Segment) -> Result<()> {
        let mut mode = self.start;
        let literals = literals(segment);
        let mut data_end = segment.address;
        for (i, opcode) in segment.bytes.as_chunks::<2>().0.iter().enumerate() {
            let pc = segment.address.wrapping_add(2 * i as u32);
            if pc < data_end {
                continue;
            }
            let opcode = u16::from_le_bytes(*opcode);
            let symbol = self.image.symbols.before(pc).filter(|(_, offset)| *offset == 0);
            if self.image.symbols.begins_function(pc) {
                mode = self.start;
            }
            if self.is_shown(pc) {
                if let Some((name, _)) = symbol {
                    writeln!(self.text, "\n{pc:08x} <{name}>:")?;
                }
                if let Some(line) = self.source.as_mut().and_then(|source| source.at(pc)) {
                    writeln!(self.text, "{line}")?;
                }
                let literal = literals.get(&pc).map(|literal| self.literal_line(pc, *literal));
                let line = literal.unwrap_or_else(|| {
                    let instruction = sh4::disassemble(opcode, pc, mode);
                    let loaded = literal_of(opcode, pc).and_then(|(place, _)| literals.get(&place));
                    let target = match loaded {
                        Some(literal) => format!("  = {}", self.value(literal.value())),
                        None => self.target(&instruction),
                    };
                    format!("{pc:08x}  {opcode:04x}  {instruction}{target}")
                });
                writeln!(self.text, "{line}")?;
            }
            match literals.get(&pc) {
                Some(literal) => data_end = pc.wrapping_add(literal.bytes()),
                None => mode.sz ^= opcode == FSCHG,
            }
        }
        Ok(())
    }

    fn arm_segment(&mut self, segment: &Segment) -> Result<()> {
        for (i, opcode) in segment.bytes.as_chunks::<4>().0.iter().enumerate() {
            let pc = segment.address.wrapping_add(4 * i as u32);
            if !self.is_shown(pc) {
                continue;
            }
            if let Some((name, 0)) = self.image.symbols.before(pc) {
                writeln!(self.text, "\n{pc:08x} <{name}>:")?;
            }
            let opcode = u32::from_le_bytes(*opcode);
            let target = match arm_branch(opcode, pc) {
                Some(address) => format!("  <{}>", self.image.symbols.describe(address)),
                None => String::new(),
            };
            writeln!(
                self.text,
                "{pc:08x}  {opcode:08x}  {}{target}",
                arm7::disassemble(opcode)
            )?;
        }
        Ok(())
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
        let segments = &self.image.segments;
        let is_inside = segments
            .iter()
            .any(|segment| value.wrapping_sub(segment.address) < segment.size);
        match self.image.symbols.before(value).filter(|_| is_inside) {
            Some(_) => format!("{value:#010x}  <{}>", self.image.symbols.describe(value)),
            None => format!("{value:#010x}"),
        }
    }

    /// Returns the name of the address that an instruction refers to.
    fn target(&self, instruction: &str) -> String {
        let address = instruction
            .split_once("0x")
            .and_then(|(_, digits)| u32::from_str_radix(digits.trim_end_matches(')'), 16).ok());
        match address.and_then(|address| self.image.symbols.before(address).map(|_| address)) {
            Some(address) => format!("  <{}>", self.image.symbols.describe(address)),
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

/// Returns the literals of a segment. Every literal follows the code that loads it. One pass is therefore
/// enough to distinguish literals from code.
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

/// Returns the target of a B or BL: a 24-bit word offset, relative to the address plus 8.
fn arm_branch(opcode: u32, pc: u32) -> Option<u32> {
    let offset = ((opcode << 8) as i32 >> 6) as u32;
    (opcode >> 25 & 7 == 5 && opcode >> 28 != 15).then(|| pc.wrapping_add(8).wrapping_add(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long and a word after the code, and a word in a long that would load another one if it were code.
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
        let image = Image::default();
        let mut listing = Listing {
            image: &image,
            start: Mode::default(),
            text: String::new(),
            source: None,
            shown: Vec::new(),
        };
        assert!(listing.segment(&segment).is_ok());
        let lines: Vec<&str> = listing.text.lines().collect();
        assert_eq!(
            lines[0],
            "8c010000  d001  mov.l @(4,pc),r0 ! 0x8c010008  = 0x8c01d000"
        );
        assert_eq!(lines[4], "8c010008  8c01d000  .long 0x8c01d000");
        assert!(lines[5].starts_with("8c01000c  fffe  "), "{}", listing.text);
    }
}
