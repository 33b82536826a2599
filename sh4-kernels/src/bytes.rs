//! Access to bytes and other fields of words. The lowest field of a word comes first, as in the SH4's memory.

/// Returns byte `at`, counted over all words; 0 past the end.
pub(crate) fn byte(words: &[u32], at: usize) -> u8 {
    words.get(at / 4).map_or(0, |word| word.to_le_bytes()[at % 4])
}

/// Sets byte `at`; no effect past the end.
pub(crate) fn set_byte(words: &mut [u32], at: usize, value: u8) {
    if let Some(word) = words.get_mut(at / 4) {
        let mut bytes = word.to_le_bytes();
        bytes[at % 4] = value;
        *word = u32::from_le_bytes(bytes);
    }
}

/// Returns field `at` of 4, 8 or 16 bits, counted over all words, the lowest field of a word first; 0 past
/// the end.
pub(crate) fn field(words: &[u32], bits: usize, at: usize) -> u32 {
    let each = 32 / bits;
    let word = words.get(at / each).copied().unwrap_or(0);
    word >> (bits * (at % each)) & ((1 << bits) - 1)
}

/// Sets field `at`; no effect past the end.
pub(crate) fn set_field(words: &mut [u32], bits: usize, at: usize, value: u32) {
    let each = 32 / bits;
    let (mask, shift) = ((1 << bits) - 1, bits * (at % each));
    if let Some(word) = words.get_mut(at / each) {
        *word = *word & !(mask << shift) | (value & mask) << shift;
    }
}
