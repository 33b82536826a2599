//! State of the drive's mechanism over time: standby, paused, or playing audio.

use crate::time::{Cycles, Ratio};

/// Drive states, as status calls report them.
pub(crate) mod state {
    pub(crate) const PAUSED: u8 = 1;
    pub(crate) const STANDBY: u8 = 2;
    pub(crate) const PLAYING: u8 = 3;
    pub(crate) const NO_DISC: u8 = 7;
}

/// Audio states, as the subcode reports them.
pub(crate) mod audio {
    pub(crate) const PLAYING: u8 = 0x11;
    pub(crate) const PAUSED: u8 = 0x12;
    pub(crate) const ENDED: u8 = 0x13;
    pub(crate) const NONE: u8 = 0x15;
}

/// Sectors per second of audio.
const SECTORS_PER_SECOND: u64 = 75;
/// Samples per sector, at 44,100 Hz.
pub(crate) const SAMPLES_PER_SECTOR: u64 = 588;
/// Repeat count for endless repetition.
const FOR_EVER: u8 = 15;

/// Audio playback from one frame address to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Play {
    start: u32,
    end: u32,
    repeats: u8,
    /// Number of sectors played up to a pause, or up to `since`.
    passed: u64,
    /// Start of the current playback; `None` while paused.
    since: Option<Cycles>,
}

::state::fields!(Play { start, end, repeats, passed, since } check(|play: &Play| play.passed < 1 << 40));

/// State of the mechanism at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) state: u8,
    pub(crate) audio: u8,
    /// Frame address under the head.
    pub(crate) fad: u32,
    /// Number of remaining repetitions.
    pub(crate) repeats: u8,
}

/// State of the mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    fad: u32,
    spinning: bool,
    play: Option<Play>,
    ended: bool,
    hz: u64,
}

::state::fields!(Player { fad, spinning, play, ended } keep { hz });

impl Player {
    pub(crate) fn new(hz: u64) -> Self {
        Self {
            fad: super::LEAD,
            spinning: false,
            play: None,
            ended: false,
            hz,
        }
    }

    /// Moves the head. A read ends audio playback.
    pub(crate) fn seek(&mut self, fad: u32) {
        (self.fad, self.spinning, self.play, self.ended) = (fad, true, None, false);
    }

    /// Plays from `start` up to, but excluding, `end`.
    pub(crate) fn play(&mut self, start: u32, end: u32, repeats: u8, now: Cycles) {
        self.seek(start);
        self.play = (start < end).then_some(Play {
            start,
            end,
            repeats,
            passed: 0,
            since: Some(now),
        });
    }

    pub(crate) fn pause(&mut self, now: Cycles) {
        let hz = self.hz;
        if let Some(play) = &mut self.play {
            (play.passed, play.since) = (play.passed_at(now, hz), None);
        }
    }

    pub(crate) fn resume(&mut self, now: Cycles) {
        if let Some(play) = &mut self.play {
            play.since.get_or_insert(now);
        }
    }

    /// Stops the disc.
    pub(crate) fn stop(&mut self) {
        self.seek(super::LEAD);
        self.spinning = false;
    }

    /// Returns the frame address played at sample `sample` since power-on, and the sample's index in its
    /// sector. `clock` is the sample clock.
    pub(crate) fn audio_at(&self, sample: u64, clock: Ratio) -> Option<(u32, usize)> {
        let play = self.play?;
        let played = sample.checked_sub(clock.ticks_at(play.since?))?;
        let passed = play.passed.saturating_add(played / SAMPLES_PER_SECTOR);
        let (rounds, sector) = (passed / play.length(), passed % play.length());
        let is_over = play.repeats < FOR_EVER && rounds > u64::from(play.repeats);
        let place = (play.start + sector as u32, (played % SAMPLES_PER_SECTOR) as usize);
        (!is_over).then_some(place)
    }

    pub(crate) fn at(&mut self, now: Cycles) -> Position {
        if let Some(play) = self.play.filter(|play| play.is_over(now, self.hz)) {
            (self.fad, self.play, self.ended) = (play.end, None, true);
        }
        let Some(play) = self.play else {
            let state = if self.spinning {
                state::PAUSED
            } else {
                state::STANDBY
            };
            let audio = if self.ended { audio::ENDED } else { audio::NONE };
            return Position {
                state,
                audio,
                fad: self.fad,
                repeats: 0,
            };
        };
        let (state, audio) = match play.since {
            Some(_) => (state::PLAYING, audio::PLAYING),
            None => (state::PAUSED, audio::PAUSED),
        };
        let (passed, length) = (play.passed_at(now, self.hz), play.length());
        Position {
            state,
            audio,
            fad: play.start + (passed % length) as u32,
            repeats: play.repeats_left(passed / length),
        }
    }
}

impl Play {
    fn length(&self) -> u64 {
        u64::from(self.end - self.start).max(1)
    }

    fn passed_at(&self, now: Cycles, hz: u64) -> u64 {
        let cycles = self.since.map_or(0, |since| now.since(since));
        let sectors = u128::from(cycles) * u128::from(SECTORS_PER_SECOND) / u128::from(hz.max(1));
        self.passed.saturating_add(sectors as u64)
    }

    fn repeats_left(&self, rounds: u64) -> u8 {
        match self.repeats {
            FOR_EVER => FOR_EVER,
            repeats => u64::from(repeats).saturating_sub(rounds) as u8,
        }
    }

    fn is_over(&self, now: Cycles, hz: u64) -> bool {
        self.repeats < FOR_EVER && self.passed_at(now, hz) / self.length() > u64::from(self.repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of 44,100 samples in 7,500 cycles: 588 samples per sector of 100 cycles.
    #[test]
    fn samples_follow_the_sectors() {
        let clock = Ratio {
            ticks: 44_100,
            cycles: 7_500,
        };
        let mut player = Player::new(7_500);
        assert_eq!(player.audio_at(0, clock), None);
        player.play(1_000, 1_002, 1, Cycles(100));
        let at = |player: &Player, sample: u64| player.audio_at(588 + sample, clock);
        assert_eq!(player.audio_at(587, clock), None, "before the start");
        assert_eq!(at(&player, 0), Some((1_000, 0)));
        assert_eq!(at(&player, 588 + 587), Some((1_001, 587)));
        assert_eq!(at(&player, 2 * 588), Some((1_000, 0)), "the repeat");
        assert_eq!(at(&player, 4 * 588), None, "the end");
        player.pause(Cycles(250));
        assert_eq!(at(&player, 588), None);
        player.resume(Cycles(300));
        assert_eq!(player.audio_at(3 * 588, clock), Some((1_001, 0)));
    }

    /// 75 sectors per second: at 7,500 cycles per second, a sector has 100 cycles.
    #[test]
    fn audio_passes_pauses_repeats_and_ends() {
        let mut player = Player::new(7_500);
        assert_eq!(player.at(Cycles(0)).state, state::STANDBY);
        player.play(1_000, 1_010, 1, Cycles(0));
        let at = |player: &mut Player, time| {
            let position = player.at(Cycles(time));
            (position.state, position.audio, position.fad, position.repeats)
        };
        assert_eq!(at(&mut player, 350), (state::PLAYING, audio::PLAYING, 1_003, 1));
        player.pause(Cycles(400));
        assert_eq!(at(&mut player, 9_000), (state::PAUSED, audio::PAUSED, 1_004, 1));
        player.resume(Cycles(10_000));
        assert_eq!(
            at(&mut player, 10_700),
            (state::PLAYING, audio::PLAYING, 1_001, 0)
        );
        assert_eq!(at(&mut player, 11_600), (state::PAUSED, audio::ENDED, 1_010, 0));
        player.stop();
        assert_eq!(at(&mut player, 11_700), (state::STANDBY, audio::NONE, 150, 0));
    }
}
