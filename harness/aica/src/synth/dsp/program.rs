//! The decoded program of the effect DSP.

use super::STEPS;
use crate::register::{self as at, Stored};
use crate::settings::{AdrlSelect, DspEvenMemory, IraUndefined, Settings};

/// A decoded step of the program.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) temp_read: u8,
    pub(super) temp_write: u8,
    pub(super) writes_temp: bool,
    /// Index into the sources of the sample.
    pub(super) source: u8,
    pub(super) keeps_input: bool,
    pub(super) x_is_input: bool,
    pub(super) y: u8,
    pub(super) coefficient: i32,
    pub(super) b_is_accumulator: bool,
    pub(super) negates_b: bool,
    pub(super) b_is_zero: bool,
    pub(super) shift: u8,
    pub(super) latches_y: bool,
    pub(super) latches_factor: bool,
    pub(super) latches_address: bool,
    pub(super) address_is_shifted: bool,
    /// Index of the word of MEMS that the step writes.
    pub(super) mems: u8,
    pub(super) writes_mems: bool,
    /// NOFL of the step two before.
    pub(super) plain_before: bool,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// NOFL.
    pub(super) is_plain: bool,
    /// MADRS + NXADR.
    pub(super) base: i32,
    pub(super) adds_address: bool,
    pub(super) is_table: bool,
    pub(super) output: u8,
    pub(super) writes_output: bool,
}

/// Source of an undefined IRA with [`IraUndefined::Zero`].
const ZERO_SOURCE: u8 = 0x3F;

impl Step {
    /// Decodes step `n`.
    fn of(stored: &Stored, n: usize, settings: &Settings) -> Self {
        let words = [n, n.wrapping_sub(2)].map(|n| if n < STEPS { program_word(stored, n) } else { 0 });
        let [word, before] = words;
        let field = |low: u32, bits: u32| (word >> low & ((1 << bits) - 1)) as u8;
        let has = |bit: u32| word >> bit & 1 != 0;
        let (source, shift) = (field(39, 6), field(20, 2));
        let is_defined = source < 0x32;
        let accesses = !n.is_multiple_of(2) || settings.dsp_even_memory == DspEvenMemory::Executed;
        let address = stored.get(at::DSP_ADDRESSES + 4 * u32::from(field(9, 6)));
        Step {
            temp_read: field(57, 7),
            temp_write: field(49, 7),
            writes_temp: has(56),
            source: if is_defined { source } else { ZERO_SOURCE },
            keeps_input: !is_defined && settings.ira_undefined == IraUndefined::Keep,
            x_is_input: has(47),
            y: field(45, 2),
            coefficient: i32::from(stored.get(at::DSP_COEFFICIENTS + 4 * n as u32) as i16) >> 3,
            b_is_accumulator: has(16),
            negates_b: has(18),
            b_is_zero: has(17),
            shift,
            latches_y: has(19),
            latches_factor: has(22),
            latches_address: has(23),
            address_is_shifted: (shift == 3) == (settings.adrl_select == AdrlSelect::Shift3Shifted),
            mems: field(33, 5),
            writes_mems: has(38),
            plain_before: before >> 15 & 1 != 0,
            reads: accesses && has(29),
            writes: accesses && has(30),
            is_plain: has(15),
            base: i32::from(address) + i32::from(has(7)),
            adds_address: has(8),
            is_table: has(31),
            output: field(24, 4),
            writes_output: has(28),
        }
    }
}

/// Returns the 64 bits of step `n`.
fn program_word(stored: &Stored, n: usize) -> u64 {
    let word = |part: u32| u64::from(stored.get(at::DSP_PROGRAM + 16 * n as u32 + 4 * part));
    word(0) << 48 | word(1) << 32 | word(2) << 16 | word(3)
}

/// A decoded program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Steps with an effect.
    pub(super) steps: Vec<Step>,
    /// Mask of an address within the ring.
    pub(super) ring_mask: u32,
    /// Start of the ring in sound RAM, in words.
    pub(super) ring_base: usize,
}

impl Program {
    pub(super) fn of(stored: &Stored, settings: &Settings) -> Self {
        let words: [u64; STEPS] = std::array::from_fn(|n| program_word(stored, n));
        // The first two zeros in a row complete memory requests; the last one sets the accumulator and input.
        let has_effect = |n: &usize| match n.checked_sub(2) {
            Some(first) => words[first..STEPS.min(n + 2)].iter().any(|word| *word != 0) || *n == STEPS - 1,
            None => true,
        };
        let runs = words.iter().any(|word| *word != 0);
        let steps = (0..STEPS).filter(|n| runs && has_effect(n));
        let ring = stored.get(at::DSP_RING);
        Program {
            steps: steps.map(|n| Step::of(stored, n, settings)).collect(),
            ring_mask: (0x2000 << (ring >> 13 & 3)) - 1,
            ring_base: usize::from(ring & 0xFFF) << 10,
        }
    }
}
