//! The switches of the CPU by name.

use super::field::{FieldSwitch, field_switches};
use sh4::{
    DoublesOnly, Exceptions, InexactTrap, MacLongSaturation, MacWordFlag, OddSign, Settings, SinglesOnly,
    SubTrapSign, TrapSumBias, UrcBoundary,
};
use sh4_fpu::Tininess;
use sh4_fpu::approx::ReciprocalRoot;
use sh4_fpu::inner::{InnerProduct, ProductExponent};

/// A field that is not in this list is an error here: each needs a row of [`SWITCHES`].
const _: fn(Settings) = |settings| {
    let Settings {
        fipr_model: _,
        fipr_emax: _,
        fsrra_model: _,
        tininess: _,
        macl_saturate_mode: _,
        macw_mach_flag: _,
        fsub_trap_sign: _,
        trap_sum_bias: _,
        trap_inexact: _,
        alignment_checks: _,
        privilege_checks: _,
        fpu_disable_checks: _,
        exceptions: _,
        odd_sign: _,
        singles_only: _,
        doubles_only: _,
        urc_boundary: _,
        fcause_update: _,
    } = settings;
};

/// All switches.
pub(super) const SWITCHES: &[FieldSwitch<Settings>] = field_switches! {"";
    fipr_model: "How FIPR and FTRV sum", "one published result of hardware", "medium",
        ["hardware" = InnerProduct::Hardware, "exact" = InnerProduct::Exact,
            "sequential" = InnerProduct::Sequential];
    fipr_emax: "The exponent to which FIPR aligns", "none decides", "low",
        ["before_normalising" = ProductExponent::BeforeNormalising,
            "after_normalising" = ProductExponent::AfterNormalising];
    fsrra_model: "How FSRRA forms its value", "none decides: the chip may differ by 2 ulp", "low",
        ["nearest" = ReciprocalRoot::Nearest, "root_then_divide" = ReciprocalRoot::RootThenDivide];
    tininess: "When a result counts as underflow", "the manual's pseudo-code", "medium",
        ["after_rounding" = Tininess::AfterRounding, "before_rounding" = Tininess::BeforeRounding];
    macl_saturate_mode: "MAC.L with S = 1", "prose and pseudo-code of the manual disagree", "open",
        ["range48" = MacLongSaturation::Range48, "low_half" = MacLongSaturation::LowHalf];
    macw_mach_flag: "MACH when MAC.W saturates", "prose and pseudo-code of the manual disagree", "open",
        ["set_bit0" = MacWordFlag::SetBit0, "write_one" = MacWordFlag::WriteOne,
            "unchanged" = MacWordFlag::Unchanged];
    fsub_trap_sign: "The sign test of FSUB's traps", "only so all overflows are covered", "medium",
        ["as_added" = SubTrapSign::AsAdded, "as_written" = SubTrapSign::AsWritten];
    trap_sum_bias: "The exponent sums of FMAC's and FIPR's traps", "the limits fit with one bias off",
        "medium-high", ["removed" = TrapSumBias::Removed, "kept" = TrapSumBias::Kept];
    trap_inexact: "When enable.I traps", "the manual's descriptions", "medium",
        ["any_operands" = InexactTrap::AnyOperands, "computed" = InexactTrap::Computed];
    alignment_checks: "Misaligned accesses are address errors", "the manual", "high",
        ["on" = true, "off" = false];
    privilege_checks: "User mode has no privileged instructions", "the manual", "high",
        ["on" = true, "off" = false];
    fpu_disable_checks: "SR.FD = 1 disables the FPU", "the manual", "high", ["on" = true, "off" = false];
    exceptions: "What exceptions do", "the manual", "high",
        ["take" = Exceptions::Take, "stop" = Exceptions::Stop];
    odd_sign: "FNEG and FABS of an odd register with PR = 1", "GCC relies on it", "medium-high",
        ["named_register" = OddSign::NamedRegister, "undefined" = OddSign::Undefined];
    singles_only: "FIPR, FTRV, FSCA, FSRRA, FMAC, FSCHG with PR = 1", "FLDI and FRCHG execute on a console",
        "low", ["as_single" = SinglesOnly::AsSingle, "stop" = SinglesOnly::Stop];
    doubles_only: "Doubles in odd registers; FCNVDS and FCNVSD with PR = 0", "two emulators ignore the bit",
        "low", ["as_double" = DoublesOnly::AsDouble, "stop" = DoublesOnly::Stop];
    urc_boundary: "Where MMUCR.URC starts again", "docs/hardware/sh4.md, URC", "medium",
        ["below_urb" = UrcBoundary::BelowUrb, "through_urb" = UrcBoundary::ThroughUrb];
    fcause_update: "FPU instructions write FPSCR's causes and flags", "the manual", "high",
        ["on" = true, "off" = false];
};
