//! Errors for the page.

use std::error::Error;

/// Message of an error, with its causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            // Transparent errors repeat the text of their cause.
            let more = error.to_string();
            if !text.ends_with(&more) {
                text = format!("{text}: {more}");
            }
            cause = error.source();
        }
        Self(text)
    }
}

impl Failure {
    /// Returns an error's failure, with the name of the file or step before its message.
    pub(crate) fn of(name: &impl std::fmt::Display, error: impl Error) -> Self {
        let Self(text) = error.into();
        Self(format!("{name}: {text}"))
    }

    /// Returns a failure with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
