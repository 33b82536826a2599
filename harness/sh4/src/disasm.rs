//! Text of an instruction, in the syntax of the GNU assembler.

use crate::decode::{Mode, Op, decode};
use crate::table::{Immediate, Row};

/// Returns `opcode` at `pc` as text, such as `mov.l @(8,r4),r0`. Branch targets are absolute. PC-relative
/// loads show the displacement, and the address after a `!`. An opcode that is undefined under `mode` becomes
/// a `.word`.
#[must_use]
pub fn disassemble(opcode: u16, pc: u32, mode: Mode) -> String {
    let decoded = decode(opcode, pc, mode).and_then(|op| Some((op, op.row()?)));
    match decoded {
        Some((op, row)) => text(op, row, pc),
        None => format!(".word 0x{opcode:04x}"),
    }
}

fn text(op: Op, row: &Row, pc: u32) -> String {
    let (mnemonic, operands) = row.syntax.split_once(' ').unwrap_or((row.syntax, ""));
    let mut text = mnemonic.to_owned();
    if !operands.is_empty() {
        text.push(' ');
        text.push_str(&substitute(op, row, pc, operands));
    }
    if matches!(row.immediate, Immediate::PcWord | Immediate::PcLong) {
        text.push_str(&format!(" ! 0x{:08x}", op.imm));
    }
    text
}

/// Replaces the placeholders of the syntax column, the longest first, because short names are parts of longer
/// ones.
fn substitute(op: Op, row: &Row, pc: u32, operands: &str) -> String {
    let (n, m) = (op.n, op.m);
    let number = match row.immediate {
        Immediate::Signed => (op.imm as i32).to_string(),
        Immediate::PcWord => op.imm.wrapping_sub(pc.wrapping_add(4)).to_string(),
        Immediate::PcLong => op.imm.wrapping_sub(pc.wrapping_add(4) & !3).to_string(),
        _ => op.imm.to_string(),
    };
    let places = [
        ("Rn_BANK", format!("r{n}_bank")),
        ("Rm_BANK", format!("r{m}_bank")),
        ("FRn", format!("fr{n}")),
        ("FRm", format!("fr{m}")),
        ("DRn", format!("dr{n}")),
        ("DRm", format!("dr{m}")),
        ("XDn", format!("xd{n}")),
        ("XDm", format!("xd{m}")),
        ("FVn", format!("fv{n}")),
        ("FVm", format!("fv{m}")),
        ("Rn", format!("r{n}")),
        ("Rm", format!("r{m}")),
        ("#imm", format!("#{number}")),
        ("disp", number.clone()),
        ("label", format!("0x{:08x}", op.imm)),
    ];
    let replaced = places.iter().fold(operands.to_owned(), |text, (name, value)| {
        text.replace(name, value)
    });
    replaced.to_lowercase()
}
