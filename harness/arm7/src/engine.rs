//! The machine: Unicorn's ARM with the sound block's memory around it.

use std::fmt;

use machine::{Image, MemoryError, Symbols};
use unicorn_engine::{Arch, ArmCpuModel, HookType, MemType, Mode, Prot, RegisterARM, Unicorn, uc_error};

use crate::aica::{self, Aica, Recorder};
use crate::armv3::{self, Refusal};
use crate::transfer::{self, Kind, Registers, Transfer};

/// Bytes of sound RAM, at 0.
pub(crate) const RAM: u32 = 2 << 20;
/// Where the registers of the AICA begin.
const REGISTERS: u32 = 0x0080_0000;
/// CPSR after reset: supervisor mode, both interrupts masked.
const CPSR: u64 = 0xD3;
/// `b .`: what a sound program does when it waits for an interrupt that this machine does not have.
const ENDLESS: u32 = 0xEAFF_FFFE;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the address where it was to end.
    Until,
    /// It executed as many instructions as it might.
    Limit,
    /// A branch to itself: the program waits for an interrupt, and none comes.
    Idle,
    /// An instruction that the chip does not have, or the engine does otherwise.
    Refused(u32, Refusal),
    /// An access where there is nothing.
    Fault {
        /// `read`, `write` or `fetch`.
        what: &'static str,
        /// Where.
        address: u32,
        /// Bytes.
        size: u32,
    },
    /// SWI or another exception; nothing takes it here.
    Exception(u32),
    /// Something that the engine has no name for.
    Engine(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Until => f.write_str("reached its end"),
            Stop::Limit => f.write_str("instruction limit"),
            Stop::Idle => f.write_str("a branch to itself"),
            Stop::Refused(opcode, refusal) => write!(f, "instruction {opcode:08x}: {refusal}"),
            Stop::Fault { what, address, size } => {
                write!(
                    f,
                    "{what} of {size} bytes at {address:08x}, where there is nothing"
                )
            }
            Stop::Exception(2) => f.write_str("software interrupt, and nothing takes it"),
            Stop::Exception(number) => write!(f, "exception {number}, and nothing takes it"),
            Stop::Engine(error) => write!(f, "the engine stopped: {error}"),
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Instructions executed.
    pub instructions: u64,
    /// Why it ended.
    pub stop: Stop,
    /// The instruction at which it ended.
    pub pc: u32,
    /// That as `symbol+offset`.
    pub place: String,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Halt { stop, pc, place, .. } = self;
        write!(
            f,
            "{stop} (at {pc:08x}, {place}, after {} instructions)",
            self.instructions
        )
    }
}

/// What the hooks see and leave.
#[derive(Debug)]
pub(crate) struct State {
    pc: u32,
    executed: u64,
    limit: u64,
    /// Whether `b .` ends the run.
    idle: bool,
    stop: Option<Stop>,
    aica: Box<dyn Aica>,
    /// Where stores may go; everywhere if `None`.
    pub(crate) writable: Option<Vec<(u32, u32)>>,
    /// The first store elsewhere: instruction, address, bytes.
    pub(crate) stray: Option<(u32, u32, u8)>,
}

impl State {
    fn stored(&mut self, address: u32, size: u32) {
        let Some(writable) = &self.writable else { return };
        let inside = |(start, length): &(u32, u32)| {
            let offset = address.checked_sub(*start);
            offset.is_some_and(|offset| offset.saturating_add(size) <= *length)
        };
        if self.stray.is_none() && !writable.iter().any(inside) {
            self.stray = Some((self.pc, address, size as u8));
        }
    }
}

type Engine<'a> = Unicorn<'a, State>;

/// The ARM7 with a program.
pub struct Arm7 {
    uc: Unicorn<'static, State>,
    pub(crate) image: Image,
}

impl fmt::Debug for Arm7 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arm7")
            .field("state", self.uc.get_data())
            .finish_non_exhaustive()
    }
}

impl Arm7 {
    /// A machine with `image` loaded and a [`Recorder`] for the AICA.
    ///
    /// # Errors
    /// In words, if the program does not fit the memory or the engine does not start.
    pub fn new(image: Image) -> Result<Self, String> {
        let uc = engine().map_err(|error| format!("the engine does not start: {error:?}"))?;
        let mut arm7 = Arm7 { uc, image };
        arm7.load().map_err(|error| error.to_string())?;
        Ok(arm7)
    }

    /// What answers for the AICA's registers.
    pub fn set_aica(&mut self, aica: Box<dyn Aica>) {
        self.uc.get_data_mut().aica = aica;
    }

    /// What answers for the AICA's registers.
    pub fn aica(&mut self) -> &mut dyn Aica {
        self.uc.get_data_mut().aica.as_mut()
    }

    /// The names in the program.
    pub fn symbols(&self) -> &Symbols {
        &self.image.symbols
    }

    /// Where the program begins.
    pub fn entry(&self) -> u32 {
        self.image.entry
    }

    /// Register `n`: R0 to R15.
    pub fn register(&self, n: u32) -> u32 {
        self.uc.reg_read(register(n)).unwrap_or_default() as u32
    }

    /// Sets register `n`.
    pub fn set_register(&mut self, n: u32, value: u32) {
        // The engine refuses unknown registers, and there are none here.
        let _ = self.uc.reg_write(register(n), value.into());
    }

    /// `size` bytes of sound RAM at `address`.
    ///
    /// # Errors
    /// If not all of the range is sound RAM.
    pub fn read(&self, address: u32, size: u32) -> Result<Vec<u8>, MemoryError> {
        in_ram(address, size)?;
        let bytes = self.uc.mem_read_as_vec(address.into(), size as usize);
        bytes.map_err(|_| MemoryError::Unmapped { address, size })
    }

    /// Copies `bytes` to sound RAM at `address`.
    ///
    /// # Errors
    /// If not all of the range is sound RAM.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        in_ram(address, size)?;
        let written = self.uc.mem_write(address.into(), bytes);
        let code =
            |s: &machine::Segment| s.executable && address < s.address + s.size && s.address < address + size;
        if self.image.segments.iter().any(code) {
            // What was translated from these bytes is void.
            let _ = self.uc.ctl_flush_tb();
        }
        written.map_err(|_| MemoryError::Unmapped { address, size })
    }

    /// Puts the program into memory.
    pub(crate) fn load(&mut self) -> Result<(), MemoryError> {
        for segment in self.image.segments.clone() {
            in_ram(segment.address, segment.size)?;
            let mut bytes = segment.bytes;
            bytes.resize(segment.size as usize, 0);
            self.write(segment.address, &bytes)?;
        }
        let _ = self.uc.ctl_flush_tb();
        Ok(())
    }

    /// Runs from `begin` to `until`, or until `count` instructions have run or something stops the program. With `idle`
    /// a branch to itself does so. Starts in supervisor mode with interrupts masked, as after reset.
    pub fn run(&mut self, begin: u32, until: u32, count: u64, idle: bool) -> Halt {
        let state = self.uc.get_data_mut();
        let recorder: Box<dyn Aica> = Box::<Recorder>::default();
        *state = State {
            pc: begin,
            executed: 0,
            limit: count,
            idle,
            stop: None,
            aica: std::mem::replace(&mut state.aica, recorder),
            writable: state.writable.take(),
            stray: None,
        };
        let ended = match begin & 3 {
            0 => self.uc.emu_start(begin.into(), until.into(), 0, 0),
            _ => {
                self.uc.get_data_mut().stop = Some(Stop::Refused(begin, THUMB));
                Ok(())
            }
        };
        let state = self.uc.get_data_mut();
        let stop = match (state.stop.take(), ended) {
            (Some(stop), _) => stop,
            (None, Ok(())) => Stop::Until,
            (None, Err(error)) => Stop::Engine(format!("{error:?}")),
        };
        let (pc, instructions) = (state.pc, state.executed);
        Halt {
            instructions,
            stop,
            pc,
            place: self.image.symbols.describe(pc),
        }
    }

    /// CPSR as after reset, before registers are set: the mode chooses among them.
    pub(crate) fn reset_mode(&mut self) {
        let _ = self.uc.reg_write(RegisterARM::CPSR, CPSR);
    }

    pub(crate) fn cpsr(&self) -> u32 {
        self.uc.reg_read(RegisterARM::CPSR).unwrap_or_default() as u32
    }

    pub(crate) fn state(&mut self) -> &mut State {
        self.uc.get_data_mut()
    }
}

/// An entry that is no multiple of four.
const THUMB: Refusal = Refusal::Later("an entry at an odd address (Thumb)", "ARMv4T");

fn in_ram(address: u32, size: u32) -> Result<(), MemoryError> {
    match address.checked_add(size).is_some_and(|end| end <= RAM) {
        true => Ok(()),
        false => Err(MemoryError::Unmapped { address, size }),
    }
}

fn register(n: u32) -> i32 {
    match n {
        13 => RegisterARM::SP as i32,
        14 => RegisterARM::LR as i32,
        15 => RegisterARM::PC as i32,
        _ => RegisterARM::R0 as i32 + n as i32,
    }
}

/// The engine with its memory map and hooks.
fn engine() -> Result<Unicorn<'static, State>, uc_error> {
    let state = State {
        pc: 0,
        executed: 0,
        limit: 0,
        idle: false,
        stop: None,
        aica: Box::<Recorder>::default(),
        writable: None,
        stray: None,
    };
    let mut uc = Unicorn::new_with_data(Arch::ARM, Mode::ARM, state)?;
    uc.ctl_set_cpu_model(ArmCpuModel::SA1100 as i32)?;
    uc.mem_map(0, RAM.into(), Prot::ALL)?;
    uc.mmio_map(
        REGISTERS.into(),
        aica::BYTES as u64,
        Some(|uc: &mut Engine<'_>, offset: u64, size: usize| {
            u64::from(uc.get_data_mut().aica.read(offset as u32, size as u32))
        }),
        Some(|uc: &mut Engine<'_>, offset: u64, size: usize, value: u64| {
            uc.get_data_mut()
                .aica
                .write(offset as u32, size as u32, value as u32);
        }),
    )?;
    // From 1 to 0: everywhere.
    uc.add_code_hook(1, 0, |uc, address, _| {
        if let Some(stop) = before(uc, address as u32) {
            end(uc, stop);
        }
    })?;
    let outside = HookType::MEM_READ_UNMAPPED | HookType::MEM_WRITE_UNMAPPED | HookType::MEM_FETCH_UNMAPPED;
    let forbidden = HookType::MEM_READ_PROT | HookType::MEM_WRITE_PROT | HookType::MEM_FETCH_PROT;
    uc.add_mem_hook(outside | forbidden, 1, 0, |uc, kind, address, size, _| {
        let what = match kind {
            MemType::WRITE_UNMAPPED | MemType::WRITE_PROT => "write",
            MemType::FETCH_UNMAPPED | MemType::FETCH_PROT => "fetch",
            _ => "read",
        };
        let (address, size) = (address as u32, size as u32);
        end(uc, Stop::Fault { what, address, size });
        false
    })?;
    uc.add_mem_hook(HookType::MEM_WRITE, 1, 0, |uc, _, address, size, _| {
        if u64::from(RAM) > address {
            uc.get_data_mut().stored(address as u32, size as u32);
        }
        true
    })?;
    uc.add_intr_hook(|uc, number| end(uc, Stop::Exception(number)))?;
    Ok(uc)
}

/// Ends the run; the first reason stays.
fn end(uc: &mut Engine<'_>, stop: Stop) {
    uc.get_data_mut().stop.get_or_insert(stop);
    let _ = uc.emu_stop();
}

/// Looks at an instruction that is about to run, and does it if the engine would do it wrong.
fn before(uc: &mut Engine<'_>, pc: u32) -> Option<Stop> {
    let opcode = word(uc, pc)?;
    let state = uc.get_data_mut();
    if state.stop.is_some() {
        return None;
    }
    state.pc = pc;
    if state.executed >= state.limit {
        return Some(Stop::Limit);
    }
    if let Some(refusal) = armv3::check(opcode) {
        return Some(Stop::Refused(opcode, refusal));
    }
    state.executed += 1;
    if state.idle && opcode == ENDLESS {
        return Some(Stop::Idle);
    }
    unaligned(uc, pc, opcode)
}

/// A word of memory, nothing outside of it.
fn word(uc: &Engine<'_>, address: u32) -> Option<u32> {
    let mut bytes = [0; 4];
    in_ram(address, 4).ok()?;
    uc.mem_read(address.into(), &mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// Does a word transfer at an unaligned address in RAM; leaves all others to the engine.
fn unaligned(uc: &mut Engine<'_>, pc: u32, opcode: u32) -> Option<Stop> {
    let base = transfer::base(opcode)?;
    let cpsr = uc.reg_read(RegisterARM::CPSR).ok()? as u32;
    if !transfer::condition(opcode, cpsr) {
        return None;
    }
    let read = |n: u32| match n {
        15 => pc.wrapping_add(8),
        n => uc.reg_read(register(n)).unwrap_or_default() as u32,
    };
    if transfer::block(opcode) {
        let crooked = read(base) & 3 != 0;
        return crooked.then_some(Stop::Refused(
            opcode,
            Refusal::Unmodelled("LDM or STM at an unaligned address"),
        ));
    }
    let registers = Registers { read: &read, cpsr };
    let transfer = transfer::transfer(opcode, &registers);
    if transfer.address & 3 == 0 {
        return None;
    }
    let source = read(transfer.source);
    perform(uc, pc, transfer, source)
}

fn perform(uc: &mut Engine<'_>, pc: u32, transfer: Transfer, source: u32) -> Option<Stop> {
    let aligned = transfer.address & !3;
    let Some(old) = word(uc, aligned) else {
        let what = if transfer.kind == Kind::Store {
            "write"
        } else {
            "read"
        };
        return Some(Stop::Fault {
            what,
            address: transfer.address,
            size: 4,
        });
    };
    if transfer.kind != Kind::Load {
        uc.get_data_mut().stored(aligned, 4);
        uc.mem_write(aligned.into(), &source.to_le_bytes()).ok()?;
    }
    if let Some((register_number, value)) = transfer.base {
        uc.reg_write(register(register_number), value.into()).ok()?;
    }
    let mut next = pc.wrapping_add(4);
    if transfer.kind != Kind::Store {
        let value = transfer::rotated(old, transfer.address);
        match transfer.rd {
            15 => next = value & !3,
            rd => uc.reg_write(register(rd), value.into()).ok()?,
        }
    }
    uc.reg_write(RegisterARM::PC, next.into()).ok()?;
    None
}
