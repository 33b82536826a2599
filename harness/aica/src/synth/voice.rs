//! Samples of a channel: reads sound RAM, decodes, interpolates and filters.

use super::VoiceInput;
use super::adpcm::Adpcm;
use super::filter::Filter;
use crate::RAM_BYTES;
use crate::envelope::{Phase, Rates, step_size};
use crate::register::{Stored, channel as at};
use crate::settings::{FilterForm, InterpolationBits, Settings};

/// Fraction bits of a position.
const FRACTION: u32 = 18;
/// Bit of the control register that replaces sample data by noise.
const NOISE: u16 = 1 << 10;

/// Sample format, from PCMS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Format {
    #[default]
    Words,
    Bytes,
    /// A jump to the loop start restores the decoder's state from the first pass.
    Adpcm,
    /// A jump to the loop start keeps the decoder's state.
    LongStream,
}

/// Registers of a channel's sound, decoded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoiceRegisters {
    /// Start of the samples in sound RAM.
    start: usize,
    format: Format,
    /// Noise replaces the sample data.
    pub(crate) plays_noise: bool,
    /// Registers +28, +20 and +24.
    pub(crate) level: u16,
    pub(crate) send: u16,
    pub(crate) direct: u16,
    /// Cut-off at key-on and at the end of each phase, 13 bits.
    filter_levels: [u16; 5],
    /// Effective rates of the filter's envelope.
    filter_rates: [u8; 4],
}

impl VoiceRegisters {
    /// Decodes the registers of channel `n`. `rates` has its key rate scaling.
    pub(crate) fn of(stored: &Stored, n: usize, rates: Rates) -> Self {
        let register = |offset| stored.channel(n, offset);
        let control = register(at::CONTROL);
        let [first, second] = [0, 4].map(|offset| register(at::FILTER_RATES + offset));
        let filter_rates = [first >> 8, first, second >> 8, second];
        Self {
            start: usize::from(control & 0x7F) << 16 | usize::from(register(at::ADDRESS)),
            format: match control >> 7 & 3 {
                0 => Format::Words,
                1 => Format::Bytes,
                2 => Format::Adpcm,
                _ => Format::LongStream,
            },
            plays_noise: control & NOISE != 0,
            level: register(at::LEVEL),
            send: register(at::SEND),
            direct: register(at::DIRECT),
            filter_levels: [0, 1, 2, 3, 4].map(|phase| register(at::FILTER_LEVEL + 4 * phase) & 0x1FFF),
            filter_rates: filter_rates.map(|rate| rates.scaled(u32::from(rate & 31)) as u8),
        }
    }
}

/// Location and format of a channel's samples in sound RAM, at one output sample.
#[derive(Clone, Copy)]
pub(crate) struct Fetch<'a> {
    pub(crate) ram: &'a [u8; RAM_BYTES],
    pub(crate) registers: &'a VoiceRegisters,
    pub(crate) input: &'a VoiceInput,
    pub(crate) settings: &'a Settings,
}

impl Fetch<'_> {
    fn noise(&self) -> Option<u32> {
        self.registers.plays_noise.then_some(self.input.noise)
    }

    fn byte(&self, at: usize) -> u8 {
        self.ram[at % RAM_BYTES]
    }

    /// Returns the sample at a position, for formats without a decoder.
    fn sample(&self, position: u32) -> i32 {
        let at = position as usize;
        let start = self.registers.start;
        match (self.registers.format, self.noise()) {
            (Format::Bytes, Some(noise)) => i32::from(noise as i8) << 8,
            (Format::Bytes, None) => i32::from(self.byte(start + at) as i8) << 8,
            (_, Some(noise)) => i32::from((noise << 8) as i16),
            (_, None) => {
                let at = (start & !1) + 2 * at;
                i32::from(i16::from_le_bytes([self.byte(at), self.byte(at + 1)]))
            }
        }
    }

    /// Returns the nibble at a position. The low nibble of a byte is first.
    fn nibble(&self, position: u32) -> u8 {
        let byte = match self.noise() {
            Some(noise) => noise as u8,
            None => self.byte(self.registers.start + position as usize / 2),
        };
        byte >> (4 * (position & 1)) & 15
    }

    fn is_decoded(&self) -> bool {
        matches!(self.registers.format, Format::Adpcm | Format::LongStream)
    }

    /// Returns the position played after `position`.
    fn after(&self, position: u32) -> u32 {
        match self.input.wraps {
            Some((start, end)) if position + 1 >= end => start,
            _ => position + 1,
        }
    }
}

/// Interpolates between two samples by the upper fraction bits of the position.
fn interpolate([first, second]: [i32; 2], position: u64, bits: InterpolationBits) -> i32 {
    let bits = match bits {
        InterpolationBits::Six => 6,
        InterpolationBits::Ten => 10,
        InterpolationBits::Fourteen => 14,
    };
    let part = (position >> (FRACTION - bits) & ((1 << bits) - 1)) as i32;
    (first * ((1 << bits) - part) + second * part) >> bits
}

/// Decoder, filter and filter envelope of a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Voice {
    decoder: Adpcm,
    /// Decoder state before the sample at the loop start.
    at_loop: Option<Adpcm>,
    /// Position of the last decoded sample.
    decoded: Option<u32>,
    /// Sample before the last decoded one.
    before: i32,
    /// Last decoded sample.
    last: i32,
    filter: Filter,
    filter_phase: usize,
    filter_level: u16,
}

state::fields!(Voice {
    decoder,
    at_loop,
    decoded,
    before,
    last,
    filter,
    filter_phase,
    filter_level,
} check(|voice: &Voice| {
    let is_sample = |sample: i32| (-32_768..=32_767).contains(&sample);
    voice.filter_phase < 4 && voice.filter_level < 0x2000 && is_sample(voice.before) && is_sample(voice.last)
}));

impl Voice {
    /// Creates a voice at its key-on.
    pub(crate) fn keyed(registers: &VoiceRegisters) -> Self {
        Self {
            filter_level: registers.filter_levels[0],
            ..Self::default()
        }
    }

    /// Decodes the next sample.
    fn decode(&mut self, fetch: &Fetch<'_>) {
        let position = self.decoded.map_or(0, |last| fetch.after(last));
        let loop_start = fetch.input.wraps.map(|(start, _)| start);
        if fetch.registers.format == Format::Adpcm && loop_start == Some(position) {
            match self.at_loop {
                Some(state) => self.decoder = state,
                None => self.at_loop = Some(self.decoder),
            }
        }
        self.before = self.last;
        self.last = self
            .decoder
            .decode(fetch.nibble(position), fetch.settings.adpcm_leak);
        self.decoded = Some(position);
    }

    /// Advances the position by `samples`.
    pub(crate) fn advance(&mut self, fetch: &Fetch<'_>, samples: u32) {
        if fetch.is_decoded() {
            (0..samples).for_each(|_| self.decode(fetch));
        }
    }

    /// Returns the value interpolated between the sample at the position and the next one.
    pub(crate) fn interpolated(&mut self, fetch: &Fetch<'_>) -> i32 {
        let position = (fetch.input.position >> FRACTION) as u32;
        let [first, second] = if fetch.is_decoded() {
            // The first output decodes the samples at positions 0 and 1.
            if self.decoded.is_none() {
                self.decode(fetch);
                self.decode(fetch);
            }
            [self.before, self.last]
        } else {
            [position, fetch.after(position)].map(|at| fetch.sample(at))
        };
        interpolate(
            [first, second],
            fetch.input.position,
            fetch.settings.interpolation_bits,
        )
    }

    /// Filters a 20-bit value with the cut-off of the envelope.
    pub(crate) fn filtered(&mut self, value: i32, q: u16, form: FilterForm) -> i32 {
        self.filter.step(value, self.filter_level, q, form)
    }

    /// Moves the filter's envelope one step towards the level of its phase. The step size is computed like
    /// that for amplitude decay.
    pub(crate) fn step_filter_envelope(&mut self, registers: &VoiceRegisters, input: &VoiceInput) {
        if input.released {
            self.filter_phase = Phase::Release as usize;
        }
        let target = registers.filter_levels[self.filter_phase + 1];
        if self.filter_level == target {
            self.filter_phase = match self.filter_phase {
                0 | 1 => self.filter_phase + 1,
                last => last,
            };
            return;
        }
        let size = step_size(registers.filter_rates[self.filter_phase].into(), input.count);
        self.filter_level = match self.filter_level < target {
            true => (self.filter_level + size).min(target),
            false => self.filter_level.saturating_sub(size).max(target),
        };
    }

    /// Returns phase (bits 14 and 13) and level (12 to 0) of the filter's envelope.
    pub(crate) fn filter_monitor(&self) -> u16 {
        (self.filter_phase as u16) << 13 | self.filter_level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two thirds of the way from one sample to the other.
    #[test]
    fn interpolations_by_hand() {
        let between = |samples, fraction| {
            let bits = [
                InterpolationBits::Six,
                InterpolationBits::Ten,
                InterpolationBits::Fourteen,
            ];
            bits.map(|bits| interpolate(samples, fraction, bits))
        };
        assert_eq!(between([1000, 2001], 0x2_AAAA), [1656, 1666, 1667]);
        assert_eq!(
            between([1000, 2001], 0x7_0000_0000),
            [1000; 3],
            "a whole position"
        );
        // -5 + 11 x 21 / 64 = -1.39, rounded down.
        assert_eq!(between([-5, 6], 0x1_5555), [-2; 3]);
    }
}
