//! Opcodes from the instruction table.

use sh4::table::{Id, Row, TABLE};

/// Returns the opcode of `row`. `value` returns the field for each letter of the pattern.
pub(crate) fn fill(row: &Row, value: impl Fn(u8) -> u32) -> u16 {
    let letters = row.pattern.as_bytes();
    // Takes a field's bits from its low end, so fills from right to left.
    let mut taken = [0u32; 256];
    letters
        .iter()
        .rev()
        .enumerate()
        .fold(0, |opcode, (place, &letter)| {
            let bit = match letter {
                b'0' => 0,
                b'1' => 1,
                _ => {
                    let at = taken[usize::from(letter)];
                    taken[usize::from(letter)] += 1;
                    value(letter) >> at & 1
                }
            };
            opcode | (bit as u16) << place
        })
}

/// An opcode by name: `n`, `m` and the bits of the displacement or immediate.
pub(crate) fn op(id: Id, n: u32, m: u32, bits: u32) -> u16 {
    fill(&TABLE[id as usize], |letter| match letter {
        b'n' => n,
        b'm' => m,
        _ => bits,
    })
}

/// The displacement of `mov.l @(disp,PC)` at `pc` that reads `target`.
pub(crate) fn long_displacement(pc: u32, target: u32) -> u32 {
    let from = (pc & !3) + 4;
    assert!(
        target >= from && (target - from) / 4 < 256,
        "literal out of reach"
    );
    (target - from) / 4
}

/// Code being written at an address.
pub(crate) struct Assembler {
    pub(crate) base: u32,
    pub(crate) words: Vec<u16>,
}

impl Assembler {
    pub(crate) fn new(base: u32) -> Assembler {
        Assembler {
            base,
            words: Vec::new(),
        }
    }

    pub(crate) fn here(&self) -> u32 {
        self.base + 2 * self.words.len() as u32
    }

    pub(crate) fn put(&mut self, word: u16) {
        self.words.push(word);
    }

    pub(crate) fn op(&mut self, id: Id, n: u32, m: u32, bits: u32) {
        self.put(op(id, n, m, bits));
    }

    /// `mov.l` of the literal at `target`.
    pub(crate) fn literal(&mut self, n: u32, target: u32) {
        let displacement = long_displacement(self.here(), target);
        self.op(Id::mov_l_disp_pc_rn, n, 0, displacement);
    }

    /// Fills with NOPs up to `address`.
    pub(crate) fn pad_to(&mut self, address: u32) {
        assert!(self.here() <= address, "code runs over its place");
        while self.here() < address {
            self.op(Id::nop, 0, 0, 0);
        }
    }

    pub(crate) fn long(&mut self, value: u32) {
        self.put(value as u16);
        self.put((value >> 16) as u16);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
