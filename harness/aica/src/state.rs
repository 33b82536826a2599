//! State of a channel for reports, and issues of key-ons.

use crate::register::Processor;

/// A format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 16 bits.
    Words,
    /// 8 bits.
    Bytes,
    /// 4 bits; a jump to the loop start restores the decoder's state from the first pass.
    Adpcm,
    /// 4 bits; a jump to the loop start keeps the decoder's state.
    AdpcmStream,
    /// The noise register, in any format.
    Noise,
}

impl Format {
    /// Decodes the format from a channel's control register.
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

    /// Size of a number of samples in bytes.
    fn bytes(self, samples: u32) -> u32 {
        match self {
            Format::Words => 2 * samples,
            Format::Bytes => samples,
            Format::Adpcm | Format::AdpcmStream => samples.div_ceil(2),
            Format::Noise => 0,
        }
    }
}

/// A channel's sample: its address, loop, speed and levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelState {
    /// Number from 0 to 63.
    pub number: usize,
    /// Set while keyed on. If clear, a channel that still plays was released.
    pub keyed: bool,
    /// Format of the samples.
    pub format: Format,
    /// Address in sound RAM.
    pub start: u32,
    /// Set if the channel loops.
    pub loops: bool,
    /// Loop start in samples.
    pub loop_start: u16,
    /// Loop end in samples.
    pub loop_end: u16,
    /// Current position in samples.
    pub position: u16,
    /// Sample rate in Hz, without the LFO.
    pub hz: f64,
    /// Attenuation by the envelope, 0 to 3FF.
    pub attenuation: u16,
    /// Total level TL, 0 to FF.
    pub total_level: u8,
    /// Level of the direct send, 0 to F.
    pub send: u8,
    /// Pan of the direct send, 0 to 1F.
    pub pan: u8,
    /// Level and input of the send to the effect DSP.
    pub effect: [u8; 2],
}

impl ChannelState {
    /// Returns the address of the sample at the position. It can be outside sound RAM.
    pub(crate) fn position_address(&self) -> u32 {
        let position = u32::from(self.position);
        self.start
            + match self.format {
                Format::Adpcm | Format::AdpcmStream => position / 2,
                format => format.bytes(position),
            }
    }

    /// Returns whether the channel goes to the output or to the effect DSP.
    pub(crate) fn is_sent(&self) -> bool {
        self.send > 0 || self.effect[0] > 0
    }

    /// Returns the address of the first byte of sound RAM after the sample. It can be outside sound RAM.
    pub fn end(&self) -> u32 {
        let start = match self.format {
            Format::Words => self.start & !1,
            _ => self.start,
        };
        start + self.format.bytes(self.loop_end.max(self.loop_start).into())
    }
}

/// Probable error of a program in a key-on or a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyIssue {
    /// The sample ends outside sound RAM, where addresses wrap.
    Range,
    /// The channel loops, but its loop start is not before its loop end.
    Loop,
    /// The channel is already keyed on, so the key-on has no effect.
    Keyed,
    /// The ARM7 is held in reset, so no driver will change or stop the channel.
    Held,
    /// The channel plays parts of a stream again: the program did not write new data in time.
    Underrun,
}

/// A key-on with an issue, or an underrun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyNote {
    /// The issue.
    pub issue: KeyIssue,
    /// State of the channel.
    pub channel: ChannelState,
    /// Set if the ARM7 wrote the key-on register, clear if the SH4 did. Always set for an underrun.
    pub by_arm: bool,
}

impl KeyNote {
    pub(crate) fn new(issue: KeyIssue, channel: ChannelState, by: Processor) -> Self {
        Self {
            issue,
            channel,
            by_arm: by == Processor::Arm,
        }
    }
}
