//! Every limit on what a file, a program or a user may ask for.

/// Bytes of all regions together.
pub(crate) const MAPPED_BYTES: u64 = 256 << 20;

/// What is limited, and its largest number.
pub const LIMITS: &[(&str, u64)] = &[("bytes of memory mapped in crate `engine`", MAPPED_BYTES)];
