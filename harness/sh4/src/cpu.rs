//! The registers, and the effects of writes to SR and FPSCR.

use sh4_fpu::inner::InnerModel;
use sh4_fpu::{Cause, Control, Outcome, Rounding, status};

use crate::block::{BlockCache, Key};
use crate::counters::Counter;
use crate::debug::Debug;
use crate::decode::{Mode, Op};
use crate::exception::Requests;
use crate::mmu::{Mmu, MmuRegister};
use crate::stop::{Exit, FaultKind};
use crate::ubc::Ubc;
use crate::{Bus, Settings};

/// Bits of SR (SH7750 manual 2.2.4).
pub mod sr {
    /// True/false condition.
    pub const T: u32 = 1;
    /// Saturation of MAC.
    pub const S: u32 = 1 << 1;
    /// DIV0/DIV1 state.
    pub const Q: u32 = 1 << 8;
    /// DIV0/DIV1 state.
    pub const M: u32 = 1 << 9;
    /// FPU disabled.
    pub const FD: u32 = 1 << 15;
    /// Exceptions blocked.
    pub const BL: u32 = 1 << 28;
    /// Register bank, in privileged mode.
    pub const RB: u32 = 1 << 29;
    /// Privileged mode.
    pub const MD: u32 = 1 << 30;
}

/// Bits of FPSCR (SH7750 manual 2.2.5).
pub mod fpscr {
    /// Rounding mode.
    pub const RM: u32 = 3;
    /// Lowest sticky flag bit.
    pub const FLAG_SHIFT: u32 = 2;
    /// Lowest enable bit.
    pub const ENABLE_SHIFT: u32 = 7;
    /// Lowest cause bit.
    pub const CAUSE_SHIFT: u32 = 12;
    /// Denormals are zero.
    pub const DN: u32 = 1 << 18;
    /// Double precision.
    pub const PR: u32 = 1 << 19;
    /// FMOV moves pairs.
    pub const SZ: u32 = 1 << 20;
    /// Selects the register bank that instructions name FR.
    pub const FR: u32 = 1 << 21;
}

/// The bits of SR that exist.
pub const SR_MASK: u32 = 0x7000_83F3;
/// The bits of FPSCR that exist.
pub const FPSCR_MASK: u32 = 0x003F_FFFF;

/// The cause bits of FPSCR.
pub(crate) const CAUSE_MASK: u32 = 0x3F << fpscr::CAUSE_SHIFT;
/// Enable bits for which an instruction traps before its result is known: I, U, O; V for FTRV.
pub(crate) const EARLY: u32 = 0x17 << fpscr::ENABLE_SHIFT;

/// The CPU's state. Equality compares registers and settings.
///
/// Registers with side effects on writes have accessors: SR and FPSCR exchange banks, and the memory
/// management unit and the user break controller change the execution. The other registers are plain fields.
#[derive(Clone, Debug)]
pub struct Cpu {
    /// R0 to R15, of the active bank.
    pub r: [u32; 16],
    /// R0 to R7 of the other bank.
    pub r_bank: [u32; 8],
    /// FR0 to FR15: the bank that FPSCR.FR makes active.
    pub fr: [u32; 16],
    /// XF0 to XF15: the other bank.
    pub xf: [u32; 16],
    /// The next instruction to execute.
    pub pc: u32,
    /// Procedure register.
    pub pr: u32,
    /// Global base register.
    pub gbr: u32,
    /// Vector base register.
    pub vbr: u32,
    /// Saved status register.
    pub ssr: u32,
    /// Saved program counter.
    pub spc: u32,
    /// Saved general register 15.
    pub sgr: u32,
    /// Debug base register.
    pub dbr: u32,
    /// Multiply and accumulate, high.
    pub mach: u32,
    /// Multiply and accumulate, low.
    pub macl: u32,
    /// The FPU's communication register.
    pub fpul: u32,
    /// SR.T. [`Cpu::sr`] has it too.
    pub t: bool,
    /// EXPEVT: the code of the last reset, exception or TRAPA.
    pub expevt: u32,
    /// The address of the instruction that raised the last exception. For an instruction in a delay slot, SPC
    /// has the address of the branch instead. Not a register of the chip.
    pub(crate) raised_at: u32,
    /// INTEVT: the code of the last interrupt.
    pub intevt: u32,
    /// TRA: four times the immediate of the last TRAPA.
    pub tra: u32,
    pub(crate) mmu: Mmu,
    pub(crate) ubc: Ubc,
    pub(crate) counters: [Counter; 2],
    /// Performance events that the program has read and that no source counts.
    pub(crate) uncounted: u64,
    /// Instructions completed since the CPU was created, up to the last whole block.
    pub(crate) retired: u64,
    pub(crate) requests: Requests,
    /// SR without T.
    pub(crate) status: u32,
    pub(crate) fpscr: u32,
    /// The fields of FPSCR that the arithmetic needs.
    pub(crate) control: Control,
    /// True if arithmetic may use the host's FPU: RM = 0, no trap before the result is known, and causes are
    /// recorded.
    pub(crate) host_fpu: bool,
    /// While an operation runs: the address of the next instruction. A delayed branch finds PC + 4 here.
    pub(crate) next_pc: u32,
    /// While an operation runs: address bits that must be 0 in an access, by log2 of the access size.
    pub(crate) forbidden: [u32; 4],
    /// While a block runs: the number of skipped operations.
    pub(crate) skipped: u32,
    /// While a block runs under an observer: whether a branch to the next instruction was taken.
    pub(crate) branch_taken: bool,
    /// While a block runs: the bus's code epoch at its start.
    pub(crate) epoch: u64,
    /// Current key for decoding, derived from SR and FPSCR.
    pub(crate) key: Key,
    /// Under address translation: the part of the key for the page of the program counter; else 0.
    pub(crate) page: Key,
    /// SLEEP has ended the last run: the CPU accepts an interrupt for any value of SR.BL.
    pub(crate) asleep: bool,
    /// The reason why an operation left its block; every such operation sets it.
    pub(crate) exit: Exit,
    settings: Settings,
    /// See [`Cpu::carry_out_undefined`].
    any_code: bool,
    pub(crate) debug: Debug,
    pub(crate) blocks: BlockCache,
}

state::fields!(Cpu {
    r,
    r_bank,
    fr,
    xf,
    pc,
    pr,
    gbr,
    vbr,
    ssr,
    spc,
    sgr,
    dbr,
    mach,
    macl,
    fpul,
    t,
    expevt,
    raised_at,
    intevt,
    tra,
    mmu,
    ubc,
    counters,
    uncounted,
    retired,
    requests,
    status,
    fpscr,
    asleep,
} keep {
    control,
    host_fpu,
    next_pc,
    forbidden,
    skipped,
    branch_taken,
    epoch,
    key,
    page,
    exit,
    settings,
    any_code,
    debug,
    blocks,
} after(|cpu: &mut Cpu| {
    cpu.fpscr &= FPSCR_MASK;
    cpu.status &= SR_MASK & !sr::T;
    // Computes the values derived from these registers.
    cpu.set_fpscr(cpu.fpscr);
    cpu.set_sr(cpu.sr());
}) check(|cpu: &Cpu| cpu.pc & 1 == 0 && cpu.retired < 1 << 60));

impl PartialEq for Cpu {
    fn eq(&self, other: &Cpu) -> bool {
        let words = |cpu: &Cpu| {
            [
                cpu.pc,
                cpu.pr,
                cpu.gbr,
                cpu.vbr,
                cpu.ssr,
                cpu.spc,
                cpu.sgr,
                cpu.dbr,
                cpu.mach,
                cpu.macl,
                cpu.fpul,
                cpu.sr(),
                cpu.fpscr,
                cpu.expevt,
                cpu.intevt,
                cpu.tra,
            ]
        };
        let banks = |cpu: &Cpu| (cpu.r, cpu.r_bank, cpu.fr, cpu.xf);
        words(self) == words(other)
            && banks(self) == banks(other)
            && self.settings == other.settings
            && (&self.mmu, self.ubc, self.counters) == (&other.mmu, other.ubc, other.counters)
    }
}

impl Cpu {
    /// A CPU after power-on reset: PC A0000000, SR 700000F0, FPSCR 00040001; other registers, which
    /// the chip leaves undefined, are 0.
    #[must_use]
    pub fn new(settings: Settings) -> Cpu {
        let mut cpu = Cpu {
            r: [0; 16],
            r_bank: [0; 8],
            fr: [0; 16],
            xf: [0; 16],
            pc: 0xA000_0000,
            pr: 0,
            gbr: 0,
            vbr: 0,
            ssr: 0,
            spc: 0,
            sgr: 0,
            dbr: 0,
            mach: 0,
            macl: 0,
            fpul: 0,
            t: false,
            expevt: 0,
            raised_at: 0,
            intevt: 0,
            tra: 0,
            mmu: Mmu::new(settings.urc_boundary),
            ubc: Ubc::default(),
            counters: [Counter::default(); 2],
            uncounted: 0,
            retired: 0,
            asleep: false,
            requests: Requests::default(),
            status: sr::MD | sr::RB,
            fpscr: 0,
            control: Control::STARTUP,
            host_fpu: false,
            next_pc: 0,
            forbidden: [0; 4],
            skipped: 0,
            branch_taken: false,
            epoch: 0,
            key: 0,
            page: 0,
            exit: Exit::CodeWritten,
            settings,
            any_code: false,
            debug: Debug::default(),
            blocks: BlockCache::default(),
        };
        cpu.set_sr(0x7000_00F0);
        cpu.set_fpscr(0x0004_0001);
        cpu
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// SR.
    #[must_use]
    pub fn sr(&self) -> u32 {
        self.status | u32::from(self.t)
    }

    /// Writes SR, except for bits that do not exist. Exchanges the banks of R0 to R7 if MD and RB require it.
    pub fn set_sr(&mut self, value: u32) {
        let bank = |status: u32| status & (sr::MD | sr::RB) == sr::MD | sr::RB;
        let status = value & SR_MASK & !sr::T;
        if bank(self.status) != bank(status) {
            self.r[..8].swap_with_slice(&mut self.r_bank);
        }
        self.t = value & sr::T != 0;
        self.status = status;
        let align = |size: u32| {
            if self.settings.alignment_checks {
                size - 1
            } else {
                0
            }
        };
        let user = self.settings.privilege_checks && status & sr::MD == 0;
        self.forbidden = [1, 2, 4, 8].map(|size| align(size) | u32::from(user) << 31);
        self.refresh_key();
    }

    /// The memory management unit.
    #[must_use]
    pub fn mmu(&self) -> &Mmu {
        &self.mmu
    }

    /// Writes a register of memory management as the program would.
    pub fn set_mmu(&mut self, register: MmuRegister, value: u32) {
        self.mmu.write(register, value);
        self.refresh_key();
    }

    /// The user break controller.
    #[must_use]
    pub fn ubc(&self) -> &Ubc {
        &self.ubc
    }

    /// Changes the registers of the user break controller; a channel that is armed then takes effect with the
    /// next instruction.
    pub fn set_ubc(&mut self, change: impl FnOnce(&mut Ubc)) {
        change(&mut self.ubc);
        self.refresh_key();
    }

    /// Instructions completed since the CPU was created.
    #[must_use]
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Reads the bus's interrupt line.
    pub(crate) fn poll<B: Bus>(&mut self, bus: &B) {
        self.requests.bus = bus.interrupt();
        self.refresh_key();
    }

    /// FPSCR.
    #[must_use]
    pub fn fpscr(&self) -> u32 {
        self.fpscr
    }

    /// Writes FPSCR, except for bits that do not exist. Exchanges the banks FR and XF if FPSCR.FR changes.
    /// The reserved rounding modes 2 and 3 round like 0 and 1.
    pub fn set_fpscr(&mut self, value: u32) {
        let value = value & FPSCR_MASK;
        if (self.fpscr ^ value) & fpscr::FR != 0 {
            std::mem::swap(&mut self.fr, &mut self.xf);
        }
        self.fpscr = value;
        self.control = Control {
            rounding: if value & 1 == 0 {
                Rounding::Nearest
            } else {
                Rounding::Zero
            },
            flush: value & fpscr::DN != 0,
            tininess: self.settings.tininess,
        };
        let nearest = self.control.rounding == Rounding::Nearest;
        self.host_fpu = nearest && value & EARLY == 0 && self.settings.fcause_update;
        self.refresh_key();
    }

    /// The bits of FPSCR that select between rows of the instruction table.
    #[must_use]
    pub fn mode(&self) -> Mode {
        Mode {
            pr: self.fpscr & fpscr::PR != 0,
            sz: self.fpscr & fpscr::SZ != 0,
        }
    }

    /// Returns true if SR.FD disables the FPU for the program.
    pub(crate) fn fpu_disabled(&self) -> bool {
        self.settings.fpu_disable_checks && self.status & sr::FD != 0
    }

    /// Returns true if FPU opcodes that are undefined under the current PR execute in spite of the settings.
    #[must_use]
    pub fn carries_out_undefined(&self) -> bool {
        self.any_code
    }

    /// Lets FPU opcodes that are undefined under the current PR execute in spite of the settings. An observer
    /// that has stopped at such a code uses this to continue.
    pub fn carry_out_undefined(&mut self, on: bool) {
        self.any_code = on;
        self.refresh_key();
    }

    /// Returns true if privileged instructions are forbidden.
    pub(crate) fn is_user(&self) -> bool {
        self.settings.privilege_checks && self.status & sr::MD == 0
    }

    /// The model of FIPR and FTRV.
    #[inline]
    pub(crate) fn inner_model(&self) -> InnerModel {
        InnerModel {
            product: self.settings.fipr_model,
            exponent: self.settings.fipr_emax,
        }
    }

    /// Leaves the block and records the reason.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_with(&mut self, exit: Exit) {
        self.exit = exit;
    }

    /// Records the causes of the FPU operation `op` in FPSCR. The operation traps and keeps the destination
    /// if an enabled exception occurs or is possible, or if an operand is denormal and DN = 0.
    #[inline]
    pub(crate) fn settle<T>(&mut self, op: Op, outcome: Outcome<T>) -> Result<T, Exit> {
        if !self.settings.fcause_update {
            return Ok(outcome.bits);
        }
        let possible = if self.fpscr & EARLY == 0 {
            Cause::NONE
        } else {
            self.possible(op)
        };
        let settled = status::settle(self.fpscr, outcome.cause, possible);
        self.fpscr = settled.fpscr;
        if settled.traps {
            Err(Exit::Fault(FaultKind::FpuException(outcome.cause), None))
        } else {
            Ok(outcome.bits)
        }
    }

    /// Records the causes of a result from the host's FPU, while `host_fpu` is true: I is the only possible
    /// cause and does not trap.
    #[inline(always)]
    pub(crate) fn note(&mut self, inexact: bool) {
        const BITS: u32 = 1 << fpscr::CAUSE_SHIFT | 1 << fpscr::FLAG_SHIFT;
        self.fpscr = self.fpscr & !CAUSE_MASK | if inexact { BITS } else { 0 };
    }

    /// DRn or XDn of `bank`: the even register is the high word.
    #[inline]
    pub(crate) fn double(&self, n: usize) -> u64 {
        u64::from(self.fr[n & 14]) << 32 | u64::from(self.fr[n & 14 | 1])
    }

    /// Writes DRn.
    #[inline]
    pub(crate) fn set_double(&mut self, n: usize, value: u64) {
        self.fr[n & 14] = (value >> 32) as u32;
        self.fr[n & 14 | 1] = value as u32;
    }

    /// FVn, the four registers from `n` on.
    #[inline]
    pub(crate) fn vector(&self, n: usize) -> [u32; 4] {
        let n = n & 12;
        [self.fr[n], self.fr[n | 1], self.fr[n | 2], self.fr[n | 3]]
    }

    /// Writes FVn.
    #[inline]
    pub(crate) fn set_vector(&mut self, n: usize, value: [u32; 4]) {
        let n = n & 12;
        for (i, word) in value.into_iter().enumerate() {
            self.fr[n | i] = word;
        }
    }
}
