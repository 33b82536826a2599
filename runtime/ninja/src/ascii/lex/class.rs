//! Classes of bytes for the lexer.

pub(super) const BLANK: u8 = 1;
pub(super) const NAME: u8 = 2;
pub(super) const DIGIT: u8 = 4;
pub(super) const NEWLINE: u8 = 8;
pub(super) const HIGH: u8 = 16;

/// Class of each byte.
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut i = 0;
    while i < 256 {
        class[i] = match i as u8 {
            b'\n' => NEWLINE,
            // Old editors end texts with 0x1A.
            b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0x1A => BLANK,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => NAME,
            b'0'..=b'9' => DIGIT,
            0x80.. => HIGH,
            _ => 0,
        };
        i += 1;
    }
    class
};

pub(super) fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

/// Returns the length of the non-ASCII character at the start of `text`.
pub(in super::super) fn high_character(text: &[u8]) -> Option<usize> {
    let first = *text.first().filter(|b| **b >= 0x80)?;
    let continued = |n: usize| (1..n).all(|i| text.get(i).is_some_and(|b| b & 0xC0 == 0x80));
    let utf8 = match first {
        0xC2..=0xDF if continued(2) => 2,
        0xE0..=0xEF if continued(3) => 3,
        0xF0..=0xF4 if continued(4) => 4,
        _ => 0,
    };
    let lead = matches!(first, 0x81..=0x9F | 0xE0..=0xFC);
    let trail = text
        .get(1)
        .is_some_and(|b| matches!(b, 0x40..=0x7E | 0x80..=0xFC));
    Some(match utf8 {
        0 if lead && trail => 2,
        0 => 1,
        n => n,
    })
}
