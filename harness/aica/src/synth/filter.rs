//! A channel's low-pass filter ("Filter"): two poles, with a 13-bit cut-off.

use crate::settings::FilterForm;

/// The coefficient 1.0.
const ONE: i64 = 1 << 30;

/// The last two outputs, 20 bits each, and the coefficients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    last: [i64; 2],
    /// Cut-off, Q and form of the coefficients.
    inputs: Option<(u16, u16, FilterForm)>,
    /// Factors of the input, the last output and the second-to-last output.
    factors: [i64; 3],
}

state::fields!(Filter { last } keep { inputs, factors } check(|filter: &Filter| {
    filter.last.iter().all(|output| (-0x8_0000..=0x7_FFFF).contains(output))
}));

/// Returns F squared and F times the damping, from the cut-off and Q registers.
fn coefficients(cutoff: u16, q: u16) -> (i64, i64) {
    let (exponent, mantissa) = (u32::from(cutoff >> 9), i64::from(cutoff & 0x1FF | 0x200));
    let f = mantissa << (exponent + 5);
    let squared = (((mantissa << 30) >> (2 * (15 - exponent))) * ((mantissa - 1) >> 3)) >> 17;
    let (octave, rest) = (u32::from((q + 4) >> 3), i64::from((q + 4) & 7));
    let damping = (8192 * (16 - rest) / 16) >> octave;
    (squared, (f * damping) >> 12)
}

/// Returns the factors of the input, the last output and the second-to-last output, from Neill Corlett's
/// notes. The formula uses 13 bits of the cut-off, and Q / 32.
fn corlett(cutoff: u16, q: u16) -> [i64; 3] {
    let f = ((i64::from(cutoff & 0xFF) + 0x100) << 4) >> (cutoff >> 8 ^ 0x1F).min(63);
    let [f, q] = [f * (ONE >> 13), i64::from(q) * (ONE / 32)];
    [f, ONE - f + q, q]
}

/// Returns the factors of a filter step.
fn factors(cutoff: u16, q: u16, form: FilterForm) -> [i64; 3] {
    match form {
        FilterForm::StateVariable => {
            let (squared, damped) = coefficients(cutoff, q);
            [squared, 2 * ONE - damped - squared, ONE - damped]
        }
        FilterForm::Corlett => corlett(cutoff, q),
        FilterForm::Off => [ONE, 0, 0],
    }
}

impl Filter {
    /// Filters a 20-bit value.
    pub(crate) fn step(&mut self, value: i32, cutoff: u16, q: u16, form: FilterForm) -> i32 {
        if self.inputs != Some((cutoff, q, form)) {
            self.inputs = Some((cutoff, q, form));
            self.factors = factors(cutoff, q, form);
        }
        let [input, last, before] = self.factors;
        let [first, second] = self.last;
        let sum = input * i64::from(value) + last * first - before * second;
        let output = (sum >> 30).clamp(-0x8_0000, 0x7_FFFF);
        self.last = [output, first];
        output as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(samples: &[i32], cutoff: u16, q: u16) -> Vec<i32> {
        let mut filter = Filter::default();
        samples
            .iter()
            .map(|sample| filter.step(sample << 4, cutoff, q, FilterForm::StateVariable))
            .collect()
    }

    /// A constant must pass unchanged, except for the lowest bits.
    #[test]
    fn gain_at_0_hz_is_1() {
        for (cutoff, q) in [(0x1800, 4), (0x1C00, 0), (0x1C00, 16)] {
            let last = run(&[10_000; 20_000], cutoff, q)[19_999];
            assert!((last - 160_000).abs() < 0x400, "{cutoff:x}: {last}");
        }
    }

    /// Coefficients and an impulse, at two values of Q.
    #[test]
    fn an_impulse() {
        assert_eq!(coefficients(0x1FF8, 4), (0x3E82_0000, 0x3F80_0000));
        assert_eq!(coefficients(0x1800, 4), (0x003F_0000, 0x0400_0000));
        assert_eq!(coefficients(0x1800, 31), (0x003F_0000, 0x0068_0000));
        assert_eq!(coefficients(0x1000, 0), (0x0000_3F00, 0x0060_0000));
        let impulse = [16_384, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(
            run(&impulse, 0x1800, 4),
            [1008, 1949, 2823, 3631, 4374, 5053, 5670, 6226]
        );
        assert_eq!(
            run(&impulse, 0x1800, 28),
            [1008, 2004, 2984, 3944, 4881, 5791, 6671, 7518]
        );
        assert_eq!(run(&[10_000; 4], 0x1FF8, 4), [156_269, 161_133, 160_064, 159_993]);
    }

    /// Damping in 1/4096 for Q = 0, 4, 12, 20 and 28. From Q = 4, every eight steps halve it.
    #[test]
    fn damping_by_hand() {
        let damping = |q| coefficients(0x1E00, q).1 * 4096 / (0x200 << 20);
        assert_eq!([0, 4, 12, 20, 28].map(damping), [6144, 4096, 2048, 1024, 512]);
    }
}
