//! Settings, their values and the texts of values.

use std::fmt;

/// Confidence in a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A guess, weak evidence, or one source among contradictory ones.
    Low,
    /// One good source, a derivation, or an inference from hardware.
    Medium,
    /// Sources agree and no source contradicts them, or a console was measured.
    High,
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

/// A choice of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Meaning; empty if the name is sufficient.
    pub about: &'static str,
}

/// Notation of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A whole number without a unit.
    #[default]
    Plain,
    /// Whole cycles.
    Cycles,
    /// Hundredths, written as a decimal.
    Hundredths,
    /// Kilohertz.
    Kilohertz,
}

/// Range of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Lowest value that can be set.
    pub least: u64,
    /// Highest value that can be set.
    pub greatest: u64,
    /// Notation.
    pub unit: Unit,
    /// Lowest and highest value that the evidence allows.
    pub likely: Option<[u64; 2]>,
}

/// Values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these choices, numbered by its index.
    Choices(&'static [Choice]),
    /// A number.
    Number(Number),
}

/// A setting with its evidence.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Behaviour that it decides.
    pub about: &'static str,
    /// Choices or range.
    pub values: Values,
    /// Default, as a number.
    pub default: u64,
    /// Section of the specification that decides the default, with a quotation; empty without a
    /// specification.
    pub section: &'static str,
    /// Evidence for the default. If a specification decides the default, this text states the behaviour of
    /// the original library instead.
    pub evidence: &'static str,
    /// Confidence in the default.
    pub confidence: Confidence,
}

impl Setting {
    /// Choices; empty for a number.
    #[must_use]
    pub fn choices(&self) -> &'static [Choice] {
        match self.values {
            Values::Choices(choices) => choices,
            Values::Number(_) => &[],
        }
    }

    /// Returns the text of a value.
    #[must_use]
    pub fn text(&self, value: u64) -> String {
        match self.values {
            Values::Choices(choices) => {
                let choice = usize::try_from(value).ok().and_then(|at| choices.get(at));
                choice.map_or("?", |choice| choice.name).to_owned()
            }
            Values::Number(number) => number.unit.text(value),
        }
    }

    /// Parses a value: a choice's name, a decimal number, or a hexadecimal number with `0x`.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<u64> {
        match self.values {
            Values::Choices(choices) => {
                let at = choices.iter().position(|choice| is_same(choice.name, text))?;
                Some(at as u64)
            }
            Values::Number(number) => {
                let value = number.unit.parse(text)?;
                (number.least..=number.greatest).contains(&value).then_some(value)
            }
        }
    }

    /// Describes the accepted values.
    #[must_use]
    pub fn expected(&self) -> String {
        match self.values {
            Values::Choices(choices) => {
                let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
                format!("one of {}", names.join(", "))
            }
            Values::Number(Number {
                least,
                greatest,
                unit,
                ..
            }) => format!(
                "a number from {} to {}{}",
                unit.text(least),
                unit.text(greatest),
                unit.words()
            ),
        }
    }
}

impl Unit {
    /// Returns the text of a number.
    #[must_use]
    pub fn text(self, value: u64) -> String {
        match self {
            Self::Hundredths => format!("{}", value as f64 / 100.0),
            _ => value.to_string(),
        }
    }

    fn parse(self, text: &str) -> Option<u64> {
        if self == Self::Hundredths {
            let value: f64 = text.parse().ok()?;
            return (value >= 0.0 && value <= u32::MAX.into()).then(|| (value * 100.0).round() as u64);
        }
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// Unit printed after a number.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Plain | Self::Hundredths => "",
            Self::Cycles => " cycles",
            Self::Kilohertz => " kHz",
        }
    }
}

/// Compares two names; an underscore equals a hyphen.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte };
    a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
}

/// A type of setting values.
pub trait Value: Copy {
    /// Choices; empty for a number.
    const CHOICES: &'static [Choice];

    /// Converts this value to a number.
    fn number(self) -> u64;

    /// Converts a number to a value.
    fn from_number(number: u64) -> Option<Self>;
}

impl Value for bool {
    const CHOICES: &'static [Choice] = &[
        Choice {
            name: "off",
            about: "",
        },
        Choice {
            name: "on",
            about: "",
        },
    ];

    fn number(self) -> u64 {
        self.into()
    }

    fn from_number(number: u64) -> Option<Self> {
        (number < 2).then_some(number == 1)
    }
}

impl Value for u32 {
    const CHOICES: &'static [Choice] = &[];

    fn number(self) -> u64 {
        self.into()
    }

    fn from_number(number: u64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Value for u64 {
    const CHOICES: &'static [Choice] = &[];

    fn number(self) -> u64 {
        self
    }

    fn from_number(number: u64) -> Option<Self> {
        Some(number)
    }
}
