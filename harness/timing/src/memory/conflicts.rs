//! Lines that evict each other.

use super::LIMIT;
use crate::hash::{NumberMap, mix};

/// Two lines that compete for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The evicted line.
    pub victim: u32,
    /// The line that evicted it.
    pub evictor: u32,
    /// Number of times that the victim was fetched again.
    pub count: u64,
}

/// Size of the filter in bits, as a power of two: sixteen per pair.
const FILTER: u32 = LIMIT.trailing_zeros() + 4;

/// Counts, by pair of lines, how often an evicted line was fetched again and evicted the line that had
/// replaced it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conflicts {
    /// Counts. The key holds the line that was fetched again (upper half) and the line that it evicted.
    counts: NumberMap<u64, u64>,
    /// Filter that rejects most uncounted pairs once the counts are full: one bit for the hash of each
    /// counted pair.
    filter: Vec<u64>,
}

impl Conflicts {
    /// Counts that `evictor` was fetched again and evicted `victim`.
    #[inline(always)]
    pub(crate) fn count(&mut self, victim: u32, evictor: u32) {
        let key = u64::from(evictor) << 32 | u64::from(victim);
        let (word, bit) = place(key);
        if self.filter.get(word).is_none_or(|word| word & bit != 0) {
            self.count_key(key);
        }
    }

    #[inline(never)]
    fn count_key(&mut self, key: u64) {
        if let Some(count) = self.counts.get_mut(&key) {
            *count += 1;
        } else if self.counts.len() < LIMIT {
            self.counts.insert(key, 1);
            if self.counts.len() == LIMIT {
                self.fill();
            }
        }
    }

    #[cold]
    fn fill(&mut self) {
        self.filter = vec![0; 1 << FILTER >> 6];
        for key in self.counts.keys() {
            let (word, bit) = place(*key);
            self.filter[word] |= bit;
        }
    }

    /// Returns all conflicts, unsorted.
    pub(crate) fn all(&self) -> Vec<Conflict> {
        let conflict = |(lines, count): (&u64, &u64)| Conflict {
            victim: (*lines >> 32) as u32,
            evictor: *lines as u32,
            count: *count,
        };
        self.counts.iter().map(conflict).collect()
    }
}

/// Returns the position of a key in the filter: a word, and a bit in it.
#[inline(always)]
fn place(key: u64) -> (usize, u64) {
    let hash = mix(key);
    (
        (hash >> (64 - FILTER + 6)) as usize,
        1 << (hash >> (64 - FILTER) & 63),
    )
}
