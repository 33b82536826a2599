//! Numbers.

use super::super::error::{Failable, TextWarningKind, TextWarnings, fail};
use super::class::{DIGIT, NAME, class};
use super::{Lexer, Token};

/// The values of hexadecimal digits; 16 for other bytes.
const DIGIT_VALUE: [u8; 256] = {
    let mut value = [16; 256];
    let mut i = 0;
    while i < 16 {
        value[b"0123456789abcdef"[i] as usize] = i as u8;
        value[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    value
};

impl Lexer<'_> {
    pub(super) fn number(&mut self, warnings: &mut TextWarnings) -> Failable<Token> {
        if self.byte(0) == b'0' && self.byte(1) | 0x20 == b'x' {
            return self.hex(warnings);
        }
        let start = self.at;
        while class(self.byte(0)) == DIGIT {
            self.at += 1;
        }
        let next = self.byte(0) | 0x20;
        if self.byte(0) == b'.' || next == b'e' || next == b'f' {
            return self.float(start, warnings);
        }
        let digits = self.text.get(start..self.at).unwrap_or_default();
        let decimal = value(digits, 10);
        let token = match digits {
            [b'0', rest @ ..] if rest.iter().any(|d| *d != b'0') => {
                let octal = rest.iter().all(|d| *d < b'8').then(|| value(digits, 8));
                let kind = octal.map_or(TextWarningKind::NotOctal(decimal), TextWarningKind::Octal);
                if octal != Some(decimal) {
                    warnings.push(start, kind);
                }
                octal.unwrap_or(decimal)
            }
            _ => decimal,
        };
        self.suffix(start, token, warnings)
    }

    fn hex(&mut self, warnings: &mut TextWarnings) -> Failable<Token> {
        let start = self.at;
        self.at += 2;
        let digits = self.text.get(self.at..).unwrap_or_default();
        let (mut number, mut count) = (0u64, 0);
        while let Some(digit) = digits.get(count).map(|b| DIGIT_VALUE[usize::from(*b)])
            && digit < 16
        {
            // Keep the value above 32 bits if the number overflows 64 bits, so that later checks reject it.
            number = number << 4 | u64::from(digit) | number & 0xF << 60;
            count += 1;
        }
        self.at += count;
        if count == 0 {
            return fail(start, "number", "0x without digits", "hexadecimal digits");
        }
        self.suffix(start, number, warnings)
    }

    /// Reads the suffixes `u` and `l`, and checks that the number ends here.
    fn suffix(&mut self, start: usize, number: u64, warnings: &mut TextWarnings) -> Failable<Token> {
        while matches!(self.byte(0) | 0x20, b'u' | b'l') {
            self.at += 1;
        }
        if class(self.byte(0)) & (NAME | DIGIT) != 0 {
            let found = self.str(start, self.at + 1);
            return fail(start, "number", found, "digits");
        }
        if number > u64::from(u32::MAX) {
            warnings.push(start, TextWarningKind::WideInteger(number));
        }
        Ok(Token::Int(number & 0xFFFF_FFFF))
    }

    fn float(&mut self, start: usize, warnings: &mut TextWarnings) -> Failable<Token> {
        if self.byte(0) == b'.' {
            if self.byte(1) == b'#' {
                return Ok(self.printed_nan(start, warnings));
            }
            self.at += 1;
            while class(self.byte(0)) == DIGIT {
                self.at += 1;
            }
        }
        if self.byte(0) | 0x20 == b'e' {
            self.at += 1 + usize::from(matches!(self.byte(1), b'+' | b'-'));
            while class(self.byte(0)) == DIGIT {
                self.at += 1;
            }
        }
        let text = std::str::from_utf8(self.text.get(start..self.at).unwrap_or_default()).unwrap_or_default();
        // With the suffix `f`, C rounds the literal once, to single precision. Without it, C rounds to double
        // first.
        let single = self.byte(0) | 0x20 == b'f';
        let value = match single {
            true => text.parse::<f32>().map(f64::from),
            false => text.parse::<f64>(),
        };
        let Ok(value) = value else {
            return fail(start, "number", text, "a float");
        };
        self.at += usize::from(single);
        if class(self.byte(0)) & (NAME | DIGIT) != 0 {
            let found = self.str(start, self.at + 1);
            return fail(start, "number", found, "a float");
        }
        Ok(Token::Float(value))
    }

    /// Reads `1.#QNAN`, `1.#IND00` or `1.#INF`, as printed by old C libraries.
    fn printed_nan(&mut self, start: usize, warnings: &mut TextWarnings) -> Token {
        self.at += 2;
        let name = self.at;
        while class(self.byte(0)) & (NAME | DIGIT) != 0 {
            self.at += 1;
        }
        let infinite = self
            .text
            .get(name..self.at)
            .unwrap_or_default()
            .starts_with(b"INF");
        let kind = TextWarningKind::PrintedNan(self.str(start, self.at));
        warnings.push(start, kind);
        Token::Float(if infinite { f64::INFINITY } else { f64::NAN })
    }
}

/// Returns the value of decimal or octal digits, saturating.
fn value(digits: &[u8], base: u64) -> u64 {
    digits.iter().fold(0u64, |value, digit| {
        value
            .saturating_mul(base)
            .saturating_add(u64::from(digit.wrapping_sub(b'0')))
    })
}
