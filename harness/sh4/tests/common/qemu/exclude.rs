//! Instructions that are not compared, with the reasons.

use std::collections::BTreeMap;

use sh4::table::{Group, Id, Row, flag};
use sh4::{Cpu, Op};
use sh4_fpu::Cause;

/// Reasons for not running a proposed instruction.
pub(crate) type Reason = &'static str;

/// Number of instructions by reason.
pub(crate) type Skips = BTreeMap<Reason, u64>;

/// Reasons that depend only on the instruction.
pub(crate) fn by_row(row: &Row) -> Option<Reason> {
    Some(match row.id {
        _ if row.has(flag::PRIVILEGED) => "privileged: qemu runs in user mode",
        Id::trapa_imm => "TRAPA is a system call there",
        Id::fipr_fvm_fvn | Id::ftrv_xmtrx_fvn => "qemu: FIPR and FTRV have their PR check inverted",
        Id::fsrra_frn | Id::fsca_fpul_drn => "qemu: FSRRA and FSCA are illegal",
        Id::rotl_rn | Id::rotr_rn => "qemu: ROTL and ROTR leave T 0",
        Id::addv_rm_rn | Id::subv_rm_rn => "qemu: ADDV writes Rm, SUBV has T wrong",
        Id::lds_l_post_rm_fpscr => "FPSCR from memory: the modes are the driver's",
        _ => return None,
    })
}

/// Reasons that depend on operands.
pub(crate) fn by_state(cpu: &Cpu, op: Op) -> Option<Reason> {
    match op.id {
        Id::div1_rm_rn if op.n == op.m => return Some("qemu: DIV1 with Rn == Rm shifts the divisor"),
        // qemu adds -Rm with ones in the high half. If Rm is 0, no carry clears these ones.
        Id::div1_rm_rn if cpu.r[usize::from(op.m)] == 0 && q_is_m(cpu) => {
            return Some("qemu: DIV1 borrows when it subtracts 0");
        }
        Id::mac_l_post_rm_post_rn | Id::mac_w_post_rm_post_rn if op.n == op.m => {
            return Some("qemu: MAC with Rn == Rm reads one item twice");
        }
        Id::mac_l_post_rm_post_rn if cpu.sr() & sh4::sr::S != 0 => {
            return Some("qemu: MAC.L with S = 1 does not saturate");
        }
        Id::mac_w_post_rm_post_rn if cpu.sr() & sh4::sr::S != 0 => {
            return Some("qemu: MAC.W with S = 1 saturates what is in range");
        }
        _ => {}
    }
    let row = op.row()?;
    let arithmetic = row.group == Group::FE || matches!(op.id, Id::fcmp_eq_drm_drn | Id::fcmp_gt_drm_drn);
    if !arithmetic || matches!(op.id, Id::frchg | Id::fschg) {
        return None;
    }
    let operands = operands(cpu, op, row);
    if operands.iter().any(|operand| operand.denormal()) {
        return Some("qemu: computes with denormal operands (the chip: FPU error, or zero with DN = 1)");
    }
    let truncates = matches!(op.id, Id::ftrc_frm_fpul | Id::ftrc_drm_fpul);
    if truncates && operands.iter().any(|operand| operand.nan()) {
        return Some("qemu: FTRC of a NaN gives 7FFFFFFF");
    }
    None
}

fn q_is_m(cpu: &Cpu) -> bool {
    (cpu.sr() & sh4::sr::Q != 0) == (cpu.sr() & sh4::sr::M != 0)
}

/// Reasons that depend on the result: `cpu` has run the instruction.
pub(crate) fn by_result(cpu: &Cpu, op: Op) -> Option<Reason> {
    const DN: u32 = 1 << 18;
    let cause = cpu.fpscr() >> 12;
    let arithmetic = op.row().is_some_and(|row| row.group == Group::FE);
    let underflow = cause & u32::from(Cause::UNDERFLOW.0) != 0;
    if arithmetic && cpu.fpscr() & DN != 0 && underflow {
        return Some("qemu: no U and I for a result flushed by DN = 1");
    }
    None
}

/// Returns true if qemu's cause and flag bits are wrong after the instruction, so that the program must load
/// FPSCR again.
pub(crate) fn spoils_flags(op: Op) -> bool {
    matches!(
        op.id,
        // FTRC sets I; FCMP/EQ sets V for a quiet NaN.
        Id::ftrc_frm_fpul | Id::ftrc_drm_fpul | Id::fcmp_eq_frm_frn | Id::fcmp_eq_drm_drn
    )
}

/// Returns true if a branch must follow. qemu keeps FPSCR in a host register from its first use to the end of
/// a sequence without branches, and misses changes by arithmetic.
pub(crate) fn caches_fpscr(op: Op) -> bool {
    matches!(op.id, Id::sts_fpscr_rn | Id::sts_l_fpscr_pre_rn)
}

/// A float's magnitude, and the fraction's width.
struct Magnitude {
    bits: u64,
    fraction: u32,
}

impl Magnitude {
    fn denormal(&self) -> bool {
        self.bits != 0 && self.bits >> self.fraction == 0
    }

    fn nan(&self) -> bool {
        let infinity = if self.fraction == 23 { 0xFFu64 } else { 0x7FF } << self.fraction;
        self.bits > infinity
    }
}

fn single(bits: u32) -> Magnitude {
    Magnitude {
        bits: (bits & 0x7FFF_FFFF).into(),
        fraction: 23,
    }
}

fn operands(cpu: &Cpu, op: Op, row: &Row) -> Vec<Magnitude> {
    let register = |n: u8| single(cpu.fr[usize::from(n & 15)]);
    let double = |n: u8| {
        let even = usize::from(n & 14);
        let bits = u64::from(cpu.fr[even]) << 32 | u64::from(cpu.fr[even | 1]);
        Magnitude {
            bits: bits & (u64::MAX >> 1),
            fraction: 52,
        }
    };
    let mut operands = Vec::new();
    let mut add = |name: &str, operand: Magnitude| {
        if row.syntax.contains(name) {
            operands.push(operand);
        }
    };
    add("FR0", register(0));
    add("FRm", register(op.m));
    add("DRm", double(op.m));
    // The conversions from FPUL only write it.
    if !row.syntax.contains("FPUL,") {
        add("FRn", register(op.n));
        add("DRn", double(op.n));
    }
    if op.id == Id::fcnvsd_fpul_drn {
        add("FPUL", single(cpu.fpul));
    }
    operands
}
