//! Detection of stream underruns, for the checks.
//!
//! A channel plays a stream if a program rewrites every piece of the loop between two passes of the position.
//! From then on, 16 consecutive pieces without new data are an underrun.

use crate::state::ChannelState;
use crate::{CHANNELS, RAM_BYTES};

/// Bytes of a piece of sound RAM.
const PIECE: u32 = 32;
const PIECES: usize = RAM_BYTES / PIECE as usize;
/// Number of consecutive pieces without new data that make an underrun: 512 bytes.
const STALE: u32 = 16;

/// Last write and last play of the pieces, and the channels' streams.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    pieces: Box<[Piece]>,
    streams: [Stream; CHANNELS],
}

/// Times in samples from power-on plus one; 0 is never.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    written: u64,
    played: u64,
}

/// A channel's passes through its loop.
#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// Time of the key-on.
    begin: u64,
    /// Piece at the position.
    piece: Option<u32>,
    /// The channel has passed its loop end.
    looped: bool,
    /// Every piece since the last pass of the loop end had new data.
    all_new: bool,
    /// A whole pass had new data.
    is_stream: bool,
    /// Consecutive pieces without new data.
    stale: u32,
    reported: bool,
}

state::fields!(Piece { written, played });

state::fields!(Stream {
    begin,
    piece,
    looped,
    all_new,
    is_stream,
    stale,
    reported
});

state::fields!(Streams { pieces, streams });

impl Streams {
    pub(crate) fn new() -> Self {
        Self {
            pieces: vec![Piece::default(); PIECES].into_boxed_slice(),
            streams: [Stream::default(); CHANNELS],
        }
    }

    /// Records a write of `bytes` bytes at sample `now`.
    pub(crate) fn write(&mut self, address: u32, bytes: u32, now: u64) {
        let last = address + bytes.saturating_sub(1);
        for piece in address / PIECE..=last / PIECE {
            self.pieces[piece as usize % PIECES].written = now + 1;
        }
    }

    /// Records the key-on of channel `n`.
    pub(crate) fn start(&mut self, n: usize, now: u64) {
        self.streams[n] = Stream {
            begin: now + 1,
            ..Stream::default()
        };
    }

    /// Records that `channel` plays at its position at sample `now`. Returns true at an underrun, once after
    /// each key-on.
    pub(crate) fn play(&mut self, ram: &[u8; RAM_BYTES], channel: &ChannelState, now: u64) -> bool {
        let stream = &mut self.streams[channel.number];
        let piece = channel.position_address() % RAM_BYTES as u32 / PIECE;
        if stream.piece == Some(piece) {
            return false;
        }
        stream.piece = Some(piece);
        let place = &mut self.pieces[piece as usize];
        let was_played = place.played >= stream.begin;
        let is_new = place.written > place.played;
        place.played = now + 1;
        if !was_played {
            return false;
        }
        let bytes = &ram[(piece * PIECE) as usize..][..PIECE as usize];
        let is_heard = channel.is_sent() && bytes.iter().any(|byte| *byte != bytes[0]);
        stream.all_new &= is_new;
        stream.stale = if is_new || !is_heard { 0 } else { stream.stale + 1 };
        let found = stream.is_stream && stream.stale >= STALE && !stream.reported;
        stream.reported |= found;
        found
    }

    /// Records that channel `n` passed its loop end.
    pub(crate) fn pass_end(&mut self, n: usize) {
        let stream = &mut self.streams[n];
        stream.is_stream |= stream.looped && stream.all_new;
        stream.looped = true;
        stream.all_new = true;
    }
}
