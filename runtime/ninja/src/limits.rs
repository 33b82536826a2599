//! Limits on the resources that a file may request.

/// Nesting of parentheses. Real texts have two levels.
pub(crate) const PARENTHESES: u32 = 32;
/// Chunks of a file. A parsed chunk takes up to 1,500 bytes.
pub(crate) const CHUNKS: usize = 1 << 16;
/// Names may share their bytes. The limit on their total length is this many times the body's size. It stops
/// a small file from exhausting memory with many pointers to one long name.
pub(crate) const TEXLIST_SHARING: usize = 16;
/// Nodes may share their data, and entries their keys. The limit on the total is this many times the body's
/// size.
pub(crate) const SHAPE_SHARING: usize = 4;
/// Tables may share keys. The limit on their total is this many times the body's size.
pub(crate) const MOTION_SHARING: usize = 4;
/// Many trees may share definitions. The limit on the total size of all bodies is this many times the text's
/// size.
pub(crate) const TEXT_SHARING: usize = 16;

/// Name and value of each limit.
pub const LIMITS: &[(&str, u64)] = &[
    ("chunks of a file", CHUNKS as u64),
    ("nested parentheses in a text file", PARENTHESES as u64),
    (
        "bytes of names in a texture list, divided by the bytes of its chunk",
        TEXLIST_SHARING as u64,
    ),
    (
        "keys of a shape motion, divided by the bytes of its chunk",
        SHAPE_SHARING as u64,
    ),
    (
        "keys of a motion, divided by the bytes of its chunk",
        MOTION_SHARING as u64,
    ),
    (
        "bytes of all bodies of a text file, divided by its own",
        TEXT_SHARING as u64,
    ),
    ("warnings of one file", crate::error::Warnings::MAX as u64),
];
