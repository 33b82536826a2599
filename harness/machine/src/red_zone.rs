//! Detection of values that a function keeps below its stack pointer.
//!
//! An interrupt may push data onto the stack at any time, so the ABI gives a function no memory below R15.
//! [`RedZone`] tracks R15 through the executed instructions. It finds loads of bytes that were stored below
//! R15.

use sh4::{Access, Direction, Retired};
use std::collections::BTreeMap;

/// A load of a value that was stored below R15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedZoneLoad {
    /// Address of the load instruction.
    pub pc: u32,
    /// Address of the store instruction.
    pub stored_by: u32,
    /// Address of the value.
    pub address: u32,
    /// Distance in bytes from the value to R15 at the store.
    pub below: u32,
}

/// Size in bytes of the checked area below R15: more than an interrupt handler pushes.
const WINDOW: u32 = 4096;
/// Maximum number of tracked words. Beyond it, the words with the lowest addresses are dropped.
const MAX: usize = 4096;
/// Size in bytes of the largest load or store; PREF and the cache instructions report 32.
const LARGEST: u8 = 8;
const SP: usize = 15;
const RTE: u16 = 0x002B;

/// Tracks the general registers and the stores below R15. Moves, additions and loads give registers known
/// values; other instructions that change a register make it unknown. While R15 is unknown, no store counts
/// as below it.
#[derive(Clone, Debug, Default)]
pub struct RedZone {
    r: [Option<u32>; 16],
    /// Words stored below R15, by address divided by 4: address of the store instruction, and distance to
    /// R15.
    stored: BTreeMap<u32, (u32, u32)>,
}

state::fields!(RedZone { r, stored } check(|zone: &RedZone| zone.stored.len() <= MAX + 8));

/// A memory operand: its register, and the relation of the address to the register's value after the
/// instruction.
enum Operand {
    /// `@Rn`, `@(disp,Rn)`, `@-Rn`. The offset is the address minus the register.
    Based(usize, u32),
    /// `@Rn+`. The instruction increments the register after the access.
    Popped(usize),
    /// Any other form.
    Other,
}

impl RedZone {
    /// Starts tracking with the values of R0 to R15.
    #[must_use]
    pub fn new(r: [u32; 16]) -> RedZone {
        RedZone {
            r: r.map(Some),
            ..RedZone::default()
        }
    }

    /// Processes an executed instruction. If it loads a value that was stored below R15, returns the load.
    #[inline]
    pub fn retire(&mut self, event: &Retired<'_>) -> Option<RedZoneLoad> {
        let found = match event.accesses {
            [] => None,
            [access, ..] => self.accesses(event, access),
        };
        self.registers(event);
        found
    }

    /// Records an exception. It may change the register bank, so R0 to R7 become unknown.
    pub fn taken(&mut self) {
        self.r[..8].fill(None);
    }

    fn accesses(&mut self, event: &Retired<'_>, first: &Access) -> Option<RedZoneLoad> {
        let operand = operand(event.opcode);
        match operand {
            Operand::Based(register, offset) => {
                self.r[register] = Some(first.address.wrapping_sub(offset));
            }
            // Sets the register to its value before the instruction; `registers` applies the increment.
            Operand::Popped(register) => self.r[register] = Some(first.address),
            Operand::Other => {}
        }
        let on_stack = matches!(operand, Operand::Based(SP, _) | Operand::Popped(SP));
        let mut found = None;
        for access in event.accesses.iter().filter(|access| access.size <= LARGEST) {
            let words = access.address >> 2..(access.address + u32::from(access.size)).div_ceil(4);
            if access.direction == Direction::Read {
                let mut words = words.filter(|_| !self.stored.is_empty());
                found = found.or_else(|| {
                    words
                        .find_map(|word| self.stored.get(&word))
                        .map(|&(pc, below)| RedZoneLoad {
                            pc: event.pc,
                            stored_by: pc,
                            address: access.address,
                            below,
                        })
                });
                continue;
            }
            let below = self.r[SP].map_or(0, |sp| sp.wrapping_sub(access.address));
            let is_below = !on_stack && (1..=WINDOW).contains(&below);
            for word in words {
                if !is_below {
                    if !self.stored.is_empty() {
                        self.stored.remove(&word);
                    }
                    continue;
                }
                if self.stored.len() >= MAX {
                    self.stored.pop_first();
                }
                self.stored.insert(word, (event.pc, below));
            }
        }
        found
    }

    /// Applies the effect of an instruction on the general registers.
    fn registers(&mut self, event: &Retired<'_>) {
        let opcode = event.opcode;
        let (n, m) = (usize::from(opcode >> 8 & 15), usize::from(opcode >> 4 & 15));
        let immediate = opcode as u8 as i8 as u32;
        let loaded = || match event.accesses {
            [access] if access.direction == Direction::Read => Some(match access.size {
                1 => access.value as u8 as i8 as u32,
                2 => access.value as u16 as i16 as u32,
                _ => access.value as u32,
            }),
            _ => None,
        };
        let size = |access: &Access| u32::from(access.size);
        match (opcode >> 12, opcode & 15) {
            (0x7, _) => self.r[n] = self.r[n].map(|value| value.wrapping_add(immediate)),
            (0xE, _) => self.r[n] = Some(immediate),
            // Stores and comparisons. A store with pre-decrement has already set its register.
            (0x1, _) | (0x2, 0..=2 | 4..=8 | 0xC | 0xE..) | (0x3, 0 | 2 | 3 | 5..=7 | 0xD) => {}
            (0x0, 9) if m != 2 => {}
            (0x0, 0xB) => {
                if opcode == RTE {
                    self.r[..8].fill(None);
                }
            }
            (0x0, 3..=8) | (0xA | 0xB, _) => {}
            (0x5 | 0x9 | 0xD, _) | (0x6, 0..=2) | (0x0, 0xC..=0xE) => self.r[n] = loaded(),
            (0x6, 4..=6) => {
                let step = event.accesses.first().map_or(0, size);
                self.r[m] = self.r[m].map(|value| value.wrapping_add(step));
                self.r[n] = loaded();
            }
            (0x6, 3) => self.r[n] = self.r[m],
            (0x3, 0x8) => self.r[n] = sum(self.r[n], self.r[m], u32::wrapping_sub),
            (0x3, 0xC) => self.r[n] = sum(self.r[n], self.r[m], u32::wrapping_add),
            // @Rn+ of MAC changes both registers. Programs do not load stack pointers this way.
            (0x0 | 0x4, 0xF) => (self.r[n], self.r[m]) = (None, None),
            // STS.L and STC.L: `accesses` has set the register. JSR, JMP, LDS and TAS do not change it.
            (0x4, 2 | 3 | 0xA | 0xB) => {}
            // LDC may change the register bank.
            (0x4, 0xE) => self.r[..8].fill(None),
            (0x4, 6 | 7) => {
                self.r[n] = self.r[n].map(|value| value.wrapping_add(4));
                if opcode & 0xFF == 7 {
                    self.r[..8].fill(None);
                }
            }
            (0x8 | 0xC, _) => self.r[0] = None,
            (0xF, 9) => {
                let step: u32 = event.accesses.iter().map(size).sum();
                self.r[m] = self.r[m].map(|value| value.wrapping_add(step));
            }
            (0xF, _) => {}
            _ => self.r[n] = None,
        }
    }
}

fn sum(a: Option<u32>, b: Option<u32>, of: fn(u32, u32) -> u32) -> Option<u32> {
    Some(of(a?, b?))
}

fn operand(opcode: u16) -> Operand {
    let (n, m) = (usize::from(opcode >> 8 & 15), usize::from(opcode >> 4 & 15));
    let displacement = |scale: u32| u32::from(opcode & 15) * scale;
    match (opcode >> 12, opcode & 15) {
        (0x1, _) => Operand::Based(n, displacement(4)),
        (0x5, _) => Operand::Based(m, displacement(4)),
        (0x2, 0..=2 | 4..=6) | (0xF, 0xA | 0xB) => Operand::Based(n, 0),
        (0x4, 2 | 3) => Operand::Based(n, 0),
        // TAS.
        (0x4, 0xB) => Operand::Based(n, 0),
        (0x4, 6 | 7) => Operand::Popped(n),
        (0x6, 0..=2) | (0xF, 8) => Operand::Based(m, 0),
        (0x6, 4..=6) | (0xF, 9) => Operand::Popped(m),
        (0x8, _) => match opcode >> 8 & 15 {
            0 | 4 => Operand::Based(m, displacement(1)),
            1 | 5 => Operand::Based(m, displacement(2)),
            _ => Operand::Other,
        },
        _ => Operand::Other,
    }
}
