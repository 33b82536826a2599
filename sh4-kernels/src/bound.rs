//! Comparison of results with `f64`.
//!
//! A kernel and its reference use the same operations, so both could have the same error. The bounds here
//! follow from the arithmetic and are never fitted. One rounding of an SH4 operation is at most half a unit
//! in the last place. An inner product additionally loses at most [`INNER_PRODUCT`] of its largest product.

/// Half a unit in the last place of a single, relative to the value.
pub(crate) const HALF_ULP: f64 = 1.0 / (1 << 24) as f64;

/// Maximum error of FIPR and FTRV, relative to the largest product (SH7750 manual 6.6.1). The model's error
/// is smaller: each of the four products loses less than 2^-26 of the largest product.
pub(crate) const INNER_PRODUCT: f64 = 1.0 / (1 << 23) as f64;

/// Maximum error of FSCA. The manual states 2^-21. The worst of the 131,072 values differs by 7.51 units of
/// 2^-26, so the bound is the next power of two. The test in this file checks all values.
pub(crate) const SINE: f64 = 1.0 / (1 << 23) as f64;

/// Results below this are flushed to zero (FPSCR.DN = 1).
pub(crate) const TINY: f64 = f32::MIN_POSITIVE as f64;

/// Largest deviation of a call, relative to its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Largest |result - f64 result| / bound; at most 1 if the result is within the bound.
    pub worst: f64,
    /// Index of the word with the largest deviation.
    pub index: usize,
}

impl Deviation {
    /// Records one word: the result, the result in `f64`, and the allowed difference.
    pub fn note(&mut self, index: usize, result: f32, exact: f64, bound: f64) {
        let share = if f64::from(result) == exact {
            0.0
        } else {
            (f64::from(result) - exact).abs() / bound
        };
        // A NaN must count as a deviation.
        let share = if share.is_nan() { f64::INFINITY } else { share };
        if share > self.worst {
            *self = Self { worst: share, index };
        }
    }

    /// Records one word that must be exact.
    pub fn note_exact(&mut self, index: usize, equal: bool) {
        if !equal {
            *self = Self {
                worst: f64::INFINITY,
                index,
            };
        }
    }

    /// Compares words that must be exact, including their number.
    pub(crate) fn of_words(found: &[u32], expected: impl Iterator<Item = u32>) -> Self {
        let mut worst = Self::default();
        let expected: Vec<u32> = expected.collect();
        worst.note_exact(found.len(), found.len() == expected.len());
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            worst.note_exact(i, *found == expected);
        }
        worst
    }

    /// True if every word was within its bound.
    pub fn within(&self) -> bool {
        self.worst <= 1.0
    }
}

/// Value of a single as the SH4 reads it with FPSCR.DN = 1: a denormal is zero.
pub(crate) fn exact(value: f32) -> f64 {
    if value.is_subnormal() {
        0.0
    } else {
        f64::from(value)
    }
}

/// Returns an inner product in `f64`, and the error bound of the SH4's result.
pub(crate) fn inner(a: [f64; 4], b: [f64; 4]) -> (f64, f64) {
    let products = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
    let sum: f64 = products.iter().sum();
    let largest = products.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    (sum, largest * INNER_PRODUCT + sum.abs() * HALF_ULP + TINY)
}

/// Returns row `row` of a column-major matrix of 16 words.
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
