//! Errors and warnings.

use std::collections::HashSet;

/// Why a file cannot be converted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The file is not one that can be read.
    #[error("not a readable {kind} file: {cause}")]
    Load {
        /// The format that was tried.
        kind: &'static str,
        /// Why, and where as far as it is known.
        cause: String,
    },
    /// The scene holds nothing to write.
    #[error("{what}: found {found}, expected {expected}")]
    Scene {
        /// The place: a node, mesh or animation stack with its name.
        what: String,
        /// What is there.
        found: String,
        /// What can be converted.
        expected: String,
    },
    /// A custom property of the scene has a value that it cannot have.
    #[error("{place}: {message}")]
    Setting {
        /// The material or node, and the property.
        place: String,
        /// What was found and what was expected.
        message: String,
    },
    /// What was made has no file form.
    #[error(transparent)]
    Ninja(#[from] ninja::Error),
    /// A texture cannot be written.
    #[error("texture {name}: {cause}")]
    Texture {
        /// Its name in the texture list.
        name: String,
        /// Why.
        cause: String,
    },
    /// What was written cannot be played, in the words of the evaluator.
    #[error("the written files cannot be played: {0}")]
    Play(String),
}

impl Error {
    pub(crate) fn scene(
        what: impl Into<String>,
        found: impl std::fmt::Display,
        expected: impl std::fmt::Display,
    ) -> Self {
        Error::Scene {
            what: what.into(),
            found: found.to_string(),
            expected: expected.to_string(),
        }
    }
}

/// Something that was lost or done in another way than the source says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warning {
    /// What it is about, such as `node "hand.L"`; empty for the whole file.
    pub place: String,
    /// A whole sentence without its full stop.
    pub message: String,
    /// A default that took effect, and no loss.
    pub is_notice: bool,
}

impl Warning {
    /// Returns `notice` or `warning`, for messages.
    pub fn label(&self) -> &'static str {
        match self.is_notice {
            true => "notice",
            false => "warning",
        }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.message),
            place => write!(f, "{place}: {}", self.message),
        }
    }
}

/// Warnings, in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    pub(crate) list: Vec<Warning>,
    known: HashSet<Warning>,
}

impl Warnings {
    /// Each text once for each place.
    pub(crate) fn add(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.push(place.into(), message.into(), false);
    }

    /// A notice about the whole file, once.
    pub(crate) fn notice(&mut self, message: impl Into<String>) {
        self.push(String::new(), message.into(), true);
    }

    fn push(&mut self, place: String, message: String, is_notice: bool) {
        let warning = Warning {
            place,
            message,
            is_notice,
        };
        if self.known.insert(warning.clone()) {
            self.list.push(warning);
        }
    }
}
