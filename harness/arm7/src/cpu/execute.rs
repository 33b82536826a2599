//! Instructions that access only registers, and their cycles.
//!
//! The ARM7DI data sheet gives the cycles ("Instruction speeds"). A sequential (S), a non-sequential (N) and
//! an internal (I) cycle each take one clock, because the wait states of sound RAM are unknown
//! (`docs/hardware/aica.md`, "Speed of the ARM7").

use super::alu::{self, Carried, Sum};
use super::decode::{Data, DataOp, Multiply, Operand, Operation};
use super::psr::{Psr, mode};
use super::{Bus, Core, REFILL, SameRegisterMultiply, vector};

impl Core {
    /// Executes `operation`. Returns its cost: the cycles, and whether R15 changed (see [`REFILL`]).
    #[inline(always)]
    pub(super) fn execute<B: Bus>(&mut self, operation: &Operation, bus: &mut B) -> u32 {
        match operation {
            Operation::Data(data) => self.data(data),
            Operation::DataFlags(data) => self.data_flags(data),
            Operation::DataByRegister { set_flags, data } => self.data_by_register(*set_flags, data),
            Operation::Load(single) => self.load(single, bus),
            Operation::Store(single) => self.store(single, bus),
            Operation::Branch { link, offset } => self.branch_and_link(*link, *offset),
            Operation::Block(block) => self.block(*block, bus),
            Operation::Multiply(multiply) => self.multiply(*multiply),
            Operation::Swap { byte, rn, rd, rm } => self.swap(*byte, *rn, *rd, *rm, bus),
            Operation::ReadPsr { spsr, rd } => self.read_psr(*spsr, *rd),
            Operation::WritePsr { spsr, mask, operand } => self.write_psr(*spsr, *mask, operand),
            Operation::SoftwareInterrupt => self.software_interrupt(),
            Operation::Undefined => self.undefined(),
        }
    }

    /// Rd = Rn op operand ("Data processing"). 1S; R15 as destination adds 1S + 1N.
    #[inline]
    fn data(&mut self, data: &Data) -> u32 {
        let sum = self.compute(data.op, self.get(data.rn), self.operand(&data.operand));
        1 + self.set(data.rd, sum.value)
    }

    /// Data processing with S: N and Z from the result, V from the adder, C from the adder or the shifter.
    #[inline]
    fn data_flags(&mut self, data: &Data) -> u32 {
        let sum = self.compute(data.op, self.get(data.rn), self.operand(&data.operand));
        1 + self.finish(data, sum)
    }

    /// Data processing with a shift by a register, which adds 1I. R15 as Rn or Rm is 12 ahead.
    #[inline(never)]
    fn data_by_register(&mut self, set_flags: bool, data: &Data) -> u32 {
        let sum = self.compute(data.op, self.get_12_ahead(data.rn), self.operand(&data.operand));
        2 + match set_flags {
            true => self.finish(data, sum),
            false => self.set(data.rd, sum.value),
        }
    }

    /// Sets the flags and writes the result. Comparisons always have S and write no result.
    #[inline(always)]
    fn finish(&mut self, data: &Data, sum: Sum) -> u32 {
        if data.rd == 15 {
            return self.restore(data.op, sum.value);
        }
        self.registers.cpsr.set_nzcv(sum.value, sum.carry, sum.overflow);
        match data.op.compares() {
            true => 0,
            false => self.set(data.rd, sum.value),
        }
    }

    /// Handles R15 as destination with S: copies SPSR to CPSR, then the result to R15. Comparisons (TEQP and
    /// similar) copy only SPSR ("Data processing"). User mode has no SPSR, so CPSR does not change.
    #[cold]
    fn restore(&mut self, op: DataOp, value: u32) -> u32 {
        if let Some(spsr) = self.registers.spsr() {
            self.registers.set_cpsr(spsr);
        }
        if op.compares() {
            return 0;
        }
        self.set(15, value)
    }

    /// Logical operations keep V and take C from the shifter.
    #[inline(always)]
    fn compute(&self, op: DataOp, a: u32, Carried { value: b, carry }: Carried) -> Sum {
        let cpsr = self.registers.cpsr;
        let logical = |value| Sum {
            value,
            carry,
            overflow: cpsr.nzcv() & 1 != 0,
        };
        match op {
            DataOp::And | DataOp::Tst => logical(a & b),
            DataOp::Eor | DataOp::Teq => logical(a ^ b),
            DataOp::Sub | DataOp::Cmp => alu::add(a, !b, 1),
            DataOp::Rsb => alu::add(b, !a, 1),
            DataOp::Add | DataOp::Cmn => alu::add(a, b, 0),
            DataOp::Adc => alu::add(a, b, cpsr.carry()),
            DataOp::Sbc => alu::add(a, !b, cpsr.carry()),
            DataOp::Rsc => alu::add(b, !a, cpsr.carry()),
            DataOp::Orr => logical(a | b),
            DataOp::Mov => logical(b),
            DataOp::Bic => logical(a & !b),
            DataOp::Mvn => logical(!b),
        }
    }

    /// Returns the second operand after the shifter, with the shifter's carry.
    #[inline(always)]
    pub(super) fn operand(&self, operand: &Operand) -> Carried {
        let carry = self.registers.cpsr.carry() != 0;
        match *operand {
            Operand::Immediate { value, rotated } => Carried {
                value,
                carry: if rotated { value >> 31 != 0 } else { carry },
            },
            Operand::Register(rm) => Carried {
                value: self.get(rm),
                carry,
            },
            Operand::Shifted { rm, shift, amount } => alu::by_constant(shift, self.get(rm), amount.into()),
            Operand::Extended(rm) => alu::extended(self.get(rm), carry),
            Operand::ShiftedByRegister { rm, shift, rs } => {
                alu::by_amount(shift, self.get_12_ahead(rm), self.get(rs) & 0xFF, carry)
            }
        }
    }

    /// Returns register `n` for an instruction with a shift by a register: R15 is 12 ahead instead of 8
    /// ("Data processing").
    #[inline]
    fn get_12_ahead(&self, n: u8) -> u32 {
        self.get(n).wrapping_add(if n == 15 { 4 } else { 0 })
    }

    /// MUL: Rd = Rm x Rs. MLA: Rd = Rm x Rs + Rn. With S: sets N and Z. C becomes meaningless; this core
    /// keeps it ("Multiply and multiply-accumulate").
    ///
    /// 1S + mI.
    #[inline(never)]
    fn multiply(&mut self, multiply: Multiply) -> u32 {
        let Multiply { rd, rn, rs, rm, .. } = multiply;
        let multiplier = self.get(rs);
        let product = self.get(rm).wrapping_mul(multiplier);
        let zero = rd == rm && self.settings.same_register_multiply == SameRegisterMultiply::Zero;
        let result = match multiply.accumulate {
            true => product.wrapping_add(self.get(rn)),
            false if zero => 0,
            false => product,
        };
        if multiply.set_flags {
            self.registers.cpsr.set_nz(result);
        }
        1 + alu::multiplier_cycles(multiplier) + self.set(rd, result)
    }

    /// MRS: Rd = PSR ("PSR transfer"). 1S. User mode has no SPSR and reads CPSR.
    fn read_psr(&mut self, spsr: bool, rd: u8) -> u32 {
        let cpsr = self.registers.cpsr;
        let psr = match spsr {
            true => self.registers.spsr().unwrap_or(cpsr),
            false => cpsr,
        };
        1 + self.set(rd, psr.bits())
    }

    /// MSR: PSR = PSR & !mask | operand & mask ("PSR transfer"). 1S. User mode changes only the flags.
    fn write_psr(&mut self, spsr: bool, mask: u32, operand: &Operand) -> u32 {
        let value = self.operand(operand).value;
        let cpsr = self.registers.cpsr;
        match (spsr, self.registers.spsr()) {
            (true, Some(old)) => self.registers.set_spsr(old.with(value, mask)),
            (true, None) => {}
            (false, _) => {
                let allowed = if cpsr.privileged() {
                    mask
                } else {
                    mask & 0xF000_0000
                };
                self.registers.set_cpsr(cpsr.with(value, allowed));
            }
        }
        1
    }

    /// B: R15 = R15 + offset. BL: also R14 = the address of the next instruction ("Branch and branch with
    /// link"). 2S + 1N.
    #[inline]
    fn branch_and_link(&mut self, link: bool, offset: i32) -> u32 {
        let pc = self.registers.r[15];
        if link {
            self.registers.r[14] = pc.wrapping_sub(4);
        }
        self.branch(pc.wrapping_add_signed(offset));
        1 + REFILL
    }

    /// SWI: supervisor mode at vector 8 ("Software interrupt"). 2S + 1N.
    fn software_interrupt(&mut self) -> u32 {
        self.trap(mode::SUPERVISOR, vector::SOFTWARE);
        1 + REFILL
    }

    /// The undefined instruction trap ("Undefined instruction"). 2S + 1I + 1N.
    fn undefined(&mut self) -> u32 {
        let address = self.registers.r[15].wrapping_sub(8);
        self.undefined.get_or_insert(address);
        self.trap(mode::UNDEFINED, vector::UNDEFINED);
        2 + REFILL
    }

    /// CPSR = SPSR, after LDM with R15 and S.
    pub(super) fn restore_cpsr(&mut self) {
        let cpsr: Option<Psr> = self.registers.spsr();
        self.registers.set_cpsr(cpsr.unwrap_or(self.registers.cpsr));
    }
}
