//! Model of the Dreamcast's sound block, the AICA: sound RAM, registers, 64 channels, timers, interrupts, the
//! ARM7.
//!
//! [`Aica`] is the whole block as the SH4 accesses it. Only [`Aica::advance`] advances time, in samples at
//! 44,100 Hz. The same calls therefore give the same state. [`Aica::set_audio`] enables mixing. Without it,
//! channels have only positions and envelopes.
//!
//! `docs/hardware/aica.md` describes the modelled and missing behaviour, with the evidence. Comments cite it
//! by heading.

pub mod activity;
mod aica;
mod block;
mod channel;
mod envelope;
mod interrupts;
pub mod register;
mod settings;
mod state;
mod streams;
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

/// Samples per second.
pub const SAMPLE_RATE: u32 = 44_100;
/// Bytes of sound RAM.
pub const RAM_BYTES: usize = 2 << 20;
/// Number of channels.
pub const CHANNELS: usize = 64;
