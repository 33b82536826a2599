//! Escape sequences in strings.

use super::super::lex::high_character;

/// Decodes the characters of a C string, given without its quotes.
pub(super) fn unescape(mut text: &[u8], out: &mut Vec<u8>) {
    while let Some((&first, rest)) = text.split_first() {
        let used = match (first, rest.first()) {
            (b'\\', Some(b'0'..=b'7')) => {
                let digits = rest
                    .iter()
                    .take(3)
                    .take_while(|b| (b'0'..=b'7').contains(b))
                    .count();
                out.push(
                    rest.iter()
                        .take(digits)
                        .fold(0u32, |n, d| n * 8 + u32::from(d - b'0')) as u8,
                );
                1 + digits
            }
            (b'\\', Some(b'x')) => {
                let digits = rest
                    .iter()
                    .skip(1)
                    .take(2)
                    .take_while(|b| b.is_ascii_hexdigit())
                    .count();
                let value = |d: &u8| char::from(*d).to_digit(16).unwrap_or(0);
                out.push(rest.iter().skip(1).take(digits).fold(0, |n, d| n * 16 + value(d)) as u8);
                2 + digits
            }
            (b'\\', Some(escaped)) => {
                out.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    other => *other,
                });
                2
            }
            (0x80.., _) => {
                let n = high_character(text).unwrap_or(1);
                out.extend(text.iter().take(n));
                n
            }
            _ => {
                out.push(first);
                1
            }
        };
        text = text.get(used..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_c() {
        let mut out = Vec::new();
        unescape(br#"a\"b\\c\101\x42\n"#, &mut out);
        assert_eq!(out, b"a\"b\\cAB\n");
        // Shift-JIS: the second byte of U+8868 is a backslash, which is not an escape.
        let mut out = Vec::new();
        unescape(b"\x95\x5Cx", &mut out);
        assert_eq!(out, b"\x95\x5Cx");
    }
}
