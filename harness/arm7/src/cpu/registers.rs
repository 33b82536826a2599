//! R0 to R15, their banks, CPSR and the SPSRs (ARM7DI data sheet, "Registers", figure 5).

use super::psr::{Bank, Psr};

/// Register file. Between instructions, R15 is the address of the next instruction. Within an instruction it
/// is the address of that instruction plus 8.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    /// Registers of the current mode.
    pub(crate) r: [u32; 16],
    pub(crate) cpsr: Psr,
    /// R8 to R12 of the inactive bank: FIQ's, or the bank shared by all other modes.
    high: [u32; 5],
    /// R13 and R14 by bank; stale for the current bank.
    banked: [[u32; 2]; 6],
    /// SPSR by bank; the user entry is never used.
    spsr: [Psr; 6],
    /// Number of changes to the mode, to SPSRs, and to user registers from other modes.
    pub(crate) bank_changes: u64,
}

state::fields!(Registers {
    r,
    cpsr,
    high,
    banked,
    spsr,
    bank_changes
});

impl Default for Registers {
    fn default() -> Self {
        Registers {
            r: [0; 16],
            cpsr: Psr::RESET,
            high: [0; 5],
            banked: [[0; 2]; 6],
            spsr: [Psr::RESET; 6],
            bank_changes: 0,
        }
    }
}

impl Registers {
    /// Sets CPSR and switches to the registers of its mode.
    pub(crate) fn set_cpsr(&mut self, new: Psr) {
        self.bank_changes += 1;
        let (from, to) = (self.cpsr.bank(), new.bank());
        self.cpsr = new;
        if from == to {
            return;
        }
        self.banked[from as usize] = [self.r[13], self.r[14]];
        [self.r[13], self.r[14]] = self.banked[to as usize];
        if (from == Bank::Fiq) != (to == Bank::Fiq) {
            self.r[8..13].swap_with_slice(&mut self.high);
        }
    }

    /// SPSR of the current mode; `None` in user mode.
    pub(crate) fn spsr(&self) -> Option<Psr> {
        let bank = self.cpsr.bank();
        (bank != Bank::User).then(|| self.spsr[bank as usize])
    }

    /// Sets SPSR of the current mode; no effect in user mode.
    pub(crate) fn set_spsr(&mut self, new: Psr) {
        self.bank_changes += 1;
        self.spsr[self.cpsr.bank() as usize] = new;
    }

    /// User register `n`, in any mode.
    pub(crate) fn user(&self, n: usize) -> u32 {
        match (n, self.cpsr.bank()) {
            (8..=12, Bank::Fiq) => self.high[n - 8],
            (13 | 14, bank) if bank != Bank::User => self.banked[Bank::User as usize][n - 13],
            _ => self.r[n],
        }
    }

    /// Sets user register `n`.
    pub(crate) fn set_user(&mut self, n: usize, value: u32) {
        self.bank_changes += 1;
        match (n, self.cpsr.bank()) {
            (8..=12, Bank::Fiq) => self.high[n - 8] = value,
            (13 | 14, bank) if bank != Bank::User => self.banked[Bank::User as usize][n - 13] = value,
            _ => self.r[n] = value,
        }
    }
}
