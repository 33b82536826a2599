//! Bytes and nibbles of words: a word's lowest byte is its first, as in the SH4's memory.

/// Byte `at`, counted over all words; 0 behind the last.
pub(crate) fn byte(words: &[u32], at: usize) -> u8 {
    words.get(at / 4).map_or(0, |word| word.to_le_bytes()[at % 4])
}

/// Sets byte `at`; nothing behind the last word.
pub(crate) fn set_byte(words: &mut [u32], at: usize, value: u8) {
    if let Some(word) = words.get_mut(at / 4) {
        let mut bytes = word.to_le_bytes();
        bytes[at % 4] = value;
        *word = u32::from_le_bytes(bytes);
    }
}

/// Nibble `at`, counted over all words; the low one of a byte is its first.
pub(crate) fn nibble(words: &[u32], at: usize) -> u8 {
    byte(words, at / 2) >> (4 * (at % 2)) & 15
}

/// Sets nibble `at`; nothing behind the last word.
pub(crate) fn set_nibble(words: &mut [u32], at: usize, value: u8) {
    let shift = 4 * (at % 2);
    let other = byte(words, at / 2) & !(15 << shift);
    set_byte(words, at / 2, other | (value & 15) << shift);
}
