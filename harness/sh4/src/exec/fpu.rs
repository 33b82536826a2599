//! FPU arithmetic. `sh4-fpu` computes values and causes; this module reads operands and writes results. A
//! trap (see `settle`) leaves the destination unchanged.

use sh4_fpu::{approx, convert, double, inner};

use super::{host_arithmetic, operations};

host_arithmetic! {
    /// FRn + FRm -> FRn
    fadd_frm_frn(c, o) { c.fr[o.n()], add(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// FRn - FRm -> FRn
    fsub_frm_frn(c, o) { c.fr[o.n()], sub(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// FRn * FRm -> FRn
    fmul_frm_frn(c, o) { c.fr[o.n()], mul(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// FRn / FRm -> FRn
    fdiv_frm_frn(c, o) { c.fr[o.n()], div(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// FR0 * FRm + FRn -> FRn, rounded once
    fmac_fr0_frm_frn(c, o) { c.fr[o.n()], mac(c.fr[0], c.fr[o.m()], c.fr[o.n()])[c.control] }
    /// sqrt FRn -> FRn
    fsqrt_frn(c, o) { c.fr[o.n()], sqrt(c.fr[o.n()])[c.control] }
    /// FRn == FRm -> T
    fcmp_eq_frm_frn(c, o) { c.t, equal(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// FRn > FRm -> T
    fcmp_gt_frm_frn(c, o) { c.t, greater(c.fr[o.n()], c.fr[o.m()])[c.control] }
    /// (float) FPUL -> FRn
    float_fpul_frn(c, o) { c.fr[o.n()], float(c.fpul)[c.control] }
    /// (long) FRm -> FPUL
    ftrc_frm_fpul(c, o) { c.fpul, ftrc(c.fr[o.m()])[] }
}

operations! {
    /// DRn + DRm -> DRn
    fadd_drm_drn(c, _, o) {
        let value = c.settle(o, double::add(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn - DRm -> DRn
    fsub_drm_drn(c, _, o) {
        let value = c.settle(o, double::sub(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn * DRm -> DRn
    fmul_drm_drn(c, _, o) {
        let value = c.settle(o, double::mul(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn / DRm -> DRn
    fdiv_drm_drn(c, _, o) {
        let value = c.settle(o, double::div(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// sqrt DRn -> DRn
    fsqrt_drn(c, _, o) {
        let value = c.settle(o, double::sqrt(c.double(o.n()), c.control))?;
        c.set_double(o.n(), value);
    }

    /// DRn == DRm -> T
    fcmp_eq_drm_drn(c, _, o) { c.t = c.settle(o, double::equal(c.double(o.n()), c.double(o.m()), c.control))?; }
    /// DRn > DRm -> T
    fcmp_gt_drm_drn(c, _, o) { c.t = c.settle(o, double::greater(c.double(o.n()), c.double(o.m()), c.control))?; }

    /// (double) FPUL -> DRn
    float_fpul_drn(c, _, o) {
        let value = c.settle(o, double::float(c.fpul))?;
        c.set_double(o.n(), value);
    }
    /// (long) DRm -> FPUL
    ftrc_drm_fpul(c, _, o) { c.fpul = c.settle(o, double::ftrc(c.double(o.m())))?; }
    /// (float) DRm -> FPUL
    fcnvds_drm_fpul(c, _, o) { c.fpul = c.settle(o, convert::double_to_single(c.double(o.m()), c.control))?; }
    /// (double) FPUL -> DRn
    fcnvsd_fpul_drn(c, _, o) {
        let value = c.settle(o, convert::single_to_double(c.fpul, c.control))?;
        c.set_double(o.n(), value);
    }

    /// FVn . FVm -> FR\[n+3\]
    fipr_fvm_fvn(c, _, o) {
        let outcome = inner::inner(&c.vector(o.n()), &c.vector(o.m()), c.inner_model(), c.control);
        c.fr[o.n() | 3] = c.settle(o, outcome)?;
    }
    /// XMTRX * FVn -> FVn
    ftrv_xmtrx_fvn(c, _, o) {
        let outcome = inner::transform(&c.xf, &c.vector(o.n()), c.inner_model(), c.control);
        let value = c.settle(o, outcome)?;
        c.set_vector(o.n(), value);
    }
    /// 1 / sqrt FRn -> FRn
    fsrra_frn(c, _, o) { c.fr[o.n()] = c.settle(o, approx::rsqrt(c.fr[o.n()], c.settings().fsrra_model, c.control))?; }
    /// sin FPUL -> FRn, cos FPUL -> FR\[n+1\]
    fsca_fpul_drn(c, _, o) {
        let (sine, cosine) = c.settle(o, approx::sincos(c.fpul as u16))?;
        c.set_double(o.n(), u64::from(sine) << 32 | u64::from(cosine));
    }
}
