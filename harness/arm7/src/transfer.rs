//! Word transfers at unaligned addresses, which the chip and the engine do differently.
//!
//! On the ARM7DI bits 1 and 0 of the address never leave the core: a load takes the aligned word and rotates it, so that
//! the addressed byte is the lowest; a store puts the register into the aligned word as it is (ARM7DI data sheet 4.7.3).
//! The engine would cross the word's end instead.

/// A single transfer of a word: LDR, STR or SWP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) kind: Kind,
    pub(crate) rd: u32,
    /// What is stored, or the base's new value is written to.
    pub(crate) source: u32,
    pub(crate) address: u32,
    /// The base register and its new value, if it is written back.
    pub(crate) base: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    Swap,
}

/// Registers as an instruction sees them.
pub(crate) struct Registers<'a> {
    /// R0 to R15; R15 is the instruction's address and 8.
    pub(crate) read: &'a dyn Fn(u32) -> u32,
    pub(crate) cpsr: u32,
}

/// The base register of an instruction that transfers words.
pub(crate) fn base(opcode: u32) -> Option<u32> {
    let single = opcode & 0x0C40_0000 == 0x0400_0000 && opcode & 0x0200_0010 != 0x0200_0010;
    (single || swap(opcode) || block(opcode)).then_some(opcode >> 16 & 15)
}

/// Whether it is LDM or STM.
pub(crate) fn block(opcode: u32) -> bool {
    opcode & 0x0E00_0000 == 0x0800_0000
}

fn swap(opcode: u32) -> bool {
    opcode & 0x0FF0_0FF0 == 0x0100_0090
}

/// The transfer that `opcode` (LDR, STR or SWP) makes.
pub(crate) fn transfer(opcode: u32, registers: &Registers<'_>) -> Transfer {
    let bit = |at: u32| opcode >> at & 1 != 0;
    let field = |low: u32| opcode >> low & 15;
    let (rn, rd) = (field(16), field(12));
    let base = (registers.read)(rn);
    if swap(opcode) {
        return Transfer {
            kind: Kind::Swap,
            rd,
            source: field(0),
            address: base,
            base: None,
        };
    }
    let offset = if bit(25) {
        shifted(opcode, registers)
    } else {
        opcode & 0xFFF
    };
    let moved = if bit(23) {
        base.wrapping_add(offset)
    } else {
        base.wrapping_sub(offset)
    };
    let (before, write_back) = (bit(24), bit(21));
    Transfer {
        kind: if bit(20) { Kind::Load } else { Kind::Store },
        rd,
        source: rd,
        address: if before { moved } else { base },
        base: (!before || write_back).then_some((rn, moved)),
    }
}

/// A register shifted by an amount in the opcode; the amount 0 means 32 of LSR and ASR, and RRX of ROR.
fn shifted(opcode: u32, registers: &Registers<'_>) -> u32 {
    let value = (registers.read)(opcode & 15);
    let amount = opcode >> 7 & 31;
    match (opcode >> 5 & 3, amount) {
        (0, _) => value << amount,
        (1, 0) => 0,
        (1, _) => value >> amount,
        (2, _) => ((value as i32) >> if amount == 0 { 31 } else { amount }) as u32,
        (_, 0) => value >> 1 | (registers.cpsr >> 29 & 1) << 31,
        _ => value.rotate_right(amount),
    }
}

/// What a load of the aligned `word` at `address` gives.
pub(crate) fn rotated(word: u32, address: u32) -> u32 {
    word.rotate_right(8 * (address & 3))
}

/// Whether an instruction of condition `opcode >> 28` runs.
pub(crate) fn condition(opcode: u32, cpsr: u32) -> bool {
    let [n, z, c, v] = [31, 30, 29, 28].map(|at| cpsr >> at & 1 != 0);
    let holds = match opcode >> 29 {
        0 => z,
        1 => c,
        2 => n,
        3 => v,
        4 => c && !z,
        5 => n == v,
        6 => !z && n == v,
        _ => true,
    };
    // Odd conditions are the opposites; 14 is always, 15 never comes here.
    holds != (opcode >> 28 & 1 != 0) || opcode >> 29 == 7
}

#[cfg(test)]
mod tests {
    use super::{Kind, Registers, condition, rotated, transfer};

    #[test]
    fn a_load_rotates_its_word() {
        let word = 0x4433_2211;
        assert_eq!(
            [0, 1, 2, 3].map(|address| rotated(word, 0x100 + address)),
            [0x4433_2211, 0x1144_3322, 0x2211_4433, 0x3322_1144]
        );
    }

    #[test]
    fn addresses_by_hand() {
        let read = |n: u32| if n == 3 { 0x8000_0001 } else { 0x100 * n };
        let at = |opcode| {
            let registers = Registers {
                read: &read,
                cpsr: 0x2000_0000,
            };
            let t = transfer(opcode, &registers);
            (t.kind, t.rd, t.address, t.base)
        };
        use Kind::{Load, Store, Swap};
        assert_eq!(at(0xE591_0007), (Load, 0, 0x107, None), "ldr r0, [r1, #7]");
        assert_eq!(
            at(0xE531_0007),
            (Load, 0, 0xF9, Some((1, 0xF9))),
            "ldr r0, [r1, #-7]!"
        );
        assert_eq!(
            at(0xE481_2005),
            (Store, 2, 0x100, Some((1, 0x105))),
            "str r2, [r1], #5"
        );
        assert_eq!(
            at(0xE791_0103),
            (Load, 0, 0x104, None),
            "ldr r0, [r1, r3, lsl #2]"
        );
        assert_eq!(
            at(0xE791_0023),
            (Load, 0, 0x100, None),
            "ldr r0, [r1, r3, lsr #32]"
        );
        assert_eq!(
            at(0xE791_0043),
            (Load, 0, 0xFF, None),
            "ldr r0, [r1, r3, asr #32]"
        );
        assert_eq!(
            at(0xE791_0063),
            (Load, 0, 0xC000_0100, None),
            "ldr r0, [r1, r3, rrx], C = 1"
        );
        assert_eq!(at(0xE101_0092), (Swap, 0, 0x100, None), "swp r0, r2, [r1]");
    }

    #[test]
    fn conditions_by_hand() {
        let (n, z, c, v) = (1u32 << 31, 1u32 << 30, 1u32 << 29, 1u32 << 28);
        let holds = |code: u32, cpsr| condition(code << 28, cpsr);
        assert!(
            holds(0, z) && !holds(0, 0) && holds(1, 0) && !holds(1, z),
            "eq, ne"
        );
        assert!(
            holds(2, c) && holds(3, 0) && holds(4, n) && holds(5, 0),
            "cs, cc, mi, pl"
        );
        assert!(holds(8, c) && !holds(8, c | z) && holds(9, z | c), "hi, ls");
        assert!(holds(10, n | v) && !holds(10, n) && holds(11, n), "ge, lt");
        assert!(
            holds(12, 0) && !holds(12, z) && holds(13, z) && holds(14, n | z | v),
            "gt, le, al"
        );
    }
}
