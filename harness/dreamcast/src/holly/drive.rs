//! Registers of the GD-ROM drive: an ATA device with the packet interface.
//!
//! lxdream's `testide` verified the register contents after each step on a console. Packets follow the
//! sources of KallistiOS and lxdream. Commands that neither describes end with "illegal request".

mod packet;
mod saved;

use crate::disc::player::{Player, state};
use crate::disc::{Disc, Part, ReadError};
use crate::time::{Cycles, Ratio};

/// Bits of the status register.
pub(crate) mod status {
    pub(crate) const ERROR: u8 = 0x01;
    pub(crate) const DATA: u8 = 0x08;
    pub(crate) const SEEK_DONE: u8 = 0x10;
    pub(crate) const READY: u8 = 0x40;
    pub(crate) const BUSY: u8 = 0x80;
}

const READY: u8 = status::READY | status::SEEK_DONE;
/// Bit 4 of the device register: the second device of the cable, which does not exist.
const SECOND: u8 = 0x10;
/// Value that disables the interface when written to 005F74E4.
const DISABLE: u32 = 0x42FE;

/// Sense key and additional code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sense(pub(crate) u8, pub(crate) u8);

impl Sense {
    pub(crate) const NO_DISC: Sense = Sense(2, 0x3A);
    pub(crate) const UNREADABLE: Sense = Sense(3, 0x11);
    pub(crate) const ILLEGAL: Sense = Sense(5, 0x20);
    pub(crate) const FIELD: Sense = Sense(5, 0x24);
    pub(crate) const OUTSIDE: Sense = Sense(5, 0x21);
    pub(crate) const MODE: Sense = Sense(5, 0x64);
    pub(crate) const RESET: Sense = Sense(6, 0x29);
}

/// Next action of the drive after its delay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Next {
    /// Starts a packet's command.
    Packet([u8; 12]),
    /// Provides the next block of a read.
    #[default]
    Block,
    /// Provides data for the host.
    Answer(Vec<u8>),
    /// Ends the command.
    Done(Sense),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Receives the packet's words.
    Packet {
        bytes: [u8; 12],
        count: usize,
    },
    /// Waits for its delay.
    Busy(Next),
    /// Provides data: words of the data register, or DMA.
    Data,
    /// Receives the data of "set mode".
    Mode {
        first: usize,
        count: usize,
        taken: usize,
    },
}

/// Duration for which the drive is busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Delay {
    /// Time of a command.
    #[default]
    Command,
    /// Time of reading a number of bytes from the disc.
    Read(usize),
}

/// Remaining sectors of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reading {
    fad: u32,
    count: u32,
    part: Part,
}

/// State of the drive.
#[derive(Debug)]
pub(crate) struct Drive {
    pub(crate) disc: Option<Disc>,
    pub(crate) player: Player,
    /// The 32 bytes returned by "get mode".
    pub(crate) mode: [u8; 32],
    sense: Sense,
    enabled: bool,
    status: u8,
    error: u8,
    features: u8,
    /// Sector count; reads return the interrupt reason.
    count: u8,
    low: u8,
    high: u8,
    device: u8,
    phase: Phase,
    block: Vec<u8>,
    taken: usize,
    reading: Option<Reading>,
    /// Currently playing audio sector, with its frame address.
    audio: Option<(u32, Vec<u8>)>,
    /// Host error of the last failed read.
    pub(crate) host_error: Option<String>,
    /// Interrupt line, bit 0 of ISTEXT.
    pub(crate) interrupt: bool,
    /// Requests a call after this delay, because the drive has become busy.
    pub(crate) wants: Option<Delay>,
}

/// Bytes 4 to 15 that the drive reports after a reset (lxdream's `testide`). The firmware's version follows,
/// which no source documents.
const MODE: &[u8; 16] = b"\0\0\0\0\x00\xB4\x19\0\0\x08SE    ";

impl Drive {
    /// Returns a copy without the disc, which is stateless.
    pub(crate) fn without_disc(&self) -> Self {
        Self {
            disc: None,
            audio: self.audio.clone(),
            player: self.player,
            mode: self.mode,
            sense: self.sense,
            enabled: self.enabled,
            status: self.status,
            error: self.error,
            features: self.features,
            count: self.count,
            low: self.low,
            high: self.high,
            device: self.device,
            phase: self.phase.clone(),
            block: self.block.clone(),
            taken: self.taken,
            reading: self.reading,
            host_error: self.host_error.clone(),
            interrupt: self.interrupt,
            wants: self.wants,
        }
    }
}

impl Drive {
    pub(crate) fn new(hz: u64) -> Self {
        let mut mode = [b' '; 32];
        mode[..16].copy_from_slice(MODE);
        Self {
            disc: None,
            player: Player::new(hz),
            mode,
            sense: Sense::default(),
            enabled: true,
            status: READY,
            error: 0,
            features: 0,
            count: 1,
            low: 0,
            high: 0,
            device: 0,
            phase: Phase::Idle,
            block: Vec::new(),
            taken: 0,
            reading: None,
            audio: None,
            host_error: None,
            interrupt: false,
            wants: None,
        }
    }

    /// Returns the state of the mechanism, and the disc's kind.
    pub(crate) fn state(&mut self, now: Cycles) -> (u8, u8) {
        match &self.disc {
            Some(disc) => (self.player.at(now).state, disc.kind().code()),
            None => (state::NO_DISC, 0),
        }
    }

    /// Reads a sector; also used by firmware calls.
    pub(crate) fn read_sector(&mut self, fad: u32, part: Part) -> Result<Vec<u8>, Sense> {
        let disc = self.disc.as_mut().ok_or(Sense::NO_DISC)?;
        disc.read(fad, part).map_err(|error| match error {
            ReadError::Outside => Sense::OUTSIDE,
            ReadError::Mode => Sense::MODE,
            ReadError::Host(why) => {
                self.host_error = Some(why);
                Sense::UNREADABLE
            }
        })
    }

    /// Changes the disc, and stops the mechanism.
    pub(crate) fn insert(&mut self, disc: Option<Disc>) {
        self.player.stop();
        (self.disc, self.audio) = (disc, None);
    }

    /// Returns the left and right audio at sample `sample` since power-on; silence unless audio plays.
    /// `clock` is the sample clock.
    pub(crate) fn audio_sample(&mut self, sample: u64, clock: Ratio) -> [i16; 2] {
        let Some((fad, index)) = self.player.audio_at(sample, clock) else {
            return [0; 2];
        };
        if self.audio.as_ref().is_none_or(|(held, _)| *held != fad) {
            self.audio = Some((fad, self.read_audio(fad)));
        }
        let bytes = self.audio.as_ref().and_then(|(_, bytes)| bytes.get(4 * index..));
        let quad: [u8; 4] = bytes
            .and_then(|bytes| bytes.first_chunk())
            .copied()
            .unwrap_or_default();
        [[quad[0], quad[1]], [quad[2], quad[3]]].map(i16::from_le_bytes)
    }

    /// Reads a sector of audio; empty if it cannot be read.
    fn read_audio(&mut self, fad: u32) -> Vec<u8> {
        let read = self.disc.as_mut().map(|disc| disc.read_audio(fad));
        match read {
            Some(Ok(bytes)) => bytes,
            Some(Err(ReadError::Host(why))) => {
                self.host_error = Some(why);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Handles a write to 005F74E4. On a console the interface is enabled again only after the boot ROM was
    /// read; here it is immediately.
    pub(crate) fn unlock(&mut self, value: u32) {
        self.enabled = value != DISABLE;
    }

    /// Reads a register by its address. `size` matters only for the data register.
    pub(crate) fn read(&mut self, address: u32, size: usize, now: Cycles) -> u32 {
        if !self.enabled {
            return u32::MAX;
        }
        let value = match address & 0xFC {
            // The absent second device drives no line.
            0x18 | 0x9C if self.device & SECOND != 0 => 0,
            0x18 => self.status,
            0x80 => return self.read_data(size),
            0x84 => self.error,
            0x88 => self.count,
            0x8C => {
                let (state, kind) = self.state(now);
                kind & 0xF0 | state
            }
            0x90 => self.low,
            0x94 => self.high,
            0x98 => self.device,
            0x9C => {
                self.interrupt = false;
                self.status
            }
            _ => return u32::MAX,
        };
        value.into()
    }

    /// Writes a register by its address.
    pub(crate) fn write(&mut self, address: u32, value: u32) {
        if !self.enabled {
            return;
        }
        let byte = value as u8;
        match address & 0xFC {
            // Bit 2 of device control is reset.
            0x18 if byte & 4 != 0 => self.reset(),
            0x80 => self.write_data(value as u16),
            0x84 => self.features = byte,
            0x88 => self.count = byte,
            0x90 => self.low = byte,
            0x94 => self.high = byte,
            0x98 => self.device = byte,
            0x9C if self.device & SECOND == 0 => self.command(byte),
            _ => {}
        }
    }

    fn reset(&mut self) {
        (self.status, self.error, self.count) = (0, 1, 1);
        (self.low, self.high, self.device) = (0x14, 0xEB, 0);
        (self.phase, self.reading, self.interrupt) = (Phase::Idle, None, false);
        self.sense = Sense::RESET;
        self.mode[..16].copy_from_slice(MODE);
    }

    fn command(&mut self, command: u8) {
        self.interrupt = false;
        match command {
            0x08 => self.reset(),
            0xA0 => self.start_packet(),
            // Identify packet device: no public document describes the 80 bytes, so they are empty.
            0xA1 => self.busy(Next::Answer(vec![0; 80]), Delay::Command),
            0xEF => {
                (self.status, self.error, self.low, self.high) = (READY, 0, 0, 0);
                self.phase = Phase::Idle;
            }
            0x00 => self.finish(Sense::default()),
            _ => {
                (self.status, self.error, self.count) = (READY | status::ERROR, 4, 2);
                (self.low, self.high, self.phase) = (0, 0x50, Phase::Idle);
                self.interrupt = true;
            }
        }
    }

    fn start_packet(&mut self) {
        self.phase = Phase::Packet {
            bytes: [0; 12],
            count: 0,
        };
        (self.status, self.error, self.count) = (READY | status::DATA, 0, 1);
    }

    fn busy(&mut self, next: Next, delay: Delay) {
        self.phase = Phase::Busy(next);
        self.status = READY | status::BUSY;
        self.wants = Some(delay);
    }

    fn write_data(&mut self, value: u16) {
        let word = value.to_le_bytes();
        match &mut self.phase {
            Phase::Packet { bytes, count } => {
                bytes[*count..*count + 2].copy_from_slice(&word);
                *count += 2;
                if *count == bytes.len() {
                    let packet = *bytes;
                    self.busy(Next::Packet(packet), Delay::Command);
                }
            }
            Phase::Mode { first, count, taken } => {
                for byte in word {
                    if let Some(place) = self.mode[..10].get_mut(*first + *taken) {
                        *place = byte;
                    }
                    *taken += 1;
                }
                if *taken >= *count {
                    self.busy(Next::Done(Sense::default()), Delay::Command);
                }
            }
            _ => {}
        }
    }

    fn read_data(&mut self, size: usize) -> u32 {
        let idle = if self.error & 4 != 0 { 0 } else { 0xFFFF };
        if self.phase != Phase::Data || self.is_dma() {
            return idle;
        }
        let at = |n: usize| u32::from(self.block.get(n).copied().unwrap_or(0));
        let value = at(self.taken) | at(self.taken + 1) << 8;
        self.taken += 2;
        if self.taken >= self.block.len() {
            self.block_taken();
        }
        if size == 1 { value & 0xFF } else { value }
    }

    /// Returns whether the command transfers its data by DMA.
    fn is_dma(&self) -> bool {
        self.features & 1 != 0
    }

    /// Handles the end of a block that the host has read completely.
    fn block_taken(&mut self) {
        match self.reading.filter(|reading| reading.count > 0) {
            Some(reading) => self.busy(Next::Block, Delay::Read(reading.part.bytes())),
            None => self.busy(Next::Done(Sense::default()), Delay::Command),
        }
    }

    /// Continues after the delay requested in `wants`.
    pub(crate) fn proceed(&mut self, now: Cycles) {
        let Phase::Busy(next) = std::mem::replace(&mut self.phase, Phase::Idle) else {
            return;
        };
        match next {
            Next::Packet(packet) => self.packet(&packet, now),
            Next::Block => self.next_block(),
            Next::Answer(bytes) => self.offer(bytes),
            Next::Done(sense) => self.finish(sense),
        }
    }

    /// Ends the command.
    fn finish(&mut self, sense: Sense) {
        let failed = sense != Sense::default();
        self.phase = Phase::Idle;
        self.reading = None;
        self.count = 3;
        self.error = sense.0 << 4;
        self.status = READY | if failed { status::ERROR } else { 0 };
        self.sense = sense;
        self.interrupt = true;
    }

    /// Provides a block to the host.
    fn offer(&mut self, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return self.finish(Sense::default());
        }
        let [low, high] = (bytes.len().min(0xFFFF) as u16).to_le_bytes();
        (self.low, self.high, self.count) = (low, high, 2);
        (self.block, self.taken) = (bytes, 0);
        self.status = READY | status::DATA;
        self.phase = Phase::Data;
        // With DMA, the request line signals data, and the interrupt occurs only at the command's end.
        self.interrupt |= !self.is_dma();
    }

    fn next_block(&mut self) {
        let Some(mut reading) = self.reading else {
            return self.finish(Sense::default());
        };
        match self.read_sector(reading.fad, reading.part) {
            Ok(bytes) => {
                (reading.fad, reading.count) = (reading.fad + 1, reading.count - 1);
                self.player.seek(reading.fad);
                self.reading = Some(reading);
                self.offer(bytes);
            }
            Err(sense) => self.finish(sense),
        }
    }

    /// Returns whether data are ready for a DMA.
    pub(crate) fn offers_dma(&self) -> bool {
        self.phase == Phase::Data && self.is_dma()
    }

    /// Returns whether the data come from sectors, not from a table.
    pub(crate) fn reads_sectors(&self) -> bool {
        self.reading.is_some()
    }

    /// Returns the number of remaining bytes of the command.
    pub(crate) fn left(&self) -> u64 {
        let sectors = self.reading.map_or(0, |reading| {
            u64::from(reading.count) * reading.part.bytes() as u64
        });
        self.block.len().saturating_sub(self.taken) as u64 + sectors
    }

    /// Takes up to `length` bytes for a DMA; `None` if the drive provides no data by DMA.
    pub(crate) fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        if !self.offers_dma() {
            return None;
        }
        let mut bytes = Vec::new();
        while bytes.len() < length && self.phase == Phase::Data {
            let end = self.block.len().min(self.taken + length - bytes.len());
            bytes.extend_from_slice(&self.block[self.taken..end]);
            self.taken = end;
            if self.taken < self.block.len() {
                break;
            }
            match self.reading.filter(|reading| reading.count > 0) {
                Some(_) => self.next_block(),
                None => self.block_taken(),
            }
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests;
