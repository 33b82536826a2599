//! Record of the block's work for traces and profiles: load of the ARM7, playing channels, use of sound RAM.

use crate::state::ChannelState;
use crate::{CHANNELS, RAM_BYTES};

/// Bytes of a page of sound RAM.
pub const PAGE: usize = 4096;
/// Number of pages of sound RAM.
pub const PAGES: usize = RAM_BYTES / PAGE;
/// Maximum number of ended plays in a record.
const PLAYS: usize = 1 << 16;

/// One sound of a channel, from its key-on to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// State of the channel at the key-on.
    pub channel: ChannelState,
    /// Samples from power-on to the key-on.
    pub begin: u64,
    /// Samples from power-on to the end; `None` while the channel plays.
    pub end: Option<u64>,
}

/// Sums over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Samples.
    pub samples: u64,
    /// Samples in which the ARM7 ran.
    pub arm_samples: u64,
    /// Cycles that the ARM7 executed.
    pub arm_cycles: u64,
    /// The part of `arm_cycles` spent in rounds of waiting loops that left registers and memory unchanged.
    /// The first round in a sample does not count.
    pub arm_waiting: u64,
    /// Playing channels, summed over the samples.
    pub channels: u64,
    /// Maximum number of channels that played at once.
    pub most_channels: u32,
}

impl Counts {
    /// Adds later sums.
    pub fn add(&mut self, later: &Self) {
        self.samples += later.samples;
        self.arm_samples += later.arm_samples;
        self.arm_cycles += later.arm_cycles;
        self.arm_waiting += later.arm_waiting;
        self.channels += later.channels;
        self.most_channels = self.most_channels.max(later.most_channels);
    }

    /// Returns the share of the ARM7's cycles outside waiting loops, 0 to 1; `None` if it did not run.
    #[must_use]
    pub fn arm_load(&self) -> Option<f64> {
        let busy = self.arm_cycles.saturating_sub(self.arm_waiting);
        (self.arm_cycles > 0).then(|| busy as f64 / self.arm_cycles as f64)
    }

    /// Returns the mean number of playing channels.
    #[must_use]
    pub fn mean_channels(&self) -> f64 {
        self.channels as f64 / self.samples.max(1) as f64
    }
}

/// Record of the block's work since the last call of [`crate::Aica::take_activity`].
#[derive(Clone, Debug)]
pub struct Activity {
    /// Sums.
    pub counts: Counts,
    /// Sounds that ended, in the order of their ends.
    pub plays: Vec<Play>,
    /// Number of ended sounds that `plays` had no room for.
    pub lost: u64,
    /// Sounds that have not ended, by channel.
    pub playing: [Option<Play>; CHANNELS],
    /// Pages of sound RAM that held the ARM7's next instruction at the end of a sample.
    pub code: [bool; PAGES],
}

impl Activity {
    /// Starts a record of the channels that play at sample `now`.
    pub(crate) fn start(now: u64, playing: impl Iterator<Item = ChannelState>) -> Self {
        let mut activity = Self {
            counts: Counts::default(),
            plays: Vec::new(),
            lost: 0,
            playing: [None; CHANNELS],
            code: [false; PAGES],
        };
        playing.for_each(|channel| activity.begin(channel, now));
        activity
    }

    /// Records a key-on. A sound that still plays on the channel ends.
    pub(crate) fn begin(&mut self, channel: ChannelState, now: u64) {
        self.end(channel.number, now);
        self.playing[channel.number] = Some(Play {
            channel,
            begin: now,
            end: None,
        });
    }

    /// Records that channel `n` stops.
    pub(crate) fn end(&mut self, n: usize, now: u64) {
        let Some(play) = self.playing[n].take() else {
            return;
        };
        match self.plays.len() < PLAYS {
            true => self.plays.push(Play {
                end: Some(now),
                ..play
            }),
            false => self.lost += 1,
        }
    }

    /// Records a sample with `channels` playing channels.
    pub(crate) fn sample(&mut self, channels: u32) {
        self.counts.samples += 1;
        self.counts.channels += u64::from(channels);
        self.counts.most_channels = self.counts.most_channels.max(channels);
    }

    /// Records the ARM7's cycles in a sample, and the address of its next instruction.
    pub(crate) fn arm(&mut self, cycles: u64, waiting: u64, pc: u32) {
        self.counts.arm_samples += 1;
        self.counts.arm_cycles += cycles;
        self.counts.arm_waiting += waiting;
        // Addresses from 800000 on are registers.
        if pc & 0x80_0000 == 0 {
            self.code[pc as usize % RAM_BYTES / PAGE] = true;
        }
    }

    /// Returns the record, and starts the next one.
    pub(crate) fn take(&mut self) -> Self {
        let next = Self {
            counts: Counts::default(),
            plays: Vec::new(),
            lost: 0,
            ..self.clone()
        };
        std::mem::replace(self, next)
    }
}
