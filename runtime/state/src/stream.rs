//! Streams of saved values.

use crate::State;
use std::io::{self, Read, Write};

/// The reason why a value could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A value is not possible.
    #[error("{place}: found {found}, expected {expected}")]
    Value {
        /// The type or field.
        place: String,
        /// The value.
        found: String,
        /// The possible values.
        expected: String,
    },
}

impl Error {
    /// An error for a value that is not possible.
    pub fn value(place: impl Into<String>, found: impl ToString, expected: impl Into<String>) -> Self {
        Self::Value {
            place: place.into(),
            found: found.to_string(),
            expected: expected.into(),
        }
    }
}

enum Direction<'a> {
    Save(&'a mut dyn Write),
    Load(&'a mut dyn Read),
    Describe(&'a mut String),
}

/// Bytes to which values are saved, or from which they are loaded.
pub struct Stream<'a> {
    direction: Direction<'a>,
    /// Bytes of memory that loaded values of variable length may still take.
    memory: usize,
}

impl<'a> Stream<'a> {
    /// A stream that saves values.
    pub fn save(target: &'a mut dyn Write) -> Self {
        Self {
            direction: Direction::Save(target),
            memory: 0,
        }
    }

    /// A stream that loads values. Lists and texts take at most `memory` bytes together.
    pub fn load(source: &'a mut dyn Read, memory: usize) -> Self {
        Self {
            direction: Direction::Load(source),
            memory,
        }
    }

    /// A stream that writes the types of the values to a text and does not change them.
    pub fn describe(text: &'a mut String) -> Self {
        Self {
            direction: Direction::Describe(text),
            memory: 0,
        }
    }

    /// True if values are loaded.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        matches!(self.direction, Direction::Load(_))
    }

    /// Describes the layout of values that may be absent.
    pub(crate) fn absent<T: State + Default>(&mut self) -> Result<(), Error> {
        match self.direction {
            Direction::Describe(_) => T::default().transfer(self),
            _ => Ok(()),
        }
    }

    /// Transfers bytes.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        match &mut self.direction {
            Direction::Save(target) => target.write_all(bytes)?,
            Direction::Load(source) => source.read_exact(bytes)?,
            Direction::Describe(text) => text.push_str(&format!("{} ", bytes.len())),
        }
        Ok(())
    }

    /// Writes the name of a type or field to a description.
    pub fn name(&mut self, name: &str) {
        if let Direction::Describe(text) = &mut self.direction {
            text.push_str(name);
            text.push(' ');
        }
    }

    /// Transfers the number of elements in a list. When loading, returns the number from the stream.
    ///
    /// # Errors
    /// If elements of `size` bytes need more memory than is left.
    pub fn length(&mut self, length: usize, size: usize) -> Result<usize, Error> {
        let mut bytes = (length as u64).to_le_bytes();
        self.bytes(&mut bytes)?;
        if !self.is_loading() {
            return Ok(length);
        }
        let found = u64::from_le_bytes(bytes);
        let needed = usize::try_from(found)
            .ok()
            .and_then(|n| n.checked_mul(size.max(1)));
        let left = needed.and_then(|needed| self.memory.checked_sub(needed));
        self.memory = left.ok_or_else(|| {
            let most = self.memory / size.max(1);
            Error::value("list", format!("{found} elements"), format!("at most {most}"))
        })?;
        Ok(found as usize)
    }

    /// Returns an error if a loaded value breaks a rule of its type.
    ///
    /// # Errors
    /// If `holds` is false while values are loaded.
    pub fn check(&self, place: &str, holds: bool) -> Result<(), Error> {
        match holds || !self.is_loading() {
            true => Ok(()),
            false => Err(Error::value(
                place,
                "an impossible state",
                "a state that the device can reach",
            )),
        }
    }
}
