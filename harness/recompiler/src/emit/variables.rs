//! Variables of guest registers, and transfers between variables and the CPU.

use super::{Emitter, PLAIN};
use crate::registers::{Reg, Regs};
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
        match reg {
            Reg::FPSCR | Reg::CAUSE => self.writes_fpscr = true,
            _ => self.unsaved.add(reg),
        }
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

    /// Loads a register that a call of the runtime may have changed.
    pub(super) fn reload_register(&mut self, reg: Reg) {
        let value = self.load_register(reg);
        self.touched.add(reg);
        self.writes_fpscr |= matches!(reg, Reg::FPSCR | Reg::CAUSE);
        let variable = self.variable(reg);
        self.b.def_var(variable, value);
    }

    /// Stores the unsaved registers to the CPU.
    pub(super) fn save(&mut self) {
        self.store_unsaved();
        self.unsaved = Regs::NONE;
    }

    /// Stores the unsaved registers on one of several paths. They remain unsaved for the other paths.
    pub(super) fn store_unsaved(&mut self) {
        for reg in self.unsaved.iter() {
            let value = self.get(reg);
            self.b.ins().store(PLAIN, value, self.cpu, reg.offset());
        }
    }

    /// Stores FPSCR to the CPU.
    pub(super) fn store_fpscr(&mut self) {
        let value = self.whole_fpscr();
        self.b.ins().store(PLAIN, value, self.cpu, Reg::FPSCR.offset());
    }

    pub(super) fn whole_fpscr(&mut self) -> Value {
        let (rest, cause) = (self.get(Reg::FPSCR), self.get(Reg::CAUSE));
        self.b.ins().bor(rest, cause)
    }
}
