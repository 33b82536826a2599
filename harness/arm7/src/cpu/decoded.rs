//! Cache of decoded instructions, by address.
//!
//! An entry includes the opcode from which it was decoded, and applies only to that opcode. Since decoding
//! depends only on the opcode, stores need not invalidate entries.

use std::fmt;

use super::decode::{Instruction, decode};

/// Number of entries; a power of two. KallistiOS's sound driver has some 850 instructions.
const ENTRIES: usize = 1024;

/// An instruction with its opcode. The alignment makes the index computation a shift.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Entry {
    opcode: u32,
    instruction: Instruction,
}

#[derive(Clone)]
pub(crate) struct DecodeCache {
    entries: Box<[Entry; ENTRIES]>,
}

impl Entry {
    fn new(opcode: u32) -> Self {
        Entry {
            opcode,
            instruction: decode(opcode),
        }
    }
}

impl Default for DecodeCache {
    fn default() -> Self {
        DecodeCache {
            entries: Box::new([Entry::new(0); ENTRIES]),
        }
    }
}

impl fmt::Debug for DecodeCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DecodeCache")
    }
}

impl DecodeCache {
    /// Returns the decoded form of `opcode`, which was fetched at `address`.
    #[inline]
    pub(crate) fn get(&mut self, address: u32, opcode: u32) -> &Instruction {
        let entry = &mut self.entries[(address >> 2) as usize % ENTRIES];
        if entry.opcode != opcode {
            *entry = Entry::new(opcode);
        }
        &entry.instruction
    }
}
