//! Default limits on the resources that a file may request.

/// Depth of nested lists; ufbx has the same limit. Real files reach 8.
pub(crate) const DEPTH: usize = 32;
/// Decoded bytes of one array, in addition to [`ARRAY_FACTOR`] for each byte of the file.
pub(crate) const ARRAY: u64 = 64 << 20;
pub(crate) const ARRAY_FACTOR: u64 = 8;
/// Decoded bytes of all arrays together.
pub(crate) const TOTAL: u64 = 1 << 30;

/// Name and value of each limit.
pub const LIMITS: &[(&str, u64)] = &[
    ("nested lists of an FBX file", DEPTH as u64),
    (
        "decoded bytes of one array of an FBX file beyond eight for each of its bytes",
        ARRAY,
    ),
    ("decoded bytes of all arrays of an FBX file", TOTAL),
];
