//! Limits on the memory that an ELF file can request. Headers and symbols may share bytes of the file, so a
//! small file could otherwise take gigabytes.

/// Maximum number of loadable segments. Linkers create fewer than ten.
pub(crate) const SEGMENTS: u64 = 128;
/// Maximum bytes of all loadable segments, divided by the bytes of the file.
pub(crate) const SEGMENT_FACTOR: u64 = 2;
/// Factor in the limit for the bytes of all symbol names: this factor times the file's size, plus
/// [`NAME_BYTES`].
pub(crate) const NAME_FACTOR: u64 = 2;
/// Bytes of symbol names that a file of any size may have.
pub(crate) const NAME_BYTES: u64 = 16 << 20;

/// Characters of a symbol's name in listings, which repeat it for each instruction that refers to it.
pub(crate) const SHOWN_NAME: usize = 1024;

/// Names of the limits, and the largest allowed values.
pub const LIMITS: &[(&str, u64)] = &[
    ("loadable segments of an ELF file", SEGMENTS),
    (
        "bytes of its loadable segments, divided by its own",
        SEGMENT_FACTOR,
    ),
    (
        "bytes of the names of its symbols beyond 16 MiB, divided by its own",
        NAME_FACTOR,
    ),
    (
        "characters of a symbol's name in listings; a longer one is cut",
        SHOWN_NAME as u64,
    ),
];
