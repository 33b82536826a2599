//! Limits on the work that a file or program may request.

/// Maximum number of chunks that [`crate::StreamList::seek`] plays.
pub(crate) const PLAYED_CHUNKS: usize = 1 << 24;
/// Maximum number of stamps of all streams that a step or a seek plays at each end of a long series of
/// repetitions.
pub(crate) const REPEATED_STAMPS: i64 = 1 << 18;

/// Name and value of each limit.
pub const LIMITS: &[(&str, u64)] = &[
    ("chunks of cell streams that one seek plays", PLAYED_CHUNKS as u64),
    (
        "stamps of cell streams that a step plays at each end of a series of repetitions",
        REPEATED_STAMPS as u64,
    ),
    ("streams of a list of cell streams", crate::MAX_STREAMS as u64),
];
