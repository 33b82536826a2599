//! The GD-ROM calls (vector 8C0000BC). A queue holds one command, which starts when the program calls the
//! server function.
//!
//! Functions, commands and their parameter blocks follow KallistiOS's `dc/syscalls.h`. Data is written to
//! memory at the end of a command or transfer.

mod player;
mod stream;

use self::player::{get_mode, play, set_mode, status};
use self::stream::{move_stream, progress, stream, transfer};
use super::{Served, dcload::Host};
use crate::disc::{Part, answers};
use crate::holly::drive::Sense;
use crate::holly::events::normal;
use crate::limits::DISC_READ as MAX;
use crate::scheduler::Event;
use crate::system::System;
use sh4::Cpu;

/// Functions selected by R7.
mod function {
    pub(super) const SEND: u32 = 0;
    pub(super) const CHECK: u32 = 1;
    pub(super) const SERVER: u32 = 2;
    pub(super) const INIT: u32 = 3;
    pub(super) const DRIVE: u32 = 4;
    pub(super) const DMA_END: u32 = 5;
    pub(super) const DMA_TRANSFER: u32 = 6;
    pub(super) const DMA_CHECK: u32 = 7;
    pub(super) const ABORT: u32 = 8;
    pub(super) const RESET: u32 = 9;
    pub(super) const SECTOR_MODE: u32 = 10;
    pub(super) const PIO_CALLBACK: u32 = 11;
    pub(super) const PIO_TRANSFER: u32 = 12;
    pub(super) const PIO_CHECK: u32 = 13;
}

/// Command codes.
mod code {
    pub(super) const PIO_READ: u32 = 16;
    pub(super) const DMA_READ: u32 = 17;
    pub(super) const CONTENTS: u32 = 18;
    pub(super) const CONTENTS2: u32 = 19;
    pub(super) const PLAY_TRACKS: u32 = 20;
    pub(super) const PLAY_SECTORS: u32 = 21;
    pub(super) const PAUSE: u32 = 22;
    pub(super) const RELEASE: u32 = 23;
    pub(super) const INIT: u32 = 24;
    pub(super) const SEEK: u32 = 27;
    pub(super) const DMA_STREAM: u32 = 28;
    pub(super) const NOTHING: u32 = 29;
    pub(super) const GET_MODE: u32 = 30;
    pub(super) const SET_MODE: u32 = 31;
    pub(super) const STOP: u32 = 33;
    pub(super) const SUBCODE: u32 = 34;
    pub(super) const SESSION: u32 = 35;
    pub(super) const STATUS: u32 = 36;
    pub(super) const PIO_STREAM: u32 = 37;
    pub(super) const DMA_STREAM_EX: u32 = 38;
    pub(super) const PIO_STREAM_EX: u32 = 39;
    pub(super) const VERSION: u32 = 40;
}

/// Result of the version command: the retail firmware's text, which programs may check.
const VERSION: &[u8; 28] = b"GDC Version 1.10 1999-03-31\x02";
/// A stream with this number of sectors continues to the end of its track (KallistiOS, `cdrom_stream_start`).
const TO_THE_END: u32 = 0x1FF;
const FAILED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Queued,
    Running,
    Streaming,
    Done,
    Failed(Sense),
}

state::variants!(State {
    0 Queued,
    1 Running,
    2 Streaming,
    3 Done,
    4 Failed(sense),
});

/// State of a stream that starts at a frame address.
#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    fad: u32,
    /// Number of transferred bytes, of `total`.
    done: u64,
    total: u64,
    dma: bool,
    /// Current transfer: address and bytes.
    transfer: Option<(u32, u32)>,
    /// Set from the time when a transfer has all its data until the server function processes it.
    ended: bool,
}

state::fields!(Stream {
    fad,
    done,
    total,
    dma,
    transfer,
    ended
} check(|stream: &Stream| stream.done <= stream.total && stream.total < 1 << 40));

#[derive(Clone, Copy, Debug, Default)]
struct Command {
    handle: u32,
    code: u32,
    parameters: [u32; 4],
    state: State,
    /// Number of bytes transferred.
    moved: u32,
    stream: Stream,
}

state::fields!(Command {
    handle,
    code,
    parameters,
    state,
    moved,
    stream
});

/// State of the calls.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    next_handle: u32,
    command: Option<Command>,
    /// Sector part, track type and bytes per sector, as set by `SECTOR_MODE`.
    mode: [u32; 3],
    /// The program's callback function, and its argument.
    callback: (u32, u32),
}

state::fields!(Calls {
    next_handle,
    command,
    mode,
    callback
});

impl Default for Calls {
    fn default() -> Self {
        Self {
            next_handle: 1,
            command: None,
            mode: [0x2000, 0x800, 2048],
            callback: (0, 0),
        }
    }
}

impl Calls {
    fn part(&self) -> Part {
        if self.mode[2] == 2352 {
            Part::Whole
        } else {
            Part::Data
        }
    }

    fn current(&mut self, handle: u32) -> Option<&mut Command> {
        self.command.as_mut().filter(|command| command.handle == handle)
    }
}

/// If R6 is 0, R7 selects a function. R6 = -1 initialises or checks the vectors, which always succeeds.
pub(super) fn serve(cpu: &mut Cpu, system: &mut System, _host: &mut Host) -> Served {
    let (first, second) = (cpu.r[4], cpu.r[5]);
    if cpu.r[6] != 0 {
        cpu.r[0] = if cpu.r[6] == u32::MAX && cpu.r[7] < 2 {
            0
        } else {
            FAILED
        };
        return Served::Done;
    }
    let answer = match cpu.r[7] {
        function::SEND => Some(send(system, first, second)),
        function::CHECK => Some(check(system, first, second)),
        function::SERVER => {
            cpu.r[0] = 0;
            return server(cpu, system);
        }
        function::INIT | function::RESET => {
            drop_command(system);
            system.disc_calls.mode = Calls::default().mode;
            Some(0)
        }
        function::DRIVE => {
            let (state, kind) = system.drive.state(system.now);
            write_words(system, first, &[state.into(), kind.into()])
        }
        function::DMA_END => {
            cpu.r[0] = 0;
            return jump(cpu, (first, second));
        }
        function::DMA_TRANSFER => transfer(system, first, second, true),
        function::PIO_TRANSFER => transfer(system, first, second, false),
        function::DMA_CHECK | function::PIO_CHECK => progress(system, first, second),
        function::ABORT => abort(system, first),
        function::SECTOR_MODE => sector_mode(system, first),
        function::PIO_CALLBACK => {
            system.disc_calls.callback = (first, second);
            Some(0)
        }
        14 | 15 => Some(0),
        _ => None,
    };
    cpu.r[0] = answer.unwrap_or(FAILED);
    Served::Done
}

/// Calls a function of the program with an argument, unless its address is 0. The function returns to the
/// caller of the firmware.
fn jump(cpu: &mut Cpu, (function, argument): (u32, u32)) -> Served {
    if function == 0 {
        return Served::Done;
    }
    cpu.pc = function;
    cpu.r[4] = argument;
    Served::Jump
}

fn word(system: &System, address: u32) -> Option<u32> {
    let bytes = system.ram_at(address & 0x1FFF_FFFF, 4)?;
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn write_words(system: &mut System, address: u32, words: &[u32]) -> Option<u32> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    system.write_ram(address & 0x1FFF_FFFF, &bytes).then_some(0)
}

/// Queues a command. Returns its handle, or 0 while another command is running.
fn send(system: &mut System, code: u32, block: u32) -> u32 {
    let busy = |command: &Command| matches!(command.state, State::Queued | State::Running | State::Streaming);
    if system.disc_calls.command.as_ref().is_some_and(busy) {
        return 0;
    }
    let parameters = [0, 4, 8, 12].map(|n| word(system, block.wrapping_add(n)).unwrap_or(0));
    let needs_disc = !matches!(
        code,
        code::NOTHING | code::GET_MODE | code::SET_MODE | code::VERSION
    );
    let state = match needs_disc && system.drive.disc.is_none() {
        // An empty drive fails immediately.
        true => State::Failed(Sense::NO_DISC),
        false => State::Queued,
    };
    let calls = &mut system.disc_calls;
    let handle = calls.next_handle;
    // Handles are positive and never 0.
    calls.next_handle = handle % 0x7FFF_FFFF + 1;
    calls.command = Some(Command {
        handle,
        code,
        parameters,
        state,
        moved: 0,
        stream: Stream::default(),
    });
    handle
}

/// Returns the state of a command, and removes it if it has ended.
fn check(system: &mut System, handle: u32, buffer: u32) -> u32 {
    let Some(command) = system.disc_calls.current(handle).copied() else {
        write_words(system, buffer, &[0; 4]);
        return 0;
    };
    // The four words are error, additional error, bytes, and drive state (2 waits for data, 4 busy).
    let (answer, error, drive) = match command.state {
        State::Queued => (1, Sense::default(), 0),
        State::Running => (1, Sense::default(), 4),
        State::Streaming => (3, Sense::default(), 2),
        State::Done => (2, Sense::default(), 0),
        State::Failed(sense) => (FAILED, sense, 0),
    };
    let words = [error.0.into(), error.1.into(), command.moved, drive];
    write_words(system, buffer, &words);
    if matches!(command.state, State::Done | State::Failed(_)) {
        system.disc_calls.command = None;
    }
    answer
}

/// Starts the queued command, and processes a finished transfer.
fn server(cpu: &mut Cpu, system: &mut System) -> Served {
    let callback = system.disc_calls.callback;
    let Some(command) = &mut system.disc_calls.command else {
        return Served::Done;
    };
    if command.state == State::Queued {
        command.state = State::Running;
        let cycles = duration(system);
        system.scheduler.set(Event::DiscCommand, system.now + cycles);
        return Served::Done;
    }
    let ready = command.stream.transfer.is_none() || (command.stream.ended && !command.stream.dma);
    if command.state != State::Streaming || !ready {
        return Served::Done;
    }
    // The CPU moves the data of a PIO transfer, so they arrive during this call (flycast, `gdrom_hle.cpp`).
    let mut command = *command;
    move_stream(system, &mut command);
    let stream = &mut command.stream;
    let (ended, last) = (std::mem::take(&mut stream.ended), stream.done == stream.total);
    let calls_back = ended && !stream.dma && !last && command.state == State::Streaming;
    if !ended && last {
        command.state = State::Done;
    }
    system.disc_calls.command = Some(command);
    // The firmware makes no callback for a stream's last transfer; KallistiOS compensates for this.
    if calls_back {
        return jump(cpu, callback);
    }
    Served::Done
}

/// Returns the cycles that the queued command takes.
fn duration(system: &System) -> u64 {
    let settings = &system.settings;
    let read = match &system.disc_calls.command {
        Some(Command {
            code: code::PIO_READ | code::DMA_READ,
            parameters,
            ..
        }) => u64::from(parameters[1]) * system.disc_calls.part().bytes() as u64,
        _ => 0,
    };
    settings.gd_command_time + read.min(MAX) * settings.gd_disc_rate
}

/// Completes the command or transfer when its time has elapsed.
pub(crate) fn finish(system: &mut System) {
    // Plays audio up to now before the drive moves.
    system.sync_sound();
    let Some(mut command) = system.disc_calls.command else {
        return;
    };
    match command.state {
        State::Running => {
            command.state = match run(system, &mut command) {
                Ok(state) => state,
                Err(sense) => State::Failed(sense),
            };
            if command.code == code::DMA_READ {
                system.raise(normal::G1_DMA);
            }
        }
        State::Streaming if command.stream.dma => move_stream(system, &mut command),
        State::Streaming => command.stream.ended = true,
        _ => {}
    }
    system.disc_calls.command = Some(command);
}

/// Executes a command.
fn run(system: &mut System, command: &mut Command) -> Result<State, Sense> {
    let [first, second, third, fourth] = command.parameters;
    let now = system.now;
    match command.code {
        code::PIO_READ | code::DMA_READ => {
            let part = system.disc_calls.part();
            let bytes = u64::from(second) * part.bytes() as u64;
            read(system, first, 0, bytes, third, part)?;
            command.moved = bytes as u32;
        }
        code::DMA_STREAM | code::PIO_STREAM | code::DMA_STREAM_EX | code::PIO_STREAM_EX => {
            command.stream = stream(system, command)?;
            return Ok(State::Streaming);
        }
        code::CONTENTS | code::CONTENTS2 => {
            let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
            let words = disc.contents(first != 0).ok_or(Sense::FIELD)?;
            store(write_words(system, second, &words))?;
        }
        code::PLAY_TRACKS | code::PLAY_SECTORS => play(system, command)?,
        code::PAUSE => system.drive.player.pause(now),
        code::RELEASE => system.drive.player.resume(now),
        code::INIT | code::STOP => system.drive.player.stop(),
        code::SEEK => system.drive.player.seek(first),
        code::NOTHING => {}
        code::GET_MODE => store(get_mode(system, first))?,
        code::SET_MODE => set_mode(system, [first, second, third, fourth]),
        code::SUBCODE => {
            let position = system.drive.player.at(now);
            let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
            let mut bytes = answers::subcode(disc, position, first).ok_or(Sense::FIELD)?;
            bytes.truncate(second as usize);
            put(system, third, &bytes)?;
        }
        code::SESSION => {
            let position = system.drive.player.at(now);
            let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
            let bytes = answers::session(disc, position, first).ok_or(Sense::FIELD)?;
            put(system, second, &bytes)?;
        }
        code::STATUS => status(system, command.parameters)?,
        code::VERSION => put(system, first, VERSION)?,
        _ => return Err(Sense::ILLEGAL),
    }
    Ok(State::Done)
}

fn store(answer: Option<u32>) -> Result<(), Sense> {
    answer.map(|_| ()).ok_or(Sense::FIELD)
}

fn put(system: &mut System, address: u32, bytes: &[u8]) -> Result<(), Sense> {
    let written = system.write_ram(address & 0x1FFF_FFFF, bytes);
    store(written.then_some(0))
}

/// Reads `bytes` bytes of sectors, starting `offset` bytes after the start of `fad`.
fn read(system: &mut System, fad: u32, offset: u64, bytes: u64, to: u32, part: Part) -> Result<(), Sense> {
    if bytes > MAX {
        return Err(Sense::FIELD);
    }
    let length = part.bytes() as u64;
    let (mut sector, mut skip) = ((offset / length) as u32, (offset % length) as usize);
    let (mut address, mut left) = (to, bytes as usize);
    while left > 0 {
        let fad = fad.checked_add(sector).ok_or(Sense::OUTSIDE)?;
        let data = system.drive.read_sector(fad, part)?;
        let take = left.min(data.len() - skip);
        if !system.store_g1(address, &data[skip..skip + take]) {
            return Err(Sense::FIELD);
        }
        (address, left) = (address.wrapping_add(take as u32), left - take);
        (sector, skip) = (sector + 1, 0);
    }
    system.drive.player.seek(fad.saturating_add(sector));
    Ok(())
}

fn drop_command(system: &mut System) {
    system.disc_calls.command = None;
    system.scheduler.cancel(Event::DiscCommand);
}

fn abort(system: &mut System, handle: u32) -> Option<u32> {
    system.disc_calls.current(handle)?;
    drop_command(system);
    Some(0)
}

/// Sets (0) or gets (1) the sector mode. The parameter block has four words: set or get, part, track type,
/// bytes.
fn sector_mode(system: &mut System, block: u32) -> Option<u32> {
    let get = word(system, block)?;
    let at = |n: u32| block.wrapping_add(4 * n);
    if get != 0 {
        let mode = system.disc_calls.mode;
        return write_words(system, at(1), &mode);
    }
    let mode = [word(system, at(1))?, word(system, at(2))?, word(system, at(3))?];
    if !matches!((mode[0], mode[2]), (0x2000, 2048) | (0x1000, 2352)) {
        return None;
    }
    system.disc_calls.mode = mode;
    Some(0)
}

#[cfg(test)]
mod tests;
