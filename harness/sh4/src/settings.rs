//! Every behaviour that is doubtful, or that some use must be able to turn off.

use sh4_fpu::Tininess;
use sh4_fpu::approx::ReciprocalRoot;
use sh4_fpu::inner::{InnerProduct, ProductExponent};
pub use sh4_fpu::trap::{InexactTrap, SubTrapSign, TrapSumBias};

/// MAC.L with S = 1. Prose and pseudo-code of the manual disagree for negative accumulators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MacLongSaturation {
    /// The 64-bit sum is clamped to 00007FFF_FFFFFFFF and FFFF8000_00000000, as the prose has it.
    /// Default, confidence open.
    #[default]
    Range48,
    /// Only MACH\[15:0\], without sign, takes part and changes, as the pseudo-code has it.
    LowHalf,
}

/// What MAC.W with S = 1 does to MACH when MACL saturates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MacWordFlag {
    /// Bit 0 is set, as the manual's prose has it. Default, confidence open.
    #[default]
    SetBit0,
    /// MACH becomes 1.
    WriteOne,
    /// Nothing: the pseudo-code sets the bit for the SH-1 only.
    Unchanged,
}

/// Where MMUCR.URC starts again from 0 if MMUCR.URB is not 0. The choices and the evidence:
/// docs/hardware/sh4.md, "URC".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UrcBoundary {
    /// URC becomes 0 when it would become URB: entries from URB on keep what they have. Default, confidence
    /// medium.
    #[default]
    BelowUrb,
    /// URC becomes 0 when it would pass URB: entries above URB keep what they have.
    ThroughUrb,
}

/// FNEG and FABS with an odd register while FPSCR.PR = 1. The manual's codes for double precision have even
/// registers only (SH-4 software manual, FABS and FNEG).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OddSign {
    /// The sign bit of the named register changes, as with PR = 0. GCC relies on it: the patterns of its
    /// `sh.md` for single precision do not set PR for these two. Default, confidence medium-high.
    #[default]
    NamedRegister,
    /// Undefined: the run stops with a fault.
    Undefined,
}

/// FIPR, FTRV, FSCA, FSRRA, FMAC and FSCHG while FPSCR.PR = 1. The manual calls them undefined; no source
/// says that they raise an exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SinglesOnly {
    /// They execute as with PR = 0, as FLDI0, FLDI1 and FRCHG do on a console. Default, confidence low.
    #[default]
    AsSingle,
    /// The run stops with a fault.
    Stop,
}

/// Instructions for doubles that name an odd register while FPSCR.PR = 1, and FCNVDS and FCNVSD while
/// FPSCR.PR = 0. The manual has no such codes; no source says that they raise an exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DoublesOnly {
    /// They execute as with PR = 1 on the pair that holds the register. Evidence: the decoders of the
    /// emulators flycast and Deecy ignore the bit. Default, confidence low.
    #[default]
    AsDouble,
    /// The run stops with a fault.
    Stop,
}

/// What exceptions and interrupts do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exceptions {
    /// They end the run with a named [`Stop`](crate::Stop), for programs without handlers, such as kernels.
    /// Default.
    #[default]
    Stop,
    /// They are entered through VBR as on the chip.
    Take,
}

/// The CPU's switches. Defaults are the chip as well as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How FIPR and FTRV sum; see [`InnerProduct`].
    pub fipr_model: InnerProduct,
    /// See [`ProductExponent`].
    pub fipr_emax: ProductExponent,
    /// See [`ReciprocalRoot`].
    pub fsrra_model: ReciprocalRoot,
    /// See [`Tininess`].
    pub tininess: Tininess,
    /// See [`MacLongSaturation`].
    pub macl_saturate_mode: MacLongSaturation,
    /// See [`MacWordFlag`].
    pub macw_mach_flag: MacWordFlag,
    /// See [`SubTrapSign`].
    pub fsub_trap_sign: SubTrapSign,
    /// See [`TrapSumBias`].
    pub trap_sum_bias: TrapSumBias,
    /// See [`InexactTrap`].
    pub trap_inexact: InexactTrap,
    /// Misaligned accesses are address errors. Off, they reach the bus: for test data made by
    /// emulators without the check.
    pub alignment_checks: bool,
    /// User mode has neither privileged instructions nor addresses above 7FFFFFFF.
    pub privilege_checks: bool,
    /// SR.FD = 1 disables the FPU.
    pub fpu_disable_checks: bool,
    /// See [`Exceptions`].
    pub exceptions: Exceptions,
    /// See [`OddSign`].
    pub odd_sign: OddSign,
    /// See [`SinglesOnly`].
    pub singles_only: SinglesOnly,
    /// See [`DoublesOnly`].
    pub doubles_only: DoublesOnly,
    /// See [`UrcBoundary`].
    pub urc_boundary: UrcBoundary,
    /// FPU instructions write FPSCR's cause and flag bits and raise FPU exceptions. Off, FPSCR stays,
    /// nothing traps, and denormal operands count at their value with DN = 0.
    pub fcause_update: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            fipr_model: InnerProduct::Hardware,
            fipr_emax: ProductExponent::BeforeNormalising,
            fsrra_model: ReciprocalRoot::Nearest,
            tininess: Tininess::AfterRounding,
            macl_saturate_mode: MacLongSaturation::Range48,
            macw_mach_flag: MacWordFlag::SetBit0,
            fsub_trap_sign: SubTrapSign::AsAdded,
            trap_sum_bias: TrapSumBias::Removed,
            trap_inexact: InexactTrap::AnyOperands,
            alignment_checks: true,
            privilege_checks: true,
            fpu_disable_checks: true,
            exceptions: Exceptions::Stop,
            odd_sign: OddSign::NamedRegister,
            singles_only: SinglesOnly::AsSingle,
            doubles_only: DoublesOnly::AsDouble,
            urc_boundary: UrcBoundary::BelowUrb,
            fcause_update: true,
        }
    }
}
