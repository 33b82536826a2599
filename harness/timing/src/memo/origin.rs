//! Accesses of a path that go by the same register: their distances are constant.

use crate::insn::Insn;
use crate::resource::{GBR, R, SR};
use sh4::Op;
use sh4::table::{AddressMode, AddressRegister, Id, Row};

/// An address as a value that a register had, numbered along the path, plus a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) value: u16,
    pub(crate) distance: u32,
}

/// R0 to R15, and GBR.
const REGISTERS: usize = 17;

/// The values of the registers along a path.
pub(crate) struct Values {
    registers: [Origin; REGISTERS],
    next: u16,
}

/// The addressing form of an operand in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A register plus a distance.
    By(usize, u32),
    /// A register that is incremented behind the access.
    Post(usize),
    /// A register that is decremented before the access.
    Pre(usize),
}

impl Values {
    pub(crate) fn new() -> Values {
        Values {
            registers: std::array::from_fn(|register| Origin {
                value: register as u16,
                distance: 0,
            }),
            next: REGISTERS as u16,
        }
    }

    /// An unknown value.
    pub(crate) fn another(&mut self) -> Origin {
        self.next += 1;
        Origin {
            value: self.next - 1,
            distance: 0,
        }
    }

    /// Passes an instruction. Returns the origin of the address that it accesses, if that goes by one
    /// register.
    pub(crate) fn pass(&mut self, op: Op, insn: &Insn) -> Option<Origin> {
        let row = op.row()?;
        let form = form(row, op);
        let step = match form {
            Some(Form::Pre(register)) => Some((register, u32::from(row.access(0).0).wrapping_neg())),
            Some(Form::Post(register)) => Some((register, row.access(0).0.into())),
            _ if op.id == Id::add_imm_rn => Some((usize::from(op.n & 15), op.imm)),
            _ => None,
        };
        let moved = step.map(|(register, by)| (register, self.far_from(register, by)));
        let origin = form.map(|form| match form {
            Form::By(register, distance) => self.far_from(register, distance),
            Form::Pre(register) => moved.map_or(self.registers[register], |(_, origin)| origin),
            Form::Post(register) => self.registers[register],
        });
        self.forget(insn);
        // A write to SR may name other registers from here on.
        if let Some((register, origin)) = moved
            && !loads_over(op)
            && !insn.written.has(SR)
        {
            self.registers[register] = origin;
        }
        origin
    }

    fn far_from(&self, register: usize, distance: u32) -> Origin {
        let origin = self.registers[register];
        Origin {
            distance: origin.distance.wrapping_add(distance),
            ..origin
        }
    }

    /// Gives unknown values to the registers that an instruction writes.
    fn forget(&mut self, insn: &Insn) {
        let all = insn.written.has(SR);
        for register in 0..REGISTERS {
            let bit = if register == REGISTERS - 1 {
                GBR
            } else {
                R + register as u8
            };
            if all || insn.written.has(bit) {
                self.registers[register] = self.another();
            }
        }
    }
}

/// Whether the load overwrites the register that the instruction increments.
fn loads_over(op: Op) -> bool {
    let integer = matches!(
        op.id,
        Id::mov_b_post_rm_rn | Id::mov_w_post_rm_rn | Id::mov_l_post_rm_rn
    );
    integer && op.n & 15 == op.m & 15
}

/// The addressing form. None for indexed operands, PC-relative ones, and instructions with two.
fn form(row: &Row, op: Op) -> Option<Form> {
    let number = |register| match register {
        AddressRegister::N => usize::from(op.n & 15),
        AddressRegister::M => usize::from(op.m & 15),
        AddressRegister::Gbr => REGISTERS - 1,
    };
    match row.address_mode()? {
        AddressMode::Displacement(register) => Some(Form::By(number(register), op.imm)),
        AddressMode::PostIncrement(register) => Some(Form::Post(number(register))),
        AddressMode::PreDecrement(register) => Some(Form::Pre(number(register))),
        AddressMode::Indexed(_) | AddressMode::PcRelative => None,
    }
}
