//! Registers by GDB's numbers for sh4: 59 words in the target's byte order.
//!
//! 0-15 r0-r15, then pc, pr, gbr, vbr, mach, macl, sr, fpul, fpscr, 25-40 fr0-fr15, ssr, spc, 43-50
//! r0b0-r7b0, 51-58 r0b1-r7b1 (GDB's sh-tdep.c). GDB computes the following registers, dr and fv.

use gdbstub::arch::{Arch, RegId, Registers};
use sh4::{Cpu, sr};
use std::num::NonZeroUsize;

/// Number of words in a `g` reply.
const COUNT: usize = 59;
/// Number of the program counter.
pub(super) const PC: usize = 16;
const SR: usize = 22;
const FPSCR: usize = 24;
const FR: usize = 25;
const BANK0: usize = 43;
const BANK1: usize = 51;

/// All registers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block([u32; COUNT]);

impl Default for Block {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

/// Returns whether R0 to R7 are bank 1.
fn bank1(cpu: &Cpu) -> bool {
    cpu.sr() & (sr::MD | sr::RB) == sr::MD | sr::RB
}

/// Returns the field of a register that is a plain field.
fn field(cpu: &mut Cpu, number: usize) -> Option<&mut u32> {
    let active = bank1(cpu);
    Some(match number {
        0..16 => &mut cpu.r[number],
        16 => &mut cpu.pc,
        17 => &mut cpu.pr,
        18 => &mut cpu.gbr,
        19 => &mut cpu.vbr,
        20 => &mut cpu.mach,
        21 => &mut cpu.macl,
        23 => &mut cpu.fpul,
        FR..41 => &mut cpu.fr[number - FR],
        41 => &mut cpu.ssr,
        42 => &mut cpu.spc,
        BANK0..BANK1 if active => &mut cpu.r_bank[number - BANK0],
        BANK0..BANK1 => &mut cpu.r[number - BANK0],
        BANK1..COUNT if active => &mut cpu.r[number - BANK1],
        BANK1..COUNT => &mut cpu.r_bank[number - BANK1],
        _ => return None,
    })
}

/// Reads a register by GDB's number.
pub(crate) fn read(cpu: &mut Cpu, number: usize) -> Option<u32> {
    match number {
        SR => Some(cpu.sr()),
        FPSCR => Some(cpu.fpscr()),
        _ => field(cpu, number).map(|value| *value),
    }
}

/// Writes a register. SR and FPSCR exchange banks, like writes by the program.
pub(crate) fn write(cpu: &mut Cpu, number: usize, value: u32) -> Option<()> {
    match number {
        SR => cpu.set_sr(value),
        FPSCR => cpu.set_fpscr(value),
        _ => *field(cpu, number)? = value,
    }
    Some(())
}

impl Block {
    pub(crate) fn of(cpu: &mut Cpu) -> Self {
        let mut block = Self::default();
        for (number, word) in block.0.iter_mut().enumerate() {
            *word = read(cpu, number).unwrap_or(0);
        }
        block
    }

    /// Reads the registers that KallistiOS has saved (its arch/irq.h, `struct irq_context`): PC, PR, GBR,
    /// VBR, MACH, MACL, SR and FPUL from offset 0, FR0 to FR15 from 0x20, R0 to R15 from 0xA0, FPSCR at 0xE0.
    /// The other registers are 0.
    pub(crate) fn of_context(mut word: impl FnMut(u32) -> Option<u32>) -> Option<Self> {
        let mut block = Self::default();
        for (number, offset) in [
            (16, 0),
            (17, 4),
            (18, 8),
            (19, 12),
            (20, 16),
            (21, 20),
            (SR, 24),
            (23, 28),
        ] {
            block.0[number] = word(offset)?;
        }
        for n in 0..16 {
            block.0[FR + n] = word(0x20 + 4 * n as u32)?;
            block.0[n] = word(0xA0 + 4 * n as u32)?;
        }
        block.0[FPSCR] = word(0xE0)?;
        Some(block)
    }

    /// Returns a register by GDB's number.
    pub(crate) fn word(&self, number: Number) -> Option<u32> {
        self.0.get(number.0).copied()
    }

    /// Replaces the program counter.
    pub(crate) fn at(mut self, pc: u32) -> Self {
        self.0[PC] = pc;
        self
    }

    /// Writes the registers that differ from `before`. The packet contains R0 to R7 twice, and a debugger
    /// changes one of the copies. SR and FPSCR come first, because they select the banks of the others.
    pub(crate) fn put(&self, before: &Self, cpu: &mut Cpu) {
        for number in [SR, FPSCR].into_iter().chain(0..COUNT) {
            if self.0[number] != before.0[number] {
                let _ = write(cpu, number, self.0[number]);
            }
        }
    }
}

impl Registers for Block {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.0[16]
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        for byte in self.0.iter().flat_map(|word| word.to_le_bytes()) {
            write_byte(Some(byte));
        }
    }

    /// A debugger can send fewer registers, or blanks after them.
    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let words = bytes.as_chunks::<4>().0;
        if words.len() < FR + 16 {
            return Err(());
        }
        for (word, bytes) in self.0.iter_mut().zip(words) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

/// Number of a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) usize);

impl RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Self, Option<NonZeroUsize>)> {
        (id < COUNT).then_some((Self(id), NonZeroUsize::new(4)))
    }
}

/// Description of the SH-4 for the protocol.
pub(crate) enum Sh4 {}

impl Arch for Sh4 {
    type Usize = u32;
    type Registers = Block;
    type BreakpointKind = usize;
    type RegId = Number;

    /// Names the architecture, which gdb cannot find in a raw binary. gdb itself knows the registers of the
    /// SH-4.
    fn target_description_xml() -> Option<&'static str> {
        Some(concat!(
            r#"<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">"#,
            r#"<target version="1.0"><architecture>sh4</architecture></target>"#
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers of a suspended thread: GDB's numbers from KallistiOS's offsets.
    #[test]
    fn saved_registers_have_gdbs_numbers() {
        let block = Block::of_context(Some).expect("all memory");
        let word = |number| block.word(Number(number));
        assert_eq!(
            [word(0), word(15), word(16), word(17)],
            [0xA0, 0xDC, 0, 4].map(Some)
        );
        assert_eq!(
            [word(SR), word(23), word(FPSCR), word(FR)],
            [0x18, 0x1C, 0xE0, 0x20].map(Some)
        );
        assert_eq!(word(FR + 15), Some(0x5C));
        assert!(Block::of_context(|offset| (offset < 0xE0).then_some(0)).is_none());
    }
}
