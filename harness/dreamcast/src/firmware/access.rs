//! Access modes for a program's files on the host.

/// Access requested by a program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access {
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) append: bool,
    pub(super) create: bool,
    pub(super) truncate: bool,
}

state::fields!(Access {
    read,
    write,
    append,
    create,
    truncate
});

impl Access {
    /// Returns the access for reopening the file, without creation and truncation.
    pub(super) fn again(self) -> Self {
        Self {
            create: false,
            truncate: false,
            ..self
        }
    }
}
