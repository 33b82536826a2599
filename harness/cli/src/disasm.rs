//! `swirl disasm`: an ELF's code with symbols.

use crate::Outcome;
use anyhow::{Context, Result, bail};
use machine::Image;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Disassemble the code of an SH-4 ELF file, with symbols.
///
/// Each line is the address, the opcode, the instruction and, where a branch or a literal leads somewhere with a
/// name, that name. FPU opcodes mean different things by FPSCR.PR and SZ: choose with --pr and --sz.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  swirl disasm roms/kernels.elf --symbol transform_points")]
pub(crate) struct Args {
    /// The ELF file.
    elf: PathBuf,
    /// Only this symbol, up to the next one; with or without the leading underscore.
    #[arg(long)]
    symbol: Option<String>,
    /// Read FPU arithmetic as double precision (FPSCR.PR = 1).
    #[arg(long)]
    pr: bool,
    /// Read FMOV as pairs (FPSCR.SZ = 1).
    #[arg(long)]
    sz: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let name = args.elf.display();
    let bytes = std::fs::read(&args.elf).with_context(|| format!("{name}"))?;
    let image = Image::parse(&bytes).with_context(|| format!("{name}"))?;
    let only = match &args.symbol {
        Some(symbol) => match image.symbols.address(symbol) {
            Some(address) => Some((address, function_end(&image, address))),
            None => bail!("{name}: no symbol {symbol} or _{symbol}"),
        },
        None => None,
    };
    let mut listing = String::new();
    for segment in image.segments.iter().filter(|segment| segment.executable) {
        for (i, opcode) in segment.bytes.as_chunks::<2>().0.iter().enumerate() {
            let pc = segment.address.wrapping_add(2 * i as u32);
            if only.is_some_and(|(start, end)| pc < start || pc >= end) {
                continue;
            }
            line(&mut listing, &image, pc, u16::from_le_bytes(*opcode), args)?;
        }
    }
    print!("{listing}");
    Ok(Outcome::Done)
}

/// The next global symbol after `start`: local labels belong to the function that they stand in.
fn function_end(image: &Image, start: u32) -> u32 {
    let next = image.symbols.iter().map(|(address, name)| (address, name.starts_with('_')));
    next.filter(|(address, global)| *address > start && *global).map(|(address, _)| address).min().unwrap_or(u32::MAX)
}

fn line(listing: &mut String, image: &Image, pc: u32, opcode: u16, args: &Args) -> Result<()> {
    if let Some((symbol, 0)) = image.symbols.before(pc) {
        writeln!(listing, "\n{pc:08x} <{symbol}>:")?;
    }
    let mode = sh4::Mode { pr: args.pr, sz: args.sz };
    writeln!(listing, "{pc:08x}  {opcode:04x}  {}", sh4::disassemble(opcode, pc, mode))?;
    Ok(())
}
