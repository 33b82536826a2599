//! Lexer for C initialiser text. It allocates no memory for tokens.

mod class;
mod number;

use super::error::{Failable, TextWarningKind, TextWarnings, fail};
use class::{BLANK, DIGIT, HIGH, NAME, NEWLINE, class};

pub(super) use class::high_character;

/// One token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    /// An identifier; it may contain bytes of 0x80 and above.
    Name,
    Int(u64),
    Float(f64),
    /// A string, including its quotes.
    Text,
    /// A single character.
    Punct(u8),
    End,
}

/// A token and its position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Reads tokens in sequence.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    pub(super) text: &'a [u8],
    at: usize,
    /// True if only blanks have followed the last line break. A `#` then begins a preprocessor line.
    line_start: bool,
    /// `#define NAME value`: ranges of name and value.
    pub(super) defines: Vec<[(usize, usize); 2]>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Lexer {
            text,
            // Skip a byte order mark.
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

    /// Returns the next token.
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

    /// Skips blanks, comments, preprocessor lines and non-ASCII notes.
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
        // Shift-JIS trail bytes begin at 0x40, so none of them equals an asterisk or a slash.
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

    /// Skips a run of non-ASCII characters: the sample of docs/formats/cell-sprite.md has a note between its
    /// data. UTF-8 is recognised by its form. All other bytes form Shift-JIS pairs, in which the second byte
    /// may look like ASCII.
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

    /// Reads a preprocessor line. Only the names from `#define` are kept.
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

/// Returns the first three words of `text[from..to]`, each made of name characters.
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
