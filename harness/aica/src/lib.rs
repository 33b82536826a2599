//! The Dreamcast's sound block, the AICA, over time: sound RAM, registers, 64 channels, timers, interrupts,
//! the ARM7.
//!
//! [`Aica`] is the whole block as the SH4 reaches it. [`Aica::advance`] moves time by samples of 44,100 Hz;
//! nothing else moves time, so that the same calls give the same state. [`Aica::set_audio`] turns the mixing
//! of sound on; without it channels have positions and envelopes only.
//!
//! `docs/hardware/aica.md` says what is modelled, on what evidence, and what is not; comments cite it by
//! heading.

mod aica;
mod block;
mod channel;
mod envelope;
mod interrupts;
pub mod register;
mod settings;
mod state;
mod synth;
mod timer;
pub mod wav;

pub use crate::settings::{
    AdpcmLeak, AdpcmOctave, AdrlSelect, AdrsSign, AlfoDepth, ArmRate, AttackTop, DspEvenMemory, DspStateKept,
    ExtsOrder, FilterForm, FilterPlace, GainWidth, InterpolationBits, IraUndefined, LfoReset, LoopEnd,
    MasterRead, MixsDelay, MixsOverflow, NoflWhen, PhaseBits, RateScaling, SampleEnd, SendCurve, Settings,
    Sh4Line, SilenceFloor, Sound, TimerPhase, UnityGain,
};
pub use aica::Aica;
pub use channel::Channel;
pub use envelope::{Envelope, Phase};
pub use state::{ChannelState, Format, KeyIssue, KeyNote};
pub use synth::adpcm;

/// Samples a second.
pub const SAMPLE_RATE: u32 = 44_100;
/// Bytes of sound RAM.
pub const RAM_BYTES: usize = 2 << 20;
/// Channels.
pub const CHANNELS: usize = 64;
