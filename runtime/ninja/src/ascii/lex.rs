//! The tokens of C initialiser text. Nothing is allocated for a token.

use super::error::{Failable, TextWarningKind, TextWarnings, fail};

/// One token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    /// An identifier; may hold bytes of 0x80 and above.
    Name,
    Int(u64),
    Float(f64),
    /// A string, its quotes included.
    Text,
    /// A single character.
    Punct(u8),
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Reads tokens one after the other.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    pub(super) text: &'a [u8],
    at: usize,
    /// Nothing but blanks since the last line break: a `#` here begins a preprocessor line.
    line_start: bool,
    /// `#define NAME value`: the places of both.
    pub(super) defines: Vec<[(usize, usize); 2]>,
}

const BLANK: u8 = 1;
const NAME: u8 = 2;
const DIGIT: u8 = 4;
const NEWLINE: u8 = 8;
const HIGH: u8 = 16;

/// Classes of bytes.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut i = 0;
    while i < 256 {
        class[i] = match i as u8 {
            b'\n' => NEWLINE,
            // 0x1A ends texts of old editors.
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

fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Lexer {
            text,
            // A byte order mark is no text.
            at: if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 },
            line_start: true,
            defines: Vec::new(),
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn str(&self, start: usize, end: usize) -> String {
        String::from_utf8_lossy(self.text.get(start..end).unwrap_or_default()).into_owned()
    }

    /// The next token.
    pub(super) fn next(&mut self, warnings: &mut TextWarnings) -> Failable<Lexeme> {
        self.skip_blanks(warnings)?;
        let start = self.at;
        let Some(&byte) = self.text.get(start) else {
            return Ok(Lexeme {
                token: Token::End,
                start,
                end: start,
            });
        };
        self.line_start = false;
        let token = match class(byte) {
            NAME => self.name(),
            DIGIT => self.number(warnings)?,
            _ if byte == b'.' && class(self.byte(1)) == DIGIT => self.number(warnings)?,
            _ if byte == b'"' => self.string()?,
            _ => {
                self.at += 1;
                Token::Punct(byte)
            }
        };
        Ok(Lexeme {
            token,
            start,
            end: self.at,
        })
    }

    /// Blanks, comments, preprocessor lines, and notes in other than ASCII characters.
    fn skip_blanks(&mut self, warnings: &mut TextWarnings) -> Failable<()> {
        while let Some(&byte) = self.text.get(self.at) {
            match class(byte) {
                BLANK => self.at += 1,
                NEWLINE => {
                    self.at += 1;
                    self.line_start = true;
                }
                HIGH => self.note(warnings),
                _ if byte == b'/' && self.byte(1) == b'*' => self.comment()?,
                _ if byte == b'/' && self.byte(1) == b'/' => self.line(),
                _ if byte == b'#' && self.line_start => self.directive(warnings),
                _ => break,
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Failable<()> {
        // Shift-JIS trail bytes begin at 0x40, so none looks like an asterisk or a slash.
        let rest = self.text.get(self.at + 2..).unwrap_or_default();
        match rest.windows(2).position(|pair| pair == b"*/") {
            Some(n) => self.at += n + 4,
            None => return fail(self.at, "comment", "the end of the text", "*/"),
        }
        Ok(())
    }

    fn line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    /// A run of characters beyond ASCII: the sample of seed 003 has a remark between its data. UTF-8 is told by
    /// its form; else bytes pair up as in Shift-JIS, whose second bytes may look like ASCII.
    fn note(&mut self, warnings: &mut TextWarnings) {
        warnings.push(self.at, TextWarningKind::Note);
        while let Some(n) = high_character(self.text.get(self.at..).unwrap_or_default()) {
            self.at += n;
        }
    }

    fn name(&mut self) -> Token {
        while let Some(&byte) = self.text.get(self.at) {
            match class(byte) {
                NAME | DIGIT => self.at += 1,
                HIGH => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    self.at += high_character(rest).unwrap_or(1);
                }
                _ => break,
            }
        }
        Token::Name
    }

    fn string(&mut self) -> Failable<Token> {
        let start = self.at;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(Token::Text);
                }
                b'\n' => break,
                b'\\' => self.at += 2,
                0x80.. => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    self.at += high_character(rest).unwrap_or(1);
                }
                _ => self.at += 1,
            }
        }
        fail(start, "string", "the end of the line", "a closing quote")
    }

    fn number(&mut self, warnings: &mut TextWarnings) -> Failable<Token> {
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
            // A number too long for 64 bits is too long for 32 all the same.
            number = number << 4 | u64::from(digit) | number & 0xF << 60;
            count += 1;
        }
        self.at += count;
        if count == 0 {
            return fail(start, "number", "0x without digits", "hexadecimal digits");
        }
        self.suffix(start, number, warnings)
    }

    /// `u` and `l`, and the check that the number ends here.
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
        // With the suffix the literal is rounded to single precision at once, without it twice.
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

    /// `1.#QNAN`, `1.#IND00`, `1.#INF`: what old C libraries print.
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

    /// A preprocessor line. Only the names that `#define` gives are kept.
    fn directive(&mut self, warnings: &mut TextWarnings) {
        let start = self.at;
        self.line();
        let words = words(self.text, start + 1, self.at);
        let word = |i: usize| words[i].and_then(|(from, to)| self.text.get(from..to));
        match (word(0), words[1], words[2]) {
            (Some(b"define"), Some(name), Some(value)) => self.defines.push([name, value]),
            (Some(b"ifndef" | b"endif" | b"include"), ..) => {}
            _ => warnings.push(start, TextWarningKind::Directive),
        }
    }
}

/// The first three words of `text[from..to]`, each of name characters.
fn words(text: &[u8], mut from: usize, to: usize) -> [Option<(usize, usize)>; 3] {
    let mut words = [None; 3];
    let in_word = |i: usize| {
        text.get(i)
            .is_some_and(|b| class(*b) & (NAME | DIGIT | HIGH) != 0)
    };
    for word in &mut words {
        while from < to && !in_word(from) {
            from += 1;
        }
        let start = from;
        while from < to && in_word(from) {
            from += 1;
        }
        *word = (from > start).then_some((start, from));
    }
    words
}

/// The value of decimal or octal digits, saturating.
fn value(digits: &[u8], base: u64) -> u64 {
    digits.iter().fold(0u64, |value, digit| {
        value
            .saturating_mul(base)
            .saturating_add(u64::from(digit.wrapping_sub(b'0')))
    })
}

/// The length of the character beyond ASCII that `text` begins with.
pub(super) fn high_character(text: &[u8]) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> (Vec<Token>, usize) {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut warnings = TextWarnings::default();
        let mut tokens = Vec::new();
        loop {
            match lexer.next(&mut warnings).unwrap().token {
                Token::End => break,
                token => tokens.push(token),
            }
        }
        let warned = warnings.finish(&super::super::error::Lines::new(text.as_bytes()));
        (tokens, warned.len())
    }

    #[test]
    fn numbers_are_those_of_c() {
        use Token::{Float, Int, Punct};
        let (found, warned) = tokens("10 0x41D830c8 7u 1.5F .5 2e3 3f -4");
        let expected = [
            Int(10),
            Int(0x41D8_30C8),
            Int(7),
            Float(1.5),
            Float(0.5),
            Float(2000.0),
            Float(3.0),
        ];
        assert_eq!(found[..7], expected);
        assert_eq!((&found[7..], warned), (&[Punct(b'-'), Int(4)][..], 0));
    }

    #[test]
    fn odd_numbers_are_read_with_a_warning() {
        use Token::{Float, Int};
        assert_eq!(tokens("0xf0f0f0f0f"), (vec![Int(0x0F0F_0F0F)], 1));
        assert_eq!(tokens("010 000 07"), (vec![Int(8), Int(0), Int(7)], 1));
        assert_eq!(tokens("090"), (vec![Int(90)], 1));
        assert_eq!(tokens("1.#INF"), (vec![Float(f64::INFINITY)], 1));
    }

    #[test]
    fn comments_directives_and_notes_are_skipped() {
        let text = "/* a */ b // c\n#ifndef X\n #define DEFAULT_X_NAME y,\n#endif\n（この例）d";
        let (found, warned) = tokens(text);
        assert_eq!((found, warned), (vec![Token::Name, Token::Name], 1));
    }

    #[test]
    fn a_single_precision_literal_is_rounded_once() {
        // Halfway between two floats in double precision, above in decimal.
        let text = "1.00000017881393432617187501F";
        assert_eq!(tokens(text).0, [Token::Float(f64::from(1.0000002f32))]);
    }
}
