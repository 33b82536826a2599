//! Errors and warnings: location, found value and expected value.

/// A reason why a file cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} at {offset:#x}: {what}: found {found}, expected {expected}", place(path))]
pub struct Error {
    /// File offset of the field in bytes; 0 for a document that is being written.
    pub offset: u64,
    /// Record names from the top, joined with `/`: `Objects/Geometry[2]/Vertices`. The number is the record's
    /// index among all records of its list; index 0 is omitted. Empty outside all records.
    pub path: String,
    /// The field.
    pub what: &'static str,
    /// Found value.
    pub found: String,
    /// Expected value.
    pub expected: String,
}

/// An unusual feature of a file that can still be read and written back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// File offset in bytes.
    pub offset: u64,
    /// Path of the record; see [`Error::path`].
    pub path: String,
    /// A complete sentence.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:#x}: {}", place(&self.path), self.offset, self.message)
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "file" } else { path }
}
