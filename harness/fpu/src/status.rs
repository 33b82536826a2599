//! Effect of an operation's outcome on FPSCR, and traps.

use crate::Cause;

/// Lowest bit of FPSCR.flag: V, Z, O, U, I from bit 6 down.
pub const FLAG_SHIFT: u32 = 2;
/// Lowest bit of FPSCR.enable; the order equals the flags'.
pub const ENABLE_SHIFT: u32 = 7;
/// Lowest bit of FPSCR.cause: I, U, O, Z, V and, without flag and enable bits, E.
pub const CAUSE_SHIFT: u32 = 12;

/// Causes that have an enable bit and a flag: all except E.
const MASKABLE: u32 = 0x1F;

/// FPSCR after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// New value: cause is replaced, flags accumulate.
    pub fpscr: u32,
    /// True if the operation traps (EXPEVT 120); its destination then keeps its value.
    pub traps: bool,
}

/// Applies an outcome's causes to FPSCR. `possible` is the result of
/// [`trap::possible`](crate::trap::possible) for the operation.
///
/// A trap reports only causes that occurred. If the chip traps for a possible exception that does not occur,
/// the cause and flag fields do not report it (cause: SH7751 manual, 6.5 and 6.6; flag: the descriptions of
/// the instructions). E traps without an enable bit.
#[inline]
#[must_use]
pub const fn settle(fpscr: u32, cause: Cause, possible: Cause) -> Settled {
    let (cause, possible) = (cause.0 as u32, possible.0 as u32);
    let enabled = fpscr >> ENABLE_SHIFT & MASKABLE;
    Settled {
        fpscr: fpscr & !(0x3F << CAUSE_SHIFT) | cause << CAUSE_SHIFT | (cause & MASKABLE) << FLAG_SHIFT,
        traps: cause & !MASKABLE != 0 || (cause | possible) & enabled != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAREST: u32 = 0x0004_0000;

    #[test]
    fn cause_is_rewritten_and_flags_collect() {
        let first = settle(NEAREST, Cause::DIVIDE_BY_ZERO, Cause::NONE);
        assert_eq!((first.fpscr, first.traps), (NEAREST | 0x8000 | 0x20, false));
        let second = settle(first.fpscr, Cause::INEXACT, Cause::NONE);
        assert_eq!(
            (second.fpscr, second.traps),
            (NEAREST | 0x1000 | 0x20 | 0x04, false)
        );
        assert_eq!(
            settle(second.fpscr, Cause::NONE, Cause::NONE).fpscr,
            NEAREST | 0x24
        );
    }

    #[test]
    fn traps_keep_cause_and_flag() {
        let enabled = NEAREST | 0x1F << ENABLE_SHIFT;
        for bit in 0..5 {
            let cause = Cause(1 << bit);
            let only = NEAREST | 1 << (ENABLE_SHIFT + bit);
            let settled = settle(only, cause, Cause::NONE);
            assert!(settled.traps);
            assert_eq!(
                settled.fpscr,
                only | 1 << (CAUSE_SHIFT + bit) | 1 << (FLAG_SHIFT + bit)
            );
            let others = enabled & !(1 << (ENABLE_SHIFT + bit));
            assert!(!settle(others, cause, cause).traps);
            // The exception is possible but does not occur: a trap with an empty cause.
            assert_eq!(
                settle(only, Cause::NONE, cause),
                Settled {
                    fpscr: only,
                    traps: true
                }
            );
        }
    }

    #[test]
    fn an_fpu_error_needs_no_enable_and_has_no_flag() {
        assert_eq!(
            settle(0, Cause::FPU_ERROR, Cause::NONE),
            Settled {
                fpscr: 0x2_0000,
                traps: true
            }
        );
    }
}
