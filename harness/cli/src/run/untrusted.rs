//! Runs readers of debug information and debugger packets on untrusted data, for fuzz targets.

use super::debug::{DebugInfo, Registers, Tracer, kos};
use super::gdb;
use super::pictures::Pictures;
use super::session::{Limits, Session};
use dreamcast::input::Script;
use dreamcast::{Config, Cycles, Dreamcast};
use gdbstub::conn::{Connection, ConnectionExt};
use machine::{Image, Symbols};
use std::collections::VecDeque;
use std::io;

/// Implements [`crate::untrusted::debug_information`].
pub(crate) fn debug_information(elf: &[u8], words: &[u32]) {
    let info = DebugInfo::of(elf);
    let symbols = Image::parse(elf).map_or_else(|_| Symbols::default(), |image| image.symbols);
    let word = |n: usize| words.get(n % words.len().max(1)).copied().unwrap_or(0);
    let mut memory = |address: u32| (address & 3 == 0).then(|| word(address as usize / 4));
    let registers = Registers {
        r: std::array::from_fn(|n| word(n + 2)),
        pc: word(0),
        pr: Some(word(1)),
    };
    for frame in Tracer::new(&info, elf, &symbols).frames(registers, &mut memory) {
        info.places(frame.inside());
    }
    if let Some(layout) = kos::Layout::of(&info, &symbols) {
        layout.threads(&mut memory);
    }
}

/// Maximum bytes of answers, after which the debugger disconnects: it can request the whole address space.
const ANSWERS: usize = 1 << 20;

/// A debugger that has sent all its packets.
struct Debugger {
    packets: VecDeque<u8>,
    /// Number of bytes answered.
    answers: usize,
}

impl Connection for Debugger {
    type Error = io::Error;

    fn write(&mut self, _: u8) -> io::Result<()> {
        self.answers += 1;
        match self.answers > ANSWERS {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ConnectionExt for Debugger {
    fn read(&mut self) -> io::Result<u8> {
        self.packets
            .pop_front()
            .ok_or(io::ErrorKind::UnexpectedEof.into())
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.packets.front().copied())
    }
}

/// Creates a session that runs at most `instructions`.
fn session(program: &[u8], instructions: u64) -> Option<Session> {
    let mut console = Dreamcast::new(Config::default());
    console.load(&Image::parse(program).ok()?).ok()?;
    let limits = Limits {
        frames: u64::MAX,
        time: Cycles::NEVER,
        instructions,
        texts: Vec::new(),
    };
    Some(Session::new(console, limits, Script::default(), Pictures::default(), false).silent())
}

/// See [`crate::untrusted::state_file`].
pub(crate) fn state_file(program: &[u8], bytes: &[u8]) {
    if let Some(mut session) = session(program, 1_000) {
        let _ = session.load_state_from(bytes);
    }
}

/// Implements [`crate::untrusted::gdb`].
pub(crate) fn gdb_packets(program: &[u8], packets: &[u8], instructions: u64) {
    let Some(mut session) = session(program, instructions) else {
        return;
    };
    let connection = Debugger {
        packets: packets.iter().copied().collect(),
        answers: 0,
    };
    let program = gdb::Program {
        bytes: program,
        path: "program.elf".to_owned(),
        max_instructions: instructions,
        history: 64 << 20,
        may_use_files: false,
    };
    let _ = gdb::drive(&mut session, &program, connection);
}
