//! Streams: sectors that a program requests in parts.

use super::{Command, MAX, State, Stream, TO_THE_END, code, read, word, write_words};
use crate::holly::drive::Sense;
use crate::holly::events::normal;
use crate::scheduler::Event;
use crate::system::System;

pub(super) fn stream(system: &mut System, command: &Command) -> Result<Stream, Sense> {
    let [fad, count, ..] = command.parameters;
    let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
    let number = disc.track_at(fad).ok_or(Sense::OUTSIDE)?;
    let end = disc.track(number).map_or(fad, |track| track.end());
    let count = if count == TO_THE_END { end - fad } else { count };
    system.drive.player.seek(fad);
    Ok(Stream {
        fad,
        total: u64::from(count) * system.disc_calls.part().bytes() as u64,
        dma: matches!(command.code, code::DMA_STREAM | code::DMA_STREAM_EX),
        ..Stream::default()
    })
}

/// Requests the next bytes of a stream. R5 points to address and size.
pub(super) fn transfer(system: &mut System, handle: u32, block: u32, dma: bool) -> Option<u32> {
    let (address, size) = (word(system, block)?, word(system, block.wrapping_add(4))?);
    let command = system.disc_calls.current(handle)?;
    let stream = &mut command.stream;
    let fits = u64::from(size) <= (stream.total - stream.done).min(MAX);
    if command.state != State::Streaming || stream.dma != dma || stream.transfer.is_some() || !fits {
        return None;
    }
    stream.transfer = Some((address, size));
    let cycles = u64::from(size) * system.settings.gd_disc_rate;
    system
        .scheduler
        .set(Event::DiscCommand, system.now + cycles.max(1));
    Some(0)
}

/// Completes a transfer.
pub(super) fn move_stream(system: &mut System, command: &mut Command) {
    let stream = &mut command.stream;
    let Some((address, size)) = stream.transfer.take() else {
        return;
    };
    let part = system.disc_calls.part();
    match read(system, stream.fad, stream.done, size.into(), address, part) {
        Ok(()) => {
            stream.done += u64::from(size);
            stream.ended = true;
            command.moved = command.moved.wrapping_add(size);
        }
        Err(sense) => command.state = State::Failed(sense),
    }
    if stream.dma {
        system.raise(normal::G1_DMA);
    }
}

/// Returns the remaining bytes, and 1 while a transfer is active. (Some sources swap the two results; this
/// code follows KallistiOS.)
pub(super) fn progress(system: &mut System, handle: u32, buffer: u32) -> Option<u32> {
    let stream = system.disc_calls.current(handle)?.stream;
    let left = stream.total - stream.done;
    write_words(system, buffer, &[left.min(u32::MAX.into()) as u32])?;
    Some(stream.transfer.is_some().into())
}
