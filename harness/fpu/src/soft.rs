//! Exact integer arithmetic for both formats. It defines the results, and tests compare the host's fast paths
//! with it. It also handles the cases that the fast paths exclude: round to zero, denormals, special values.
//!
//! A finite number is `sign, significand, exponent` with value `significand * 2^exponent`. Results are
//! computed exactly, or with a lowest bit that collects the lost bits ("sticky"), and [`round`] rounds them
//! once.

use crate::{Cause, Control, Outcome, Rounding, Tininess};

/// A binary interchange format of up to 64 bits.
pub(crate) trait Format {
    /// Number of fraction bits without the hidden bit.
    const FRACTION: u32;
    /// Number of exponent bits.
    const EXPONENT: u32;
    /// The NaN that the chip generates.
    const NAN: u64;

    const BIAS: i32 = (1 << (Self::EXPONENT - 1)) - 1;
    const EXPONENT_MAX: u64 = (1 << Self::EXPONENT) - 1;
    const HIDDEN: u64 = 1 << Self::FRACTION;
    const SIGN: u64 = 1 << (Self::FRACTION + Self::EXPONENT);
    const INFINITY: u64 = Self::EXPONENT_MAX << Self::FRACTION;
    /// Exponent of the lowest bit of a denormal.
    const LOWEST: i32 = 1 - Self::BIAS - Self::FRACTION as i32;
}

/// 8 bits of exponent, 23 bits of fraction.
pub(crate) struct Single;
/// 11 bits of exponent, 52 bits of fraction.
pub(crate) struct Double;

impl Format for Single {
    const FRACTION: u32 = 23;
    const EXPONENT: u32 = 8;
    const NAN: u64 = crate::NAN_SINGLE as u64;
}

impl Format for Double {
    const FRACTION: u32 = 52;
    const EXPONENT: u32 = 11;
    const NAN: u64 = crate::NAN_DOUBLE;
}

/// Data types of SH7750 manual 6.2, in the order of its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Zero,
    Normal,
    Denormal,
    Infinity,
    Quiet,
    Signalling,
}

/// A finite number: `significand * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) negative: bool,
    pub(crate) significand: u128,
    pub(crate) exponent: i32,
}

/// A decoded operand; `number` is valid for zero, normal and denormal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) class: Class,
    pub(crate) number: Number,
}

impl Operand {
    pub(crate) fn negative(self) -> bool {
        self.number.negative
    }

    pub(crate) fn is(self, class: Class) -> bool {
        self.class == class
    }
}

pub(crate) fn classify<F: Format>(bits: u64) -> Class {
    let fraction = bits & (F::HIDDEN - 1);
    match ((bits & F::INFINITY) >> F::FRACTION, fraction) {
        (0, 0) => Class::Zero,
        (0, _) => Class::Denormal,
        (e, 0) if e == F::EXPONENT_MAX => Class::Infinity,
        // Opposite of IEEE 754-2008: a set top bit means signalling.
        (e, f) if e == F::EXPONENT_MAX && f & (F::HIDDEN >> 1) != 0 => Class::Signalling,
        (e, _) if e == F::EXPONENT_MAX => Class::Quiet,
        _ => Class::Normal,
    }
}

/// Decodes `bits`. With DN = 1 a denormal becomes a zero with its sign.
pub(crate) fn unpack<F: Format>(bits: u64, control: Control) -> Operand {
    let negative = bits & F::SIGN != 0;
    let fraction = u128::from(bits & (F::HIDDEN - 1));
    let biased = ((bits & F::INFINITY) >> F::FRACTION) as i32;
    let class = match classify::<F>(bits) {
        Class::Denormal if control.flush => Class::Zero,
        class => class,
    };
    let (significand, exponent) = match class {
        Class::Normal => (fraction | u128::from(F::HIDDEN), F::LOWEST + biased - 1),
        Class::Denormal => (fraction, F::LOWEST),
        _ => (0, 0),
    };
    Operand {
        class,
        number: Number {
            negative,
            significand,
            exponent,
        },
    }
}

pub(crate) fn nan<F: Format>() -> Outcome<u64> {
    Outcome::exact(F::NAN)
}

pub(crate) fn invalid<F: Format>() -> Outcome<u64> {
    Outcome::new(F::NAN, Cause::INVALID)
}

pub(crate) fn zero<F: Format>(negative: bool) -> Outcome<u64> {
    Outcome::exact(if negative { F::SIGN } else { 0 })
}

pub(crate) fn infinity<F: Format>(negative: bool) -> Outcome<u64> {
    Outcome::exact(zero::<F>(negative).bits | F::INFINITY)
}

/// Performs the checks common to all arithmetic instructions: a signalling NaN is invalid, and a quiet NaN
/// gives a NaN. `None` means that the instruction computes a result.
pub(crate) fn screen<F: Format>(operands: &[Operand]) -> Option<Outcome<u64>> {
    let any = |class| operands.iter().any(|o| o.is(class));
    if any(Class::Signalling) {
        Some(invalid::<F>())
    } else if any(Class::Quiet) {
        Some(nan::<F>())
    } else {
        None
    }
}

/// Adds E to the outcome if an operand is denormal and the chip does not accept denormals. With DN = 1 it was
/// decoded as zero. The value remains the IEEE result.
pub(crate) fn with_error(outcome: Outcome<u64>, operands: &[Operand]) -> Outcome<u64> {
    if operands.iter().any(|o| o.is(Class::Denormal)) {
        Outcome::new(outcome.bits, Cause::FPU_ERROR)
    } else {
        outcome
    }
}

/// `value >> count`, with the lost bits collected in the lowest bit.
fn shift_sticky(value: u128, count: u32) -> u128 {
    match value.checked_shr(count) {
        Some(kept) => kept | u128::from(kept << count != value),
        None => u128::from(value != 0),
    }
}

/// Rounds `significand * 2^exponent` to the format. The lowest bit may be sticky if the significand then has
/// at least two bits more than the format. A zero significand gives a zero of that sign.
pub(crate) fn round<F: Format>(n: Number, control: Control) -> Outcome<u64> {
    if n.significand == 0 {
        return zero::<F>(n.negative);
    }
    let top = n.exponent + 127 - n.significand.leading_zeros() as i32;
    let tiny_before = top < 1 - F::BIAS;
    let unit = (top - F::FRACTION as i32).max(F::LOWEST);
    let (kept, inexact) = quantize(n.significand, unit - n.exponent, control.rounding);
    // A kept significand without hidden bit is a denormal; a carry out of it increments the exponent.
    let biased = (unit - F::LOWEST) as u64;
    let magnitude = if biased >= F::EXPONENT_MAX {
        F::INFINITY
    } else {
        (biased << F::FRACTION) + kept
    };
    finish::<F>(n.negative, magnitude, inexact, tiny_before, control)
}

/// Converts `significand / 2^shift` to an integer; also returns whether bits were lost.
fn quantize(significand: u128, shift: i32, rounding: Rounding) -> (u64, bool) {
    if shift <= 0 {
        return ((significand << shift.unsigned_abs()) as u64, false);
    }
    // Keep two extra bits: the half and the sticky bit.
    let with_guards = if shift == 1 {
        significand << 1
    } else {
        shift_sticky(significand, shift as u32 - 2)
    };
    let kept = (with_guards >> 2) as u64;
    let guards = with_guards & 3;
    let up = match rounding {
        Rounding::Nearest => guards == 3 || (guards == 2 && kept & 1 == 1),
        Rounding::Zero => false,
    };
    (kept + u64::from(up), guards != 0)
}

/// Handles overflow, underflow and flushing of a rounded magnitude.
fn finish<F: Format>(
    negative: bool,
    magnitude: u64,
    inexact: bool,
    tiny_before: bool,
    control: Control,
) -> Outcome<u64> {
    let sign = zero::<F>(negative).bits;
    if magnitude >= F::INFINITY {
        let limit = F::INFINITY - u64::from(control.rounding == Rounding::Zero);
        return Outcome::new(sign | limit, Cause::OVERFLOW.with(Cause::INEXACT));
    }
    let tiny = match control.tininess {
        Tininess::BeforeRounding => tiny_before,
        Tininess::AfterRounding => magnitude < F::HIDDEN,
    };
    match (tiny, control.flush) {
        (true, true) => Outcome::new(sign, Cause::UNDERFLOW.with(Cause::INEXACT)),
        (true, false) if inexact => Outcome::new(sign | magnitude, Cause::UNDERFLOW.with(Cause::INEXACT)),
        _ => Outcome::new(sign | magnitude, Cause::inexact(inexact)),
    }
}

/// Adds two finite numbers, rounding once. Significands have at most 106 bits.
pub(crate) fn sum<F: Format>(a: Number, b: Number, control: Control) -> Outcome<u64> {
    let total = match (a.significand, b.significand) {
        // Equal signs keep the sign; otherwise the sum is +0 in both rounding modes.
        (0, 0) => Number {
            negative: a.negative && b.negative,
            ..a
        },
        (0, _) => b,
        (_, 0) => a,
        _ => aligned_sum(justify(a), justify(b)),
    };
    round::<F>(total, control)
}

/// Moves the leading one to bit 120, which leaves room for a carry.
fn justify(n: Number) -> Number {
    let up = n.significand.leading_zeros().saturating_sub(7);
    Number {
        significand: n.significand << up,
        exponent: n.exponent - up as i32,
        ..n
    }
}

fn aligned_sum(a: Number, b: Number) -> Number {
    let (big, small) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let other = shift_sticky(small.significand, big.exponent.abs_diff(small.exponent));
    if big.negative == small.negative {
        return Number {
            significand: big.significand + other,
            ..big
        };
    }
    match big.significand.checked_sub(other) {
        Some(0) => Number {
            significand: 0,
            negative: false,
            ..big
        },
        Some(significand) => Number { significand, ..big },
        None => Number {
            significand: other - big.significand,
            negative: small.negative,
            ..big
        },
    }
}

/// Returns the exact product of two finite numbers.
pub(crate) fn product(a: Number, b: Number) -> Number {
    Number {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
    }
}

/// FADD; FSUB negates `b` first.
pub(crate) fn add<F: Format>(a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (unpack::<F>(a, control), unpack::<F>(b, control));
    match screen::<F>(&[a, b]) {
        Some(outcome) => outcome,
        None => with_error(add_any::<F>(a, b, control), &[a, b]),
    }
}

/// Adds two operands that are not NaNs; denormals count with their value.
pub(crate) fn add_any<F: Format>(a: Operand, b: Operand, control: Control) -> Outcome<u64> {
    match (a.is(Class::Infinity), b.is(Class::Infinity)) {
        (true, true) if a.negative() != b.negative() => invalid::<F>(),
        (true, _) => infinity::<F>(a.negative()),
        (_, true) => infinity::<F>(b.negative()),
        _ => sum::<F>(a.number, b.number, control),
    }
}

/// FMUL: `a * b`.
pub(crate) fn mul<F: Format>(a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (unpack::<F>(a, control), unpack::<F>(b, control));
    match screen::<F>(&[a, b]) {
        Some(outcome) => outcome,
        None => with_error(mul_any::<F>(a, b, control), &[a, b]),
    }
}

/// Multiplies two operands that are not NaNs; denormals count with their value.
pub(crate) fn mul_any<F: Format>(a: Operand, b: Operand, control: Control) -> Outcome<u64> {
    let negative = a.negative() != b.negative();
    match (a.class, b.class) {
        (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => invalid::<F>(),
        (Class::Infinity, _) | (_, Class::Infinity) => infinity::<F>(negative),
        _ => round::<F>(product(a.number, b.number), control),
    }
}

/// FMAC: `a * b + c`, rounded once. The checks follow the order of the manual's pseudo-code: the addend is
/// checked after the factors, except for a signalling NaN.
pub(crate) fn mac<F: Format>(a: u64, b: u64, c: u64, control: Control) -> Outcome<u64> {
    let [a, b, c] = [a, b, c].map(|bits| unpack::<F>(bits, control));
    if [a, b, c].iter().any(|o| o.is(Class::Signalling)) {
        return invalid::<F>();
    }
    if let Some(outcome) = screen::<F>(&[a, b]) {
        return outcome;
    }
    let factor_is_denormal = a.is(Class::Denormal) || b.is(Class::Denormal);
    match (a.class, b.class) {
        (Class::Zero, Class::Infinity) | (Class::Infinity, Class::Zero) => invalid::<F>(),
        _ if c.is(Class::Quiet) && !factor_is_denormal => nan::<F>(),
        _ => with_error(product_and_sum::<F>(a, b, c, control), &[a, b, c]),
    }
}

fn product_and_sum<F: Format>(a: Operand, b: Operand, c: Operand, control: Control) -> Outcome<u64> {
    let negative = a.negative() != b.negative();
    let infinite = a.is(Class::Infinity) || b.is(Class::Infinity);
    match (infinite, c.class) {
        (_, Class::Quiet) => nan::<F>(),
        (true, Class::Infinity) if negative != c.negative() => invalid::<F>(),
        (true, _) => infinity::<F>(negative),
        (_, Class::Infinity) => infinity::<F>(c.negative()),
        _ => sum::<F>(product(a.number, b.number), c.number, control),
    }
}

/// FDIV: `a / b`. A denormal divided by zero is a division by zero, not an FPU error: the manual's
/// pseudo-code checks for a zero divisor before it checks the dividend.
pub(crate) fn div<F: Format>(a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (unpack::<F>(a, control), unpack::<F>(b, control));
    if let Some(outcome) = screen::<F>(&[a, b]) {
        return outcome;
    }
    let negative = a.negative() != b.negative();
    let outcome = match (a.class, b.class) {
        (Class::Infinity, Class::Infinity) | (Class::Zero, Class::Zero) => return invalid::<F>(),
        (Class::Infinity, _) => infinity::<F>(negative),
        (_, Class::Infinity) | (Class::Zero, _) => zero::<F>(negative),
        (_, Class::Zero) => return Outcome::new(infinity::<F>(negative).bits, Cause::DIVIDE_BY_ZERO),
        _ => round::<F>(
            quotient::<F>(normal::<F>(a.number), normal::<F>(b.number)),
            control,
        ),
    };
    with_error(outcome, &[a, b])
}

/// Moves the leading one of a denormal to the position of a normal number's hidden bit.
fn normal<F: Format>(n: Number) -> Number {
    let up = n.significand.leading_zeros().saturating_sub(127 - F::FRACTION);
    Number {
        significand: n.significand << up,
        exponent: n.exponent - up as i32,
        ..n
    }
}

/// Both significands are normal, so the quotient has at least FRACTION + 3 bits before the sticky bit.
fn quotient<F: Format>(a: Number, b: Number) -> Number {
    let up = F::FRACTION + 3;
    let dividend = a.significand << up;
    let whole = dividend / b.significand;
    let sticky = u128::from(whole * b.significand != dividend);
    Number {
        negative: a.negative != b.negative,
        significand: whole << 1 | sticky,
        exponent: a.exponent - b.exponent - up as i32 - 1,
    }
}

/// FSQRT: square root of `a`. A negative denormal is invalid with DN = 0, and -0 with DN = 1.
pub(crate) fn sqrt<F: Format>(a: u64, control: Control) -> Outcome<u64> {
    let a = unpack::<F>(a, control);
    let negative = a.negative();
    match a.class {
        Class::Denormal if negative => invalid::<F>(),
        Class::Zero => zero::<F>(negative),
        Class::Infinity | Class::Normal if negative => invalid::<F>(),
        Class::Infinity => infinity::<F>(false),
        _ => screen::<F>(&[a])
            .unwrap_or_else(|| with_error(round::<F>(root::<F>(normal::<F>(a.number)), control), &[a])),
    }
}

/// The root has at least FRACTION + 3 bits before the sticky bit.
fn root<F: Format>(a: Number) -> Number {
    let up = F::FRACTION as i32 + 6;
    let up = up + ((a.exponent - up) & 1);
    let radicand = a.significand << up;
    let whole = radicand.isqrt();
    let sticky = u128::from(whole * whole != radicand);
    Number {
        negative: false,
        significand: whole << 1 | sticky,
        exponent: (a.exponent - up) / 2 - 1,
    }
}
