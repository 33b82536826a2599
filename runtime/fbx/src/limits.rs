//! Every limit on what a file may ask for, where the caller has none of its own.

/// Nested lists, as in ufbx. Real files reach 8.
pub(crate) const DEPTH: usize = 32;
/// Decoded bytes of one array.
pub(crate) const ARRAY: u64 = 512 << 20;
/// Decoded bytes of all arrays together.
pub(crate) const TOTAL: u64 = 1 << 30;

/// What is limited, and its largest number.
pub const LIMITS: &[(&str, u64)] = &[
    ("nested lists of an FBX file", DEPTH as u64),
    ("decoded bytes of one array of an FBX file", ARRAY),
    ("decoded bytes of all arrays of an FBX file", TOTAL),
];
