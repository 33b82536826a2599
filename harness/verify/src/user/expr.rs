//! Element counts: integer arithmetic over the values of a call, such as `4*n` or `(w+1)*h`.
//!
//! A count is stored in postfix order, so parsing, evaluating and dropping it need no recursion. Parsing
//! takes linear time.

use crate::limits::TOKENS as MAX_TOKENS;
use std::collections::BTreeMap;

/// A count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    /// Operands before their operator.
    postfix: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Number(u64),
    Name(String),
    Binary(char),
}

impl Expr {
    /// Reads `text`. The error describes the problem in the text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser::default();
        let mut rest = text.trim_start();
        let mut tokens = 0;
        while !rest.is_empty() {
            tokens += 1;
            if tokens > MAX_TOKENS {
                return Err(format!(
                    "the count has more than {MAX_TOKENS} numbers, names and operators"
                ));
            }
            rest = parser.token(rest)?.trim_start();
        }
        parser.end()
    }

    /// Names in the expression.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.postfix.iter().filter_map(|item| match item {
            Item::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the value. The error is the reason why there is no value.
    pub(crate) fn value(&self, values: &BTreeMap<String, i64>) -> Result<u64, String> {
        let mut stack = Vec::new();
        for item in &self.postfix {
            let value = match item {
                Item::Number(number) => *number,
                Item::Name(name) => named(name, values)?,
                Item::Binary(operator) => {
                    let (b, a) = (stack.pop(), stack.pop());
                    apply(*operator, a.unwrap_or_default(), b.unwrap_or_default())?
                }
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or_default())
    }
}

fn named(name: &str, values: &BTreeMap<String, i64>) -> Result<u64, String> {
    match values.get(name) {
        Some(value) => u64::try_from(*value).map_err(|_| format!("{name} is {value}")),
        None => Err(format!("{name} has no value")),
    }
}

fn apply(operator: char, a: u64, b: u64) -> Result<u64, String> {
    let result = match operator {
        '+' => a.checked_add(b),
        '-' => a.checked_sub(b),
        '*' => a.checked_mul(b),
        _ => a.checked_div(b),
    };
    result.ok_or_else(|| format!("{a} {operator} {b} is not a valid count"))
}

/// Parser by the shunting-yard algorithm: an operator waits until an operator of the same or lower precedence
/// follows.
#[derive(Default)]
struct Parser {
    postfix: Vec<Item>,
    /// Operators and `(` without a complete right side.
    waiting: Vec<char>,
    /// True if the last token ended an operand.
    complete: bool,
}

impl Parser {
    /// Takes one token from the start of `rest`, which is not empty; returns what follows.
    fn token<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        let first = rest.chars().next().unwrap_or_default();
        match (first, self.complete) {
            ('+' | '-' | '*' | '/', true) => self.operator(first),
            (')', true) => self.close()?,
            ('(', false) => self.waiting.push('('),
            (c, false) if is_word(c) => return self.operand(rest),
            (c, true) => return Err(format!("`{c}` after the end of the count")),
            (c, false) => return Err(format!("a number, a name or `(` expected before `{c}`")),
        }
        Ok(&rest[first.len_utf8()..])
    }

    fn operand<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        let (word, rest) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        self.postfix
            .push(match word.starts_with(|c: char| c.is_ascii_digit()) {
                true => Item::Number(number(word)?),
                false => Item::Name(word.to_owned()),
            });
        self.complete = true;
        Ok(rest)
    }

    fn operator(&mut self, operator: char) {
        while let Some(earlier) = self.waiting.pop_if(|w| *w != '(' && binds(*w) >= binds(operator)) {
            self.postfix.push(Item::Binary(earlier));
        }
        self.waiting.push(operator);
        self.complete = false;
    }

    fn close(&mut self) -> Result<(), String> {
        loop {
            match self.waiting.pop() {
                Some('(') => return Ok(()),
                Some(operator) => self.postfix.push(Item::Binary(operator)),
                None => return Err("`)` after the end of the count".to_owned()),
            }
        }
    }

    fn end(mut self) -> Result<Expr, String> {
        if !self.complete {
            return Err("a number, a name or `(` expected at the end of the count".to_owned());
        }
        if self.waiting.contains(&'(') {
            return Err("`)` is missing".to_owned());
        }
        self.postfix
            .extend(self.waiting.drain(..).rev().map(Item::Binary));
        Ok(Expr {
            postfix: self.postfix,
        })
    }
}

fn number(word: &str) -> Result<u64, String> {
    // A 64-bit number has at most 20 digits.
    let shown: String = word.chars().take(24).collect();
    word.parse()
        .map_err(|_| format!("`{shown}` is not a number below 2^64"))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Precedence of an operator.
fn binds(operator: char) -> u8 {
    u8::from(matches!(operator, '*' | '/'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Expr, MAX_TOKENS};
    use std::collections::BTreeMap;

    fn value(text: &str) -> Result<u64, String> {
        Expr::parse(text)?.value(&BTreeMap::from([("n".to_owned(), 5), ("m".to_owned(), -1)]))
    }

    #[test]
    fn counts() {
        for (text, expected) in [
            ("16", 16),
            ("4*n", 20),
            (" ( n + 1 ) * 2 - 3 ", 9),
            ("n/2*2", 4),
            ("7-n-1", 1),
            ("2+3*n", 17),
            ("((2))*(n-(1+1))", 6),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            "4*",
            "(n",
            "n)",
            "k",
            "m",
            "1-n",
            "n/0",
            "2n",
            "n n",
            "*3",
            "()",
            "n(2)",
            "n;",
            "99999999999999999999",
        ] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    /// The longest allowed count must be accepted and evaluated. One more token must be an error, whatever
    /// its length.
    #[test]
    fn long_counts_end_with_an_error() {
        let sum = |terms: usize| format!("1{}", "+1".repeat(terms - 1));
        assert_eq!(value(&sum(MAX_TOKENS / 2)), Ok(MAX_TOKENS as u64 / 2));
        for long in [sum(MAX_TOKENS / 2 + 1), sum(1_000_000), "(".repeat(1_000_000)] {
            assert!(value(&long).unwrap_err().contains("more than 1000"));
        }
        let word = value(&"1".repeat(1_000_000)).unwrap_err();
        assert!(word.len() < 200, "{} bytes of message", word.len());
    }
}
