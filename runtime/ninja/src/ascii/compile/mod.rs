//! Compiler from text to numbers in memory. It produces the numbers of a C compiler, but keeps names instead
//! of addresses.
//! Sizes and counts that contradict the data are corrected, since they are often wrong (docs/formats/ninja.md
//! 3.4).

mod args;
mod cells;
mod convert;
mod escape;
mod expr;
mod plist;
mod rows;
mod value;
mod vlist;

use super::Dialect;
use super::error::{Failable, TextWarningKind, TextWarnings, fail};
use super::lex::{Lexeme, Lexer, Token};
use super::table::{self, Bracket, Entry, Stream, Type, nearest};
use std::ops::Range;
use value::Value;

/// A definition.
#[derive(Debug)]
pub(super) struct Symbol {
    /// Range of the name in the text.
    pub(super) name: (usize, usize),
    pub(super) ty: &'static Type,
    /// Range of the bytes in [`Unit::data`]: little-endian, with pointers zero.
    pub(super) data: Range<usize>,
    /// Range of the pointers in [`Unit::links`].
    pub(super) links: Range<usize>,
    /// A node with a real part (OQuatRe), 56 bytes long.
    pub(super) wide: bool,
    /// True if an equal definition with the same name came before.
    pub(super) again: bool,
}

/// A pointer in the data.
#[derive(Debug)]
pub(super) struct Link {
    /// Position in [`Unit::data`].
    pub(super) at: usize,
    pub(super) target: Target,
    /// Position in the text.
    pub(super) text: usize,
}

/// Target of a pointer.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// Element `index` of a definition, named at this range of the text.
    Name { name: (usize, usize), index: u32 },
    /// A string in [`Unit::strings`].
    Text(Range<usize>),
}

/// All definitions of a text.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) text: &'a [u8],
    pub(super) symbols: Vec<Symbol>,
    pub(super) data: Vec<u8>,
    pub(super) links: Vec<Link>,
    /// Texture names, NUL-terminated.
    pub(super) strings: Vec<u8>,
    /// Origin of the data: pairs of positions (data, text), ascending, one for each chunk or row.
    pub(super) origin: Vec<(u32, u32)>,
    /// `#define` lines: ranges of name and value.
    pub(super) defines: Vec<[(usize, usize); 2]>,
    pub(super) warnings: TextWarnings,
}

impl Unit<'_> {
    pub(super) fn slice(&self, (start, end): (usize, usize)) -> &[u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn string(&self, span: (usize, usize)) -> String {
        String::from_utf8_lossy(self.slice(span)).into_owned()
    }

    fn u16(&self, at: usize) -> u16 {
        let bytes = self.data.get(at..).and_then(|d| d.first_chunk::<2>());
        bytes.map_or(0, |b| u16::from_le_bytes(*b))
    }

    fn set_u16(&mut self, at: usize, value: u16) {
        if let Some(bytes) = self.data.get_mut(at..at + 2) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    pub(super) fn u32(&self, at: usize) -> u32 {
        let bytes = self.data.get(at..).and_then(|d| d.first_chunk::<4>());
        bytes.map_or(0, |b| u32::from_le_bytes(*b))
    }

    pub(super) fn set_u32(&mut self, at: usize, value: u32) {
        if let Some(bytes) = self.data.get_mut(at..at + 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Returns a number of two or four bytes.
    pub(super) fn number(&self, at: usize, bytes: usize) -> u32 {
        if bytes == 2 {
            u32::from(self.u16(at))
        } else {
            self.u32(at)
        }
    }

    pub(super) fn set_number(&mut self, at: usize, bytes: usize, value: u32) {
        match bytes {
            2 => self.set_u16(at, value as u16),
            _ => self.set_u32(at, value),
        }
    }

    /// Returns the position in the text that produced the byte at `data`.
    pub(super) fn text_of(&self, data: usize) -> usize {
        let after = self.origin.partition_point(|(at, _)| *at as usize <= data);
        let row = after.checked_sub(1).and_then(|i| self.origin.get(i));
        row.map_or(0, |(_, text)| *text as usize)
    }
}

/// Compiles a text.
pub(super) fn compile(text: &[u8], dialect: Dialect) -> Failable<Unit<'_>> {
    let mut compiler = Compiler {
        lexer: Lexer::new(text),
        next: Lexeme {
            token: Token::End,
            start: 0,
            end: 0,
        },
        unit: Unit {
            text,
            symbols: Vec::new(),
            data: Vec::with_capacity(text.len() / 2),
            links: Vec::new(),
            strings: Vec::new(),
            origin: Vec::new(),
            defines: Vec::new(),
            warnings: TextWarnings::default(),
        },
        meaning: None,
        taken: 0,
        dialect,
        depth: 0,
        floats: None,
    };
    compiler.bump()?;
    compiler.top_level()?;
    compiler.unit.defines = compiler.lexer.defines;
    Ok(compiler.unit)
}

struct Compiler<'a> {
    lexer: Lexer<'a>,
    /// The next token.
    next: Lexeme,
    /// Table entry of the token, if it is a known word.
    meaning: Option<Entry>,
    /// Start of the token taken last.
    taken: usize,
    unit: Unit<'a>,
    dialect: Dialect,
    /// Open parentheses and macros.
    depth: u32,
    /// Floats of the current chunk where integers are expected.
    floats: Option<FloatWords>,
}

/// Floats where the list expects integers.
struct FloatWords {
    /// Position of the first one in the text.
    at: usize,
    first: f64,
    count: u32,
}

/// Token handling.
impl Compiler<'_> {
    /// Takes the next token.
    fn bump(&mut self) -> Failable<Lexeme> {
        let taken = self.next;
        self.taken = taken.start;
        self.next = self.lexer.next(&mut self.unit.warnings)?;
        self.meaning = match self.next.token {
            Token::Name => table::find(self.word(self.next)),
            _ => None,
        };
        Ok(taken)
    }

    fn word(&self, lexeme: Lexeme) -> &[u8] {
        self.unit.slice((lexeme.start, lexeme.end))
    }

    fn is(&self, punct: u8) -> bool {
        self.next.token == Token::Punct(punct)
    }

    /// Takes the next token if it is this character.
    fn take(&mut self, punct: u8) -> Failable<bool> {
        let found = self.is(punct);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, punct: u8, what: &'static str) -> Failable<()> {
        match self.take(punct)? {
            true => Ok(()),
            false => self.unexpected(what, char::from(punct)),
        }
    }

    /// Fails with an error about the next token.
    #[cold]
    fn unexpected<T>(&self, what: &'static str, expected: impl Into<String>) -> Failable<T> {
        let found = match self.next.token {
            Token::End => "the end of the text".to_owned(),
            _ => self.lexer.str(self.next.start, self.next.end),
        };
        fail(self.next.start, what, found, expected)
    }

    fn warn(&mut self, at: usize, kind: TextWarningKind) {
        self.unit.warnings.push(at, kind);
    }

    /// Returns the table entry of the next word, including known misspellings.
    fn entry(&mut self) -> Option<Entry> {
        match self.meaning? {
            Entry::Alias(meant) => {
                let found = self.lexer.str(self.next.start, self.next.end);
                self.warn(self.next.start, TextWarningKind::Misspelt { found, meant });
                self.meaning = table::find(meant.as_bytes());
                self.meaning
            }
            entry => Some(entry),
        }
    }
}

/// Definitions and the blocks around them.
impl Compiler<'_> {
    fn top_level(&mut self) -> Failable<()> {
        let mut open: Vec<(&'static Bracket, usize)> = Vec::new();
        loop {
            let entry = self.entry();
            let lexeme = self.bump()?;
            match lexeme.token {
                Token::End => break,
                Token::Punct(b';') => {}
                Token::Name => match entry {
                    Some(Entry::Type(ty)) => self.definition(ty)?,
                    Some(Entry::Open(bracket)) if bracket.c[0].is_empty() => {
                        self.opened(&mut open, bracket, lexeme.start);
                    }
                    Some(Entry::Close(bracket)) if bracket.c[0].is_empty() => {
                        self.closed(&mut open, bracket, lexeme.start);
                    }
                    entry => return self.no_definition(lexeme, entry),
                },
                _ => {
                    let found = self.lexer.str(lexeme.start, lexeme.end);
                    return fail(lexeme.start, "definition", found, "a type such as VLIST");
                }
            }
        }
        for (bracket, at) in open {
            self.warn(at, TextWarningKind::MissingBracket(bracket.close));
        }
        Ok(())
    }

    fn opened(&mut self, open: &mut Vec<(&'static Bracket, usize)>, bracket: &'static Bracket, at: usize) {
        // Blocks do not nest, so an open block lacks its end.
        if let Some((before, _)) = open.pop() {
            self.warn(at, TextWarningKind::MissingBracket(before.close));
        }
        open.push((bracket, at));
    }

    fn closed(&mut self, open: &mut Vec<(&'static Bracket, usize)>, bracket: &'static Bracket, at: usize) {
        match open.pop() {
            Some((begun, _)) if std::ptr::eq(begun, bracket) => {}
            _ => self.warn(at, TextWarningKind::MissingBracket(bracket.open)),
        }
    }

    #[cold]
    fn no_definition<T>(&self, lexeme: Lexeme, entry: Option<Entry>) -> Failable<T> {
        let found = self.lexer.str(lexeme.start, lexeme.end);
        let at = lexeme.start;
        match entry {
            Some(Entry::Unsupported(why)) => fail(
                at,
                "definition",
                format!("{found}, which is of {why}"),
                "a chunk model",
            ),
            Some(Entry::CSource) => {
                let found = format!("{found}, so this is C source with plain structures");
                fail(
                    at,
                    "definition",
                    found,
                    "the macros of Ninja ASCII, such as VLIST and CNKOBJECT",
                )
            }
            Some(_) => fail(at, "definition", found, "a type such as VLIST"),
            None => {
                let wanted = |e: &Entry| matches!(e, Entry::Type(_) | Entry::Open(_) | Entry::Close(_));
                let expected = nearest(self.word(lexeme), wanted).unwrap_or("a type such as VLIST");
                fail(at, "definition", found, expected)
            }
        }
    }

    /// Reads `TYPE name[] START .. END`; the type has been read.
    fn definition(&mut self, ty: &'static Type) -> Failable<()> {
        let name = self.bump()?;
        if name.token != Token::Name {
            return fail(
                name.start,
                ty.name,
                self.lexer.str(name.start, name.end),
                "a name",
            );
        }
        if self.take(b'[')? {
            if !self.is(b']') {
                self.value()?;
            }
            self.expect(b']', "array")?;
        }
        match self.meaning {
            Some(Entry::Open(bracket)) if bracket.open == "START" => self.bump()?,
            _ => return self.unexpected(ty.name, "START"),
        };
        let (data, links) = (self.unit.data.len(), self.unit.links.len());
        let wide = match ty.stream {
            Some(Stream::Vlist) => self.vlist().map(|()| false)?,
            Some(Stream::Plist) => self.plist().map(|()| false)?,
            Some(Stream::Cells) => self.cell_stream().map(|()| false)?,
            None => self.rows(ty)?,
        };
        self.warn_of_floats();
        self.unit.symbols.push(Symbol {
            name: (name.start, name.end),
            ty,
            data: data..self.unit.data.len(),
            links: links..self.unit.links.len(),
            wide,
            again: false,
        });
        // Every list begins on a multiple of 4, as in a body.
        self.unit.data.resize(self.unit.data.len().next_multiple_of(4), 0);
        Ok(())
    }

    /// Takes END if it is the next token; returns whether it was.
    fn end(&mut self, ty: &'static str) -> Failable<bool> {
        match self.meaning {
            Some(Entry::Close(bracket)) if bracket.open == "START" => self.bump().map(|_| true),
            // The next token ends a block or begins a definition: END is missing.
            Some(Entry::Type(_)) => self.unexpected(ty, "END"),
            Some(Entry::Open(b) | Entry::Close(b)) if b.c[0].is_empty() => self.unexpected(ty, "END"),
            None if self.next.token == Token::End => self.unexpected(ty, "END"),
            _ => Ok(false),
        }
    }

    /// Takes the comma after an item. Warns if it is missing, unless a closing token follows.
    fn comma(&mut self) -> Failable<()> {
        if self.take(b',')? || self.is(b'}') {
            return Ok(());
        }
        let closes =
            self.next.token == Token::End || matches!(self.meaning, Some(Entry::Close(_) | Entry::Type(_)));
        if !closes {
            self.warn(self.next.start, TextWarningKind::MissingComma);
        }
        Ok(())
    }

    /// Records `text` as the origin of the data written next.
    fn mark(&mut self, text: usize) {
        self.unit.origin.push((self.unit.data.len() as u32, text as u32));
    }

    fn link(&mut self, value: Value, at: usize) -> Failable<()> {
        let here = self.unit.data.len();
        let target = match value {
            Value::Int(0) => return Ok(()),
            Value::Name { name, index } => Target::Name { name, index },
            Value::Text { start, end } => {
                let from = self.unit.strings.len();
                escape::unescape(
                    self.unit.text.get(start..end).unwrap_or_default(),
                    &mut self.unit.strings,
                );
                if self.unit.strings.get(from..).is_some_and(|s| s.contains(&0)) {
                    return fail(at, "string", "a NUL", "characters");
                }
                self.unit.strings.push(0);
                Target::Text(from..self.unit.strings.len())
            }
            Value::Int(n) => return fail(at, "pointer", n.to_string(), "a name, or NULL"),
            Value::Float(_) | Value::Bits(_) => return fail(at, "pointer", "a float", "a name, or NULL"),
        };
        self.unit.links.push(Link {
            at: here,
            target,
            text: at,
        });
        Ok(())
    }
}
