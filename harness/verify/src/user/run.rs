//! One call: arguments into the machine, results out of it.

use machine::{CallError, Entry, Image, Machine, MemoryError};
use sh4_kernels::{Arg, Kernel, Rng, Signature};
use thiserror::Error;

use super::abi::{Slot, slots};
use super::case::{Input, UserCase};
use super::element::Element;
use super::spec::{ArgKind, UserKernel};
use super::watch::WriteWatch;

/// Where buffers go, cached: the upper half of RAM, below the stack.
const ARENA: u32 = 0x8C78_0000;
/// Bytes of the stack that a kernel may use.
const STACK_BYTES: u32 = 64 << 10;
/// Bytes on either side of a buffer that must stay as they are.
const GUARD: u32 = 32;
const GUARD_BYTE: u8 = 0xA5;
/// A store queue address that leads to the tile accelerator at 10000000, with QACR = 10.
const TA_QUEUE: u32 = 0xE000_0000;
const TA_QACR: u32 = 0x10;
/// A call that has not returned after so many instructions never will.
const MAX_INSTRUCTIONS: u64 = 50_000_000;

/// Why a call gave no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failure {
    /// It did not return, or changed a register that it has to keep.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It stored outside of its outputs.
    #[error(
        "stored {size} bytes at {address:08x}, outside of its outputs and its stack ({near}), at {place}"
    )]
    Stray {
        /// Bytes.
        size: u8,
        /// Where.
        address: u32,
        /// The argument next to it.
        near: String,
        /// The storing instruction.
        place: String,
    },
    /// The bytes beside an argument changed.
    #[error("changed the {GUARD} bytes {side} argument {name}")]
    Guard {
        /// Before or behind.
        side: &'static str,
        /// The argument.
        name: String,
    },
    /// An input changed.
    #[error("changed argument {name}, which is `in`")]
    ReadOnly {
        /// The argument.
        name: String,
    },
    /// The built-in reference refuses the arguments.
    #[error(transparent)]
    Builtin(#[from] Signature),
    /// The arguments do not fit the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// What a call gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Output {
    /// Bytes of every output, in the order of the prototype; empty for other arguments.
    pub(crate) args: Vec<Vec<u8>>,
    /// The function's result, if it has one.
    pub(crate) result: Option<u64>,
    /// Instructions executed.
    pub(crate) instructions: u64,
}

/// A machine with the user's program.
#[derive(Debug)]
pub(crate) struct Bench {
    machine: Machine,
    image: Image,
}

impl Bench {
    /// Loads a program.
    pub(crate) fn new(image: Image) -> Result<Self, MemoryError> {
        let mut machine = Machine::new();
        machine.load(&image)?;
        machine.memory_mut().set_qacr([TA_QACR; 2]);
        Ok(Bench { machine, image })
    }

    /// The last byte of RAM that the program takes, if it reaches into the arena.
    pub(crate) fn overlap(image: &Image) -> Option<u32> {
        let end = |s: &machine::Segment| (s.address & 0x1FFF_FFFF).saturating_add(s.size);
        image
            .segments
            .iter()
            .map(end)
            .find(|end| *end > ARENA & 0x1FFF_FFFF && *end <= 0x1000_0000)
    }

    /// Calls the function at `entry` with `fpscr`.
    pub(crate) fn call(
        &mut self,
        (entry, fpscr): (u32, u32),
        kernel: &UserKernel,
        case: &UserCase,
    ) -> Result<Output, Failure> {
        if !kernel.abi {
            // What a call leaves in the program's own data must not reach the next one.
            self.machine.load(&self.image)?;
        }
        let placed = self.place(kernel, case)?;
        let at = Entry {
            fpscr,
            ..entry_state(kernel, case, &placed)
        };
        let outputs = kernel
            .args
            .iter()
            .zip(&placed)
            .filter(|(a, _)| matches!(&a.kind, ArgKind::Buffer(b) if b.written));
        let stack = (Machine::STACK - STACK_BYTES, STACK_BYTES);
        let mut watch = WriteWatch::new(outputs.map(|(_, p)| (p.address, p.bytes)).chain([stack]));
        let called = self.machine.call_with(entry, &at, MAX_INSTRUCTIONS, &mut watch)?;
        if let Some(stray) = watch.stray.filter(|_| kernel.abi) {
            return Err(Failure::Stray {
                size: stray.size,
                address: stray.address,
                near: near(kernel, &placed, stray.address),
                place: format!("{:08x} ({})", stray.pc, self.machine.symbols().describe(stray.pc)),
            });
        }
        let mut args = Vec::new();
        for (index, place) in placed.iter().enumerate() {
            args.push(self.take(kernel, case, index, place)?);
        }
        let result = kernel.returns.map(|element| self.result(element));
        Ok(Output {
            args,
            result,
            instructions: called.instructions,
        })
    }

    /// Copies the buffers into memory, each between two guard zones.
    fn place(&mut self, kernel: &UserKernel, case: &UserCase) -> Result<Vec<Placed>, MemoryError> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut next = ARENA;
        for (index, (arg, input)) in kernel.args.iter().zip(&case.args).enumerate() {
            let same_as = case
                .aliased
                .filter(|(_, output)| *output == index)
                .map(|(input, _)| input);
            placed.push(match (&arg.kind, input, same_as) {
                (ArgKind::Buffer(_), _, Some(earlier)) if earlier < index => placed[earlier],
                (ArgKind::Buffer(_), Input::Buffer { bytes, skew }, _) => {
                    let place = Placed {
                        address: next + 2 * GUARD + skew,
                        bytes: bytes.len() as u32,
                    };
                    let memory = self.machine.memory_mut();
                    memory.fill(place.address - GUARD, GUARD, GUARD_BYTE)?;
                    memory.write(place.address, bytes)?;
                    memory.fill(place.address + place.bytes, GUARD, GUARD_BYTE)?;
                    next = (place.address + place.bytes + GUARD).next_multiple_of(GUARD);
                    place
                }
                (ArgKind::TileAccelerator, ..) => Placed {
                    address: TA_QUEUE,
                    bytes: 0,
                },
                _ => Placed { address: 0, bytes: 0 },
            });
        }
        // An output that comes before the input whose place it takes.
        if let Some((input, output)) = case.aliased {
            placed[output] = placed[input];
        }
        Ok(placed)
    }

    /// The bytes of an output after the call; the checks on every buffer.
    fn take(
        &mut self,
        kernel: &UserKernel,
        case: &UserCase,
        index: usize,
        place: &Placed,
    ) -> Result<Vec<u8>, Failure> {
        let arg = &kernel.args[index];
        let name = || arg.name.clone();
        match (&arg.kind, &case.args[index]) {
            (ArgKind::TileAccelerator, _) => {
                let blocks = self.machine.memory_mut().take_ta();
                Ok(blocks
                    .as_flattened()
                    .iter()
                    .flat_map(|word| word.to_le_bytes())
                    .collect())
            }
            (ArgKind::Xmtrx { written: true, .. }, _) => Ok(self
                .machine
                .cpu
                .xf
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect()),
            (ArgKind::Buffer(buffer), Input::Buffer { bytes, .. }) => {
                let memory = self.machine.memory();
                let zones = [
                    ("before", place.address - GUARD),
                    ("behind", place.address + place.bytes),
                ];
                for (side, zone) in zones {
                    if memory.read(zone, GUARD)?.iter().any(|byte| *byte != GUARD_BYTE) {
                        return Err(Failure::Guard { side, name: name() });
                    }
                }
                let after = memory.read(place.address, place.bytes)?;
                let shared = case.aliased.is_some_and(|(input, _)| input == index);
                match buffer.written || shared || after == bytes {
                    true if buffer.written => Ok(after.to_vec()),
                    true => Ok(Vec::new()),
                    false => Err(Failure::ReadOnly { name: name() }),
                }
            }
            _ => Ok(Vec::new()),
        }
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

/// Registers and stack: the arguments, and garbage of the case's own in all that is free.
fn entry_state(kernel: &UserKernel, case: &UserCase, placed: &[Placed]) -> Entry {
    let mut rng = Rng::new(case.seed ^ 0x0BAD_C0DE);
    let mut at = Entry {
        r: std::array::from_fn(|_| rng.word()),
        fr: std::array::from_fn(|_| rng.word()),
        xf: std::array::from_fn(|_| rng.word()),
        fpscr: kernel.fpscr,
        stack: Vec::new(),
        keeps: kernel.abi,
    };
    let mut slots = slots(kernel.travelling().flatten()).into_iter();
    for (travels, (input, place)) in kernel.travelling().zip(case.args.iter().zip(placed)) {
        let bits = match input {
            Input::Value(bits) => *bits,
            _ => place.address.into(),
        };
        match (travels, input) {
            (Some(element), _) => {
                if let Some(slot) = slots.next() {
                    put(&mut at, slot, element, bits);
                }
            }
            (None, Input::Buffer { bytes, .. }) => {
                for (i, word) in at.xf.iter_mut().enumerate() {
                    *word = Element::U32.bits(bytes, i) as u32;
                }
            }
            (None, _) => {}
        }
    }
    at
}

/// An argument's place in guest memory.
#[derive(Clone, Copy)]
struct Placed {
    address: u32,
    bytes: u32,
}

fn put(at: &mut Entry, slot: Slot, element: Element, bits: u64) {
    match slot {
        Slot::General(register) => at.r[register] = element.integer(bits) as u32,
        Slot::Single(register) => at.fr[register] = bits as u32,
        // The even register of a pair holds the high word.
        Slot::Double(register) => [at.fr[register], at.fr[register + 1]] = [(bits >> 32) as u32, bits as u32],
        Slot::Stack(offset) => {
            let size = if element == Element::F64 { 8 } else { 4 };
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

/// Where `address` lies from the nearest buffer.
fn near(kernel: &UserKernel, placed: &[Placed], address: u32) -> String {
    let distance = |p: &Placed| match address.checked_sub(p.address) {
        Some(above) => i64::from(above),
        None => -i64::from(p.address - address),
    };
    let buffers = kernel.args.iter().zip(placed).filter(|(_, p)| p.bytes > 0);
    let nearest = buffers.min_by_key(|(_, p)| distance(p).unsigned_abs());
    match nearest {
        Some((arg, p)) if distance(p).unsigned_abs() < 1 << 20 => {
            format!("byte {} of {}, which has {}", distance(p), arg.name, p.bytes)
        }
        _ => "near no argument".to_owned(),
    }
}

/// Runs a built-in reference.
pub(crate) fn builtin(
    reference: &'static Kernel,
    kernel: &UserKernel,
    case: &UserCase,
) -> Result<Output, Failure> {
    let words = |bytes: &[u8]| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| u32::from_le_bytes(*b))
            .collect::<Vec<u32>>()
    };
    let mut data: Vec<Vec<u32>> = Vec::new();
    let mut halves: Vec<Vec<u16>> = Vec::new();
    let mut blocks: Vec<Vec<[u32; 8]>> = Vec::new();
    for input in &case.args {
        let bytes: &[u8] = if let Input::Buffer { bytes, .. } = input {
            bytes
        } else {
            &[]
        };
        data.push(words(bytes));
        halves.push(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| u16::from_le_bytes(*b))
                .collect(),
        );
        blocks.push(Vec::new());
    }
    let places = data.iter_mut().zip(&halves).zip(&mut blocks);
    let mut args: Vec<Arg<'_>> = kernel
        .args
        .iter()
        .zip(&case.args)
        .zip(places)
        .map(
            |((spec, input), ((data, halves), blocks))| match (&spec.kind, input) {
                (_, Input::Value(bits)) => Arg::Value(*bits as u32),
                (ArgKind::TileAccelerator, _) => Arg::TileAccelerator(blocks),
                (ArgKind::Buffer(b), _) if b.written => Arg::WordsMut(data),
                (ArgKind::Buffer(b), _) if b.element.size() == 2 => Arg::Halfwords(halves),
                _ => Arg::Words(data),
            },
        )
        .collect();
    (reference.reference)(&mut args)?;
    drop(args);
    let outputs = kernel
        .args
        .iter()
        .zip(data.iter().zip(&blocks))
        .map(|(spec, (data, blocks))| {
            let words = match &spec.kind {
                ArgKind::TileAccelerator => blocks.as_flattened(),
                ArgKind::Buffer(b) if b.written => data,
                _ => &[],
            };
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        });
    Ok(Output {
        args: outputs.collect(),
        result: None,
        instructions: 0,
    })
}
