//! Exact representation of floats, and rounding from exact numbers to floats.
//!
//! The unit is a *step*, the smallest positive number of the format (2^-149 or 2^-1074). Every finite float
//! is an integer number of steps. Every result is a quotient of two big integers, or its square root.

use std::cmp::Ordering;

use num_bigint::BigUint;
use sh4_fpu::{Cause, Control, NAN_DOUBLE, NAN_SINGLE, Outcome, Rounding, Tininess};

/// A binary format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Number of fraction bits, without the hidden bit.
    pub(crate) fraction: u32,
    /// Number of exponent bits.
    pub(crate) exponent: u32,
    pub(crate) nan: u64,
}

pub(crate) const SINGLE: Layout = Layout {
    fraction: 23,
    exponent: 8,
    nan: NAN_SINGLE as u64,
};
pub(crate) const DOUBLE: Layout = Layout {
    fraction: 52,
    exponent: 11,
    nan: NAN_DOUBLE,
};

impl Layout {
    /// 2 to this power is the number of steps in 1.
    pub(crate) fn scale(self) -> u32 {
        (1 << (self.exponent - 1)) - 2 + self.fraction
    }

    pub(crate) fn sign(self) -> u64 {
        1 << (self.fraction + self.exponent)
    }

    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    pub(crate) fn signed(self, negative: bool, magnitude: u64) -> u64 {
        if negative {
            self.sign() | magnitude
        } else {
            magnitude
        }
    }

    /// Number of steps of a positive finite pattern: fraction and hidden bit, shifted by the exponent.
    pub(crate) fn steps(self, magnitude: u64) -> BigUint {
        let fraction = magnitude & ((1 << self.fraction) - 1);
        match magnitude >> self.fraction {
            0 => BigUint::from(fraction),
            e => BigUint::from(fraction | 1 << self.fraction) << (e - 1),
        }
    }

    /// Encodes a number of steps with no more significant bits than the format has.
    fn pattern(self, steps: &BigUint) -> u64 {
        let above = steps.bits().saturating_sub(u64::from(self.fraction) + 1);
        let significand = u64::try_from(steps >> above).unwrap();
        // The hidden bit adds 1 to the exponent.
        (above << self.fraction) + significand
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Zero,
    Denormal,
    Normal,
    Infinity,
    Quiet,
    Signalling,
}

/// An operand.
#[derive(Clone, Debug)]
pub(crate) struct Float {
    pub(crate) negative: bool,
    pub(crate) kind: Kind,
    /// Magnitude in steps; 0 for infinities and NaNs.
    pub(crate) steps: BigUint,
}

impl Float {
    /// Decodes an operand. With DN = 1 a denormal reads as zero.
    pub(crate) fn read(layout: Layout, bits: u64, control: Control) -> Float {
        let magnitude = bits & !layout.sign();
        let kind = match magnitude {
            0 => Kind::Zero,
            m if m < 1 << layout.fraction && control.flush => Kind::Zero,
            m if m < 1 << layout.fraction => Kind::Denormal,
            m if m < layout.infinity() => Kind::Normal,
            m if m == layout.infinity() => Kind::Infinity,
            m if m >> (layout.fraction - 1) & 1 == 1 => Kind::Signalling,
            _ => Kind::Quiet,
        };
        let number = matches!(kind, Kind::Normal | Kind::Denormal);
        Float {
            negative: bits & layout.sign() != 0,
            kind,
            steps: if number {
                layout.steps(magnitude)
            } else {
                BigUint::ZERO
            },
        }
    }
}

/// A non-negative exact number of steps.
pub(crate) struct Exact {
    numerator: BigUint,
    denominator: BigUint,
    /// True if the number is the square root of the quotient.
    root: bool,
}

impl Exact {
    pub(crate) fn quotient(numerator: BigUint, denominator: BigUint) -> Exact {
        Exact {
            numerator,
            denominator,
            root: false,
        }
    }

    pub(crate) fn root(numerator: BigUint, denominator: BigUint) -> Exact {
        Exact {
            root: true,
            ..Exact::quotient(numerator, denominator)
        }
    }

    fn floor(&self) -> BigUint {
        let whole = &self.numerator / &self.denominator;
        if self.root { whole.sqrt() } else { whole }
    }

    /// Compares the number with `halves / 2`.
    fn compare(&self, halves: &BigUint) -> Ordering {
        if self.root {
            (&self.numerator << 2u32).cmp(&(halves * halves * &self.denominator))
        } else {
            (&self.numerator << 1u32).cmp(&(halves * &self.denominator))
        }
    }
}

/// Rounds `value` to the format. Zero gets the given sign.
pub(crate) fn round(layout: Layout, negative: bool, value: &Exact, control: Control) -> Outcome<u64> {
    if value.numerator == BigUint::ZERO {
        return outcome(layout.signed(negative, 0), Cause::NONE);
    }
    let (rounded, exact) = to_precision(layout, value, control.rounding);
    let smallest_normal = BigUint::from(1u32) << layout.fraction;
    let tiny = match control.tininess {
        Tininess::BeforeRounding => value.compare(&(&smallest_normal << 1u32)) == Ordering::Less,
        Tininess::AfterRounding => rounded < smallest_normal,
    };
    let inexact = if exact { Cause::NONE } else { Cause::INEXACT };
    if rounded >= layout.steps(layout.infinity()) {
        let limit = layout.infinity() - u64::from(control.rounding == Rounding::Zero);
        return outcome(
            layout.signed(negative, limit),
            Cause::OVERFLOW.with(Cause::INEXACT),
        );
    }
    let underflow = Cause::UNDERFLOW.with(Cause::INEXACT);
    match (tiny, control.flush) {
        (true, true) => outcome(layout.signed(negative, 0), underflow),
        (true, false) if !exact => outcome(layout.signed(negative, layout.pattern(&rounded)), underflow),
        _ => outcome(layout.signed(negative, layout.pattern(&rounded)), inexact),
    }
}

/// Returns the neighbouring number of the format selected by the rounding mode, as if the range had no end.
/// Also returns whether it equals the value.
fn to_precision(layout: Layout, value: &Exact, rounding: Rounding) -> (BigUint, bool) {
    let floor = value.floor();
    let dropped = floor.bits().saturating_sub(u64::from(layout.fraction) + 1);
    let kept = &floor >> dropped;
    let lower = &kept << dropped;
    let upper = (&kept + 1u32) << dropped;
    let exact = value.compare(&(&lower << 1u32)) == Ordering::Equal;
    let up = match (rounding, value.compare(&(&lower + &upper))) {
        (Rounding::Zero, _) | (_, Ordering::Less) => false,
        (_, Ordering::Greater) => true,
        (_, Ordering::Equal) => kept.bit(0),
    };
    (if up { upper } else { lower }, exact)
}

pub(crate) fn outcome<T>(bits: T, cause: Cause) -> Outcome<T> {
    Outcome { bits, cause }
}
