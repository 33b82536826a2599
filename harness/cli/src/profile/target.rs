//! The code to profile.

use super::Args;
use super::change::Change;
use super::place::{address, part, region, with_shown_names};
use crate::input;
use crate::processors::RomFile;
use anyhow::{Context, Result, bail};
use machine::{Entry, Image, Machine, dcload};
use profile::view::Part;
use profile::{Places, functions, source_lines};
use sh4_kernels::{Case, KERNELS, Kernel, Rng, find};
use std::ops::Range;
use std::path::Path;
use timing::memory::CacheSettings;
use timing::{Setup, Table};
use verify::user::{Spec, UserCall, entry_fpscr};
use verify::{Emulated, OpenError, QACR, Rom, SH4, did_you_mean_or_all, did_you_mean_symbol};

/// A target that can be run repeatedly.
pub(super) struct Target {
    /// Name in reports.
    pub(super) title: String,
    pub(super) places: Places,
    pub(super) code: Code,
    pub(super) setup: Setup,
    pub(super) ccr: u32,
    /// Addresses of the program.
    pub(super) span: Range<u32>,
    /// Distance in bytes by which the cycle model moves the program.
    pub(super) moved: u32,
    /// Addresses of exchanged instructions.
    pub(super) swapped: Vec<u32>,
    /// Part of the run in the timeline.
    pub(super) timeline: Part,
}

pub(super) enum Code {
    /// A kernel with generated arguments.
    Kernel(Box<Emulated>, &'static Kernel, Case),
    /// A function with its entry address and initial registers.
    Function(Box<Machine>, u32, Box<Entry>),
    /// A kernel of a specification, with the arguments of verification.
    User(Box<UserCall>),
    /// A program with its entry address.
    Program(Box<Machine>, u32),
}

impl Target {
    /// Opens the target that `args` names, and applies `changes`.
    pub(super) fn open(args: &Args, changes: &[Change]) -> Result<Target> {
        let rom = args.rom.as_deref().map(RomFile::read).transpose()?;
        let (title, bytes) = match (&args.name, &args.elf) {
            (_, Some(path)) => {
                let name = path.display().to_string();
                let bytes = input::read(path)?;
                (title(args).unwrap_or(name), bytes)
            }
            (Some(name), None) => (
                name.clone(),
                rom.as_ref().map_or(SH4.rom, RomFile::rom).bytes.to_vec(),
            ),
            (None, None) => bail!("name a kernel, or an ELF file with --elf"),
        };
        let image = Image::parse(&bytes).with_context(|| title.clone())?;
        let code = match (&args.name, &args.elf) {
            (Some(name), Some(path)) => user(name, path, &bytes, args)?,
            (None, Some(path)) => elf(path, &bytes, &image, args)?,
            (name, None) => {
                let rom = rom.as_ref().map_or(SH4.rom, RomFile::rom);
                kernel(name.as_deref().unwrap_or_default(), args.seed.unwrap_or(1), rom)?
            }
        };
        let mut places = Places::new(image.symbols.iter());
        places.set_functions(with_shown_names(
            functions(&bytes).with_context(|| title.clone())?,
        ));
        places.set_lines(source_lines(&bytes).with_context(|| title.clone())?);
        let setup = Setup {
            qacr: code.qacr(),
            region: args
                .region
                .as_deref()
                .map(|text| region(text, &image))
                .transpose()?,
            ..Setup::default()
        };
        let mut target = Target {
            title,
            places,
            code,
            setup,
            ccr: args.ccr,
            span: span(&image),
            moved: 0,
            swapped: Vec::new(),
            timeline: part(&args.timeline, &image)?,
        };
        target.setup.caches = CacheSettings::from_ccr(args.ccr);
        for change in changes {
            target.apply(change, &image)?;
        }
        target.move_places();
        Ok(target)
    }

    /// Applies a change.
    fn apply(&mut self, change: &Change, image: &Image) -> Result<()> {
        match change {
            Change::Parameter(name, value) => self.setup.parameters.set(name, value)?,
            Change::Align(by) => self.moved = *by,
            Change::Ccr(ccr) => self.ccr = *ccr,
            Change::Mode(clear, set) => self.ccr = self.ccr & !clear | set,
            Change::Swap(place) => {
                let address = address(place, image)?;
                self.swap(address)?;
                self.swapped.push(address);
            }
        }
        self.setup.caches = CacheSettings::from_ccr(self.ccr);
        Ok(())
    }

    /// Exchanges two instructions. Rejects branches, delay slots and PC-relative instructions.
    fn swap(&mut self, address: u32) -> Result<()> {
        let memory = self.code.machine().memory_mut();
        let mut bytes = [0; 4];
        let found = memory.read(address, 4).ok().filter(|_| address.is_multiple_of(2));
        bytes.copy_from_slice(found.with_context(|| format!("swap: no code at {address:08x}"))?);
        let opcode = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let before = address.wrapping_sub(2);
        if let Ok(&[low, high]) = memory.read(before, 2)
            && has(u16::from_le_bytes([low, high]), before, sh4::table::flag::DELAYED)
        {
            bail!("swap: the instruction at {address:08x} is in the delay slot of the previous branch");
        }
        for (at, opcode) in [(address, opcode(0)), (address.wrapping_add(2), opcode(2))] {
            if has(opcode, at, sh4::table::flag::NO_SLOT) {
                let text = sh4::disassemble(opcode, at, sh4::Mode::default());
                bail!("swap: the effect of {text} at {at:08x} depends on its address");
            }
        }
        bytes.rotate_left(2);
        memory.write(address, &bytes)?;
        Ok(())
    }

    /// Moves names and the region together with the code.
    fn move_places(&mut self) {
        if self.moved == 0 {
            return;
        }
        self.places.shift(self.span.clone(), self.moved);
        let moved = |at: u32| {
            if self.span.contains(&at) {
                at.wrapping_add(self.moved)
            } else {
                at
            }
        };
        self.setup.region = self.setup.region.map(|(from, to)| (moved(from), moved(to)));
        if let Part::Range(from, to) = self.timeline {
            self.timeline = Part::Range(moved(from), moved(to));
        }
        self.swapped = self.swapped.iter().map(|at| moved(*at)).collect();
    }
}

impl Code {
    /// Returns the initial QACR0 and QACR1.
    fn qacr(&self) -> [u32; 2] {
        match self {
            Code::Kernel(..) | Code::User(_) => QACR,
            Code::Function(..) | Code::Program(..) => [0; 2],
        }
    }

    pub(super) fn machine(&mut self) -> &mut Machine {
        match self {
            Code::Kernel(emulated, ..) => emulated.machine_mut(),
            Code::User(call) => call.machine_mut(),
            Code::Function(machine, ..) | Code::Program(machine, _) => machine,
        }
    }
}

fn has(opcode: u16, at: u32, bit: u8) -> bool {
    let op = sh4::decode(opcode, at, sh4::Mode::default());
    op.and_then(|op| op.row()).is_some_and(|row| row.has(bit))
}

fn kernel(name: &str, seed: u64, rom: Rom<'_>) -> Result<Code> {
    let Some(kernel) = find(name) else {
        let known: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        bail!("no kernel {name}{}", did_you_mean_or_all(name, &known));
    };
    let case = (kernel.generate)(&mut Rng::new(seed));
    Ok(Code::Kernel(Box::new(Emulated::with_rom(&rom)?), kernel, case))
}

/// Returns the name of the called function, if the options have one.
fn title(args: &Args) -> Option<String> {
    let name = args.call.as_ref().or(args.name.as_ref())?;
    let what = if args.reference { "the reference of " } else { "" };
    Some(format!("{what}{name}"))
}

fn user(name: &str, path: &Path, bytes: &[u8], args: &Args) -> Result<Code> {
    let Some(file) = &args.spec else {
        bail!("{name}: with --elf, name a function by --call, or a kernel of a specification by --spec");
    };
    let text = input::read_toml(file)?;
    let spec = Spec::parse(&text, file, &[SH4])?;
    let call = UserCall::new(bytes, &spec, name, args.reference, args.seed);
    Ok(Code::User(Box::new(
        call.with_context(|| path.display().to_string())?,
    )))
}

fn elf(path: &Path, bytes: &[u8], image: &Image, args: &Args) -> Result<Code> {
    let name = path.display();
    let mut machine = Machine::new();
    machine
        .load(image)
        .map_err(OpenError::Memory)
        .with_context(|| name.to_string())?;
    let Some(symbol) = &args.call else {
        dcload::install(&mut machine)?;
        return Ok(Code::Program(Box::new(machine), image.entry));
    };
    if image.symbols.iter().next().is_none() {
        bail!("{name}: has no symbols; link it without -s, or omit --call to run it from its entry");
    }
    let entry = image.symbols.address(symbol);
    let entry = entry.with_context(|| {
        let hint = did_you_mean_symbol(symbol, &image.symbols);
        format!("{name}: no symbol {symbol} or _{symbol}{hint}")
    })?;
    let mut at = Box::new(machine.entry(&args.args));
    if let Some((fpscr, note)) = entry_fpscr(bytes, entry, symbol) {
        eprintln!("{name}: {note}");
        at.fpscr = fpscr;
    }
    Ok(Code::Function(Box::new(machine), entry, at))
}

/// Returns the range from the program's first to its last executable byte.
fn span(image: &Image) -> Range<u32> {
    let code = image.segments.iter().filter(|segment| segment.executable);
    let ends = code.map(|segment| (segment.address, segment.address.saturating_add(segment.size)));
    let (first, last) = ends.fold((u32::MAX, 0), |(first, last), (start, end)| {
        (first.min(start), last.max(end))
    });
    first..last
}
