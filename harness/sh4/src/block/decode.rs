//! Decodes the instructions of a block.

use crate::decode::{Mode, Op, decode, defined_elsewhere};
use crate::settings::{DoublesOnly, OddSign, SinglesOnly};
use crate::stop::FaultKind;
use crate::table::{Id, Variant, flag};
use crate::{Bus, BusError, Cpu, TlbException};

/// Turns a branch at the end of the decoded operations into an operation that runs or skips the instruction
/// at `pc`. This is possible if the branch jumps over only this instruction and the CPU can undo it. A branch
/// that depends on data would cost a mispredicted jump half of the time.
pub(super) fn skips<B: Bus>(cpu: &Cpu, bus: &mut B, branch: &mut Op, pc: u32) -> bool {
    let id = match branch.id {
        Id::bt => Id::skip_if_true,
        Id::bf => Id::skip_if_false,
        _ => return false,
    };
    let over_one = branch.imm == pc.wrapping_add(2) && cpu.shares_page(pc);
    let skippable = over_one
        && bus
            .fetch(pc)
            .is_ok_and(|opcode| writes_only_rn(decode_at(cpu, pc, opcode, false)));
    if skippable {
        branch.id = id;
    }
    skippable
}

/// Returns true if an operation only writes its register `n` and cannot fail.
fn writes_only_rn(op: Op) -> bool {
    matches!(
        op.id,
        Id::mov_rm_rn
            | Id::mov_imm_rn
            | Id::add_rm_rn
            | Id::add_imm_rn
            | Id::sub_rm_rn
            | Id::neg_rm_rn
            | Id::and_rm_rn
            | Id::or_rm_rn
            | Id::xor_rm_rn
            | Id::not_rm_rn
            | Id::exts_b_rm_rn
            | Id::exts_w_rm_rn
            | Id::extu_b_rm_rn
            | Id::extu_w_rm_rn
            | Id::shad_rm_rn
            | Id::shld_rm_rn
            | Id::shll2_rn
            | Id::shll8_rn
            | Id::shll16_rn
            | Id::shlr2_rn
            | Id::shlr8_rn
            | Id::shlr16_rn
    )
}

pub(super) fn has(op: Op, flags: u8) -> bool {
    op.row().is_none_or(|row| row.has(flags))
}

/// Returns true if the instruction after `op` belongs to the same block.
pub(super) fn continues(op: Op) -> bool {
    !has(op, flag::BRANCH | flag::LAST | flag::MODE)
}

/// Returns the operation for `opcode` under the current PR and SZ. The settings select the behaviour of FPU
/// codes that the manual defines only under the other PR.
fn decode_current(cpu: &Cpu, pc: u32, opcode: u16) -> Option<Op> {
    let (mode, settings) = (cpu.mode(), cpu.settings());
    let under = |opcode, pr| decode(opcode, pc, Mode { pr, ..mode });
    let any = cpu.carries_out_undefined();
    let names_odd_sign = mode.pr && opcode & 0xF1EF == 0xF14D;
    if names_odd_sign {
        let named = any || settings.odd_sign == OddSign::NamedRegister;
        return named.then(|| under(opcode, false)).flatten();
    }
    if let Some(op) = under(opcode, mode.pr) {
        return Some(op);
    }
    if !defined_elsewhere(opcode) {
        return None;
    }
    let is_double = |op: &Op| op.row().is_some_and(|row| row.variant == Variant::Pr1);
    match under(even_registers(opcode), true).filter(is_double) {
        Some(op) => (any || settings.doubles_only == DoublesOnly::AsDouble).then_some(op),
        None if any || settings.singles_only == SinglesOnly::AsSingle => under(opcode, false),
        None => None,
    }
}

/// Returns an FPU code with its register fields rounded down to even registers.
fn even_registers(opcode: u16) -> u16 {
    match opcode & 15 {
        0..=5 => opcode & 0xFEEF,
        _ => opcode & 0xFEFF,
    }
}

/// The operation for `opcode`, or an operation that raises its fault.
pub(super) fn decode_at(cpu: &Cpu, pc: u32, opcode: u16, in_slot: bool) -> Op {
    let Some(op) = decode_current(cpu, pc, opcode) else {
        let elsewhere = defined_elsewhere(opcode);
        return illegal(match (in_slot, elsewhere) {
            _ if cpu.fpu_disabled() && is_fpu_code(opcode) => Illegal::FpuDisabled,
            (_, true) => Illegal::FpuUndefined,
            (true, false) => Illegal::Slot,
            (false, false) => Illegal::Undefined,
        });
    };
    let privileged = has(op, flag::PRIVILEGED) && cpu.is_user();
    match in_slot {
        true if privileged || has(op, flag::NO_SLOT) => illegal(Illegal::Slot),
        _ if privileged => illegal(Illegal::Privileged),
        _ if has(op, flag::FPU) && cpu.fpu_disabled() => illegal(Illegal::FpuDisabled),
        _ => op,
    }
}

/// Returns true for codes that SR.FD = 1 disables, defined or not: F000 to FFFF except for the undefined FFFD
/// (SH7750 manual 5.6.2, FPU disable exception).
fn is_fpu_code(opcode: u16) -> bool {
    opcode >= 0xF000 && opcode != 0xFFFD
}

/// The reason, known at decoding, why an operation cannot execute. The immediate of the operation holds it.
#[derive(Clone, Copy)]
pub(super) enum Illegal {
    Undefined,
    Privileged,
    Slot,
    FpuUndefined,
    FpuDisabled,
    Fetch(BusError),
    Tlb(TlbException),
}

pub(super) fn illegal(reason: Illegal) -> Op {
    let imm = match reason {
        Illegal::Undefined => 0,
        Illegal::Privileged => 1,
        Illegal::Slot => 2,
        Illegal::FpuUndefined => 3,
        Illegal::FpuDisabled => 4,
        Illegal::Fetch(BusError::Unmapped) => 5,
        // A bus that cannot answer a fetch at once refuses it.
        Illegal::Fetch(BusError::Refused | BusError::Deferred) => 6,
        Illegal::Fetch(BusError::Protected) => 7,
        Illegal::Tlb(TlbException::Miss) => 8,
        Illegal::Tlb(TlbException::Protection) => 9,
        Illegal::Tlb(TlbException::MultipleHit) => 10,
        // A fetch does not write.
        Illegal::Tlb(TlbException::InitialWrite) => 11,
    };
    Op {
        id: Id::illegal,
        n: 0,
        m: 0,
        imm,
    }
}

/// The fault of an `illegal` operation.
pub(crate) fn illegal_kind(op: Op) -> FaultKind {
    let fetch = |error| FaultKind::Bus {
        direction: crate::Direction::Fetch,
        error,
    };
    let tlb = |exception| FaultKind::Tlb {
        exception,
        direction: crate::Direction::Fetch,
    };
    match op.imm {
        1 => FaultKind::Privileged,
        2 => FaultKind::SlotIllegal,
        3 => FaultKind::FpuUndefined,
        4 => FaultKind::FpuDisabled,
        5 => fetch(BusError::Unmapped),
        6 => fetch(BusError::Refused),
        7 => fetch(BusError::Protected),
        8 => tlb(TlbException::Miss),
        9 => tlb(TlbException::Protection),
        10 => tlb(TlbException::MultipleHit),
        11 => tlb(TlbException::InitialWrite),
        _ => FaultKind::Undefined,
    }
}
