//! FMOV of register pairs (SZ = 1), in both banks.

use super::moves::Form;
use super::{Emitter, PLAIN};
use crate::host::Context;
use crate::registers::Reg;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::table::Id;
use sh4::{Cpu, Op};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    pub(super) fn pair_moves(&mut self, op: Op) -> bool {
        let (from_xd, to_xd) = match op.id {
            Id::fmov_drm_drn => (false, false),
            Id::fmov_drm_xdn => (false, true),
            Id::fmov_xdm_drn => (true, false),
            Id::fmov_xdm_xdn => (true, true),
            _ => return false,
        };
        let pair = self.get_pair(op.m, from_xd);
        self.set_pair(op.n, to_xd, pair);
        true
    }

    pub(super) fn pair_loads(&mut self, op: Op) -> bool {
        let m = Reg::r(op.m);
        let (form, xd) = match op.id {
            Id::fmov_d_at_rm_drn => (Form::At(m), false),
            Id::fmov_d_post_rm_drn => (Form::Step(m), false),
            Id::fmov_d_idx_rm_drn => (Form::Indexed(m), false),
            Id::fmov_d_at_rm_xdn => (Form::At(m), true),
            Id::fmov_d_post_rm_xdn => (Form::Step(m), true),
            Id::fmov_d_idx_rm_xdn => (Form::Indexed(m), true),
            _ => return false,
        };
        let address = self.address(form, op);
        let operand = self.operand(form, address);
        let pair = self.read_pair(operand);
        self.set_pair(op.n, xd, pair);
        self.step_on(form, 8);
        true
    }

    pub(super) fn pair_stores(&mut self, op: Op) -> bool {
        let n = Reg::r(op.n);
        let (form, xd) = match op.id {
            Id::fmov_d_drm_at_rn => (Form::At(n), false),
            Id::fmov_d_drm_pre_rn => (Form::Step(n), false),
            Id::fmov_d_drm_idx_rn => (Form::Indexed(n), false),
            Id::fmov_d_xdm_at_rn => (Form::At(n), true),
            Id::fmov_d_xdm_pre_rn => (Form::Step(n), true),
            Id::fmov_d_xdm_idx_rn => (Form::Indexed(n), true),
            _ => return false,
        };
        let pair = self.get_pair(op.m, xd);
        let address = self.address_back(form, op, 8);
        let operand = self.operand(form, address);
        self.write_pair(operand, pair, |e| e.step_back(form, address));
        true
    }

    /// Returns the pair of registers `even` and `even` + 1. With `xd`, they are in the other bank, which
    /// compiled code does not hold in variables: it loads them from the CPU's state.
    fn get_pair(&mut self, even: u8, xd: bool) -> [Value; 2] {
        [even & 14, even | 1].map(|n| match xd {
            false => self.get(Reg::fr(n)),
            true => self.b.ins().load(types::F32, PLAIN, self.cpu, xf(n)),
        })
    }

    fn set_pair(&mut self, even: u8, xd: bool, pair: [Value; 2]) {
        if xd {
            let no = self.word(0);
            self.store_context(no, offset_of!(Context, matrix_known));
        }
        for (n, value) in [even & 14, even | 1].into_iter().zip(pair) {
            if xd {
                self.b.ins().store(PLAIN, value, self.cpu, xf(n));
            } else {
                self.set(Reg::fr(n), value);
            }
        }
    }
}

/// Offset of XFn in [`Cpu`].
fn xf(n: u8) -> i32 {
    (offset_of!(Cpu, xf) + 4 * usize::from(n & 15)) as i32
}
