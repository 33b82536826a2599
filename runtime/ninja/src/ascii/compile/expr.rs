//! Values, arguments and their conversion.

use super::super::Dialect;
use super::super::error::{Failable, TextWarningKind, fail};
use super::super::lex::{Lexeme, Token, high_character};
use super::super::table::{Conv, Entry, Macro, Out, Role, Scalar, nearest};
use super::Compiler;

/// What an expression comes to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
    /// A float by its bits.
    Bits(u32),
    /// A name that is no word of the formats, and an index behind it.
    Name {
        name: (usize, usize),
        index: u32,
    },
    /// A string, between its quotes.
    Text {
        start: usize,
        end: usize,
    },
}

/// Arguments with their places in the text.
pub(super) struct Args {
    values: [(Value, usize); Self::MOST],
    count: usize,
}

impl Args {
    /// No macro has more; see the test of the tables.
    pub(super) const MOST: usize = 8;

    pub(super) fn new() -> Self {
        Args {
            values: [(Value::Int(0), 0); Self::MOST],
            count: 0,
        }
    }

    fn push(&mut self, value: Value, at: usize) {
        if let Some(slot) = self.values.get_mut(self.count) {
            *slot = (value, at);
        }
        self.count += 1;
    }

    pub(super) fn get(&self, i: u8) -> (Value, usize) {
        self.values
            .get(usize::from(i))
            .copied()
            .unwrap_or((Value::Int(0), 0))
    }
}

/// Deepest nesting of parentheses; texts have two.
const DEEPEST: u32 = 32;

impl Compiler<'_> {
    /// An expression of `|`, shifts and sums, with the precedence of C.
    pub(super) fn value(&mut self) -> Failable<Value> {
        self.operators(0)
    }

    fn operators(&mut self, lowest: u8) -> Failable<Value> {
        let mut left = self.operand()?;
        while let Token::Punct(operator @ (b'|' | b'<' | b'+' | b'-' | b'*')) = self.next.token {
            let binding = match operator {
                b'|' => 1,
                b'<' => 2,
                b'*' => 4,
                _ => 3,
            };
            if binding <= lowest {
                break;
            }
            let at = self.bump()?.start;
            if operator == b'<' {
                self.expect(b'<', "shift")?;
            }
            let right = self.operators(binding)?;
            left = self.combine(operator, left, right, at)?;
        }
        Ok(left)
    }

    fn combine(&self, operator: u8, left: Value, right: Value, at: usize) -> Failable<Value> {
        Ok(match (left, right) {
            (Value::Int(a), Value::Int(b)) => Value::Int(match operator {
                b'|' => a | b,
                b'<' => i64::from((a as u32).checked_shl(b as u32).unwrap_or(0)),
                b'*' => a.wrapping_mul(b),
                b'+' => a.wrapping_add(b),
                _ => a.wrapping_sub(b),
            }),
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_))
                if matches!(operator, b'+' | b'-' | b'*') =>
            {
                let number = |v| match v {
                    Value::Int(n) => n as f64,
                    Value::Float(n) => n,
                    _ => 0.0,
                };
                let (a, b) = (number(left), number(right));
                Value::Float(match operator {
                    b'*' => a * b,
                    b'+' => a + b,
                    _ => a - b,
                })
            }
            _ => {
                let odd = if matches!(left, Value::Int(_)) {
                    right
                } else {
                    left
                };
                return self.no_number(odd, at);
            }
        })
    }

    fn operand(&mut self) -> Failable<Value> {
        if self.depth > DEEPEST {
            return fail(
                self.next.start,
                "expression",
                "parentheses",
                format!("at most {DEEPEST} nested"),
            );
        }
        match self.next.token {
            Token::Int(n) => self.bump().map(|_| Value::Int(n as i64)),
            Token::Float(n) => self.bump().map(|_| Value::Float(n)),
            Token::Name => self.named(),
            Token::Text => {
                let text = self.bump()?;
                let (start, end) = (text.start + 1, text.end - 1);
                Ok(Value::Text { start, end })
            }
            Token::Punct(b'-' | b'+' | b'(' | b'&') => self.prefixed(),
            _ => self.unexpected("value", "a number or a name"),
        }
    }

    /// A sign, parentheses or an address.
    fn prefixed(&mut self) -> Failable<Value> {
        let prefix = self.bump()?;
        self.depth += 1;
        let value = match prefix.token {
            Token::Punct(b'(') => {
                let value = self.value()?;
                self.expect(b')', "expression")?;
                value
            }
            Token::Punct(b'&') => match self.operand()? {
                name @ Value::Name { .. } => name,
                _ => return fail(prefix.start, "address", "&", "a name behind it"),
            },
            sign => match self.operand()? {
                Value::Int(n) if sign == Token::Punct(b'-') => Value::Int(-n),
                Value::Float(n) if sign == Token::Punct(b'-') => Value::Float(-n),
                number @ (Value::Int(_) | Value::Float(_)) => number,
                other => return self.no_number(other, prefix.start),
            },
        };
        self.depth -= 1;
        Ok(value)
    }

    fn named(&mut self) -> Failable<Value> {
        let entry = self.entry();
        let name = self.bump()?;
        match entry {
            Some(Entry::Constant(value)) => Ok(Value::Int(i64::from(value))),
            Some(Entry::Macro(row)) => match row.out {
                [Out { scalar, parts, .. }] if *scalar != Scalar::Ptr && !parts.is_empty() => {
                    self.depth += 1;
                    let mut args = Args::new();
                    self.args(row, name, &mut args)?;
                    self.depth -= 1;
                    let bits = self.number(row, 0, &args)?;
                    Ok(match scalar {
                        Scalar::F32 => Value::Bits(bits),
                        _ => Value::Int(i64::from(bits)),
                    })
                }
                _ => fail(name.start, "value", row.name, "a number or a name"),
            },
            _ => {
                let index = match self.take(b'[')? {
                    true => self.index()?,
                    false => 0,
                };
                let name = (name.start, name.end);
                Ok(Value::Name { name, index })
            }
        }
    }

    fn index(&mut self) -> Failable<u32> {
        let at = self.next.start;
        let value = self.value()?;
        self.expect(b']', "index")?;
        match value {
            Value::Int(n) if u32::try_from(n).is_ok() => Ok(n as u32),
            _ => fail(at, "index", "no count", "0 or more"),
        }
    }

    /// The arguments of a macro: in parentheses, or for a label one after the other.
    pub(super) fn args(&mut self, row: &'static Macro, name: Lexeme, args: &mut Args) -> Failable<()> {
        args.count = 0;
        // A label's only value may stand in parentheses itself.
        if self.is(b'(') && !(row.label && row.params.len() == 1) {
            self.bump()?;
            self.arg_list(row, args)?;
            self.expect(b')', row.name)?;
        } else if row.label || row.out.len() == row.params.len() && row.role == Role::None {
            self.label_values(row, args)?;
        } else {
            return self.unexpected(row.name, format!("({})", row.params.join(", ")));
        }
        if args.count == row.params.len() {
            return Ok(());
        }
        let expected = format!("{} ({})", row.params.len(), row.params.join(", "));
        fail(
            name.start,
            row.name,
            format!("{} arguments", args.count),
            expected,
        )
    }

    fn arg_list(&mut self, row: &'static Macro, args: &mut Args) -> Failable<()> {
        while !self.is(b')') {
            let at = self.next.start;
            let value = self.value()?;
            args.push(value, at);
            // What is too much is counted for the message, but not without end.
            if args.count > row.params.len() + Args::MOST || !self.take(b',')? {
                break;
            }
        }
        Ok(())
    }

    /// The values behind a label. The comma behind the last is left to the list.
    fn label_values(&mut self, row: &'static Macro, args: &mut Args) -> Failable<()> {
        while args.count < row.params.len() {
            if args.count > 0 {
                self.comma()?;
            }
            let at = self.next.start;
            let value = self.value()?;
            args.push(value, at);
        }
        Ok(())
    }

    /// Number `i` of those that a macro makes.
    pub(super) fn number(&mut self, row: &'static Macro, i: usize, args: &Args) -> Failable<u32> {
        let Some(out) = row.out.get(i) else { return Ok(0) };
        let mut bits = out.constant;
        for part in out.parts {
            let (value, at) = args.get(part.arg);
            bits |= self.convert(part.conv, value, at)? << part.shift;
        }
        Ok(bits)
    }

    /// A value as the bits of its field.
    pub(super) fn convert(&mut self, conv: Conv, value: Value, at: usize) -> Failable<u32> {
        let old = self.dialect == Dialect::Ninja1;
        let degrees = |per_turn: f64, bits, n: f64| ((n * (per_turn / 360.0)).round() as i64, bits);
        let (n, bits) = match conv {
            Conv::Word => return self.float_bits(value, at),
            Conv::Float => {
                return match value {
                    Value::Bits(bits) => Ok(bits),
                    _ => Ok((self.float(value, at)? as f32).to_bits()),
                };
            }
            Conv::Bits => return Ok(self.int(value, at)? as u32),
            Conv::Channel => {
                let scale = if old { 255.0 } else { 1.0 };
                return Ok(((self.float(value, at)? / scale) as f32).to_bits());
            }
            Conv::Int(bits) => (self.int(value, at)?, bits),
            Conv::Modulo(bits) => (self.int(value, at)? & ((1 << bits) - 1), bits),
            Conv::Flags => (self.int(value, at)?, 32),
            Conv::Flags16 => (self.int(value, at)?, 16),
            Conv::Negated => (-self.int(value, at)?, 16),
            Conv::Low => (self.int(value, at)? & 0xFFFF, 16),
            Conv::High => (self.int(value, at)? >> 16 & 0xFFFF, 16),
            Conv::KeyDegrees(bits) if old => degrees(65535.0, bits, self.float(value, at)?),
            Conv::CellDegrees(bits) if old => (self.int(value, at)?, bits),
            Conv::Degrees(bits)
            | Conv::KeyDegrees(bits)
            | Conv::CellDegrees(bits)
            | Conv::LostDegrees(bits) => {
                if old && matches!(conv, Conv::LostDegrees(_)) {
                    self.warn(at, TextWarningKind::OldMacro("the angle"));
                }
                degrees(65536.0, bits, self.float(value, at)?)
            }
            Conv::Unit => ((self.float(value, at)? * 32767.0).round() as i64, 16),
            Conv::Percent(full) => {
                let share = self.float(value, at)? * f64::from(full) / 100.0;
                ((share + 0.5).floor() as i64, 16)
            }
            Conv::Ptr | Conv::Text => {
                self.link(value, at)?;
                return Ok(0);
            }
        };
        Ok(self.field(
            n,
            bits,
            at,
            matches!(
                conv,
                Conv::Degrees(_) | Conv::CellDegrees(_) | Conv::LostDegrees(_)
            ),
        ))
    }

    /// The low bits, with a warning if others are lost; angles wrap.
    fn field(&mut self, n: i64, bits: u8, at: usize, wraps: bool) -> u32 {
        let range = -(1i64 << (bits - 1))..1i64 << bits;
        if !range.contains(&n) && !wraps {
            self.warn(at, TextWarningKind::Cut { value: n, bits });
        }
        (n & ((1i64 << bits) - 1)) as u32
    }

    fn int(&self, value: Value, at: usize) -> Failable<i64> {
        match value {
            Value::Int(n) => Ok(n),
            // As a C compiler converts it.
            Value::Float(n) => Ok(n as i64),
            other => self.no_number(other, at),
        }
    }

    fn float(&self, value: Value, at: usize) -> Failable<f64> {
        match value {
            Value::Int(n) => Ok(n as f64),
            Value::Float(n) => Ok(n),
            Value::Bits(n) => Ok(f64::from(f32::from_bits(n))),
            other => self.no_number(other, at),
        }
    }

    /// The bits of a float: an integer is them, but a small one can only be meant as a value, since its bits would
    /// be a denormal or, negative, no number.
    fn float_bits(&mut self, value: Value, at: usize) -> Failable<u32> {
        match value {
            Value::Int(0) => Ok(0),
            Value::Int(n) if n.unsigned_abs() >= 1 << 23 => Ok(n as u32),
            Value::Int(n)
                if self
                    .unit
                    .text
                    .get(at..at + 2)
                    .is_some_and(|t| t.eq_ignore_ascii_case(b"0x")) =>
            {
                Ok(n as u32)
            }
            value => {
                let n = self.float(value, at)?;
                self.warn(at, TextWarningKind::FloatInWords(n.to_string()));
                Ok((n as f32).to_bits())
            }
        }
    }

    #[cold]
    fn no_number<T>(&self, value: Value, at: usize) -> Failable<T> {
        let wanted = |e: &Entry| matches!(e, Entry::Constant(_) | Entry::Macro(_));
        match value {
            Value::Name { name, .. } => {
                let expected = nearest(self.unit.slice(name), wanted).unwrap_or("a number");
                fail(at, "value", self.unit.string(name), expected)
            }
            Value::Text { start, end } => fail(at, "value", self.lexer.str(start, end), "a number"),
            Value::Int(n) => fail(at, "value", n.to_string(), "another operand"),
            Value::Float(n) => fail(at, "value", n.to_string(), "an integer"),
            Value::Bits(n) => fail(at, "value", f32::from_bits(n).to_string(), "an integer"),
        }
    }

    /// The error about a word in the place of an item.
    #[cold]
    pub(super) fn no_item<T>(&self, name: Lexeme, entry: Option<Entry>, ty: &'static str) -> Failable<T> {
        let found = self.lexer.str(name.start, name.end);
        match entry {
            Some(Entry::Unsupported(why)) => {
                fail(name.start, ty, format!("{found}, which is of {why}"), "a macro")
            }
            Some(_) => fail(name.start, ty, found, format!("an item of {ty}")),
            None => {
                let wanted = |e: &Entry| matches!(e, Entry::Macro(_) | Entry::Constant(_) | Entry::Close(_));
                let expected = nearest(self.word(name), wanted).unwrap_or("a macro or a number");
                fail(name.start, "macro", found, expected)
            }
        }
    }
}

/// The characters of a C string without its quotes.
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
    use super::super::super::table::MACROS;
    use super::*;

    #[test]
    fn arguments_have_room() {
        let most = MACROS
            .iter()
            .flat_map(|(_, group)| *group)
            .map(|row| row.params.len())
            .max();
        assert!(most.unwrap() <= Args::MOST);
    }

    #[test]
    fn escapes_are_those_of_c() {
        let mut out = Vec::new();
        unescape(br#"a\"b\\c\101\x42\n"#, &mut out);
        assert_eq!(out, b"a\"b\\cAB\n");
        // Shift-JIS: the second byte of U+8868 is a backslash and escapes nothing.
        let mut out = Vec::new();
        unescape(b"\x95\x5Cx", &mut out);
        assert_eq!(out, b"\x95\x5Cx");
    }
}
