//! Limits on the size of files, programs and requests.

/// Files and directories of a folder that becomes a disc.
pub(crate) const DISC_ENTRIES: usize = 20_000;
/// Depth of directories.
pub(crate) const DISC_DEPTH: usize = 32;
/// Bytes of a name, which must fit into a directory record of 255 bytes.
pub(crate) const DISC_NAME: usize = 160;
/// Bytes of a text, or of a part of a file, that describes a disc.
pub(crate) const DISC_TEXT: u64 = 1 << 16;
/// Bytes of a program's file: the RAM from 8C010000 on.
pub(crate) const BOOT_PROGRAM: u32 = 0x00FF_0000;
/// Sectors of a root directory.
pub(crate) const BOOT_DIRECTORY: u32 = 1024;
/// Files and directories that a program can have open at the same time.
pub(crate) const OPEN_FILES: usize = 256;
/// Bytes of the listings of all open directories.
pub(crate) const LISTINGS: usize = 32 << 20;
/// Bytes of one read or write of a host's file.
pub(crate) const FILE_CALL: u32 = 16 << 20;
/// Characters of a program's path.
pub(crate) const PATH: u32 = 1024;
/// Bytes of console text that no caller has taken; further text is lost. Twice the largest write.
pub(crate) const CONSOLE_TEXT: usize = 2 * FILE_CALL as usize;
/// Bytes of a read: no memory is larger than RAM.
pub(crate) const DISC_READ: u64 = 16 << 20;

/// Bytes of all lists in a saved state, without the memories of fixed size.
pub(crate) const STATE_LISTS: usize = 128 << 20;

/// Actions of an input script. A typed character is two or four actions.
pub(crate) const SCRIPT_ACTIONS: usize = 1 << 17;
/// Bytes of the script for each further action.
pub(crate) const SCRIPT_BYTES: usize = 8;

/// Names of the limits, and the largest allowed values.
pub const LIMITS: &[(&str, u64)] = &[
    ("files and directories of a folder as a disc", DISC_ENTRIES as u64),
    ("nested directories of a folder as a disc", DISC_DEPTH as u64),
    ("bytes of a name in a folder as a disc", DISC_NAME as u64),
    (
        "bytes of a GDI or cue file, and of the description in a CDI file",
        DISC_TEXT,
    ),
    ("bytes of a disc's boot program", BOOT_PROGRAM as u64),
    ("sectors of a disc's root directory", BOOT_DIRECTORY as u64),
    (
        "files, and directories, that a program has open",
        OPEN_FILES as u64,
    ),
    (
        "bytes of the lists of directories that a program has open",
        LISTINGS as u64,
    ),
    ("bytes of one read or write of a host's file", FILE_CALL as u64),
    ("bytes of a path that a program names", PATH as u64),
    (
        "bytes of console text that wait to be printed; more is lost",
        CONSOLE_TEXT as u64,
    ),
    ("bytes of one read of a disc", DISC_READ),
    ("bytes of all lists in a state file", STATE_LISTS as u64),
    (
        "actions of an input script beyond one for each 8 of its bytes",
        SCRIPT_ACTIONS as u64,
    ),
];
