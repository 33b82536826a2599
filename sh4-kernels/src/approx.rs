//! Values in `f64` that carry how far the SH4's may be from them.
//!
//! A bound of a kernel with several steps is this arithmetic run over the kernel's formula: each operation adds the
//! slack of its operands to its own rounding.

use crate::bound::{HALF_ULP, INNER_PRODUCT, TINY, exact};

/// A value and the largest distance of the SH4's from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Approx {
    pub(crate) value: f64,
    pub(crate) slack: f64,
}

/// Slack of what nothing is known of.
const ANYTHING: f64 = 1.0e30;

impl Approx {
    /// An input.
    pub(crate) fn of(value: f32) -> Self {
        Self {
            value: exact(value),
            slack: 0.0,
        }
    }

    fn rounded(value: f64, slack: f64) -> Self {
        let slack = slack + (value.abs() + slack) * HALF_ULP + TINY;
        Self {
            value,
            slack: slack.min(ANYTHING),
        }
    }

    /// FADD, one rounding.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.slack + other.slack)
    }

    /// FSUB, one rounding.
    pub(crate) fn minus(self, other: Self) -> Self {
        Self::rounded(self.value - other.value, self.slack + other.slack)
    }

    /// FMUL, one rounding.
    pub(crate) fn times(self, other: Self) -> Self {
        let slack =
            self.value.abs() * other.slack + other.value.abs() * self.slack + self.slack * other.slack;
        Self::rounded(self.value * other.value, slack)
    }

    /// FDIV, one rounding.
    pub(crate) fn over(self, other: Self) -> Self {
        let least = other.value.abs() - other.slack;
        if least <= 0.0 {
            return Self {
                value: 0.0,
                slack: ANYTHING,
            };
        }
        let value = self.value / other.value;
        Self::rounded(value, (self.slack + value.abs() * other.slack) / least)
    }

    /// FSRRA. The SH7750 manual lets it differ by two units in the last place.
    pub(crate) fn rsqrt(self) -> Self {
        let least = self.value - self.slack;
        if least <= 0.0 {
            return Self {
                value: 0.0,
                slack: ANYTHING,
            };
        }
        let value = self.value.sqrt().recip();
        Self::rounded(value, least.sqrt().recip() - value + 4.0 * HALF_ULP * value)
    }

    /// FSQRT, one rounding, of what is not negative.
    pub(crate) fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        Self::rounded(value, (self.value + self.slack).sqrt() - value)
    }

    /// FIPR.
    pub(crate) fn inner<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        let (mut value, mut slack, mut largest) = (0.0, 0.0, 0.0_f64);
        for (a, b) in a.into_iter().zip(b) {
            let product = a.value * b.value;
            let spread = a.value.abs() * b.slack + b.value.abs() * a.slack + a.slack * b.slack;
            value += product;
            slack += spread;
            largest = largest.max(product.abs() + spread);
        }
        Self::rounded(value, slack + largest * INNER_PRODUCT)
    }

    /// Cut to a range; nothing is rounded.
    pub(crate) fn clamp(self, low: f64, high: f64) -> Self {
        Self {
            value: self.value.clamp(low, high),
            slack: self.slack,
        }
    }

    /// Whether it may be positive, and whether it must be.
    pub(crate) fn positive(self) -> (bool, bool) {
        (self.value + self.slack > 0.0, self.value - self.slack > 0.0)
    }

    /// Unless `certain`, with room down to nothing: for a term that the SH4 may have left out.
    pub(crate) fn or_nothing_unless(self, certain: bool) -> Self {
        let room = if certain { 0.0 } else { self.value.abs() };
        Self {
            value: self.value,
            slack: self.slack + room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Approx;

    #[test]
    fn slack_covers_what_singles_lose() {
        let (a, b) = (Approx::of(0.1), Approx::of(3.7));
        let cases = [
            (0.1_f32 + 3.7, a.plus(b)),
            (0.1_f32 - 3.7, a.minus(b)),
            (0.1_f32 * 3.7, a.times(b)),
            (0.1_f32 / 3.7, a.over(b)),
            (3.7_f32.sqrt().recip(), b.rsqrt()),
            (3.7_f32.sqrt(), b.sqrt()),
        ];
        for (single, approx) in cases {
            let off = (f64::from(single) - approx.value).abs();
            assert!(
                off <= approx.slack && approx.slack < 1.0e-6,
                "{single} {approx:?}"
            );
        }
        assert!(a.minus(a).rsqrt().slack > 1.0e20);
    }
}
