//! The SH4.

use std::borrow::Cow;
use std::ops::Range;

use machine::{
    CallError, Direction, Entry, Image, KeptRegisters, Machine, MemoryError, Observer, RedZone, Segment,
    Stop, Symbols,
};
use sh4::FaultKind;
use sh4_fpu::Cause;
use sh4_kernels::Rng;

use super::abi::{Slot, slots};
use super::dirty::DirtyPages;
use super::watch::AccessWatch;
use super::{
    Argument, Call, CallFailure, FreeRegister, OpenError, Port, Processor, RedZoneUse, Returned, Rom, Stray,
    Target,
};
use crate::{Caches, Element, KERNELS_ELF, QACR};

/// The SH4 as a target of the verifier.
pub const SH4: Target = Target {
    name: "SH4",
    machine: 42,
    kernels: sh4_kernels::KERNELS,
    rom: Rom {
        name: "roms/kernels.elf",
        bytes: KERNELS_ELF,
    },
    open: |elf| Ok(Box::new(Sh4::new(Image::parse(elf)?)?)),
};

/// Lowest address of the buffers, in a cached area: 1 MiB above the start of RAM. A program that extends
/// beyond it moves them to its end.
const ARENA: u32 = 0x8C10_0000;
/// Bytes of the stack that a kernel may use.
const STACK_BYTES: u32 = 64 << 10;
/// Minimum size of the memory for arguments in bytes.
const ARENA_BYTES: u32 = 1 << 20;
/// A store queue address for the tile accelerator's polygon input at 10000000.
const TA_QUEUE: u32 = 0xE000_0000;
/// Rounding to nearest, DN = 1, single precision, as in KallistiOS programs.
const FPSCR: u32 = 0x0004_0000;
/// Bits of a physical address, and the physical address of RAM.
const PHYSICAL: u32 = 0x1FFF_FFFF;
const RAM: Range<u32> = 0x0C00_0000..0x1000_0000;

/// Words of random bits on the stack below R15 at entry.
const BELOW_WORDS: usize = 64;
/// Number of words of [`Garbage`] in use, in this order: R0 to R14, FR0 to FR15, XF0 to XF15, MACH, MACL,
/// FPUL, SR, FPSCR, and the seed of the stack's contents.
const FREE: usize = 15 + 16 + 16 + 6;

/// The emulated SH4 with a program.
#[derive(Debug)]
pub struct Sh4 {
    machine: Machine,
    image: Image,
    arena: Range<u32>,
    /// SR after loading.
    sr: u32,
    /// Memory that may have changed since loading.
    dirty: DirtyPages,
}

impl Sh4 {
    /// Creates a machine with `image` loaded. QACR directs the store queues to the tile accelerator.
    ///
    /// # Errors
    /// If the program does not fit the machine.
    pub fn new(image: Image) -> Result<Self, OpenError> {
        let arena = arena(&image)?;
        let machine = loaded(&image)?;
        Ok(Sh4 {
            sr: machine.cpu.sr(),
            machine,
            image,
            arena,
            dirty: DirtyPages::default(),
        })
    }

    /// The emulated machine.
    pub fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// [`Processor::call`] with an observer of every instruction; loads and stores are not checked.
    ///
    /// # Errors
    /// See [`Processor::call`].
    pub fn call_hooked<O: Observer>(
        &mut self,
        call: &Call<'_>,
        observer: &mut O,
    ) -> Result<Returned, CallFailure> {
        self.call_hooked_at(call, &entry_state(call), observer)
    }

    fn call_hooked_at<O: Observer>(
        &mut self,
        call: &Call<'_>,
        at: &Entry,
        observer: &mut O,
    ) -> Result<Returned, CallFailure> {
        // Discards words that a previous call sent to the tile accelerator.
        self.machine.memory_mut().take_ta();
        let called = self
            .machine
            .call_with(call.entry, at, call.max_instructions, observer)
            .map_err(|error| self.failure(&error))?;
        Ok(Returned {
            instructions: called.instructions,
            result: call.returns.map(|element| self.result(element)),
            red_zone: None,
        })
    }

    fn failure(&self, error: &CallError) -> CallFailure {
        let what = error.to_string();
        let CallError::Halt { halt, .. } = error else {
            return CallFailure::Broken(what);
        };
        match &halt.stop {
            Stop::Limit => CallFailure::Limit(what),
            Stop::Fault(fault) if of_fpu_mode(fault.kind) => CallFailure::FpuMode {
                what,
                fpscr: self.machine.cpu.fpscr(),
            },
            _ => CallFailure::Broken(what),
        }
    }

    /// Addresses and lengths of the program's segments: code, literals and data.
    fn program(&self) -> impl Iterator<Item = (u32, u32)> {
        self.image.segments.iter().map(|s| (s.address, s.size))
    }

    fn result(&self, element: Element) -> u64 {
        let cpu = &self.machine.cpu;
        match element {
            Element::F32 => cpu.fr[0].into(),
            Element::F64 => u64::from(cpu.fr[0]) << 32 | u64::from(cpu.fr[1]),
            Element::U64 | Element::I64 => u64::from(cpu.r[1]) << 32 | u64::from(cpu.r[0]),
            integer => u64::from(cpu.r[0]) & (u64::MAX >> (64 - 8 * integer.size())),
        }
    }
}

/// Returns a machine with `image`.
fn loaded(image: &Image) -> Result<Machine, MemoryError> {
    let mut machine = Machine::new();
    machine.load(image)?;
    machine.memory_mut().set_qacr(QACR);
    Ok(machine)
}

/// Returns true if the instruction failed only because of FPSCR's PR, SZ or DN.
fn of_fpu_mode(kind: FaultKind) -> bool {
    match kind {
        FaultKind::FpuUndefined => true,
        FaultKind::FpuException(cause) => cause.has(Cause::FPU_ERROR),
        _ => false,
    }
}

/// The memory between the program and the stack.
fn arena(image: &Image) -> Result<Range<u32>, OpenError> {
    let end = |s: &Segment| (s.address & PHYSICAL).saturating_add(s.size);
    let ends = image.segments.iter().map(end).filter(|end| RAM.contains(end));
    let end = ends.max().unwrap_or(RAM.start) | ARENA & !PHYSICAL;
    let (start, stack) = (end.next_multiple_of(32).max(ARENA), Machine::STACK - STACK_BYTES);
    match start.saturating_add(ARENA_BYTES) <= stack {
        true => Ok(start..stack),
        false => Err(OpenError::TooLarge { end, stack }),
    }
}

impl Processor for Sh4 {
    fn name(&self) -> &'static str {
        SH4.name
    }

    fn symbols(&self) -> &Symbols {
        self.machine.symbols()
    }

    fn machine(&mut self) -> Option<&mut Machine> {
        Some(&mut self.machine)
    }

    fn arena(&self) -> Range<u32> {
        self.arena.clone()
    }

    fn read(&self, address: u32, size: u32) -> Result<Cow<'_, [u8]>, MemoryError> {
        self.machine.memory().read(address, size).map(Cow::Borrowed)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        self.dirty.note(address, bytes.len() as u32);
        self.machine.memory_mut().write(address, bytes)
    }

    fn reload(&mut self) -> Result<(), MemoryError> {
        self.dirty.restore(&mut self.machine, &self.image)?;
        self.machine.memory_mut().set_qacr(QACR);
        // Registers that a call does not set get their values of `Cpu::new`.
        let cpu = &mut self.machine.cpu;
        [cpu.gbr, cpu.vbr, cpu.dbr, cpu.ssr, cpu.spc, cpu.sgr] = [0; 6];
        cpu.set_sr(self.sr);
        cpu.r_bank = [0; 8];
        self.dirty = DirtyPages::default();
        Ok(())
    }

    fn free_registers(&self) -> Vec<FreeRegister> {
        let all = |name: String| FreeRegister { name, bits: u32::MAX };
        let named = |prefix: &'static str, count: usize| (0..count).map(move |n| format!("{prefix}{n}"));
        let words = named("r", 15).chain(named("fr", 16)).chain(named("xf", 16));
        let others = ["mach", "macl", "fpul"].map(str::to_owned);
        let parts = [
            ("sr", Entry::FREE_SR),
            ("fpscr", Entry::FREE_FPSCR),
            ("stack", u32::MAX),
        ];
        let parts = parts.map(|(name, bits)| FreeRegister {
            name: name.to_owned(),
            bits,
        });
        words.chain(others).map(all).chain(parts).collect()
    }

    fn kept_registers(&self) -> Vec<String> {
        KeptRegisters::names().collect()
    }

    fn call(&mut self, call: &Call<'_>) -> Result<Returned, CallFailure> {
        if call.writable.is_none() && call.unwatched {
            return self.call_hooked(call, &mut ());
        }
        let stack = (Machine::STACK - STACK_BYTES, STACK_BYTES);
        let mut watch = AccessWatch::default();
        if let Some(writable) = call.writable {
            let stores = writable.iter().copied().chain([stack]);
            watch = AccessWatch::stores(stores.clone());
            if let Some(readable) = call.readable {
                watch = watch.and_loads(stores.chain(readable.iter().copied()).chain(self.program()));
            }
        }
        let at = entry_state(call);
        let (r, below) = (at.general(), at.below.len() as u32);
        self.dirty.note(r[15] - below, below + at.stack.len() as u32);
        watch.red_zone = RedZone::new(r);
        let called = self.call_hooked_at(call, &at, &mut watch);
        self.dirty.add(&watch.dirty);
        if called.is_err() {
            self.dirty.note_machine();
        }
        let place = |pc: u32| format!("{pc:08x} ({})", self.symbols().describe(pc));
        if let Some(access) = watch.stray {
            let stray = Stray {
                address: access.address,
                size: access.size,
                place: place(access.pc),
            };
            let stray = match access.direction {
                Direction::Write => CallFailure::Stray(stray),
                _ => CallFailure::StrayLoad(stray),
            };
            return Err(match called {
                Ok(_) => stray,
                Err(then) => CallFailure::StrayThen(Box::new(stray), Box::new(then)),
            });
        }
        let called = called?;
        Ok(Returned {
            red_zone: watch.below.map(|load| RedZoneUse {
                store: place(load.stored_by),
                load: place(load.pc),
                below: load.below,
            }),
            ..called
        })
    }

    fn cycles(&mut self, call: &Call<'_>, caches: Caches) -> Result<Option<u64>, CallFailure> {
        self.dirty.note_everything();
        self.modelled(call, caches).map(Some)
    }

    fn port(&self, port: Port) -> Option<u32> {
        Some(match port {
            Port::TileAccelerator => TA_QUEUE,
            Port::Xmtrx | Port::Fpscr => 0,
        })
    }

    fn take(&mut self, port: Port) -> Vec<u32> {
        match port {
            Port::TileAccelerator => self.machine.memory_mut().take_ta().into_flattened(),
            Port::Xmtrx => self.machine.cpu.xf.to_vec(),
            Port::Fpscr => vec![self.machine.cpu.fpscr()],
        }
    }
}

/// Sets registers and stack: the arguments, and garbage for the rest.
fn entry_state(call: &Call<'_>) -> Entry {
    let word = |index: usize| call.garbage.0[index];
    let [mach, macl, fpul, sr, fpscr, stack] = std::array::from_fn(|i| word(FREE - 6 + i));
    let mut below = Rng::new(stack.into());
    let keeps = call.allow.iter().fold(KeptRegisters::ALL, |kept, name| {
        // The names are valid: the verifier has checked them.
        kept.without(name).unwrap_or(kept)
    });
    let mut at = Entry {
        r: std::array::from_fn(word),
        fr: std::array::from_fn(|i| word(15 + i)),
        xf: std::array::from_fn(|i| word(31 + i)),
        mac: [mach, macl],
        fpul,
        sr,
        fpscr: call.fpscr.unwrap_or(FPSCR) & !Entry::FREE_FPSCR | fpscr & Entry::FREE_FPSCR,
        stack: Vec::new(),
        below: (0..BELOW_WORDS)
            .flat_map(|_| if stack == 0 { 0 } else { below.word() }.to_le_bytes())
            .collect(),
        keeps: if call.keeps { keeps } else { KeptRegisters::NONE },
    };
    at.xf = call.xmtrx.unwrap_or(at.xf);
    for (slot, argument) in slots(call.args.iter().map(|a| a.element))
        .into_iter()
        .zip(call.args)
    {
        put(&mut at, slot, *argument);
    }
    at
}

fn put(at: &mut Entry, slot: Slot, Argument { element, bits }: Argument) {
    match slot {
        Slot::General(register) => at.r[register] = element.integer(bits) as u32,
        Slot::Single(register) => at.fr[register] = bits as u32,
        // The even register of a pair holds the high word.
        Slot::Double(register) => [at.fr[register], at.fr[register + 1]] = [(bits >> 32) as u32, bits as u32],
        Slot::Pair(register) => {
            [at.r[register], at.r[register + 1]] = [bits as u32, (bits >> 32) as u32];
        }
        Slot::Stack(offset) => {
            let size = element.size().max(4);
            let word = if element.is_float() {
                bits
            } else {
                element.integer(bits) as u64
            };
            at.stack.resize(at.stack.len().max(offset as usize + size), 0);
            at.stack[offset as usize..][..size].copy_from_slice(&word.to_le_bytes()[..size]);
        }
    }
}
