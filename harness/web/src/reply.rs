//! Replies to the page.

use crate::Failure;
use serde::Serialize;

/// A reply: JSON, and bytes that belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// An object as JSON.
    pub json: String,
    /// Pixels, samples or memory.
    pub data: Vec<u8>,
}

impl Reply {
    pub(crate) fn new(value: &impl Serialize, data: Vec<u8>) -> Result<Self, Failure> {
        let json = serde_json::to_string(value)?;
        Ok(Self { json, data })
    }
}
