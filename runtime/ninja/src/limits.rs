//! Every limit on what a file, a program or a user may ask for.

/// Deepest nesting of parentheses; texts have two.
pub(crate) const PARENTHESES: u32 = 32;
/// Names may share their bytes. Together they may be this many times as long as the body, so that a small
/// file cannot fill the memory by pointing at one long name over and over.
pub(crate) const TEXLIST_SHARING: usize = 16;
/// Nodes may share their data, and entries their keys: together this many times the body.
pub(crate) const SHAPE_SHARING: usize = 4;
/// Tables may share keys. Together they may be this many times as long as the body.
pub(crate) const MOTION_SHARING: usize = 4;
/// Bodies may be this many times as long as the text in all, so that definitions shared by many trees
/// cannot fill the memory.
pub(crate) const TEXT_SHARING: usize = 16;

/// What is limited, and its largest number.
pub const LIMITS: &[(&str, u64)] = &[
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
    ("warnings of one file", crate::error::Warnings::MOST as u64),
];
