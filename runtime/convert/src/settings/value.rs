//! Values of settings, from a TOML file or an FBX property.

/// A value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Flag(bool),
    Numbers(Vec<f64>),
    /// A text; several words are separated by spaces or commas.
    Text(String),
}

/// Error message for a key that is not one of `keys`.
pub(super) fn unknown(key: &str, keys: &[&str]) -> String {
    format!("found the key {key}, expected one of {}", keys.join(", "))
}

impl Value {
    /// Parses a flag. Also accepts 0 and 1, because some programs have no flags as properties.
    pub(super) fn flag(&self) -> Result<bool, String> {
        match self {
            Value::Flag(flag) => Ok(*flag),
            Value::Numbers(n) if n == &[0.0] => Ok(false),
            Value::Numbers(n) if n == &[1.0] => Ok(true),
            Value::Text(t) if t == "true" => Ok(true),
            Value::Text(t) if t == "false" => Ok(false),
            _ => Err(self.not("true or false")),
        }
    }

    pub(super) fn number(&self, low: f64, high: f64) -> Result<f64, String> {
        match self.numbers()?.as_slice() {
            [n] if (low..=high).contains(n) => Ok(*n),
            _ => Err(self.not(&format!("a number of {low} to {high}"))),
        }
    }

    pub(super) fn color(&self) -> Result<[f64; 3], String> {
        match self.numbers()?.as_slice() {
            // Ignores an alpha value, which some programs always append.
            [r, g, b] | [r, g, b, _] if [r, g, b].iter().all(|c| (0.0..=1.0).contains(*c)) => {
                Ok([*r, *g, *b])
            }
            _ => Err(self.not("red, green and blue of 0 to 1")),
        }
    }

    /// Parses at most three 16-bit words, the maximum per polygon (docs/formats/ninja.md, 1.7).
    pub(super) fn user_flags(&self) -> Result<Vec<u16>, String> {
        let numbers = self.numbers()?;
        let word = |n: &f64| (n.fract() == 0.0 && (0.0..=65_535.0).contains(n)).then_some(*n as u16);
        let words: Option<Vec<u16>> = numbers.iter().map(word).collect();
        words
            .filter(|w| w.len() <= 3)
            .ok_or_else(|| self.not("at most three whole numbers of 0 to 65535"))
    }

    /// Parses one of the names and returns its index.
    pub(super) fn one_of(&self, names: &[&str]) -> Result<usize, String> {
        match self.words(names)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(self.not(&format!("one of {}", names.join(", ")))),
        }
    }

    /// Parses any of the names and returns their indices.
    pub(super) fn words(&self, names: &[&str]) -> Result<Vec<usize>, String> {
        let place = |word: &str| names.iter().position(|n| n.eq_ignore_ascii_case(word));
        let Value::Text(text) = self else {
            return Err(self.not(&format!("some of {}", names.join(", "))));
        };
        let places: Option<Vec<usize>> = parts(text).map(place).collect();
        places.ok_or_else(|| self.not(&format!("some of {}", names.join(", "))))
    }

    fn numbers(&self) -> Result<Vec<f64>, String> {
        match self {
            Value::Numbers(numbers) => Ok(numbers.clone()),
            Value::Text(text) => {
                let numbers: Result<Vec<f64>, _> = parts(text).map(str::parse).collect();
                numbers.map_err(|_| self.not("numbers"))
            }
            Value::Flag(_) => Err(self.not("numbers")),
        }
    }

    fn not(&self, expected: &str) -> String {
        format!("found {self}, expected {expected}")
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',', '\t']).filter(|part| !part.is_empty())
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Numbers(numbers) => {
                let all: Vec<String> = numbers.iter().map(f64::to_string).collect();
                f.write_str(&all.join(" "))
            }
            Value::Text(text) => write!(f, "{text:?}"),
        }
    }
}
