//! Expressions and their values.

use super::super::error::{Failable, fail};
use super::super::lex::{Lexeme, Token};
use super::super::table::{Entry, Out, Scalar, nearest};
use super::Compiler;
use super::args::Args;
use super::value::Value;
use crate::limits::PARENTHESES as DEEPEST;

impl Compiler<'_> {
    /// Evaluates an expression of `|`, shifts and sums, with C's precedence.
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

    /// Evaluates a sign, parentheses or an address.
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
                _ => return fail(prefix.start, "address", "&", "a name after it"),
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
            _ => fail(at, "index", "a negative number or another value", "0 or more"),
        }
    }

    /// Reports a word that is not valid as an item here.
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
