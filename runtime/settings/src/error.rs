//! Errors for a name or value that a setting does not accept.

use crate::nearest;
use std::fmt;

/// A refused name or value, with the closest known one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No setting, preset or group has the name.
    Name {
        /// `setting`, `preset` or `group`.
        kind: &'static str,
        /// Name found.
        found: String,
        /// All known names.
        known: Vec<String>,
    },
    /// The setting does not accept the value.
    Value {
        /// The setting.
        setting: &'static str,
        /// Value found.
        found: String,
        /// Description of the accepted values.
        expected: String,
        /// Names of the choices; empty for a number.
        known: Vec<String>,
    },
    /// Several groups have a setting of the name.
    Ambiguous {
        /// Name found.
        found: String,
        /// The settings of that name, each with its group.
        known: Vec<String>,
    },
    /// The text has no `=`.
    Form {
        /// Text found.
        found: String,
    },
}

impl Error {
    /// Description of the accepted names or values.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            // The names of all settings fill a screen.
            Self::Name { known, .. } if known.len() > 40 => {
                format!("one of the {} names that `swirl settings` lists", known.len())
            }
            Self::Name { known, .. } => format!("one of {}", known.join(", ")),
            Self::Value { expected, .. } => expected.clone(),
            Self::Ambiguous { known, .. } => known.join(" or "),
            Self::Form { .. } => "NAME=VALUE".to_owned(),
        }
    }

    /// The closest known name.
    fn hint(&self) -> Option<&str> {
        match self {
            Self::Name { found, known, .. } | Self::Value { found, known, .. } => {
                nearest(found, known.iter().map(String::as_str))
            }
            Self::Ambiguous { .. } | Self::Form { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { kind, found, .. } => {
                write!(f, "no {kind} '{found}'")?;
                match self.hint() {
                    Some(name) => write!(f, "; did you mean `{name}`?"),
                    None => write!(f, ", expected {}", self.expected()),
                }
            }
            Self::Value {
                setting,
                found,
                expected,
                ..
            } => {
                write!(f, "{setting}: found '{found}', expected {expected}")?;
                self.hint()
                    .map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
            }
            Self::Ambiguous { found, known } => {
                write!(f, "'{found}' is ambiguous, expected {}", known.join(" or "))
            }
            Self::Form { found } => write!(f, "found '{found}', expected NAME=VALUE"),
        }
    }
}

impl std::error::Error for Error {}
