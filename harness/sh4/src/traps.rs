//! FPU exceptions that trap before anything is computed.
//!
//! With enable.I, O or U set, the chip does not wait for the result: it traps whenever the operands'
//! exponents make the exception possible. The destination stays, and the cause bits may read 0, as
//! they do here. Source: the exception lists of the SH7750 manual's instruction descriptions;
//! confidence high for the single rows, medium for the rest, with two switches in
//! [`Settings`](crate::Settings). Operands that are zero, infinite or NaN are decided by their own rules.

use sh4_fpu::Cause;

use crate::cpu::fpscr;
use crate::decode::Op;
use crate::stop::{Exit, FaultKind};
use crate::table::Id;
use crate::{Cpu, SubTrapSign, TrapSumBias};

/// The cause bits of FPSCR.
pub(crate) const CAUSE_MASK: u32 = 0x3F << fpscr::CAUSE_SHIFT;
/// E among cause bits: traps without an enable bit.
pub(crate) const ERROR: u32 = 0x20;
/// Enable bits that make an exception possible before it happens: I, U, O; V for FTRV.
pub(crate) const EARLY: u32 = 0x17 << fpscr::ENABLE_SHIFT;

/// What the limits of one format are.
struct Limits {
    bias: i32,
    /// The exponent of infinity.
    top: i32,
    /// FADD, different signs: no exponent above this one underflows.
    cancel: i32,
    /// FMUL with a denormal operand: the sum up to which it underflows.
    denormal_product: i32,
}

const SINGLE: Limits = Limits {
    bias: 0x7F,
    top: 0xFF,
    cancel: 0x18,
    denormal_product: 0x18,
};
const DOUBLE: Limits = Limits {
    bias: 0x3FF,
    top: 0x7FF,
    cancel: 0x035,
    denormal_product: 0,
};

/// Sign and exponent of an operand; `usual` if it is finite and not zero.
#[derive(Clone, Copy)]
struct Seen {
    negative: bool,
    exponent: i32,
    usual: bool,
}

fn single(bits: u32) -> Seen {
    let exponent = (bits >> 23 & 0xFF) as i32;
    Seen {
        negative: bits >> 31 != 0,
        exponent,
        usual: exponent != 0xFF && bits << 1 != 0,
    }
}

fn double(bits: u64) -> Seen {
    let exponent = (bits >> 52 & 0x7FF) as i32;
    Seen {
        negative: bits >> 63 != 0,
        exponent,
        usual: exponent != 0x7FF && bits << 1 != 0,
    }
}

/// What may happen to an operation.
#[derive(Clone, Copy, Default)]
struct Possible {
    inexact: bool,
    underflow: bool,
    overflow: bool,
}

impl Cpu {
    /// Traps if an enabled exception is possible for `op`.
    #[inline(always)]
    pub(crate) fn trap_early(&mut self, op: Op) -> Result<(), Exit> {
        if self.fpscr & EARLY == 0 {
            Ok(())
        } else {
            self.trap_if_possible(op)
        }
    }

    #[cold]
    fn trap_if_possible(&mut self, op: Op) -> Result<(), Exit> {
        if !self.settings().fcause_update {
            return Ok(());
        }
        let enabled = |cause: Cause| self.fpscr >> fpscr::ENABLE_SHIFT & u32::from(cause.0) != 0;
        let possible = self.possible(op);
        let vector_product = op.id == Id::ftrv_xmtrx_fvn;
        let traps = possible.inexact && enabled(Cause::INEXACT)
            || possible.underflow && enabled(Cause::UNDERFLOW)
            || possible.overflow && enabled(Cause::OVERFLOW)
            || vector_product && enabled(Cause::INVALID);
        if !traps {
            return Ok(());
        }
        self.fpscr &= !CAUSE_MASK;
        Err(FaultKind::FpuException(Cause::NONE).into())
    }

    fn possible(&self, op: Op) -> Possible {
        let (n, m) = (self.fr[op.n()], self.fr[op.m()]);
        let (dn, dm) = (self.double(op.n()), self.double(op.m()));
        let turned = self.settings().fsub_trap_sign == SubTrapSign::AsAdded;
        match op.id {
            Id::fadd_frm_frn => add(single(n), single(m), false, &SINGLE),
            Id::fsub_frm_frn => add(single(n), single(m), turned, &SINGLE),
            Id::fmul_frm_frn => multiply(single(n), single(m), &SINGLE),
            Id::fdiv_frm_frn => divide(single(n), single(m), &SINGLE),
            Id::fadd_drm_drn => add(double(dn), double(dm), false, &DOUBLE),
            Id::fsub_drm_drn => add(double(dn), double(dm), turned, &DOUBLE),
            Id::fmul_drm_drn => multiply(double(dn), double(dm), &DOUBLE),
            Id::fdiv_drm_drn => divide(double(dn), double(dm), &DOUBLE),
            Id::fmac_fr0_frm_frn => self.accumulate(single(self.fr[0]), single(m), single(n)),
            Id::fipr_fvm_fvn => self.inner(op),
            Id::ftrv_xmtrx_fvn => Possible {
                inexact: true,
                underflow: true,
                overflow: true,
            },
            Id::fcnvds_drm_fpul => narrow(double(dm)),
            Id::fsqrt_frn | Id::fsqrt_drn | Id::fsrra_frn | Id::fsca_fpul_drn | Id::float_fpul_frn => {
                Possible {
                    inexact: true,
                    ..Possible::default()
                }
            }
            _ => Possible::default(),
        }
    }

    /// The bias that comes off a printed sum of two exponents.
    fn sum_bias(&self) -> i32 {
        match self.settings().trap_sum_bias {
            TrapSumBias::Removed => SINGLE.bias,
            TrapSumBias::Kept => 0,
        }
    }

    fn accumulate(&self, a: Seen, b: Seen, c: Seen) -> Possible {
        let product = a.exponent + b.exponent - self.sum_bias();
        let multiplied = a.usual && b.usual;
        Possible {
            inexact: true,
            underflow: multiplied && product <= 0x2E || c.usual && c.exponent <= 0x2E,
            overflow: multiplied && product >= 0xFD || c.usual && c.exponent >= 0xFD,
        }
    }

    fn inner(&self, op: Op) -> Possible {
        let (a, b) = (self.vector(op.n()).map(single), self.vector(op.m()).map(single));
        let large = a
            .iter()
            .zip(b)
            .any(|(a, b)| a.usual && b.usual && a.exponent + b.exponent - self.sum_bias() >= 0xFC);
        Possible {
            inexact: true,
            underflow: true,
            overflow: large,
        }
    }
}

fn add(a: Seen, b: Seen, turned: bool, limits: &Limits) -> Possible {
    let usual = a.usual && b.usual;
    let alike = (a.negative == b.negative) != turned;
    let largest = a.exponent.max(b.exponent);
    Possible {
        inexact: true,
        underflow: usual && !alike && largest <= limits.cancel,
        overflow: usual && alike && largest == limits.top - 1,
    }
}

fn multiply(a: Seen, b: Seen, limits: &Limits) -> Possible {
    let usual = a.usual && b.usual;
    let sum = a.exponent + b.exponent - limits.bias;
    let normal = a.exponent != 0 && b.exponent != 0;
    let lowest = if normal { 0 } else { limits.denormal_product };
    Possible {
        inexact: true,
        underflow: usual && sum <= lowest,
        overflow: usual && sum >= limits.top - 1,
    }
}

fn divide(a: Seen, b: Seen, limits: &Limits) -> Possible {
    let usual = a.usual && b.usual;
    let difference = a.exponent - b.exponent + limits.bias;
    Possible {
        inexact: true,
        underflow: usual && difference <= 1,
        overflow: usual && difference >= limits.top,
    }
}

fn narrow(a: Seen) -> Possible {
    Possible {
        inexact: true,
        underflow: a.usual && a.exponent <= 0x380,
        overflow: a.usual && a.exponent >= 0x47E,
    }
}
