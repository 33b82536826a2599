//! Running error bounds: a number in `f64`, and the maximum error of the SH4's value.
//!
//! Each operation adds the errors of its operands and of its own rounding. The bound of a formula is
//! therefore the formula itself, written with these operations.

use crate::bound::{HALF_ULP, INNER_PRODUCT, TINY, exact};

/// A number with an error bound; see the module documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bounded {
    /// Value in `f64`.
    pub(crate) value: f64,
    /// Maximum distance of the SH4's value.
    pub(crate) slack: f64,
}

impl Bounded {
    /// Unknown value: an operand may have been zero or negative although the formula needs a positive one.
    const ANYTHING: Self = Self {
        value: 0.0,
        slack: 1.0e30,
    };

    /// An operand in memory.
    pub(crate) fn single(value: f32) -> Self {
        Self::constant(exact(value))
    }

    /// The bits of an operand.
    pub(crate) fn bits(word: u32) -> Self {
        Self::single(f32::from_bits(word))
    }

    /// Creates a number that a single represents exactly.
    pub(crate) fn constant(value: f64) -> Self {
        Self { value, slack: 0.0 }
    }

    /// FLOAT.
    pub(crate) fn integer(value: i32) -> Self {
        let slack = if value.unsigned_abs() <= 1 << 24 {
            0.0
        } else {
            f64::from(value).abs() * HALF_ULP
        };
        Self {
            value: f64::from(value),
            slack,
        }
    }

    /// Adds the error of one rounding.
    fn rounded(self) -> Self {
        let slack = self.slack + (self.value.abs() + self.slack) * HALF_ULP + TINY;
        Self { slack, ..self }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slack: self.slack + other.slack,
        }
    }

    fn times(self, other: Self) -> Self {
        let slack =
            self.value.abs() * other.slack + other.value.abs() * self.slack + self.slack * other.slack;
        Self {
            value: self.value * other.value,
            slack,
        }
    }

    /// FNEG.
    pub(crate) fn neg(self) -> Self {
        Self {
            value: -self.value,
            ..self
        }
    }

    /// FADD.
    pub(crate) fn add(self, other: Self) -> Self {
        self.plus(other).rounded()
    }

    /// FSUB.
    pub(crate) fn sub(self, other: Self) -> Self {
        self.plus(other.neg()).rounded()
    }

    /// FMUL.
    pub(crate) fn mul(self, other: Self) -> Self {
        self.times(other).rounded()
    }

    /// FMAC: `self + a * b`, rounded once.
    pub(crate) fn mac(self, a: Self, b: Self) -> Self {
        self.plus(a.times(b)).rounded()
    }

    /// FDIV; the divisor's bound must exclude zero.
    pub(crate) fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let slack = (self.slack + value.abs() * other.slack) / (other.value.abs() - other.slack);
        Self { value, slack }.rounded()
    }

    /// FSQRT of a non-negative number.
    pub(crate) fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        Self {
            value,
            slack: (self.value + self.slack).sqrt() - value,
        }
        .rounded()
    }

    /// Limits the number to a range by comparisons.
    pub(crate) fn clamp(self, low: f64, high: f64) -> Self {
        Self {
            value: self.value.clamp(low, high),
            ..self
        }
    }

    /// Returns whether the number may be positive, and whether it must be.
    pub(crate) fn positive(self) -> (bool, bool) {
        (self.value + self.slack > 0.0, self.value - self.slack > 0.0)
    }

    /// Extends the bound to zero unless `certain` is true, for a term that the SH4 may have omitted.
    pub(crate) fn or_zero_unless(self, certain: bool) -> Self {
        let room = if certain { 0.0 } else { self.value.abs() };
        Self {
            slack: self.slack + room,
            ..self
        }
    }

    /// FIPR.
    pub(crate) fn inner(a: [Self; 4], b: [Self; 4]) -> Self {
        let products = [0, 1, 2, 3].map(|k| a[k].times(b[k]));
        let sum = products.iter().fold(Self::default(), |sum, p| sum.plus(*p));
        let largest = products
            .iter()
            .fold(0.0, |m: f64, p| m.max(p.value.abs() + p.slack));
        Self {
            slack: sum.slack + largest * INNER_PRODUCT,
            ..sum
        }
        .rounded()
    }

    /// FSRRA: the manual states a relative error of 2^-21.
    pub(crate) fn rsqrt(self) -> Self {
        if self.value <= self.slack {
            return Self::ANYTHING;
        }
        let value = 1.0 / self.value.sqrt();
        let nearest_zero = 1.0 / (self.value - self.slack).sqrt();
        Self {
            value,
            slack: (nearest_zero - value) + nearest_zero / f64::from(1 << 21),
        }
        .rounded()
    }

    /// FTRC: returns whether a number within the bound truncates to `result`.
    pub(crate) fn truncates_to(self, result: i32) -> bool {
        // The cast saturates, like FTRC.
        let [low, high] = [self.value - self.slack, self.value + self.slack].map(|value| value as i32);
        (low..=high).contains(&result)
    }
}
