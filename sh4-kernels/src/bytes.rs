//! Bytes of words: a word's lowest byte is its first, as in the SH4's memory.

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
