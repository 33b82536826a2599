//! Errors and warnings: where, what was found and what was expected.

/// Why a file could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} at {offset:#x}: {what}: found {found}, expected {expected}", place(path))]
pub struct Error {
    /// File offset of the field in bytes; 0 for a document that is being written.
    pub offset: u64,
    /// Names from the top to the record, joined with `/` and with the number among its siblings where that is
    /// not 0: `Objects/Geometry[2]/Vertices`. Empty outside every record.
    pub path: String,
    /// The field.
    pub what: &'static str,
    /// What is there.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

/// Something unusual that does not keep the file from being read and written back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// File offset in bytes.
    pub offset: u64,
    /// As in [`Error::path`].
    pub path: String,
    /// A whole sentence.
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
