//! The SH-4's floating-point arithmetic as pure functions on bit patterns.
//!
//! Every function takes operands as bit patterns and a [`Control`], the part of FPSCR that affects results.
//! Each returns an [`Outcome`]: the result's bits, and the cause bits that the operation would set. The crate
//! has no registers; the CPU owns them.
//!
//! | module | holds |
//! |---|---|
//! | [`single`], [`double`] | add, sub, mul, div, sqrt, compares, FLOAT, FTRC; FMAC in `single` |
//! | [`host`] | single precision on the host's arithmetic, where that is provably the same |
//! | [`convert`] | FCNVSD, FCNVDS |
//! | [`inner`] | FIPR and FTRV by the aligned-and-truncated hardware model, and two alternatives |
//! | [`approx`] | FSRRA and FSCA |
//! | [`trap`] | exceptions that the chip considers possible, and traps for, before it knows the result |
//! | [`status`] | FPSCR after an operation, and whether it traps |
//! | [`startup`] | the functions on plain `f32`, in the state in which KallistiOS starts a program |
//!
//! Functions use the host's arithmetic where the result is provably equal: normal operands and result, round
//! to nearest. All other cases use exact integer arithmetic (`soft`). Tests compare both.
//!
//! ```
//! use sh4_fpu::{Cause, Control, NAN_SINGLE, single};
//!
//! let control = Control::STARTUP; // FPSCR = 00040000
//! let sum = single::add(1.5f32.to_bits(), 2.25f32.to_bits(), control);
//! assert_eq!((f32::from_bits(sum.bits), sum.cause), (3.75, Cause::NONE));
//! let invalid = single::sqrt((-1.0f32).to_bits(), control);
//! assert_eq!((invalid.bits, invalid.cause), (NAN_SINGLE, Cause::INVALID));
//! ```
//!
//! Sources: SH7750 hardware manual, section 6 (floating-point unit), and the special-case tables of the
//! instruction descriptions. Uncertain points: docs/hardware/sh4.md, "FPU arithmetic".

pub mod approx;
pub mod convert;
pub mod double;
pub mod host;
mod host_double;
pub mod inner;
pub mod single;
mod soft;
pub mod startup;
pub mod status;
#[cfg(test)]
mod tests;
pub mod trap;

/// The only NaN that the FPU generates in single precision. The fraction's top bit is clear, which means
/// *quiet* on the SH-4 (SH7750 manual 6.2.2).
pub const NAN_SINGLE: u32 = 0x7FBF_FFFF;

/// The only NaN that the FPU generates in double precision (SH7750 manual 6.2.2).
pub const NAN_DOUBLE: u64 = 0x7FF7_FFFF_FFFF_FFFF;

/// FPSCR.RM. The values 2 and 3 are reserved and have no variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// RM = 0: to nearest, ties to even.
    #[default]
    Nearest,
    /// RM = 1: toward zero.
    Zero,
}

settings::choices! {
    /// The test for a denormal result, which DN = 1 turns into zero, and which is an underflow if it is
    /// inexact.
    ///
    /// The manual's prose does not say. It matters only for values that are below the smallest normal number
    /// and round up to it.
    pub enum Tininess {
        /// The rounded result, as stored with DN = 0, is below the smallest normal number.
        AfterRounding = "after_rounding",
        /// The exact value is below the smallest normal number.
        BeforeRounding = "before_rounding",
    }
}

/// Part of FPSCR that affects results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// FPSCR.RM.
    pub rounding: Rounding,
    /// FPSCR.DN: denormal operands and results become zero of the same sign.
    pub flush: bool,
    /// Test for denormal results; see [`Tininess`].
    pub tininess: Tininess,
}

impl Control {
    /// State in which KallistiOS starts a program, FPSCR = 00040000: nearest, DN = 1.
    pub const STARTUP: Control = Control {
        rounding: Rounding::Nearest,
        flush: true,
        tininess: Tininess::AfterRounding,
    };
}

/// Cause bits in the order of FPSCR.cause: bit 0 here is FPSCR bit 12 (SH7750 manual 6.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause(pub u8);

impl Cause {
    /// No cause.
    pub const NONE: Cause = Cause(0);
    /// I: the result is not exact.
    pub const INEXACT: Cause = Cause(0x01);
    /// U: the result is below the smallest normal number and not exact.
    pub const UNDERFLOW: Cause = Cause(0x02);
    /// O: the result is beyond the largest finite number.
    pub const OVERFLOW: Cause = Cause(0x04);
    /// Z: division of a finite number by zero.
    pub const DIVIDE_BY_ZERO: Cause = Cause(0x08);
    /// V: invalid operation.
    pub const INVALID: Cause = Cause(0x10);
    /// E: FPU error, a denormal operand with DN = 0. The CPU always traps.
    pub const FPU_ERROR: Cause = Cause(0x20);

    /// True if any bit of `other` is set.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Cause) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the union of both sets.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Cause) -> Cause {
        Cause(self.0 | other.0)
    }

    /// Returns I if `inexact`, otherwise no cause.
    #[inline]
    pub(crate) const fn inexact(inexact: bool) -> Cause {
        Cause(inexact as u8)
    }
}

/// Result of an operation: the value as if no trap were enabled, and the cause bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome<T> {
    /// Bit pattern of the result (or a truth value, or an integer). Under [`Cause::FPU_ERROR`] it is the IEEE
    /// result for the denormal, but the chip leaves the destination unchanged.
    pub bits: T,
    /// The cause bits.
    pub cause: Cause,
}

impl<T> Outcome<T> {
    #[inline]
    pub(crate) const fn new(bits: T, cause: Cause) -> Self {
        Outcome { bits, cause }
    }

    /// Creates a result without any cause bit.
    #[inline]
    pub(crate) const fn exact(bits: T) -> Self {
        Outcome {
            bits,
            cause: Cause::NONE,
        }
    }
}
