//! Register offsets from 00700000 (SH4) or 00800000 (ARM7), and storage for their bits.
//!
//! A register is 16 bits wide and takes 32 bits of address space (`docs/hardware/aica.md`, "Registers").

use state::{Error, State, Stream};

/// Bytes of register space.
pub const BYTES: u32 = 0x8000;
/// Bytes from one channel to the next.
pub const CHANNEL: u32 = 0x80;
/// End of the channels.
pub const CHANNELS_END: u32 = 0x2000;

/// Offsets within a channel.
pub mod channel {
    /// 15 KYONEX, 14 KYONB, 10 noise, 9 loop, 8:7 format, 6:0 start address 22:16.
    pub const CONTROL: u32 = 0x00;
    /// Start address 15:0.
    pub const ADDRESS: u32 = 0x04;
    /// Loop start, in samples.
    pub const LOOP_START: u32 = 0x08;
    /// Loop end, in samples.
    pub const LOOP_END: u32 = 0x0C;
    /// 15:11 decay 2, 10:6 decay 1, 4:0 attack.
    pub const ENVELOPE: u32 = 0x10;
    /// 14 loop start link, 13:10 key rate scaling, 9:5 decay level, 4:0 release.
    pub const RELEASE: u32 = 0x14;
    /// 14:11 octave (signed), 9:0 FNS.
    pub const PITCH: u32 = 0x18;
    /// 15 LFO reset, 14:10 frequency, 9:8 and 7:5 pitch wave and depth, 4:3 and 2:0 amplitude.
    pub const LFO: u32 = 0x1C;
    /// 7:4 level of the send to the effect DSP, 3:0 the DSP's input.
    pub const SEND: u32 = 0x20;
    /// 11:8 level to the output, 4:0 pan.
    pub const DIRECT: u32 = 0x24;
    /// 15:8 total level, 6 levels off, 5 filter off, 4:0 Q.
    pub const LEVEL: u32 = 0x28;
    /// Cut-off of the filter at key-on, 13 bits. The cut-offs of the four phases follow.
    pub const FILTER_LEVEL: u32 = 0x2C;
    /// Rates of the filter's envelope: 12:8 attack, 4:0 decay 1; then decay 2 and release.
    pub const FILTER_RATES: u32 = 0x40;
}

/// 11:8 level and 4:0 pan of the effect DSP's outputs.
pub const EFFECT_SEND: u32 = 0x2000;
/// 11:8 level and 4:0 pan of the CD's two inputs.
pub const EXTERNAL_SEND: u32 = 0x2040;
/// 15 mono, 9 RAM of 8 MB, 8 DAC of 18 bits, 7:4 version, 3:0 master volume.
pub const MASTER: u32 = 0x2800;
/// 14:13 size of the effect DSP's ring, 11:0 its base in 2 KiB.
pub const DSP_RING: u32 = 0x2804;
/// 12:8 MIDI flags, 7:0 MIDI in.
pub const MIDI: u32 = 0x2808;
/// 14 filter monitor, 13:8 channel to monitor, 7:0 MIDI out.
pub const MONITOR: u32 = 0x280C;
/// 15 loop end passed, 14:13 envelope phase, 12:0 envelope level, of the monitored channel.
pub const MONITOR_STATE: u32 = 0x2810;
/// Position of the monitored channel, in samples.
pub const MONITOR_POSITION: u32 = 0x2814;
/// 15 direction, 14:2 count, 0 start of the internal DMA.
pub const DMA_CONTROL: u32 = 0x288C;
/// Timer A; B and C follow: 10:8 prescaler, 7:0 count.
pub const TIMER_A: u32 = 0x2890;
/// Timer C.
pub const TIMER_C: u32 = 0x2898;
/// ARM7: enabled sources.
pub const ARM_ENABLE: u32 = 0x289C;
/// ARM7: pending sources.
pub const ARM_PENDING: u32 = 0x28A0;
/// ARM7: clears pending sources.
pub const ARM_CLEAR: u32 = 0x28A4;
/// ARM7: bit 0 of the sources' level codes; bits 1 and 2 follow.
pub const ARM_LEVEL_0: u32 = 0x28A8;
/// ARM7: bit 1 of the level codes.
pub const ARM_LEVEL_1: u32 = 0x28AC;
/// ARM7: bit 2 of the level codes.
pub const ARM_LEVEL_2: u32 = 0x28B0;
/// SH4: enabled sources.
pub const SH4_ENABLE: u32 = 0x28B4;
/// SH4: pending sources.
pub const SH4_PENDING: u32 = 0x28B8;
/// SH4: clears pending sources.
pub const SH4_CLEAR: u32 = 0x28BC;
/// 9:8 video cable, 0 holds the ARM7 in reset. SH4 only.
pub const ARM_RESET: u32 = 0x2C00;
/// Level code of the interrupt that the ARM7 takes. ARM7 only.
pub const ARM_CODE: u32 = 0x2D00;
/// 8 sound RAM is read-only for the SH4, 0 end of interrupt. ARM7 only.
pub const ARM_END: u32 = 0x2D04;

/// The effect DSP's coefficients, in bits 15 to 3.
pub const DSP_COEFFICIENTS: u32 = 0x3000;
/// DSP MADRS: ring addresses that program steps select.
pub const DSP_ADDRESSES: u32 = 0x3200;
/// DSP program: four words per step, most significant word first.
pub const DSP_PROGRAM: u32 = 0x3400;
/// DSP TEMP: 7:0, then 23:8.
pub const DSP_TEMP: u32 = 0x4000;
/// DSP MEMS: 7:0, then 23:8.
pub const DSP_MEMS: u32 = 0x4400;
/// DSP MIXS: 3:0, then 19:4.
pub const DSP_INPUTS: u32 = 0x4500;
/// DSP EFREG.
pub const DSP_OUTPUTS: u32 = 0x4580;
/// DSP EXTS.
pub const DSP_EXTERNAL: u32 = 0x45C0;
/// End of the DSP's registers.
pub const DSP_END: u32 = 0x45C8;

/// The stored bits of all registers.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    words: Box<[u16]>,
    /// Bit n is set if a register of channel n changed since [`Stored::channel_changed`].
    changed_channels: u64,
    /// Set if a register of the effect DSP changed since [`Stored::effects_changed`].
    changed_effects: bool,
}

/// A state has only the bits, and loading changes all registers.
impl State for Stored {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        stream.name("Stored");
        self.words.transfer(stream)?;
        (self.changed_channels, self.changed_effects) = (u64::MAX, true);
        Ok(())
    }
}

impl Default for Stored {
    fn default() -> Self {
        Stored {
            words: vec![0; BYTES as usize / 4].into(),
            changed_channels: u64::MAX,
            changed_effects: true,
        }
    }
}

impl Stored {
    /// Returns the register at `offset`.
    pub(crate) fn get(&self, offset: u32) -> u16 {
        self.words.get(offset as usize / 4).copied().unwrap_or_default()
    }

    /// Replaces the bits of `mask`.
    pub(crate) fn merge(&mut self, offset: u32, bits: Bits) {
        if let Some(place) = self.words.get_mut(offset as usize / 4) {
            *place = *place & !bits.mask | bits.value;
        }
        match offset {
            0..CHANNELS_END => self.changed_channels |= 1 << (offset / CHANNEL),
            DSP_RING | DSP_COEFFICIENTS..DSP_TEMP => self.changed_effects = true,
            _ => {}
        }
    }

    /// Returns whether a register of channel `n` changed since the last call.
    #[inline]
    pub(crate) fn channel_changed(&mut self, n: usize) -> bool {
        let bit = 1 << n;
        let changed = self.changed_channels & bit != 0;
        self.changed_channels &= !bit;
        changed
    }

    /// Returns whether program, coefficients, addresses or ring of the effect DSP changed since the last
    /// call.
    pub(crate) fn effects_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed_effects)
    }

    /// Returns the register of channel `n` at `offset` within the channel.
    pub(crate) fn channel(&self, n: usize, offset: u32) -> u16 {
        self.get(n as u32 * CHANNEL + offset)
    }
}

/// A store to a register. Only bits in `mask` are written; other bits of `value` are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) value: u16,
    pub(crate) mask: u16,
}

/// Returns the mask of the register bits that an access of `size` bytes at `offset` touches, and their shift
/// relative to the access. `None` for the upper half of the 32 bits.
pub(crate) fn lanes(offset: u32, size: u32) -> Option<(u16, u32)> {
    let mask: u16 = match size {
        1 => 0xFF,
        2 | 4 => 0xFFFF,
        _ => return None,
    };
    match offset & 3 {
        0 => Some((mask, 0)),
        1 if size == 1 => Some((mask << 8, 8)),
        _ => None,
    }
}

/// The processor that makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Processor {
    Sh4,
    Arm,
}

impl Processor {
    /// Returns whether this processor can access the register at `offset` ("Registers").
    pub(crate) fn reaches(self, offset: u32) -> bool {
        match offset {
            ARM_RESET => self == Processor::Sh4,
            ARM_CODE | ARM_END => self == Processor::Arm,
            _ => true,
        }
    }
}
