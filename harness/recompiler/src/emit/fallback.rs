//! Calls of the interpreter for single operations. Compiled code stores the registers that the operation
//! reads or writes before the call, and loads those that it writes afterwards.

use super::{Emitter, PLAIN};
use crate::host::{Call, may_exit_after};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::table::{Id, Row};
use sh4::{Cpu, Op};
use std::mem::offset_of;

/// Registers that an operation reads and writes.
struct Footprint {
    reads: Regs,
    writes: Regs,
}

impl Emitter<'_, '_> {
    /// Emits `op` as a call. Returns false if the interpreter has to run it outside of the region.
    pub(super) fn fallback(&mut self, op: Op) -> bool {
        let Some(footprint) = footprint(op) else {
            return false;
        };
        if is_cache_operation(op) {
            let address = self.get(Reg::r(op.n));
            self.unless_inside(address, |e| e.call_interpreter(op, &footprint));
        } else {
            self.call_interpreter(op, &footprint);
        }
        true
    }

    /// Runs RTE up to its delay slot. Returns its target.
    pub(super) fn return_from_exception(&mut self, op: Op) -> Value {
        let target = self
            .b
            .ins()
            .load(types::I32, PLAIN, self.cpu, offset_of!(Cpu, spc) as i32);
        if let Some(footprint) = footprint(op) {
            self.call_interpreter(op, &footprint);
        }
        target
    }

    fn call_interpreter(&mut self, op: Op, footprint: &Footprint) {
        for reg in footprint.reads.iter() {
            self.store_register(reg);
        }
        // An operation may leave a register unchanged, so the CPU needs the current value.
        let kept = footprint.writes.iter().filter(|reg| !footprint.reads.has(*reg));
        for reg in kept {
            self.store_register(reg);
        }
        let place = self.place.number();
        let place = self.b.ins().iconst(types::I64, place);
        if may_exit_after(op) {
            self.store_left();
        }
        let status = self.call(Call::Interpret, &[place]);
        self.reload_window();
        self.exit_if_refused(status);
        for reg in footprint.writes.iter() {
            let value = self.load_register(reg);
            self.set(reg, value);
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

/// Registers of an operation. `None` for branches, and for operations that end a run or always raise an
/// exception.
fn footprint(op: Op) -> Option<Footprint> {
    let (n, m, r0) = (Reg::r(op.n), Reg::r(op.m), Reg::r(0));
    let both = |regs: Regs| Footprint {
        reads: regs,
        writes: regs,
    };
    let split = |reads: Regs, writes: Regs| Footprint { reads, writes };
    Some(match op.id {
        Id::mac_l_post_rm_post_rn | Id::mac_w_post_rm_post_rn => {
            let regs = Regs::of([n, m, Reg::MACH, Reg::MACL]);
            split(regs.and(Reg::STATUS), regs)
        }
        Id::and_b_imm_idx_gbr | Id::or_b_imm_idx_gbr | Id::xor_b_imm_idx_gbr => {
            split(Regs::of([r0, Reg::GBR]), Regs::NONE)
        }
        Id::tas_b_at_rn => split(Regs::of([n]), Regs::of([Reg::T])),
        Id::movca_l_r0_at_rn => split(Regs::of([n, r0]), Regs::NONE),
        Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn | Id::pref_at_rn => {
            split(Regs::of([n]), Regs::NONE)
        }
        // RTE ends its block with a computed branch; `branch` reads the target.
        Id::rte => split(Regs::NONE, Regs::BANKED.with(Regs::of([Reg::T, Reg::STATUS]))),
        Id::ldc_rm_sr | Id::ldc_l_post_rm_sr => both(Regs::BANKED.with(Regs::of([m, Reg::T, Reg::STATUS]))),
        Id::stc_l_sr_pre_rn => split(Regs::of([n, Reg::T, Reg::STATUS]), Regs::of([n])),
        Id::sts_l_fpscr_pre_rn => split(Regs::FPSCR.and(n), Regs::of([n])),
        Id::lds_rm_fpscr | Id::lds_l_post_rm_fpscr => both(Regs::FR.with(Regs::FPSCR).and(m)),
        Id::frchg => both(Regs::FR.with(Regs::FPSCR)),
        Id::fschg => both(Regs::FPSCR),
        _ => return float_footprint(op),
    })
}

/// Registers of FPU arithmetic.
fn float_footprint(op: Op) -> Option<Footprint> {
    let pair = |even: u8| Regs::of([Reg::fr(even & 14), Reg::fr(even | 1)]);
    let vector = |first: u8| [0, 1, 2, 3].map(|i| Reg::fr((first & 12) + i));
    let (n, m) = (Reg::fr(op.n), Reg::fr(op.m));
    let (reads, writes) = match op.id {
        Id::fadd_frm_frn | Id::fsub_frm_frn | Id::fmul_frm_frn | Id::fdiv_frm_frn => {
            (Regs::of([n, m]), Regs::of([n]))
        }
        Id::fmac_fr0_frm_frn => (Regs::of([Reg::fr(0), n, m]), Regs::of([n])),
        Id::fcmp_eq_frm_frn | Id::fcmp_gt_frm_frn => (Regs::of([n, m]), Regs::of([Reg::T])),
        Id::fsqrt_frn | Id::fsrra_frn => (Regs::of([n]), Regs::of([n])),
        Id::float_fpul_frn => (Regs::of([Reg::FPUL]), Regs::of([n])),
        Id::ftrc_frm_fpul => (Regs::of([m]), Regs::of([Reg::FPUL])),
        Id::fsca_fpul_drn | Id::float_fpul_drn | Id::fcnvsd_fpul_drn => (Regs::of([Reg::FPUL]), pair(op.n)),
        Id::fipr_fvm_fvn => (
            Regs::of(vector(op.n)).with(Regs::of(vector(op.m))),
            Regs::of([Reg::fr(op.n | 3)]),
        ),
        Id::ftrv_xmtrx_fvn => (Regs::of(vector(op.n)), Regs::of(vector(op.n))),
        Id::fadd_drm_drn | Id::fsub_drm_drn | Id::fmul_drm_drn | Id::fdiv_drm_drn => {
            (pair(op.n).with(pair(op.m)), pair(op.n))
        }
        Id::fsqrt_drn => (pair(op.n), pair(op.n)),
        Id::fcmp_eq_drm_drn | Id::fcmp_gt_drm_drn => (pair(op.n).with(pair(op.m)), Regs::of([Reg::T])),
        Id::ftrc_drm_fpul | Id::fcnvds_drm_fpul => (pair(op.m), Regs::of([Reg::FPUL])),
        _ => return None,
    };
    Some(Footprint {
        reads: reads.with(Regs::FPSCR),
        writes: writes.with(Regs::FPSCR),
    })
}
