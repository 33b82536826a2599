//! Calls of the interpreter for single operations. Before the call, compiled code stores its variables in the
//! CPU's registers (module `variables`). Afterwards it loads the registers that the operation writes.

use super::{Emitter, PLAIN};
use crate::host::{Call, may_exit_after};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::accelerate::uses_bus;
use sh4::table::{Id, Row, flag};
use sh4::{Cpu, Op};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// Emits `op` as a call. Returns false if the interpreter has to run it outside of the region.
    pub(super) fn fallback(&mut self, op: Op) -> bool {
        let Some(written) = written(op) else {
            return false;
        };
        if is_cache_operation(op) {
            let address = self.get(Reg::r(op.n));
            self.unless_inside(address, |e| e.call_interpreter(op, written));
        } else {
            self.call_interpreter(op, written);
        }
        true
    }

    /// Runs RTE up to its delay slot. Returns its target.
    pub(super) fn return_from_exception(&mut self, op: Op) -> Value {
        let target = self
            .b
            .ins()
            .load(types::I32, PLAIN, self.cpu, offset_of!(Cpu, spc) as i32);
        self.save();
        if let Some(written) = written(op) {
            self.call_interpreter(op, written);
        }
        target
    }

    pub(super) fn call_interpreter(&mut self, op: Op, written: Regs) {
        if op.row().is_some_and(|row| row.has(flag::FPU)) {
            self.store_fpscr();
        }
        let place = self.place.number();
        let place = self.b.ins().iconst(types::I64, place);
        if may_exit_after(op) {
            self.store_left();
        }
        let status = self.call(Call::Interpret, &[place]);
        if uses_bus(op) {
            self.reload_window();
        }
        self.exit_if_refused(status);
        for reg in written.iter() {
            self.reload_register(reg);
        }
        if may_exit_after(op) {
            self.exit_if_written(status);
        }
    }
}

fn is_cache_operation(op: Op) -> bool {
    matches!(
        op.id,
        Id::pref_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn
    )
}

/// Returns true if an operation accesses memory.
/// [`CompileMode::outside_window`](crate::block_profile::CompileMode) applies to such operations.
pub(crate) fn accesses_memory(op: Op) -> bool {
    op.row().is_some_and(|row| Row::accesses(row) > 0)
}

/// Registers that an operation may write. `None` for branches, and for operations that end a run or always
/// raise an exception.
fn written(op: Op) -> Option<Regs> {
    let (n, m) = (Reg::r(op.n), Reg::r(op.m));
    Some(match op.id {
        Id::mac_l_post_rm_post_rn | Id::mac_w_post_rm_post_rn => Regs::of([n, m, Reg::MACH, Reg::MACL]),
        Id::and_b_imm_idx_gbr
        | Id::or_b_imm_idx_gbr
        | Id::xor_b_imm_idx_gbr
        | Id::movca_l_r0_at_rn
        | Id::ocbi_at_rn
        | Id::ocbp_at_rn
        | Id::ocbwb_at_rn
        | Id::pref_at_rn => Regs::NONE,
        // PC is not among these registers: the end of the block (`branch`) continues at SPC.
        Id::rte => Regs::BANKED.with(Regs::of([Reg::T, Reg::STATUS])),
        Id::ldc_rm_sr | Id::ldc_l_post_rm_sr => Regs::BANKED.with(Regs::of([m, Reg::T, Reg::STATUS])),
        Id::lds_rm_fpscr | Id::lds_l_post_rm_fpscr => Regs::FR.with(Regs::FPSCR).and(m),
        Id::frchg => Regs::FR.with(Regs::FPSCR),
        Id::fschg => Regs::FPSCR,
        _ => float_result(op)?.with(Regs::FPSCR),
    })
}

/// Registers that FPU arithmetic writes, except FPSCR.
fn float_result(op: Op) -> Option<Regs> {
    let pair = Regs::of([Reg::fr(op.n & 14), Reg::fr(op.n | 1)]);
    let n = Reg::fr(op.n);
    Some(match op.id {
        Id::fadd_frm_frn
        | Id::fsub_frm_frn
        | Id::fmul_frm_frn
        | Id::fdiv_frm_frn
        | Id::fmac_fr0_frm_frn
        | Id::fsqrt_frn
        | Id::fsrra_frn
        | Id::float_fpul_frn => Regs::of([n]),
        Id::fcmp_eq_frm_frn | Id::fcmp_gt_frm_frn | Id::fcmp_eq_drm_drn | Id::fcmp_gt_drm_drn => {
            Regs::of([Reg::T])
        }
        Id::ftrc_frm_fpul | Id::ftrc_drm_fpul | Id::fcnvds_drm_fpul => Regs::of([Reg::FPUL]),
        Id::fsca_fpul_drn
        | Id::float_fpul_drn
        | Id::fcnvsd_fpul_drn
        | Id::fadd_drm_drn
        | Id::fsub_drm_drn
        | Id::fmul_drm_drn
        | Id::fdiv_drm_drn
        | Id::fsqrt_drn => pair,
        Id::fipr_fvm_fvn => Regs::of([Reg::fr(op.n | 3)]),
        Id::ftrv_xmtrx_fvn => Regs::of([0, 1, 2, 3].map(|i| Reg::fr((op.n & 12) + i))),
        _ => return None,
    })
}
