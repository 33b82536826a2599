//! Commands of the packet interface.

use super::{Delay, Drive, Next, Phase, READY, Reading, Sense, status};
use crate::disc::player::Position;
use crate::disc::{Disc, LEAD, Part, answers};
use crate::time::Cycles;

impl Drive {
    pub(super) fn packet(&mut self, packet: &[u8; 12], now: Cycles) {
        // Unit attention after a reset: the next command fails, unless it requests the reason.
        if self.sense == Sense::RESET && packet[0] != 0x13 {
            return self.finish(Sense::RESET);
        }
        match self.answer(packet, now) {
            Ok(bytes) => self.offer(bytes),
            Err(sense) if sense == Sense::default() => {}
            Err(sense) => self.finish(sense),
        }
    }

    /// Returns the data of a packet. The default sense means that the command has begun a separate phase.
    fn answer(&mut self, packet: &[u8; 12], now: Cycles) -> Result<Vec<u8>, Sense> {
        let most = usize::from(u16::from_be_bytes([packet[3], packet[4]]));
        let part = |mut bytes: Vec<u8>| {
            bytes.truncate(most);
            Ok(bytes)
        };
        match packet[0] {
            0x10 => window(&self.report(now), packet[2], packet[4]),
            0x11 => window(&self.mode, packet[2], packet[4]),
            0x12 => self.set_mode(packet),
            0x13 => {
                let Sense(key, code) = std::mem::take(&mut self.sense);
                window(&[0xF0, 0, key, 0, 0, 0, 0, 0, code, 0], 0, packet[4])
            }
            _ if self.disc.is_none() => Err(Sense::NO_DISC),
            0x00 | 0x70 => Ok(Vec::new()),
            0x14 => part(self.with_disc(|disc, _| answers::contents(disc, packet[1] & 1 != 0), now)?),
            0x15 => {
                let session = packet[2].into();
                let bytes = self.with_disc(|disc, at| answers::session(disc, at, session), now)?;
                window(&bytes, 0, packet[4])
            }
            0x20..=0x22 => self.play(packet, now).map(|()| Vec::new()),
            0x30 | 0x31 => self.start_read(packet),
            0x40 => {
                let which = (packet[1] & 15).into();
                part(self.with_disc(|disc, at| answers::subcode(disc, at, which), now)?)
            }
            _ => Err(Sense::ILLEGAL),
        }
    }

    fn with_disc<T>(&mut self, ask: impl Fn(&Disc, Position) -> Option<T>, now: Cycles) -> Result<T, Sense> {
        let position = self.player.at(now);
        let disc = self.disc.as_ref().ok_or(Sense::NO_DISC)?;
        ask(disc, position).ok_or(Sense::FIELD)
    }

    /// Returns the ten bytes of "request status".
    fn report(&mut self, now: Cycles) -> [u8; 10] {
        let (state, kind) = self.state(now);
        let position = self.player.at(now);
        let track = self.disc.as_ref().and_then(|disc| disc.track_at(position.fad));
        let control = track.and_then(|number| Some(self.disc.as_ref()?.track(number)?.control()));
        let [_, high, middle, low] = position.fad.to_be_bytes();
        let number = track.unwrap_or(0) as u8;
        [
            state,
            position.repeats,
            kind,
            control.unwrap_or(0),
            number,
            1,
            high,
            middle,
            low,
            0,
        ]
    }

    fn set_mode(&mut self, packet: &[u8; 12]) -> Result<Vec<u8>, Sense> {
        let (first, count) = (usize::from(packet[2]), usize::from(packet[4]));
        if first + count > self.mode.len() {
            return Err(Sense::FIELD);
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        self.phase = Phase::Mode {
            first,
            count,
            taken: 0,
        };
        (self.low, self.high, self.count) = (count as u8, 0, 0);
        self.status = READY | status::DATA;
        self.interrupt = true;
        Err(Sense::default())
    }

    /// Handles CD_PLAY, CD_SEEK and CD_SCAN.
    fn play(&mut self, packet: &[u8; 12], now: Cycles) -> Result<(), Sense> {
        let kind = packet[1] & 7;
        let start = address([packet[2], packet[3], packet[4]], kind == 2);
        match (packet[0], kind) {
            (0x20, 1 | 2) => {
                let end = address([packet[8], packet[9], packet[10]], kind == 2);
                self.play_audio(start, end, packet[6] & 15, now)
            }
            (0x20, 7) => {
                self.player.resume(now);
                Ok(())
            }
            (0x21, 1 | 2) => {
                self.player.seek(start);
                Ok(())
            }
            (0x21, 3) => {
                self.player.stop();
                Ok(())
            }
            (0x21, 4) => {
                self.player.pause(now);
                Ok(())
            }
            _ => Err(Sense::FIELD),
        }
    }

    /// Plays audio sectors; also used by firmware calls.
    pub(crate) fn play_audio(&mut self, start: u32, end: u32, repeats: u8, now: Cycles) -> Result<(), Sense> {
        let disc = self.disc.as_ref().ok_or(Sense::NO_DISC)?;
        let number = disc.track_at(start).ok_or(Sense::OUTSIDE)?;
        if disc.track(number).is_none_or(|track| track.data) {
            return Err(Sense::MODE);
        }
        self.audio = None;
        self.player.play(start, end, repeats, now);
        Ok(())
    }

    /// Handles CD_READ. Bits 7 to 4 of byte 1 select the part of a sector to read.
    fn start_read(&mut self, packet: &[u8; 12]) -> Result<Vec<u8>, Sense> {
        let part = match packet[1] >> 4 {
            2 => Part::Data,
            1 | 15 => Part::Whole,
            _ => return Err(Sense::FIELD),
        };
        let count = [packet[8], packet[9], packet[10]];
        let count = match packet[0] {
            0x30 => address(count, false),
            _ => u16::from_be_bytes([packet[6], packet[7]]).into(),
        };
        if count == 0 {
            return Ok(Vec::new());
        }
        let fad = address([packet[2], packet[3], packet[4]], packet[1] & 1 != 0);
        self.reading = Some(Reading { fad, count, part });
        self.busy(Next::Block, Delay::Read(part.bytes()));
        Err(Sense::default())
    }
}

/// Converts a frame address: a number, or minute, second and frame.
fn address([a, b, c]: [u8; 3], time: bool) -> u32 {
    match time {
        true => (u32::from(a) * 60 + u32::from(b)) * 75 + u32::from(c),
        false => u32::from_be_bytes([0, a, b, c]),
    }
    .max(if time { LEAD } else { 0 })
}

/// Returns `count` bytes, starting at `first`.
fn window(bytes: &[u8], first: u8, count: u8) -> Result<Vec<u8>, Sense> {
    let first = usize::from(first);
    let end = (first + usize::from(count)).min(bytes.len());
    bytes.get(first..end).map(<[u8]>::to_vec).ok_or(Sense::FIELD)
}
