//! Counts by name.

/// Names with their counts, in the order of the chunk numbers.
pub(super) type Counts = serde_json::Map<String, serde_json::Value>;
