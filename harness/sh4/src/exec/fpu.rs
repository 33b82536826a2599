//! FPU arithmetic. The values and causes come from `sh4-fpu`; here operands are found and results
//! placed. A trap (see `settle`) leaves the destination unchanged.

use sh4_fpu::{approx, convert, double, inner};

use super::{arithmetic, host_arithmetic};

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

arithmetic! {
    /// DRn + DRm -> DRn
    fadd_drm_drn(c, o) {
        let value = c.settle(double::add(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn - DRm -> DRn
    fsub_drm_drn(c, o) {
        let value = c.settle(double::sub(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn * DRm -> DRn
    fmul_drm_drn(c, o) {
        let value = c.settle(double::mul(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// DRn / DRm -> DRn
    fdiv_drm_drn(c, o) {
        let value = c.settle(double::div(c.double(o.n()), c.double(o.m()), c.control))?;
        c.set_double(o.n(), value);
    }
    /// sqrt DRn -> DRn
    fsqrt_drn(c, o) {
        let value = c.settle(double::sqrt(c.double(o.n()), c.control))?;
        c.set_double(o.n(), value);
    }

    /// DRn == DRm -> T
    fcmp_eq_drm_drn(c, o) { c.t = c.settle(double::equal(c.double(o.n()), c.double(o.m()), c.control))?; }
    /// DRn > DRm -> T
    fcmp_gt_drm_drn(c, o) { c.t = c.settle(double::greater(c.double(o.n()), c.double(o.m()), c.control))?; }

    /// (double) FPUL -> DRn
    float_fpul_drn(c, o) {
        let value = c.settle(double::float(c.fpul))?;
        c.set_double(o.n(), value);
    }
    /// (long) DRm -> FPUL
    ftrc_drm_fpul(c, o) { c.fpul = c.settle(double::ftrc(c.double(o.m())))?; }
    /// (float) DRm -> FPUL
    fcnvds_drm_fpul(c, o) { c.fpul = c.settle(convert::double_to_single(c.double(o.m()), c.control))?; }
    /// (double) FPUL -> DRn
    fcnvsd_fpul_drn(c, o) {
        let value = c.settle(convert::single_to_double(c.fpul, c.control))?;
        c.set_double(o.n(), value);
    }

    /// FVn . FVm -> FR\[n+3\]
    fipr_fvm_fvn(c, o) {
        let outcome = inner::inner(&c.vector(o.n()), &c.vector(o.m()), c.inner_model(), c.control);
        c.fr[o.n() | 3] = c.settle(outcome)?;
    }
    /// XMTRX * FVn -> FVn
    ftrv_xmtrx_fvn(c, o) {
        let outcome = inner::transform(&c.xf, &c.vector(o.n()), c.inner_model(), c.control);
        let value = c.settle(outcome)?;
        c.set_vector(o.n(), value);
    }
    /// 1 / sqrt FRn -> FRn
    fsrra_frn(c, o) { c.fr[o.n()] = c.settle(approx::rsqrt(c.fr[o.n()], c.settings().fsrra_model, c.control))?; }
    /// sin FPUL -> FRn, cos FPUL -> FR\[n+1\]
    fsca_fpul_drn(c, o) {
        let (sine, cosine) = c.settle(approx::sincos(c.fpul as u16))?;
        c.set_double(o.n(), u64::from(sine) << 32 | u64::from(cosine));
    }
}
