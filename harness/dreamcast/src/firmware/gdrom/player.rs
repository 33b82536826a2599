//! Commands for audio, and for the drive's mode and status.

use super::{Command, code, store, write_words};
use crate::disc::player::state;
use crate::holly::drive::Sense;
use crate::system::System;

pub(super) fn play(system: &mut System, command: &Command) -> Result<(), Sense> {
    let [first, last, repeats, _] = command.parameters;
    let (start, end) = match command.code {
        code::PLAY_TRACKS => {
            let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
            let track = |number| disc.track(number).ok_or(Sense::OUTSIDE);
            (track(first)?.start, track(last)?.end())
        }
        _ => (first, last),
    };
    let now = system.now;
    system.drive.play_audio(start, end, repeats.min(15) as u8, now)
}

/// Stores speed (byte 2 of the drive's mode), standby time (4 and 5), read flags (6) and retries (9) as words
/// at `address`.
pub(super) fn get_mode(system: &mut System, address: u32) -> Option<u32> {
    let mode = system.drive.mode;
    let standby = u32::from(mode[4]) << 8 | u32::from(mode[5]);
    write_words(
        system,
        address,
        &[mode[2].into(), standby, mode[6].into(), mode[9].into()],
    )
}

pub(super) fn set_mode(system: &mut System, [speed, standby, flags, retries]: [u32; 4]) {
    let mode = &mut system.drive.mode;
    (mode[2], mode[6], mode[9]) = (speed as u8, flags as u8, retries as u8);
    [mode[4], mode[5]] = (standby as u16).to_be_bytes();
}

/// Stores four words at four addresses: state and repeats; track; frame address and control; index.
pub(super) fn status(system: &mut System, addresses: [u32; 4]) -> Result<(), Sense> {
    let position = system.drive.player.at(system.now);
    let disc = system.drive.disc.as_ref().ok_or(Sense::NO_DISC)?;
    debug_assert_ne!(position.state, state::NO_DISC);
    let number = disc.track_at(position.fad).unwrap_or(0);
    let control = disc.track(number).map_or(0, |track| u32::from(track.control()));
    let words = [
        u32::from(position.state) | u32::from(position.repeats) << 8,
        number,
        position.fad | control << 24,
        1,
    ];
    for (address, value) in addresses.into_iter().zip(words) {
        store(write_words(system, address, &[value]))?;
    }
    Ok(())
}
