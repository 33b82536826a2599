//! Moves between registers and memory.

use super::memory::{Item, MemoryOperand};
use super::{Emitter, PLAIN};
use crate::registers::Reg;
use cranelift_codegen::ir::{InstBuilder, MemFlags, Value, types};
use sh4::table::Id;
use sh4::{Cpu, Op};
use std::mem::offset_of;

/// The addressing form of an operand in memory.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// @R
    At(Reg),
    /// @R+ or @-R
    Step(Reg),
    /// @(disp,R)
    Disp(Reg),
    /// @(R0,R)
    Indexed(Reg),
    /// A constant address.
    Constant,
}

impl Emitter<'_, '_> {
    /// Emits moves. Returns false for other operations.
    pub(super) fn moves(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::r(op.n), Reg::r(op.m));
        match op.id {
            Id::mov_rm_rn => self.copy(n, m),
            Id::mov_imm_rn => self.constant(n, op.imm),
            Id::mova_disp_pc_r0 => self.constant(Reg::r(0), op.imm),
            _ => return self.loads(op) || self.stores(op) || self.system(op) || self.float_moves(op),
        }
        true
    }

    fn copy(&mut self, to: Reg, from: Reg) {
        let value = self.get(from);
        self.set(to, value);
    }

    fn constant(&mut self, to: Reg, value: u32) {
        let value = self.word(value);
        self.set(to, value);
    }

    fn loads(&mut self, op: Op) -> bool {
        let (n, m, r0) = (Reg::r(op.n), Reg::r(op.m), Reg::r(0));
        let (to, form, item) = match op.id {
            Id::mov_w_disp_pc_rn => (n, Form::Constant, Item::Word),
            Id::mov_l_disp_pc_rn => (n, Form::Constant, Item::Long),
            Id::mov_b_at_rm_rn => (n, Form::At(m), Item::Byte),
            Id::mov_w_at_rm_rn => (n, Form::At(m), Item::Word),
            Id::mov_l_at_rm_rn => (n, Form::At(m), Item::Long),
            Id::mov_b_post_rm_rn => (n, Form::Step(m), Item::Byte),
            Id::mov_w_post_rm_rn => (n, Form::Step(m), Item::Word),
            Id::mov_l_post_rm_rn => (n, Form::Step(m), Item::Long),
            Id::mov_b_disp_rm_r0 => (r0, Form::Disp(m), Item::Byte),
            Id::mov_w_disp_rm_r0 => (r0, Form::Disp(m), Item::Word),
            Id::mov_l_disp_rm_rn => (n, Form::Disp(m), Item::Long),
            Id::mov_b_idx_rm_rn => (n, Form::Indexed(m), Item::Byte),
            Id::mov_w_idx_rm_rn => (n, Form::Indexed(m), Item::Word),
            Id::mov_l_idx_rm_rn => (n, Form::Indexed(m), Item::Long),
            Id::mov_b_disp_gbr_r0 => (r0, Form::Disp(Reg::GBR), Item::Byte),
            Id::mov_w_disp_gbr_r0 => (r0, Form::Disp(Reg::GBR), Item::Word),
            Id::mov_l_disp_gbr_r0 => (r0, Form::Disp(Reg::GBR), Item::Long),
            Id::fmov_s_at_rm_frn => (Reg::fr(op.n), Form::At(m), Item::Float),
            Id::fmov_s_post_rm_frn => (Reg::fr(op.n), Form::Step(m), Item::Float),
            Id::fmov_s_idx_rm_frn => (Reg::fr(op.n), Form::Indexed(m), Item::Float),
            Id::ldc_l_post_rm_gbr => (Reg::GBR, Form::Step(m), Item::Long),
            Id::lds_l_post_rm_mach => (Reg::MACH, Form::Step(m), Item::Long),
            Id::lds_l_post_rm_macl => (Reg::MACL, Form::Step(m), Item::Long),
            Id::lds_l_post_rm_pr => (Reg::PR, Form::Step(m), Item::Long),
            Id::lds_l_post_rm_fpul => (Reg::FPUL, Form::Step(m), Item::Long),
            _ => return self.control_loads(op),
        };
        let value = self.read_operand(form, item, op);
        self.set(to, value);
        true
    }

    fn read_operand(&mut self, form: Form, item: Item, op: Op) -> Value {
        let address = self.address(form, op);
        let operand = self.operand(form, address);
        let value = self.read(operand, item);
        self.step_on(form, item.bytes());
        value
    }

    /// Emits writes of control registers without a variable.
    fn control_loads(&mut self, op: Op) -> bool {
        let m = Reg::r(op.m);
        let Some((at, pops)) = written_control(op) else {
            return false;
        };
        let value = match pops {
            true => self.read_operand(Form::Step(m), Item::Long, op),
            false => self.get(m),
        };
        self.b.ins().store(PLAIN, value, self.cpu, at);
        true
    }

    /// Emits reads of control registers without a variable.
    fn control_stores(&mut self, op: Op) -> bool {
        let n = Reg::r(op.n);
        let Some((at, pushes)) = read_control(op) else {
            return false;
        };
        let value = self.b.ins().load(types::I32, PLAIN, self.cpu, at);
        match pushes {
            true => self.write_operand(Form::Step(n), Item::Long, value, op),
            false => self.set(n, value),
        }
        true
    }

    fn stores(&mut self, op: Op) -> bool {
        let (n, m, r0) = (Reg::r(op.n), Reg::r(op.m), Reg::r(0));
        let (from, form, item) = match op.id {
            Id::mov_b_rm_at_rn => (m, Form::At(n), Item::Byte),
            Id::mov_w_rm_at_rn => (m, Form::At(n), Item::Word),
            Id::mov_l_rm_at_rn => (m, Form::At(n), Item::Long),
            Id::mov_b_rm_pre_rn => (m, Form::Step(n), Item::Byte),
            Id::mov_w_rm_pre_rn => (m, Form::Step(n), Item::Word),
            Id::mov_l_rm_pre_rn => (m, Form::Step(n), Item::Long),
            Id::mov_b_r0_disp_rn => (r0, Form::Disp(n), Item::Byte),
            Id::mov_w_r0_disp_rn => (r0, Form::Disp(n), Item::Word),
            Id::mov_l_rm_disp_rn => (m, Form::Disp(n), Item::Long),
            Id::mov_b_rm_idx_rn => (m, Form::Indexed(n), Item::Byte),
            Id::mov_w_rm_idx_rn => (m, Form::Indexed(n), Item::Word),
            Id::mov_l_rm_idx_rn => (m, Form::Indexed(n), Item::Long),
            Id::mov_b_r0_disp_gbr => (r0, Form::Disp(Reg::GBR), Item::Byte),
            Id::mov_w_r0_disp_gbr => (r0, Form::Disp(Reg::GBR), Item::Word),
            Id::mov_l_r0_disp_gbr => (r0, Form::Disp(Reg::GBR), Item::Long),
            Id::fmov_s_frm_at_rn => (Reg::fr(op.m), Form::At(n), Item::Float),
            Id::fmov_s_frm_pre_rn => (Reg::fr(op.m), Form::Step(n), Item::Float),
            Id::fmov_s_frm_idx_rn => (Reg::fr(op.m), Form::Indexed(n), Item::Float),
            Id::stc_l_gbr_pre_rn => (Reg::GBR, Form::Step(n), Item::Long),
            Id::sts_l_mach_pre_rn => (Reg::MACH, Form::Step(n), Item::Long),
            Id::sts_l_macl_pre_rn => (Reg::MACL, Form::Step(n), Item::Long),
            Id::sts_l_pr_pre_rn => (Reg::PR, Form::Step(n), Item::Long),
            Id::sts_l_fpul_pre_rn => (Reg::FPUL, Form::Step(n), Item::Long),
            Id::stc_l_sr_pre_rn | Id::sts_l_fpscr_pre_rn => {
                let value = match op.id {
                    Id::stc_l_sr_pre_rn => self.whole_status(),
                    _ => self.whole_fpscr(),
                };
                self.write_operand(Form::Step(n), Item::Long, value, op);
                return true;
            }
            _ => return self.control_stores(op),
        };
        let value = self.get(from);
        self.write_operand(form, item, value, op);
        true
    }

    fn write_operand(&mut self, form: Form, item: Item, value: Value, op: Op) {
        let address = self.address_back(form, op, item.bytes());
        let operand = self.operand(form, address);
        self.write(operand, value, item, |e| e.step_back(form, address));
    }

    pub(super) fn address(&mut self, form: Form, op: Op) -> Value {
        match form {
            Form::At(reg) | Form::Step(reg) => self.get(reg),
            Form::Disp(reg) => {
                let base = self.get(reg);
                self.add_distance(base, i64::from(op.imm))
            }
            Form::Indexed(reg) => {
                let (index, base) = (self.get(Reg::r(0)), self.get(reg));
                self.b.ins().iadd(index, base)
            }
            Form::Constant => self.word(op.imm),
        }
    }

    /// Address of a store, which decrements the register first.
    pub(super) fn address_back(&mut self, form: Form, op: Op, bytes: i64) -> Value {
        let address = self.address(form, op);
        match form {
            Form::Step(_) => self.add_distance(address, -bytes),
            _ => address,
        }
    }

    pub(super) fn step_on(&mut self, form: Form, bytes: i64) {
        if let Form::Step(reg) = form {
            self.unary(reg, reg, |e, x| e.add_distance(x, bytes));
        }
    }

    /// Adds a distance to a value, and records the relation for shared address checks.
    pub(super) fn add_distance(&mut self, value: Value, distance: i64) -> Value {
        let sum = self.b.ins().iadd_imm(value, distance);
        self.address_checks.note(sum, value, distance);
        sum
    }

    pub(super) fn operand(&self, form: Form, address: Value) -> MemoryOperand {
        let shares_check = match form {
            Form::At(reg) | Form::Step(reg) | Form::Disp(reg) => self.address_checks.is_used(reg.index()),
            Form::Indexed(_) | Form::Constant => false,
        };
        MemoryOperand {
            address,
            shares_check,
        }
    }

    pub(super) fn step_back(&mut self, form: Form, address: Value) {
        if let Form::Step(reg) = form {
            self.set(reg, address);
        }
    }

    fn system(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::r(op.n), Reg::r(op.m));
        match op.id {
            Id::ldc_rm_gbr => self.copy(Reg::GBR, m),
            Id::lds_rm_mach => self.copy(Reg::MACH, m),
            Id::lds_rm_macl => self.copy(Reg::MACL, m),
            Id::lds_rm_pr => self.copy(Reg::PR, m),
            Id::lds_rm_fpul => self.copy(Reg::FPUL, m),
            Id::stc_gbr_rn => self.copy(n, Reg::GBR),
            Id::sts_mach_rn => self.copy(n, Reg::MACH),
            Id::sts_macl_rn => self.copy(n, Reg::MACL),
            Id::sts_pr_rn => self.copy(n, Reg::PR),
            Id::sts_fpul_rn => self.copy(n, Reg::FPUL),
            Id::stc_sr_rn => {
                let value = self.whole_status();
                self.set(n, value);
            }
            Id::sts_fpscr_rn => {
                let value = self.whole_fpscr();
                self.set(n, value);
            }
            _ => return false,
        }
        true
    }

    /// SR with T.
    fn whole_status(&mut self) -> Value {
        let (status, t) = (self.get(Reg::STATUS), self.t_word());
        self.b.ins().bor(status, t)
    }

    fn float_moves(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::fr(op.n), Reg::fr(op.m));
        match op.id {
            Id::fmov_frm_frn => self.copy(n, m),
            Id::fldi0_frn => self.float_constant(n, 0),
            Id::fldi1_frn => self.float_constant(n, 0x3F80_0000),
            Id::flds_frm_fpul => self.unary(Reg::FPUL, m, |e, x| e.bits_of(x)),
            Id::fsts_fpul_frn => self.unary(n, Reg::FPUL, |e, x| e.float_of(x)),
            Id::fabs_frn | Id::fabs_drn => self.sign(n, |e, x| e.b.ins().fabs(x)),
            Id::fneg_frn | Id::fneg_drn => self.sign(n, |e, x| e.b.ins().fneg(x)),
            _ => return self.pair_moves(op) || self.pair_loads(op) || self.pair_stores(op),
        }
        true
    }

    /// Sets a register to a bit pattern, which the code generator does not see as a constant single.
    fn float_constant(&mut self, n: Reg, bits: u32) {
        let word = self.word(bits);
        let value = self.float_of(word);
        self.normal.insert(value);
        self.set(n, value);
    }

    /// Changes the sign. The result of a normal number is normal.
    fn sign(&mut self, n: Reg, f: impl Fn(&mut Self, Value) -> Value) {
        let value = self.get(n);
        let changed = f(self, value);
        if self.normal.contains(&value) {
            self.normal.insert(changed);
        }
        self.set(n, changed);
    }

    /// Bit pattern of a float.
    pub(super) fn bits_of(&mut self, value: Value) -> Value {
        self.b.ins().bitcast(types::I32, MemFlags::new(), value)
    }

    /// Float with a bit pattern.
    pub(super) fn float_of(&mut self, bits: Value) -> Value {
        self.b.ins().bitcast(types::F32, MemFlags::new(), bits)
    }
}

/// Offset in [`Cpu`] of the control register that an operation writes; true if it pops the value.
fn written_control(op: Op) -> Option<(i32, bool)> {
    let (at, pops) = match op.id {
        Id::ldc_rm_vbr => (offset_of!(Cpu, vbr), false),
        Id::ldc_rm_ssr => (offset_of!(Cpu, ssr), false),
        Id::ldc_rm_spc => (offset_of!(Cpu, spc), false),
        Id::ldc_rm_dbr => (offset_of!(Cpu, dbr), false),
        Id::ldc_rm_rn_bank => (bank(op.n), false),
        Id::ldc_l_post_rm_vbr => (offset_of!(Cpu, vbr), true),
        Id::ldc_l_post_rm_ssr => (offset_of!(Cpu, ssr), true),
        Id::ldc_l_post_rm_spc => (offset_of!(Cpu, spc), true),
        Id::ldc_l_post_rm_dbr => (offset_of!(Cpu, dbr), true),
        Id::ldc_l_post_rm_rn_bank => (bank(op.n), true),
        _ => return None,
    };
    Some((at as i32, pops))
}

/// Offset in [`Cpu`] of the control register that an operation reads; true if it pushes the value.
fn read_control(op: Op) -> Option<(i32, bool)> {
    let (at, pushes) = match op.id {
        Id::stc_vbr_rn => (offset_of!(Cpu, vbr), false),
        Id::stc_ssr_rn => (offset_of!(Cpu, ssr), false),
        Id::stc_spc_rn => (offset_of!(Cpu, spc), false),
        Id::stc_sgr_rn => (offset_of!(Cpu, sgr), false),
        Id::stc_dbr_rn => (offset_of!(Cpu, dbr), false),
        Id::stc_rm_bank_rn => (bank(op.m), false),
        Id::stc_l_vbr_pre_rn => (offset_of!(Cpu, vbr), true),
        Id::stc_l_ssr_pre_rn => (offset_of!(Cpu, ssr), true),
        Id::stc_l_spc_pre_rn => (offset_of!(Cpu, spc), true),
        Id::stc_l_sgr_pre_rn => (offset_of!(Cpu, sgr), true),
        Id::stc_l_dbr_pre_rn => (offset_of!(Cpu, dbr), true),
        Id::stc_l_rm_bank_pre_rn => (bank(op.m), true),
        _ => return None,
    };
    Some((at as i32, pushes))
}

/// Offset in [`Cpu`] of Rn of the other bank.
fn bank(n: u8) -> usize {
    offset_of!(Cpu, r_bank) + 4 * usize::from(n % 8)
}
