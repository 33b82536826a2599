//! Exceptions that the chip considers possible.
//!
//! With an enable bit of I, O or U set, the chip does not wait for the result. It traps whenever the
//! operands' exponents allow the exception, so that software can perform the operation. FPSCR.cause has the
//! exceptions that occurred (see [`status`](crate::status)). The limits are from the exception lists in the
//! manual's instruction descriptions; all are biased exponents.
//!
//! The exponents matter only where the pseudo-code reaches the arithmetic. If a NaN, an infinity or a zero
//! decides the result, there is no overflow and no underflow. The list has a separate limit for FMUL with an
//! operand that is not normalised. It has no effect: with DN = 1 such an operand is zero; with DN = 0 it is
//! an FPU error, which traps anyway.

use crate::soft::{self, Class, Double, Format, Single};
use crate::{Cause, Control};

settings::choices! {
    /// The sign test in FSUB's overflow and underflow traps (`fsub_trap_sign`).
    pub enum SubTrapSign {
        /// Tests the signs of the addition that FSUB makes: one is inverted. The traps then cover every
        /// overflow and underflow, like the traps of the other operations.
        AsAdded = "as_added",
        /// Tests the signs of the operands: the list of exceptions repeats FADD's wording.
        AsWritten = "as_written",
    }
}

settings::choices! {
    /// The exponent sums in the traps of FMAC and FIPR, which the manual prints without subtracting the bias;
    /// read literally, 1.0 * 1.0 would trap (`trap_sum_bias`).
    pub enum TrapSumBias {
        /// One bias is subtracted. FC is then the lowest sum for which four products can reach 2^128, and FD
        /// the lowest for a product and an addend. 2F is the lowest sum for which all 48 bits are above the
        /// smallest normal number.
        Removed = "removed",
        /// The exponent sums are used as printed.
        Kept = "kept",
    }
}

settings::choices! {
    /// The operands for which enable.I traps (`trap_inexact`).
    pub enum InexactTrap {
        /// All operands: the descriptions say "regardless".
        AnyOperands = "any_operands",
        /// Only operands for which the pseudo-code reaches the arithmetic (no NaNs, infinities or most
        /// zeros). Other operands trap only if the result loses bits.
        Computed = "computed",
    }
}

/// Settings of the traps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrapRules {
    /// Sign test of FSUB; see [`SubTrapSign`].
    pub sub_sign: SubTrapSign,
    /// Bias in exponent sums; see [`TrapSumBias`].
    pub sum_bias: TrapSumBias,
    /// Operands for which enable.I traps; see [`InexactTrap`].
    pub inexact: InexactTrap,
}

/// Two operands of one format; for FSUB and FDIV in the order of `a - b` and `a / b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// PR = 0.
    Single(u32, u32),
    /// PR = 1.
    Double(u64, u64),
}

/// An operation before execution. Operations without possible exceptions (compares, FTRC, FCNVSD, FLOAT to
/// double, moves) have no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// FADD.
    Add(Pair),
    /// FSUB.
    Sub(Pair),
    /// FMUL.
    Mul(Pair),
    /// FDIV.
    Div(Pair),
    /// FMAC: `a * b + c`.
    Mac(u32, u32, u32),
    /// FSQRT, single.
    SqrtSingle(u32),
    /// FSQRT, double.
    SqrtDouble(u64),
    /// FSRRA.
    ReciprocalRoot(u32),
    /// FSCA.
    SineCosine,
    /// FLOAT to single.
    Float,
    /// FCNVDS.
    ToSingle(u64),
    /// FIPR.
    Inner([u32; 4], [u32; 4]),
    /// FTRV.
    Transform,
}

/// Returns the causes for which `operation` traps if they are enabled, whether or not they occur.
#[must_use]
pub fn possible(operation: &Operation, rules: TrapRules, control: Control) -> Cause {
    let Possible {
        computed,
        overflow,
        underflow,
    } = by_exponents(operation, rules, control);
    let inexact = match operation {
        Operation::Transform => return ALL,
        // With `Computed`, these trap only if the outcome has the cause.
        Operation::Float | Operation::SineCosine => rules.inexact == InexactTrap::AnyOperands,
        Operation::ReciprocalRoot(_) => computed,
        _ => computed || rules.inexact == InexactTrap::AnyOperands,
    };
    let when = |condition: bool, cause| if condition { cause } else { Cause::NONE };
    when(inexact, Cause::INEXACT)
        .with(when(overflow, Cause::OVERFLOW))
        .with(when(underflow, Cause::UNDERFLOW))
}

/// Causes of FTRV, which traps without a check of its operands.
const ALL: Cause = Cause::INEXACT
    .with(Cause::UNDERFLOW)
    .with(Cause::OVERFLOW)
    .with(Cause::INVALID);

/// Exceptions that the operands allow.
#[derive(Clone, Copy, Default)]
struct Possible {
    /// The operation reaches its arithmetic.
    computed: bool,
    overflow: bool,
    underflow: bool,
}

/// No possible exception.
const NEVER: Possible = Possible {
    computed: false,
    overflow: false,
    underflow: false,
};

fn by_exponents(operation: &Operation, rules: TrapRules, control: Control) -> Possible {
    let single = |bits: u32| seen::<Single>(bits.into(), control);
    let double = |bits: u64| seen::<Double>(bits, control);
    let both = |pair: Pair| match pair {
        Pair::Single(a, b) => (single(a), single(b), &SINGLE),
        Pair::Double(a, b) => (double(a), double(b), &DOUBLE),
    };
    let turned = rules.sub_sign == SubTrapSign::AsAdded;
    let bias = if rules.sum_bias == TrapSumBias::Removed {
        SINGLE.bias
    } else {
        0
    };
    match *operation {
        Operation::Add(pair) => add(both(pair), false),
        Operation::Sub(pair) => add(both(pair), turned),
        Operation::Mul(pair) => multiply(both(pair)),
        Operation::Div(pair) => divide(both(pair)),
        Operation::Mac(a, b, c) => accumulate(single(a), single(b), single(c), bias),
        Operation::SqrtSingle(a) | Operation::ReciprocalRoot(a) => root(single(a)),
        Operation::SqrtDouble(a) => root(double(a)),
        Operation::ToSingle(a) => narrow(double(a)),
        Operation::Inner(a, b) => inner(&a.map(single), &b.map(single), bias),
        Operation::SineCosine | Operation::Float | Operation::Transform => NEVER,
    }
}

/// Exponent limits of one format.
struct Limits {
    bias: i32,
    /// Exponent of infinity.
    top: i32,
    /// FADD with different signs: no underflow if an exponent is above this one.
    cancel: i32,
}

const SINGLE: Limits = Limits {
    bias: 0x7F,
    top: 0xFF,
    cancel: 0x18,
};
const DOUBLE: Limits = Limits {
    bias: 0x3FF,
    top: 0x7FF,
    cancel: 0x035,
};

/// Sign, class and biased exponent of an operand.
#[derive(Clone, Copy)]
struct Seen {
    negative: bool,
    exponent: i32,
    class: Class,
}

impl Seen {
    fn normal(self) -> bool {
        self.class == Class::Normal
    }

    /// True if the adder accepts the number unchanged.
    fn normal_or_zero(self) -> bool {
        self.normal() || self.class == Class::Zero
    }

    fn special(self) -> bool {
        matches!(self.class, Class::Infinity | Class::Quiet | Class::Signalling)
    }
}

fn seen<F: Format>(bits: u64, control: Control) -> Seen {
    let operand = soft::unpack::<F>(bits, control);
    Seen {
        negative: operand.negative(),
        exponent: ((bits & F::INFINITY) >> F::FRACTION) as i32,
        class: operand.class,
    }
}

fn add((a, b, limits): (Seen, Seen, &Limits), turned: bool) -> Possible {
    let computed = a.normal() && b.normal();
    let alike = (a.negative == b.negative) != turned;
    let largest = a.exponent.max(b.exponent);
    Possible {
        computed,
        overflow: computed && alike && largest == limits.top - 1,
        underflow: computed && !alike && largest <= limits.cancel,
    }
}

fn multiply((a, b, limits): (Seen, Seen, &Limits)) -> Possible {
    let computed = a.normal() && b.normal();
    let sum = a.exponent + b.exponent - limits.bias;
    Possible {
        computed,
        overflow: computed && sum >= limits.top - 1,
        underflow: computed && sum <= 0,
    }
}

fn divide((a, b, limits): (Seen, Seen, &Limits)) -> Possible {
    let computed = a.normal() && b.normal();
    let difference = a.exponent - b.exponent + limits.bias;
    Possible {
        computed,
        overflow: computed && difference >= limits.top,
        underflow: computed && difference <= 1,
    }
}

/// A zero addend counts with its exponent, like any other number.
fn accumulate(a: Seen, b: Seen, c: Seen, bias: i32) -> Possible {
    let computed = a.normal() && b.normal() && c.normal_or_zero();
    let product = a.exponent + b.exponent - bias;
    Possible {
        computed,
        overflow: computed && product.max(c.exponent) >= 0xFD,
        underflow: computed && product.min(c.exponent) <= 0x2E,
    }
}

fn root(a: Seen) -> Possible {
    Possible {
        computed: a.normal() && !a.negative,
        ..NEVER
    }
}

/// A zero counts with its exponent, like any other number.
fn narrow(a: Seen) -> Possible {
    let computed = a.normal_or_zero();
    Possible {
        computed,
        overflow: computed && a.exponent >= 0x47E,
        underflow: computed && a.exponent <= 0x380,
    }
}

/// Underflow is not tested: enable.U always traps.
fn inner(a: &[Seen; 4], b: &[Seen; 4], bias: i32) -> Possible {
    let computed = !a.iter().chain(b).any(|operand| operand.special());
    let large = |(a, b): (&Seen, &Seen)| a.exponent + b.exponent - bias >= 0xFC;
    Possible {
        computed,
        overflow: computed && a.iter().zip(b).any(large),
        underflow: true,
    }
}
