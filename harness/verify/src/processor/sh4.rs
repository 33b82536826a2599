//! The SH4.

use std::borrow::Cow;
use std::ops::Range;

use machine::{CallError, Direction, Entry, Image, Machine, MemoryError, Observer, Segment, Stop, Symbols};
use sh4::FaultKind;
use sh4_fpu::Cause;
use sh4_kernels::Rng;

use super::abi::{Slot, slots};
use super::watch::AccessWatch;
use super::{Argument, Call, CallFailure, OpenError, Port, Processor, Returned, Rom, Stray, Target};
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

/// Where buffers go, cached: the second MiB of RAM, or behind a program that reaches beyond.
const ARENA: u32 = 0x8C10_0000;
/// Bytes of the stack that a kernel may use.
const STACK_BYTES: u32 = 64 << 10;
/// Arguments have at least so many bytes.
const ARENA_BYTES: u32 = 1 << 20;
/// A store queue address that leads to the tile accelerator's polygon input at 10000000.
const TA_QUEUE: u32 = 0xE000_0000;
/// Round to nearest, DN = 1, single precision: KallistiOS programs.
const FPSCR: u32 = 0x0004_0000;
/// Bits of a physical address, and where RAM lies in it.
const PHYSICAL: u32 = 0x1FFF_FFFF;
const RAM: Range<u32> = 0x0C00_0000..0x1000_0000;

/// The emulated SH4 with a program.
#[derive(Debug)]
pub struct Sh4 {
    machine: Machine,
    image: Image,
    arena: Range<u32>,
}

impl Sh4 {
    /// A machine with `image` loaded and the store queues set towards the tile accelerator.
    ///
    /// # Errors
    /// If the program does not fit the machine.
    pub fn new(image: Image) -> Result<Self, OpenError> {
        let arena = arena(&image)?;
        let mut machine = Machine::new();
        machine.load(&image)?;
        machine.memory_mut().set_qacr(QACR);
        Ok(Sh4 {
            machine,
            image,
            arena,
        })
    }

    /// The machine.
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
        // What a call left there that nobody took is not this one's.
        self.machine.memory_mut().take_ta();
        let called = self
            .machine
            .call_with(call.entry, &entry_state(call), call.max_instructions, observer)
            .map_err(|error| self.failure(&error))?;
        Ok(Returned {
            instructions: called.instructions,
            result: call.returns.map(|element| self.result(element)),
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
            integer => u64::from(cpu.r[0]) & (u64::MAX >> (64 - 8 * integer.size())),
        }
    }
}

/// Whether other settings in FPSCR would have let the instruction run: PR, SZ and DN.
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
        self.machine.memory_mut().write(address, bytes)
    }

    fn reload(&mut self) -> Result<(), MemoryError> {
        self.machine.load(&self.image)
    }

    fn call(&mut self, call: &Call<'_>) -> Result<Returned, CallFailure> {
        let Some(writable) = call.writable else {
            return self.call_hooked(call, &mut ());
        };
        let stack = (Machine::STACK - STACK_BYTES, STACK_BYTES);
        let stores = writable.iter().copied().chain([stack]);
        let mut watch = AccessWatch::stores(stores.clone());
        if let Some(readable) = call.readable {
            watch = watch.and_loads(stores.chain(readable.iter().copied()).chain(self.program()));
        }
        let called = self.call_hooked(call, &mut watch)?;
        let Some(access) = watch.stray else {
            return Ok(called);
        };
        let stray = Stray {
            address: access.address,
            size: access.size,
            place: format!("{:08x} ({})", access.pc, self.symbols().describe(access.pc)),
        };
        Err(match access.direction {
            Direction::Write => CallFailure::Stray(stray),
            _ => CallFailure::StrayLoad(stray),
        })
    }

    fn cycles(&mut self, call: &Call<'_>, caches: Caches) -> Result<Option<u64>, CallFailure> {
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

/// Registers and stack: the arguments, and garbage in all that is free.
fn entry_state(call: &Call<'_>) -> Entry {
    let mut rng = Rng::new(call.seed);
    let mut at = Entry {
        r: std::array::from_fn(|_| rng.word()),
        fr: std::array::from_fn(|_| rng.word()),
        xf: std::array::from_fn(|_| rng.word()),
        fpscr: call.fpscr.unwrap_or(FPSCR),
        stack: Vec::new(),
        keeps: call.keeps,
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
