//! `swirl disasm`: disassembles an ELF file with symbols.

use crate::console;
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input;
use crate::limits::SOURCE_LINE;
use crate::processors::EM_ARM;
use crate::sources::Sources;
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use machine::{Image, ListingLine, Segment};
use profile::{Places, SourceLine, source_lines};
use sh4::Mode;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify::{arm7, did_you_mean_symbol};

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
        source: args
            .source
            .as_deref()
            .map(|folder| SourceText::new(&bytes, folder))
            .transpose()?,
    };
    console::write_long(|out| {
        let mut segments = image.segments.iter().filter(|segment| segment.executable);
        segments.try_for_each(|segment| match arm {
            true => listing.arm_segment(segment, out),
            false => listing.segment(segment, out),
        })
    });
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
    let cut = |line: &str| line.chars().take(SOURCE_LINE).collect();
    text.unwrap_or_default().lines().map(cut).collect()
}

impl Listing<'_> {
    fn is_shown(&self, pc: u32) -> bool {
        let after = self.shown.partition_point(|range| range.start <= pc);
        self.shown.is_empty() || self.shown[..after].last().is_some_and(|range| pc < range.end)
    }

    fn segment(&mut self, segment: &Segment, out: &mut dyn Write) -> io::Result<()> {
        let listing = machine::Listing {
            symbols: &self.image.symbols,
            memory: self.image.memory(),
            start: self.start,
        };
        let mut source = self.source.take();
        let mut print = |line: ListingLine<'_>| {
            if let Some(name) = line.symbol {
                writeln!(out, "\n{:08x} <{name}>:", line.address)?;
            }
            if let Some(text) = source.as_mut().and_then(|source| source.at(line.address)) {
                writeln!(out, "{text}")?;
            }
            writeln!(out, "{}", line.text)
        };
        let mut written = Ok(());
        listing.list(
            segment,
            |pc| self.is_shown(pc),
            |line| {
                if written.is_ok() {
                    written = print(line);
                }
            },
        );
        self.source = source;
        written
    }

    fn arm_segment(&self, segment: &Segment, out: &mut dyn Write) -> io::Result<()> {
        for (i, opcode) in segment.bytes.as_chunks::<4>().0.iter().enumerate() {
            let pc = segment.address.wrapping_add(4 * i as u32);
            if !self.is_shown(pc) {
                continue;
            }
            if let Some((name, 0)) = self.image.symbols.before(pc) {
                writeln!(out, "\n{pc:08x} <{name}>:")?;
            }
            let opcode = u32::from_le_bytes(*opcode);
            let target = match arm_branch(opcode, pc) {
                Some(address) => format!("  <{}>", self.image.symbols.describe(address)),
                None => String::new(),
            };
            writeln!(
                out,
                "{pc:08x}  {opcode:08x}  {}{target}",
                arm7::disassemble(opcode)
            )?;
        }
        Ok(())
    }
}

/// Returns the target of a B or BL: a 24-bit word offset, relative to the address plus 8.
fn arm_branch(opcode: u32, pc: u32) -> Option<u32> {
    let offset = ((opcode << 8) as i32 >> 6) as u32;
    (opcode >> 25 & 7 == 5 && opcode >> 28 != 15).then(|| pc.wrapping_add(8).wrapping_add(offset))
}
