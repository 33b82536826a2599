//! What is profiled, and how its arguments read.

use super::Args;
use anyhow::{Context, Result, bail};
use machine::{Image, Machine};
use profile::{DESCRIPTIONS, Parameters, Places, Setup, source_lines};
use sh4_kernels::{Case, KERNELS, Kernel, Rng, find};
use std::fmt::Write as _;
use verify::{Emulated, KERNELS_ELF};

/// Something that can be run again and again.
pub(super) struct Target {
    /// What reports call it.
    pub(super) title: String,
    pub(super) places: Places,
    pub(super) code: Code,
    pub(super) setup: Setup,
}

pub(super) enum Code {
    /// A kernel with generated arguments.
    Kernel(Box<Emulated>, &'static Kernel, Case),
    /// A function, its entry and its arguments.
    Function(Box<Machine>, u32, Vec<u32>),
    /// A program and its entry.
    Program(Box<Machine>, u32),
}

impl Target {
    pub(super) fn open(args: &Args) -> Result<Target> {
        let (title, image, bytes, mut code) = match (&args.name, &args.elf) {
            (Some(name), _) => kernel(name, args.seed)?,
            (None, Some(path)) => {
                let name = path.display().to_string();
                let bytes = std::fs::read(path).with_context(|| name.clone())?;
                let image = Image::parse(&bytes).with_context(|| name.clone())?;
                let code = elf(&name, &image, args)?;
                (args.call.clone().unwrap_or(name), image, bytes, code)
            }
            (None, None) => bail!("name a kernel, or an ELF file with --elf"),
        };
        let mut places = Places::new(image.symbols.iter());
        places.set_lines(source_lines(&bytes).with_context(|| title.clone())?);
        for place in &args.swap {
            swap(&mut code, address(place, &image)?)?;
        }
        let mut parameters = Parameters::default();
        for set in &args.set {
            let (name, value) = set
                .split_once('=')
                .with_context(|| format!("--set {set}: expected NAME=VALUE"))?;
            parameters.set(name, value)?;
        }
        let setup = Setup {
            parameters,
            caches: profile::memory::CacheSettings::from_ccr(args.ccr),
            qacr: code.qacr(),
            region: args
                .region
                .as_deref()
                .map(|region| span(region, &image))
                .transpose()?,
        };
        Ok(Target {
            title,
            places,
            code,
            setup,
        })
    }
}

impl Code {
    /// QACR0 and QACR1 as the code will find them.
    fn qacr(&self) -> [u32; 2] {
        match self {
            // The kernels find the store queues set towards the tile accelerator.
            Code::Kernel(..) => [0x10; 2],
            Code::Function(..) | Code::Program(..) => [0; 2],
        }
    }

    pub(super) fn machine(&mut self) -> &mut Machine {
        match self {
            Code::Kernel(emulated, ..) => emulated.machine_mut(),
            Code::Function(machine, ..) | Code::Program(machine, _) => machine,
        }
    }
}

fn kernel(name: &str, seed: u64) -> Result<(String, Image, Vec<u8>, Code)> {
    let Some(kernel) = find(name) else {
        let known: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        bail!("no kernel {name}; there are {}", known.join(", "));
    };
    let case = (kernel.generate)(&mut Rng::new(seed));
    let code = Code::Kernel(Box::new(Emulated::new()?), kernel, case);
    Ok((
        name.to_owned(),
        Image::parse(KERNELS_ELF)?,
        KERNELS_ELF.to_vec(),
        code,
    ))
}

fn elf(name: &str, image: &Image, args: &Args) -> Result<Code> {
    let mut machine = Machine::new();
    machine.load(image).with_context(|| name.to_owned())?;
    let Some(symbol) = &args.call else {
        return Ok(Code::Program(Box::new(machine), image.entry));
    };
    if image.symbols.iter().next().is_none() {
        bail!("{name}: has no symbols; link it without -s, or leave --call away to run it from its entry");
    }
    let entry = image.symbols.address(symbol);
    let entry = entry.with_context(|| format!("{name}: no symbol {symbol} or _{symbol}"))?;
    Ok(Code::Function(Box::new(machine), entry, args.args.clone()))
}

/// A 32-bit number, decimal or with 0x hexadecimal.
pub(super) fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("found {text}, expected a 32-bit number, decimal or 0x hexadecimal"))
}

/// `symbol`, `symbol+offset` or an address.
fn address(text: &str, image: &Image) -> Result<u32> {
    if let Ok(address) = number(text) {
        return Ok(address);
    }
    let (symbol, offset) = text.split_once('+').unwrap_or((text, "0"));
    let start = image
        .symbols
        .address(symbol)
        .with_context(|| format!("no symbol {symbol} or _{symbol}"))?;
    let offset = number(offset).map_err(anyhow::Error::msg)?;
    Ok(start.wrapping_add(offset))
}

fn span(text: &str, image: &Image) -> Result<(u32, u32)> {
    let (from, to) = text
        .split_once("..")
        .with_context(|| format!("--region {text}: expected FROM..TO"))?;
    Ok((address(from, image)?, address(to, image)?))
}

/// Exchanges two instructions, if neither leads elsewhere or reads by its own place.
fn swap(code: &mut Code, address: u32) -> Result<()> {
    let memory = code.machine().memory_mut();
    let mut bytes = [0; 4];
    bytes.copy_from_slice(memory.read(address, 4)?);
    let opcode = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    for (at, opcode) in [(address, opcode(0)), (address.wrapping_add(2), opcode(2))] {
        let text = sh4::disassemble(opcode, at, sh4::Mode::default());
        let op = sh4::decode(opcode, at, sh4::Mode::default());
        let fixed = op
            .and_then(|op| op.row())
            .is_some_and(|row| row.has(sh4::table::flag::NO_SLOT));
        if fixed {
            bail!("--swap: {text} at {at:08x} depends on its place");
        }
    }
    bytes.rotate_left(2);
    memory.write(address, &bytes)?;
    Ok(())
}

/// The model's open figures, for `--set help`.
pub(super) fn parameters() -> String {
    let mut text = String::new();
    for d in DESCRIPTIONS {
        let unit = d.unit;
        let _ = writeln!(
            text,
            "{} = {} ({} to {}; confidence {})\n    {}",
            d.name,
            unit.text(d.default),
            unit.text(d.low),
            unit.text(d.high),
            d.confidence,
            d.evidence
        );
    }
    text
}
