//! State of a channel for reports, and issues of a key-on.

use crate::register::Side;

/// A format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 16 bits.
    Words,
    /// 8 bits.
    Bytes,
    /// 4 bits; the decoder returns to its state at the loop start.
    Adpcm,
    /// 4 bits; the decoder keeps its state at the loop start.
    AdpcmStream,
    /// The noise register, in any format.
    Noise,
}

impl Format {
    /// The format of a channel's control register.
    pub(crate) fn of(control: u16) -> Self {
        match (control >> 10 & 1, control >> 7 & 3) {
            (1, _) => Format::Noise,
            (_, 0) => Format::Words,
            (_, 1) => Format::Bytes,
            (_, 2) => Format::Adpcm,
            _ => Format::AdpcmStream,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Words => "16-bit",
            Format::Bytes => "8-bit",
            Format::Adpcm => "adpcm",
            Format::AdpcmStream => "adpcm-stream",
            Format::Noise => "noise",
        }
    }

    /// Bytes that hold a number of samples.
    fn bytes(self, samples: u32) -> u32 {
        match self {
            Format::Words => 2 * samples,
            Format::Bytes => samples,
            Format::Adpcm | Format::AdpcmStream => samples.div_ceil(2),
            Format::Noise => 0,
        }
    }
}

/// A channel's sample: its place, its loop, its speed and its levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelState {
    /// 0 to 63.
    pub number: usize,
    /// Keyed on; a channel that plays and is not was released.
    pub keyed: bool,
    /// The format.
    pub format: Format,
    /// Byte of sound RAM.
    pub start: u32,
    /// Returns to the loop start.
    pub loops: bool,
    /// In samples.
    pub loop_start: u16,
    /// In samples.
    pub loop_end: u16,
    /// In samples.
    pub position: u16,
    /// Samples a second, without the LFO.
    pub hz: f64,
    /// Attenuation by the envelope, 0 to 3FF.
    pub attenuation: u16,
    /// TL, 0 to FF.
    pub total_level: u8,
    /// Level of the direct send, 0 to F.
    pub send: u8,
    /// Pan of the direct send, 0 to 1F.
    pub pan: u8,
    /// Level and input of the send to the effect DSP.
    pub effect: [u8; 2],
}

impl ChannelState {
    /// The first byte of sound RAM after the sample.
    pub(crate) fn end(&self) -> u32 {
        let start = match self.format {
            Format::Words => self.start & !1,
            _ => self.start,
        };
        start + self.format.bytes(self.loop_end.max(self.loop_start).into())
    }
}

/// Reason why a key-on does not sound as intended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyIssue {
    /// The sample ends outside sound RAM, where addresses wrap.
    Range,
    /// The channel loops, and the loop start is not before the loop end.
    Loop,
    /// The channel is keyed on already: the key-on has no effect.
    Keyed,
    /// The ARM7 is held in reset: no driver will change or stop the channel.
    Held,
}

/// A key-on with an issue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyNote {
    /// The issue.
    pub issue: KeyIssue,
    /// The channel as the key-on found it.
    pub channel: ChannelState,
    /// The ARM7 wrote the register, not the SH4.
    pub by_arm: bool,
}

impl KeyNote {
    pub(crate) fn new(issue: KeyIssue, channel: ChannelState, side: Side) -> Self {
        Self {
            issue,
            channel,
            by_arm: side == Side::Arm,
        }
    }
}
