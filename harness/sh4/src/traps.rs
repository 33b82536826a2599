//! FPU exceptions that the operands make possible. This module passes operation and operands to the rules in
//! [`sh4_fpu::trap`].

use sh4_fpu::Cause;
use sh4_fpu::trap::{self, Operation, Pair, TrapRules};

use crate::Cpu;
use crate::decode::Op;
use crate::table::Id;

impl Cpu {
    /// Returns the causes for which these operands trap if the exception is enabled, even if the result does
    /// not have the cause.
    #[cold]
    #[inline(never)]
    pub(crate) fn possible(&self, op: Op) -> Cause {
        let settings = self.settings();
        let rules = TrapRules {
            sub_sign: settings.fsub_trap_sign,
            sum_bias: settings.trap_sum_bias,
            inexact: settings.trap_inexact,
        };
        let operation = self.operation(op);
        operation.map_or(Cause::NONE, |operation| {
            trap::possible(&operation, rules, self.control)
        })
    }

    fn operation(&self, op: Op) -> Option<Operation> {
        let (n, m) = (self.fr[op.n()], self.fr[op.m()]);
        let (dn, dm) = (self.double(op.n()), self.double(op.m()));
        let (singles, doubles) = (Pair::Single(n, m), Pair::Double(dn, dm));
        Some(match op.id {
            Id::fadd_frm_frn => Operation::Add(singles),
            Id::fsub_frm_frn => Operation::Sub(singles),
            Id::fmul_frm_frn => Operation::Mul(singles),
            Id::fdiv_frm_frn => Operation::Div(singles),
            Id::fadd_drm_drn => Operation::Add(doubles),
            Id::fsub_drm_drn => Operation::Sub(doubles),
            Id::fmul_drm_drn => Operation::Mul(doubles),
            Id::fdiv_drm_drn => Operation::Div(doubles),
            Id::fmac_fr0_frm_frn => Operation::Mac(self.fr[0], m, n),
            Id::fsqrt_frn => Operation::SqrtSingle(n),
            Id::fsqrt_drn => Operation::SqrtDouble(dn),
            Id::fsrra_frn => Operation::ReciprocalRoot(n),
            Id::fsca_fpul_drn => Operation::SineCosine,
            Id::float_fpul_frn => Operation::Float,
            Id::fcnvds_drm_fpul => Operation::ToSingle(dm),
            Id::fipr_fvm_fvn => Operation::Inner(self.vector(op.n()), self.vector(op.m())),
            Id::ftrv_xmtrx_fvn => Operation::Transform,
            _ => return None,
        })
    }
}
