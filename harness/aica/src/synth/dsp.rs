//! The effect DSP, which executes 128 steps per sample ("Effect DSP").

mod program;

use crate::RAM_BYTES;
use crate::register::{self as at, Bits, Stored};
use crate::settings::{AdrsSign, DspStateKept, NoflWhen, Settings};
use program::{Program, Step};

const STEPS: usize = 128;

/// State of the DSP. Its program, coefficients and addresses are registers.
#[derive(Clone, Debug)]
pub(crate) struct Dsp {
    pub(crate) temp: [i32; 128],
    pub(crate) mems: [i32; 32],
    /// MIXS, 20 bits.
    pub(crate) inputs: [i32; 16],
    /// EFREG.
    pub(crate) outputs: [i16; 16],
    /// EXTS.
    pub(crate) external: [i16; 2],
    counter: u16,
    accumulator: i32,
    factor: i32,
    y: i32,
    address: i32,
    input: i32,
    /// Address of a pending read, and NOFL of its step.
    read: Option<(usize, bool)>,
    write: Option<(usize, u16)>,
    word: u16,
    /// NOFL of the step that requested `word`.
    word_is_plain: bool,
    program: Option<Box<Program>>,
}

state::fields!(Dsp {
    temp,
    mems,
    inputs,
    outputs,
    external,
    counter,
    accumulator,
    factor,
    y,
    address,
    input,
    read,
    write,
    word,
    word_is_plain,
} keep { program } check(|dsp: &Dsp| {
    let places = [dsp.read.map(|(at, _)| at), dsp.write.map(|(at, _)| at)];
    let registers = [dsp.accumulator, dsp.factor, dsp.y, dsp.address, dsp.input];
    let mut words = dsp.temp.iter().chain(&dsp.mems).chain(&dsp.inputs).chain(&registers);
    let in_ram = places.iter().flatten().all(|at| *at < RAM_BYTES - 1);
    in_ram && words.all(|word| word.unsigned_abs() < 1 << 27)
}));

impl Default for Dsp {
    fn default() -> Self {
        Self {
            temp: [0; 128],
            mems: [0; 32],
            inputs: [0; 16],
            outputs: [0; 16],
            external: [0; 2],
            counter: 0,
            accumulator: 0,
            factor: 0,
            y: 0,
            address: 0,
            input: 0,
            read: None,
            write: None,
            word: 0,
            word_is_plain: false,
            program: None,
        }
    }
}

/// Sign-extends a value of `bits` bits.
fn signed(value: i32, bits: u32) -> i32 {
    value << (32 - bits) >> (32 - bits)
}

/// Converts a 24-bit value to a memory word: sign, exponent, 11-bit mantissa.
fn pack(value: i32) -> u16 {
    let value = signed(value, 24);
    // Number of bits below bit 23 that equal bit 23.
    let equal = ((value ^ value >> 31) as u32).leading_zeros() - 9;
    let exponent = equal.min(12);
    let mantissa = (value << exponent.min(11)) >> 11 & 0x7FF;
    ((value < 0) as u16) << 15 | (exponent as u16) << 11 | mantissa as u16
}

/// Converts a memory word to a 24-bit value.
fn unpack(word: u16) -> i32 {
    let (sign, exponent) = (i32::from(word >> 15), u32::from(word >> 11 & 15));
    let next = if exponent > 11 { sign } else { sign ^ 1 };
    let value = sign << 23 | next << 22 | i32::from(word & 0x7FF) << 11;
    signed(value, 24) >> exponent.min(11)
}

impl Dsp {
    /// Executes the steps of one sample. Without a program, no visible state changes.
    pub(crate) fn sample(&mut self, ram: &mut [u8; RAM_BYTES], stored: &mut Stored, settings: &Settings) {
        let changed = stored.effects_changed();
        let program = match self.program.take().filter(|_| !changed) {
            Some(program) => program,
            None => Box::new(Program::of(stored, settings)),
        };
        if !program.steps.is_empty() {
            self.run(&program, ram, settings);
        }
        self.program = Some(program);
        self.counter = self.counter.wrapping_sub(1);
    }

    fn run(&mut self, program: &Program, ram: &mut [u8; RAM_BYTES], settings: &Settings) {
        if settings.dsp_state_kept == DspStateKept::Off {
            (self.accumulator, self.factor, self.y, self.address, self.input) = (0, 0, 0, 0, 0);
        }
        // MEMS, MIXS, EXTS, zeros.
        let mut sources = [0; 0x40];
        sources[..0x20].copy_from_slice(&self.mems);
        for n in 0..16 {
            sources[0x20 + n] = signed(self.inputs[n] << 4, 24);
        }
        for n in 0..2 {
            sources[0x30 + n] = i32::from(self.external[n]) << 8;
        }
        for step in &program.steps {
            self.step(step, program, &mut sources, ram, settings);
        }
        self.mems.copy_from_slice(&sources[..0x20]);
    }

    #[inline]
    fn step(
        &mut self,
        step: &Step,
        program: &Program,
        sources: &mut [i32; 0x40],
        ram: &mut [u8; RAM_BYTES],
        settings: &Settings,
    ) {
        if !step.keeps_input {
            self.input = sources[usize::from(step.source & 0x3F)];
        }
        let place = |at: u8| (usize::from(at) + usize::from(self.counter)) & 127;
        let (temp, write_to) = (self.temp[place(step.temp_read)], place(step.temp_write));
        let x = if step.x_is_input { self.input } else { temp };
        let y = match step.y {
            0 => self.factor,
            1 => step.coefficient,
            2 => signed(self.y >> 11, 13),
            _ => self.y >> 4 & 0xFFF,
        };
        let mut b = if step.b_is_accumulator {
            self.accumulator
        } else {
            temp
        };
        if step.negates_b {
            b = -b;
        }
        if step.b_is_zero {
            b = 0;
        }
        if step.latches_y {
            self.y = self.input;
        }
        let shifted = self.accumulator << u32::from(matches!(step.shift, 1 | 2));
        let shifted = match step.shift {
            0 | 1 => shifted.clamp(-0x80_0000, 0x7F_FFFF),
            _ => signed(shifted, 24),
        };
        let product = (i64::from(x) * i64::from(y)) >> 12;
        self.accumulator = signed(product as i32 + b, 26);
        if step.writes_temp {
            self.temp[write_to] = shifted;
        }
        if step.latches_factor {
            self.factor = if step.shift == 3 {
                shifted & 0xFFF
            } else {
                signed(shifted >> 11, 13)
            };
        }
        if step.writes_mems {
            let is_plain = match settings.nofl_when {
                NoflWhen::TwoBeforeIwt => step.plain_before,
                NoflWhen::AtRead => self.word_is_plain,
            };
            sources[usize::from(step.mems & 0x1F)] = match is_plain {
                true => signed(i32::from(self.word) << 8, 24),
                false => unpack(self.word),
            };
        }
        self.serve(ram);
        if step.reads || step.writes {
            self.request(step, shifted, program);
        }
        if step.latches_address {
            let latched = if step.address_is_shifted {
                shifted >> 12
            } else {
                self.input >> 16
            };
            self.address = match settings.adrs_sign {
                AdrsSign::Unsigned => latched & 0xFFF,
                AdrsSign::Signed => signed(latched, 12),
            };
        }
        if step.writes_output {
            self.outputs[usize::from(step.output & 15)] = (shifted >> 8) as i16;
        }
    }

    /// Completes the memory request of the previous step.
    fn serve(&mut self, ram: &mut [u8; RAM_BYTES]) {
        let byte = |address: usize| 2 * address % RAM_BYTES;
        if let Some((address, is_plain)) = self.read.take() {
            self.word = u16::from_le_bytes([ram[byte(address)], ram[byte(address) + 1]]);
            self.word_is_plain = is_plain;
        } else if let Some((address, word)) = self.write.take() {
            ram[byte(address)..][..2].copy_from_slice(&word.to_le_bytes());
        }
    }

    /// Issues the memory request of a step.
    fn request(&mut self, step: &Step, shifted: i32, program: &Program) {
        let added = if step.adds_address { self.address } else { 0 };
        // Only the low 16 bits of the sum are used.
        let address = (step.base + added) as u32;
        let address = match step.is_table {
            true => address & 0xFFFF,
            false => address.wrapping_add(self.counter.into()) & program.ring_mask,
        };
        let address = address as usize + program.ring_base;
        if step.reads {
            self.read = Some((address, step.is_plain));
        }
        if step.writes {
            let word = if step.is_plain {
                (shifted >> 8) as u16
            } else {
                pack(shifted)
            };
            self.write = Some((address, word));
        }
    }

    /// Writes a register at or above 4000: TEMP, MEMS or EFREG. The channels write MIXS.
    pub(crate) fn set_register(&mut self, offset: u32, bits: Bits) {
        let Some(before) = self.register(offset) else {
            return;
        };
        let value = i32::from(before & !bits.mask | bits.value);
        let index = (offset & 0xFFF) as usize;
        let merged = |word: i32| match offset & 4 {
            0 => word & !0xFF | value & 0xFF,
            _ => signed(value << 8 | word & 0xFF, 24),
        };
        match offset {
            at::DSP_TEMP..at::DSP_MEMS => self.temp[index / 8] = merged(self.temp[index / 8]),
            at::DSP_MEMS..at::DSP_INPUTS => {
                let place = &mut self.mems[(index - 0x400) / 8];
                *place = merged(*place);
            }
            at::DSP_OUTPUTS..at::DSP_EXTERNAL => self.outputs[(index - 0x580) / 4] = value as i16,
            // The CD writes EXTS.
            _ => {}
        }
    }

    /// Reads a register at or above 4000: TEMP, MEMS, MIXS, EFREG or EXTS.
    pub(crate) fn register(&self, offset: u32) -> Option<u16> {
        let halves = |value: i32, low: u32| match offset & 4 {
            0 => value as u16 & ((1 << low) - 1),
            _ => (value >> low) as u16,
        };
        let index = (offset & 0xFFF) as usize;
        match offset {
            at::DSP_TEMP..at::DSP_MEMS => Some(halves(self.temp[index / 8], 8)),
            at::DSP_MEMS..at::DSP_INPUTS => Some(halves(self.mems[(index - 0x400) / 8], 8)),
            at::DSP_INPUTS..at::DSP_OUTPUTS => Some(halves(self.inputs[(index - 0x500) / 8], 4)),
            at::DSP_OUTPUTS..at::DSP_EXTERNAL => Some(self.outputs[(index - 0x580) / 4] as u16),
            at::DSP_EXTERNAL..at::DSP_END => Some(self.external[(index - 0x5C0) / 4] as u16),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with ring base 100h. Steps, coefficients and addresses are given with their numbers. A step
    /// is one 64-bit word.
    fn program(steps: &[(u32, u64)], coefficients: &[(u32, u16)], addresses: &[(u32, u16)]) -> Stored {
        let mut stored = Stored::default();
        let mut set = |offset, value| stored.merge(offset, Bits { value, mask: 0xFFFF });
        for (n, word) in steps {
            (0..4).for_each(|part| {
                set(
                    at::DSP_PROGRAM + 16 * n + 4 * part,
                    (word >> (48 - 16 * part)) as u16,
                )
            });
        }
        coefficients
            .iter()
            .for_each(|(n, value)| set(at::DSP_COEFFICIENTS + 4 * n, *value));
        addresses
            .iter()
            .for_each(|(n, value)| set(at::DSP_ADDRESSES + 4 * n, *value));
        set(at::DSP_RING, 0x100);
        stored
    }

    fn memory() -> Box<[u8; RAM_BYTES]> {
        vec![0; RAM_BYTES]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!())
    }

    /// Words computed by hand: 400000 is 0.5 with exponent 0; 0 has the largest exponent.
    #[test]
    fn words_of_memory() {
        let rows = [
            (0, 0x6000, 0),
            (1, 0x6001, 1),
            (0x7FF, 0x67FF, 0x7FF),
            (0x800, 0x5800, 0x800),
            (0x7F_FFFF, 0x07FF, 0x7F_F800),
            (-1, 0xE7FF, -1),
            (-0x80_0000, 0x8000, -0x80_0000),
            (0x12_3456, 0x111A, 0x12_3400),
            (-0x12_3456, 0x96E5, -0x12_3600),
            (0x40_0000, 0, 0x40_0000),
            (0x3F_FFFF, 0x0FFF, 0x3F_FC00),
            (-0x40_0000, 0x8800, -0x40_0000),
        ];
        for (value, word, back) in rows {
            assert_eq!((pack(value), unpack(word)), (word, back), "{value:x}");
        }
        let values = [
            (0x7FFF, 0x7FF),
            (0xFFFF, -1),
            (0x1234, 0x14_6800),
            (0x9234, -0x1B_9800),
        ];
        assert!(values.iter().all(|(word, value)| unpack(*word) == *value));
        let kept = (0..=u16::MAX).filter(|word| pack(unpack(*word)) == *word).count();
        assert_eq!(kept, 53_248);
    }

    /// The program adds 0.5 of one input and 0.9998 of another, and writes the sum to TEMP and to an output.
    #[test]
    fn two_inputs_are_mixed() {
        let steps = [
            (0, 0x0000_B000_0002_0000),
            (1, 0x0106_B080_0001_0000),
            (2, 0x0000_0000_1000_0000),
        ];
        let mut stored = program(&steps, &[(0, 0x4000), (1, 0x7FF8)], &[]);
        let mut dsp = Dsp::default();
        (dsp.inputs[0], dsp.inputs[1]) = (0x4_0000, -0x1_0000);
        dsp.sample(&mut memory(), &mut stored, &Settings::default());
        assert_eq!((dsp.outputs[0], dsp.temp[3]), (0x1001, 0x20_0000));
        assert_eq!(dsp.register(0x4580), Some(0x1001));
        assert_eq!(
            [0x4018, 0x401C].map(|offset| dsp.register(offset)),
            [Some(0), Some(0x2000)]
        );
        assert_eq!(
            [0x4508, 0x450C].map(|offset| dsp.register(offset)),
            [Some(0), Some(0xF000)]
        );
    }

    /// The ring in memory delays by one sample.
    #[test]
    fn a_word_of_the_ring_comes_back_a_sample_later() {
        let steps = [
            (0, 0x0000_B000_0002_0000),
            (1, 0x0000_0000_4002_0000),
            (3, 0x0000_0000_2000_0200),
            (5, 0x0000_0044_0000_0000),
            (6, 0x0000_A100_0002_0000),
            (7, 0x0000_0000_1100_0000),
        ];
        let mut stored = program(&steps, &[(0, 0x7FF8), (6, 0x7FF8)], &[(1, 1)]);
        let (mut dsp, mut ram) = (Dsp::default(), memory());
        let outputs = [0x1_2345, 0x7_FFFF, -0x8_0000, 1, 0].map(|input| {
            dsp.inputs[0] = input;
            dsp.sample(&mut ram, &mut stored, &Settings::default());
            dsp.outputs[1] as u16
        });
        assert_eq!(outputs, [0x3FFC, 0x1230, 0x7FE8, 0x800F, 0]);
        let word = |at: usize| u16::from_le_bytes([ram[at], ram[at + 1]]);
        let words = [0x8_0000, 0x8_3FF8, 0x8_3FFA, 0x8_3FFC, 0x8_3FFE].map(word);
        assert_eq!(words, [0x1119, 0x6000, 0x600F, 0x8001, 0x07FE]);
    }
}
