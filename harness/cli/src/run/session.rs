//! A program and the machine it runs in: dcload's calls, the serial port, and how it all ends.

use anyhow::{Context, Result};
use machine::{CacheMode, Halt, Image, Machine, Observer, Stop, dcload, register_name};
use sh4::{Exceptions, Settings};
use std::collections::BTreeSet;
use std::io::Write;

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// SLEEP, where no interrupt can come.
    Sleep,
    /// dcload's exit, with main's result.
    Exit(u32),
    /// The instruction limit.
    Limit,
    /// What it could not go on from, with its place.
    Fault(String),
    /// By a debugger.
    Killed,
}

/// See the module's head.
pub(crate) struct Session {
    pub(crate) machine: Machine,
    /// Instructions that have run.
    pub(crate) executed: u64,
    /// What the user should know, each said once.
    pub(crate) warnings: Vec<String>,
    /// What the program has written.
    pub(crate) console: Vec<u8>,
    /// Whether `console` also goes to standard output at once.
    echo: bool,
    unserved: BTreeSet<u32>,
    uncounted: u64,
}

/// Instructions between looks at the devices: what a program writes shows after some milliseconds.
const SLICE: u64 = 1 << 20;
/// SR at a program's entry: privileged, exceptions not blocked, interrupts masked. What a loader on the console
/// leaves is not known; programs that care set SR first.
const STATUS: u32 = 0x4000_00F0;
/// Where a program's stack begins: the top of RAM.
const STACK: u32 = 0x8D00_0000;

impl Session {
    /// Loads a program. What it writes goes to standard output under `echo`.
    pub(crate) fn new(image: &Image, caches: CacheMode, echo: bool) -> Result<Self> {
        let settings = Settings {
            exceptions: Exceptions::Take,
            ..Settings::default()
        };
        let mut machine = Machine::with(settings);
        machine.memory_mut().attach_board();
        machine.load(image)?;
        dcload::install(&mut machine)?;
        machine.cpu.set_sr(STATUS);
        machine.cpu.r[15] = STACK;
        machine.set_caches(caches)?;
        Ok(Self {
            machine,
            executed: 0,
            warnings: Vec::new(),
            console: Vec::new(),
            echo,
            unserved: BTreeSet::new(),
            uncounted: 0,
        })
    }

    /// Runs at most `count` instructions; how it ended, if it did.
    pub(crate) fn go<O: Observer>(&mut self, count: u64, observer: &mut O) -> Result<Option<End>> {
        let mut left = count;
        loop {
            let begin = self.machine.cpu.pc;
            let slice = left.min(SLICE);
            let halt = self
                .machine
                .emu_start_hooked(begin, Some(dcload::ENTRY), slice, observer);
            self.executed += halt.instructions;
            left = left.saturating_sub(halt.instructions);
            self.hear()?;
            match halt.stop {
                Stop::Limit if left == 0 => return Ok(None),
                Stop::Limit => {}
                Stop::Until => {
                    // Counts as an instruction, so that a limit ends every program.
                    self.executed += 1;
                    left = left.saturating_sub(1);
                    if let Some(end) = self.serve()? {
                        return Ok(Some(end));
                    }
                }
                Stop::Sleep => return Ok(Some(End::Sleep)),
                _ => return Ok(Some(End::Fault(self.describe(&halt)))),
            }
        }
    }

    fn serve(&mut self) -> Result<Option<End>> {
        match dcload::serve(&mut self.machine) {
            dcload::Call::Console(bytes) => self.write(&bytes)?,
            dcload::Call::Exit(code) => return Ok(Some(End::Exit(code))),
            dcload::Call::Done => {}
            dcload::Call::Unserved(number) => {
                if self.unserved.insert(number) {
                    self.warn(format!("dcload call {number} is not served; it fails with -1"));
                }
            }
        }
        Ok(None)
    }

    /// Takes what the devices have to say.
    fn hear(&mut self) -> Result<()> {
        let (console, absent) = match self.machine.memory_mut().board() {
            Some(board) => (board.take_console(), board.take_absent()),
            None => return Ok(()),
        };
        self.write(&console)?;
        for address in absent {
            let name = register_name(address).unwrap_or_default();
            self.warn(format!(
                "{address:08x} ({name}) is not emulated: reads give 0, writes are lost"
            ));
        }
        let events = self.machine.cpu.uncounted_events();
        let new = events & !self.uncounted;
        for event in (0..64).filter(|event| new >> event & 1 != 0) {
            self.warn(format!(
                "performance event {event:#04x} is not counted: its counter stays 0"
            ));
        }
        self.uncounted = events;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.echo && !bytes.is_empty() {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)
                .and_then(|()| out.flush())
                .context("standard output")?;
        }
        self.console.extend_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn warn(&mut self, text: String) {
        eprintln!("swirl: warning: {text}");
        self.warnings.push(text);
    }

    /// Says where a program failed. An exception without a handler shows as a fetch where the handler should be:
    /// what counts is what went there.
    fn describe(&self, halt: &Halt) -> String {
        let cpu = &self.machine.cpu;
        let name = |pc| format!("{pc:08x} ({})", self.machine.symbols().describe(pc));
        let vector = |offset: u32| cpu.vbr.wrapping_add(offset) == cpu.pc;
        let lost =
            matches!(halt.stop, Stop::Fault(fault) if fault.pc == cpu.pc && fault.address == Some(cpu.pc));
        if lost && vector(0x100) {
            let tea = match cpu.expevt {
                0x0E0 | 0x100 => format!(", address {:08x}", cpu.mmu.tea),
                _ => String::new(),
            };
            let (code, kind) = (cpu.expevt, exception_name(cpu.expevt));
            let (spc, place) = (name(cpu.spc), name(cpu.pc));
            return format!("exception {code:03x} ({kind}) at {spc}{tea}; there is no handler at {place}");
        }
        halt.to_string()
    }
}

/// The name of a general exception by its code (SH7750 manual, table 5.2).
fn exception_name(code: u32) -> &'static str {
    match code {
        0x0E0 => "address error, read or fetch",
        0x100 => "address error, write",
        0x120 => "FPU exception",
        0x160 => "trapa",
        0x180 => "illegal instruction",
        0x1A0 => "slot illegal instruction",
        0x1E0 => "user break",
        0x800 => "FPU disabled",
        0x820 => "slot FPU disabled",
        _ => "unknown",
    }
}
