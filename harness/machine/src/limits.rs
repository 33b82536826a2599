//! Every limit on what an ELF file may ask for. Headers and symbols may share bytes of the file; without
//! limits a small file takes gigabytes.

/// Loadable segments. Linkers make fewer than ten.
pub(crate) const SEGMENTS: u64 = 128;
/// Bytes of all loadable segments, divided by the bytes of the file.
pub(crate) const SEGMENT_FACTOR: u64 = 2;
/// Bytes of the names of all symbols: this times the bytes of the file, and [`NAME_BYTES`].
pub(crate) const NAME_FACTOR: u64 = 2;
/// Bytes of names that any file may have.
pub(crate) const NAME_BYTES: u64 = 16 << 20;

/// What is limited, and its largest number.
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
];
