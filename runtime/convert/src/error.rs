//! Errors and warnings.

use std::collections::HashSet;

/// The reason why a file cannot be converted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("not a readable {kind} file: {cause}")]
    Load {
        /// Format of the reader.
        kind: &'static str,
        /// Cause, with its place if known.
        cause: String,
    },
    /// The scene contains something that cannot be written.
    #[error("{what}: found {found}, expected {expected}")]
    Scene {
        /// Place: a node, mesh or animation stack with its name.
        what: String,
        /// Found content.
        found: String,
        /// Expected content.
        expected: String,
    },
    /// A custom property of the scene has an invalid value.
    #[error("{place}: {message}")]
    Setting {
        /// Material or node, and the property.
        place: String,
        /// Found and expected value.
        message: String,
    },
    /// The result does not fit the Ninja format.
    #[error(transparent)]
    Ninja(#[from] ninja::Error),
    /// A texture cannot be written.
    #[error("texture {name}: {cause}")]
    Texture {
        /// Name in the texture list.
        name: String,
        /// Cause.
        cause: String,
    },
    /// The written files cannot be played, with the evaluator's message.
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

/// Something that was lost, or that differs from the source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warning {
    /// Subject, such as `node "hand.L"`; empty for the whole file.
    pub place: String,
    /// A full sentence without its full stop.
    pub message: String,
    /// Reports a default that took effect; no data is lost.
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

/// Warnings, in the order of their occurrence.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    pub(crate) list: Vec<Warning>,
    known: HashSet<Warning>,
}

impl Warnings {
    /// Adds a warning, unless the same place already has this text.
    pub(crate) fn add(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.push(place.into(), message.into(), false);
    }

    /// Adds a notice about the whole file, unless it exists.
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

/// Counts things: "1 node", "2 nodes".
pub(crate) fn plural(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
