//! R0 to R15, their banks, CPSR and the SPSRs (ARM7DI data sheet, "Registers", figure 5).

use super::psr::{Bank, Psr};

/// The registers. R15 is held as the address of the next instruction between instructions, and as the address
/// of the running instruction and 8 within one.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    /// Those that the current mode sees.
    pub(crate) r: [u32; 16],
    pub(crate) cpsr: Psr,
    /// R8 to R12 of the modes that are not current: FIQ's, or all the others'.
    high: [u32; 5],
    /// R13 and R14 by bank; stale for the current one.
    banked: [[u32; 2]; 6],
    /// SPSR by bank; the user's is never used.
    spsr: [Psr; 6],
    /// Changes of the mode, of SPSRs and of the user's registers from other modes.
    pub(crate) bank_changes: u64,
}

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
    /// Sets CPSR and changes to the registers of its mode.
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

    /// SPSR of the current mode; user code has none.
    pub(crate) fn spsr(&self) -> Option<Psr> {
        let bank = self.cpsr.bank();
        (bank != Bank::User).then(|| self.spsr[bank as usize])
    }

    /// Sets SPSR of the current mode; does nothing in user mode.
    pub(crate) fn set_spsr(&mut self, new: Psr) {
        self.bank_changes += 1;
        self.spsr[self.cpsr.bank() as usize] = new;
    }

    /// The user's register `n`, whatever the mode.
    pub(crate) fn user(&self, n: usize) -> u32 {
        match (n, self.cpsr.bank()) {
            (8..=12, Bank::Fiq) => self.high[n - 8],
            (13 | 14, bank) if bank != Bank::User => self.banked[Bank::User as usize][n - 13],
            _ => self.r[n],
        }
    }

    /// Sets the user's register `n`.
    pub(crate) fn set_user(&mut self, n: usize, value: u32) {
        self.bank_changes += 1;
        match (n, self.cpsr.bank()) {
            (8..=12, Bank::Fiq) => self.high[n - 8] = value,
            (13 | 14, bank) if bank != Bank::User => self.banked[Bank::User as usize][n - 13] = value,
            _ => self.r[n] = value,
        }
    }
}
