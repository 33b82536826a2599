//! Comparison of a result with `f64`.
//!
//! A kernel and its reference share their operations, so both could be wrong together. The bounds here are
//! derived from the arithmetic, never fitted: one rounding of an SH4 operation is at most half a unit in the
//! last place, an inner product loses at most [`INNER_PRODUCT`] of its largest product besides.

/// Half a unit in the last place of a single, as a share of the value.
pub(crate) const HALF_ULP: f64 = 1.0 / (1 << 24) as f64;

/// What FIPR and FTRV lose, as a share of the largest product: four products, each cut below 2^-26 of the
/// power of two at or below the largest (SH7750 manual 6.6.1 states max product x 2^-23; the cuts sum to
/// less).
pub(crate) const INNER_PRODUCT: f64 = 1.0 / (1 << 23) as f64;

/// What FSCA differs from sine and cosine at most. The manual promises 2^-21; of the 131,072 values the worst
/// is 7.51 units of 2^-26, so the next power of two is held to. The test of this file goes through all of
/// them.
pub(crate) const SINE: f64 = 1.0 / (1 << 23) as f64;

/// Results below this are flushed to zero (FPSCR.DN = 1).
pub(crate) const TINY: f64 = f32::MIN_POSITIVE as f64;

/// The worst deviation of a call, as a share of what is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Largest |result - f64 result| / bound: within the bound if at most 1.
    pub worst: f64,
    /// Index of the word with the largest.
    pub index: usize,
}

impl Deviation {
    /// Notes one word: the result, the result in `f64`, and how far apart they may be.
    pub fn note(&mut self, index: usize, result: f32, exact: f64, bound: f64) {
        let share = if f64::from(result) == exact {
            0.0
        } else {
            (f64::from(result) - exact).abs() / bound
        };
        // A NaN must not pass as small.
        let share = if share.is_nan() { f64::INFINITY } else { share };
        if share > self.worst {
            *self = Self { worst: share, index };
        }
    }

    /// Notes one word that has to be exact.
    pub fn note_exact(&mut self, index: usize, equal: bool) {
        if !equal {
            *self = Self {
                worst: f64::INFINITY,
                index,
            };
        }
    }

    /// Words that have to be exact, and as many as expected.
    pub(crate) fn of_words(found: &[u32], expected: impl Iterator<Item = u32>) -> Self {
        let mut worst = Self::default();
        let expected: Vec<u32> = expected.collect();
        worst.note_exact(found.len(), found.len() == expected.len());
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            worst.note_exact(i, *found == expected);
        }
        worst
    }

    /// Whether every word was within its bound.
    pub fn within(&self) -> bool {
        self.worst <= 1.0
    }
}

/// A single as the SH4 reads it with FPSCR.DN = 1: a denormal is a zero.
pub(crate) fn exact(value: f32) -> f64 {
    if value.is_subnormal() {
        0.0
    } else {
        f64::from(value)
    }
}

/// An inner product in `f64` and the bound for the SH4's.
pub(crate) fn inner(a: [f64; 4], b: [f64; 4]) -> (f64, f64) {
    let products = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
    let sum: f64 = products.iter().sum();
    let largest = products.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    (sum, largest * INNER_PRODUCT + sum.abs() * HALF_ULP + TINY)
}

/// Row `row` of a column-major matrix of 16 words.
pub(crate) fn row(matrix: &[f32], row: usize) -> [f64; 4] {
    [0, 1, 2, 3].map(|column| exact(matrix.get(4 * column + row).copied().unwrap_or(f32::NAN)))
}

#[cfg(test)]
mod tests {
    use super::SINE;

    #[test]
    fn every_angle_is_within_the_bound_of_fsca() {
        let mut worst = 0.0_f64;
        for angle in 0..=u16::MAX {
            let (sin, cos) = sh4_fpu::startup::sincos(angle);
            let exact = (f64::from(angle) * std::f64::consts::TAU / 65536.0).sin_cos();
            worst = worst
                .max((f64::from(sin) - exact.0).abs())
                .max((f64::from(cos) - exact.1).abs());
        }
        println!("worst: {} units of 2^-26", worst * f64::from(1 << 26));
        assert!(worst <= SINE);
    }
}
