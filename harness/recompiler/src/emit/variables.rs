//! Variables of guest registers, and transfers between variables and the CPU.

use super::{Emitter, PLAIN};
use crate::registers::Reg;
use cranelift_codegen::ir::{InstBuilder, Type, Value};
use cranelift_frontend::Variable;

impl Emitter<'_, '_> {
    pub(super) fn variable(&mut self, reg: Reg) -> Variable {
        let slot = &mut self.registers[reg.index()];
        *slot.get_or_insert_with(|| self.b.declare_var(reg.ty()))
    }

    pub(super) fn get(&mut self, reg: Reg) -> Value {
        self.touched.add(reg);
        let variable = self.variable(reg);
        let value = self.b.use_var(variable);
        // The tables of known values use resolved names.
        self.b.func.dfg.resolve_aliases(value)
    }

    pub(super) fn set(&mut self, reg: Reg, value: Value) {
        self.touched.add(reg);
        self.written.add(reg);
        self.fresh.add(reg);
        let variable = self.variable(reg);
        self.b.def_var(variable, value);
    }

    pub(super) fn type_of(&self, value: Value) -> Type {
        self.b.func.dfg.value_type(value)
    }

    /// Loads a register from the CPU.
    pub(super) fn load_register(&mut self, reg: Reg) -> Value {
        let value = self.b.ins().load(reg.ty(), PLAIN, self.cpu, reg.offset());
        match reg {
            Reg::FPSCR => self.and(value, !super::float::CAUSES),
            Reg::CAUSE => self.and(value, super::float::CAUSES),
            _ => value,
        }
    }

    /// Stores a register to the CPU at address `cpu`.
    pub(super) fn store_register_at(&mut self, cpu: Value, reg: Reg) {
        let mut value = self.get(reg);
        if matches!(reg, Reg::FPSCR | Reg::CAUSE) {
            value = self.whole_fpscr();
        }
        self.b.ins().store(PLAIN, value, cpu, reg.offset());
    }

    pub(super) fn store_register(&mut self, reg: Reg) {
        self.store_register_at(self.cpu, reg);
    }

    pub(super) fn whole_fpscr(&mut self) -> Value {
        let (rest, cause) = (self.get(Reg::FPSCR), self.get(Reg::CAUSE));
        self.b.ins().bor(rest, cause)
    }
}
