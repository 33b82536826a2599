//! Settings for uncertain behaviour, and for checks that some uses must disable.

use sh4_fpu::Tininess;
use sh4_fpu::approx::ReciprocalRoot;
use sh4_fpu::inner::{InnerProduct, ProductExponent};
pub use sh4_fpu::trap::{InexactTrap, SubTrapSign, TrapSumBias};

settings::settings! {
    /// The CPU's settings. The defaults have the best evidence.
    pub struct Settings;

    choices:
    /// MAC.L with S = 1.
    MacLongSaturation macl_saturate_mode: Low,
        "prose and pseudo-code of the manual disagree for negative accumulators" {
        /// The 64-bit sum is clamped to 00007FFF_FFFFFFFF and FFFF8000_00000000, as the manual's text says.
        Range48 = "range48",
        /// Only bits 15 to 0 of MACH are used and changed, unsigned, as the pseudo-code does.
        LowHalf = "low_half",
    }

    /// MACH when MAC.W with S = 1 saturates MACL.
    MacWordFlag macw_mach_flag: Low, "prose and pseudo-code of the manual disagree" {
        /// Bit 0 is set, as the manual's text says.
        SetBit0 = "set_bit0",
        /// MACH becomes 1.
        WriteOne = "write_one",
        /// MACH does not change: the pseudo-code sets the bit only for the SH-1.
        Unchanged = "unchanged",
    }

    /// Exceptions and interrupts.
    Exceptions exceptions: High, "the manual" {
        /// The run ends with a named stop, for programs without handlers, such as kernels.
        Stop = "stop",
        /// The CPU enters them through VBR, like the chip.
        Take = "take",
    }

    /// FNEG and FABS with an odd register while FPSCR.PR = 1. The manual's codes for double precision have
    /// even registers only (SH-4 software manual, FABS and FNEG).
    OddSign odd_sign: Medium,
        "GCC relies on it: the patterns of its sh.md for single precision do not set PR for these two" {
        /// The sign bit of the named register changes, as with PR = 0.
        NamedRegister = "named_register",
        /// Undefined: the run stops with a fault.
        Undefined = "undefined",
    }

    /// FIPR, FTRV, FSCA, FSRRA, FMAC and FSCHG while FPSCR.PR = 1. The manual calls them undefined; no source
    /// says that they raise an exception.
    SinglesOnly singles_only: Low, "FLDI and FRCHG execute on a console" {
        /// They execute as with PR = 0, as FLDI0, FLDI1 and FRCHG do on a console.
        AsSingle = "as_single",
        /// The run stops with a fault.
        Stop = "stop",
    }

    /// Instructions for doubles that name an odd register while FPSCR.PR = 1, and FCNVDS and FCNVSD while
    /// FPSCR.PR = 0. The manual has no such codes; no source says that they raise an exception.
    DoublesOnly doubles_only: Low, "the decoders of the emulators flycast and Deecy ignore the bit" {
        /// They execute as with PR = 1 on the pair that holds the register.
        AsDouble = "as_double",
        /// The run stops with a fault.
        Stop = "stop",
    }

    /// The value at which MMUCR.URC wraps to 0 if MMUCR.URB is not 0.
    UrcBoundary urc_boundary: Medium, "docs/hardware/sh4.md, \"URC\"" {
        /// URC becomes 0 instead of URB: LDTLB does not replace entries from URB on.
        BelowUrb = "below_urb",
        /// URC becomes 0 instead of URB + 1: LDTLB does not replace entries above URB.
        ThroughUrb = "through_urb",
    }

    values:
    /// The sum of the four products of FIPR and FTRV.
    fipr_model: InnerProduct, Medium, "one published result of hardware";
    /// The exponent to which FIPR aligns.
    fipr_emax: ProductExponent, Low, "none: the only hardware result is the same for both";
    /// The value of FSRRA.
    fsrra_model: ReciprocalRoot, Low, "none: the chip may differ by 2 ulp";
    /// The test for underflow.
    tininess: Tininess, Medium,
        "in the manual's pseudo-code the tests for underflow and for flushing take the rounded result";
    /// The sign test in FSUB's overflow and underflow traps.
    fsub_trap_sign: SubTrapSign, Medium, "only this rule makes the traps cover every overflow and underflow";
    /// The exponent sums in the traps of FMAC and FIPR.
    trap_sum_bias: TrapSumBias, Medium, "the manual's limits match if one exponent bias is subtracted";
    /// The operands for which enable.I traps.
    trap_inexact: InexactTrap, Medium, "the manual's descriptions say \"regardless\"";
    /// Misaligned accesses are address errors. If off, they reach the bus, for test data from emulators
    /// without this check.
    alignment_checks: bool = true, High, "the manual";
    /// User mode has neither privileged instructions nor addresses above 7FFFFFFF.
    privilege_checks: bool = true, High, "the manual";
    /// SR.FD = 1 disables the FPU.
    fpu_disable_checks: bool = true, High, "the manual";
    /// FPU instructions write FPSCR's cause and flag bits and raise FPU exceptions. If off, FPSCR does not
    /// change, no instruction traps, and denormal operands keep their value with DN = 0.
    fcause_update: bool = true, High, "the manual";
}
