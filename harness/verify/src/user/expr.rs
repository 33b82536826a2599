//! Element counts: integer arithmetic over the values of a call, such as `4*n` or `(w+1)*h`.

use std::collections::BTreeMap;

/// A count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Number(u64),
    Name(String),
    Binary(char, Box<Expr>, Box<Expr>),
}

/// Nested parentheses that are still read.
const DEPTH: usize = 32;

impl Expr {
    /// Reads `text`; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser {
            rest: text.trim_start(),
            depth: 0,
        };
        let expr = parser.sum()?;
        match parser.rest {
            "" => Ok(expr),
            rest => Err(format!("`{rest}` after the end of the count")),
        }
    }

    /// Names that it uses.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Expr::Number(_) => Vec::new(),
            Expr::Name(name) => vec![name],
            Expr::Binary(_, a, b) => [a.names(), b.names()].concat(),
        }
    }

    /// Its value; the error says why there is none.
    pub(crate) fn value(&self, values: &BTreeMap<String, i64>) -> Result<u64, String> {
        match self {
            Expr::Number(number) => Ok(*number),
            Expr::Name(name) => match values.get(name) {
                Some(value) => u64::try_from(*value).map_err(|_| format!("{name} is {value}")),
                None => Err(format!("{name} has no value")),
            },
            Expr::Binary(operator, a, b) => {
                let (a, b) = (a.value(values)?, b.value(values)?);
                let result = match operator {
                    '+' => a.checked_add(b),
                    '-' => a.checked_sub(b),
                    '*' => a.checked_mul(b),
                    _ => a.checked_div(b),
                };
                result.ok_or_else(|| format!("{a} {operator} {b} is no count"))
            }
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn sum(&mut self) -> Result<Expr, String> {
        self.chain(&['+', '-'], Self::product)
    }

    fn product(&mut self) -> Result<Expr, String> {
        self.chain(&['*', '/'], Self::atom)
    }

    fn chain(
        &mut self,
        operators: &[char],
        operand: fn(&mut Self) -> Result<Expr, String>,
    ) -> Result<Expr, String> {
        let mut expr = operand(self)?;
        while let Some(operator) = self.rest.chars().next().filter(|c| operators.contains(c)) {
            self.skip(1);
            expr = Expr::Binary(operator, Box::new(expr), Box::new(operand(self)?));
        }
        Ok(expr)
    }

    fn atom(&mut self) -> Result<Expr, String> {
        if self.rest.starts_with('(') {
            return self.parenthesis();
        }
        let length = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let word = self.skip(length);
        if word.is_empty() {
            return Err(format!("a number, a name or `(` expected before `{}`", self.rest));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return word
                .parse()
                .map(Expr::Number)
                .map_err(|_| format!("`{word}` is no number"));
        }
        Ok(Expr::Name(word.to_owned()))
    }

    fn parenthesis(&mut self) -> Result<Expr, String> {
        if self.depth == DEPTH {
            return Err(format!("more than {DEPTH} parentheses within each other"));
        }
        self.depth += 1;
        self.skip(1);
        let expr = self.sum()?;
        if !self.rest.starts_with(')') {
            return Err("`)` is missing".to_owned());
        }
        self.skip(1);
        self.depth -= 1;
        Ok(expr)
    }

    /// Takes `length` bytes and the blanks behind them.
    fn skip(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        taken
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Expr;
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
            "99999999999999999999",
        ] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
    }
}
