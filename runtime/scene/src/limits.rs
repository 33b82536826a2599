//! Every limit on what a file, a program or a user may ask for.

/// Chunks that [`crate::StreamList::seek`] plays at most.
pub(crate) const PLAYED_CHUNKS: usize = 1 << 24;
/// Stamps of all streams that a step, or a seek, plays at each end of a long series of repetitions.
pub(crate) const REPEATED_STAMPS: i64 = 1 << 18;

/// What is limited, and its largest number.
pub const LIMITS: &[(&str, u64)] = &[
    ("chunks of cell streams that one seek plays", PLAYED_CHUNKS as u64),
    (
        "stamps of cell streams that a step plays at each end of a series of repetitions",
        REPEATED_STAMPS as u64,
    ),
    ("streams of a list of cell streams", crate::MAX_STREAMS as u64),
];
