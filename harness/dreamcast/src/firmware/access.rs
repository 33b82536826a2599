//! How a program opens a file of the host.

/// Access that a program asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) append: bool,
    pub(super) create: bool,
    pub(super) truncate: bool,
}
