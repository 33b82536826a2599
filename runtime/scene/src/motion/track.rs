//! A key table, and the search for the keys around a frame.

use ninja::Key;
use sh4_kernels::keys::Span;

/// Behaviour after the last key of a table.
///
/// The original interpolates from the last key that is not after the requested frame to the next key,
/// cyclically. If the next key is not later, it uses a distance of one frame (docs/formats/ninja.md 2.5,
/// derived from the original's code). After the last key it therefore reaches the first key's value within
/// one frame, and then extrapolates beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastKey {
    /// Behaves like the original.
    #[default]
    Original,
    /// Keeps the last key to the end.
    Hold,
    /// Interpolates from the last key to the first over the rest of the motion.
    Wrap,
}

/// Keys of one table, by ascending frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track<T> {
    frames: Vec<u32>,
    pub(crate) values: Vec<T>,
    /// Number of keys before the first that does not ascend: the original's search never reaches later ones.
    ascending: usize,
}

/// Position of a frame among the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyInterval {
    /// Exactly one key.
    At(usize),
    /// Between a key and the next.
    Between {
        /// Index of the key before.
        before: usize,
        /// Index of the key after.
        after: usize,
        /// Distance between the keys.
        span: Span,
    },
}

impl<T> Track<T> {
    pub(crate) fn new<K: Copy>(keys: &[Key<K>], value: impl Fn(K) -> T) -> Self {
        let descent = keys.windows(2).position(|pair| pair[1].frame <= pair[0].frame);
        Self {
            frames: keys.iter().map(|key| key.frame).collect(),
            values: keys.iter().map(|key| value(key.value)).collect(),
            ascending: descent.map_or(keys.len(), |i| i + 1),
        }
    }

    /// Returns the index of the first key that is not after its predecessor.
    pub(crate) fn descent(&self) -> Option<usize> {
        (self.ascending < self.frames.len()).then_some(self.ascending)
    }

    /// Returns the position of `frame` (not negative) in a motion of `length` frames; `None` without keys.
    pub(crate) fn place(&self, frame: f32, length: u32, rule: LastKey) -> Option<KeyInterval> {
        let ascending = &self.frames[..self.ascending];
        let reached = ascending.partition_point(|key| *key <= frame as u32);
        // Before the first key its value applies: the original's search finds no key there.
        let before = reached.saturating_sub(1);
        let start = *self.frames.get(before)?;
        if reached == 0 || self.frames.len() == 1 {
            return Some(KeyInterval::At(before));
        }
        let after = (before + 1) % self.frames.len();
        let is_last = before + 1 == self.ascending;
        let length = match (is_last, rule) {
            (true, LastKey::Hold) => return Some(KeyInterval::At(before)),
            (true, LastKey::Wrap) => length.saturating_sub(start),
            _ => self.frames[after].saturating_sub(start),
        };
        let span = Span {
            start,
            length: length.max(1),
        };
        Some(KeyInterval::Between { before, after, span })
    }
}

impl<T: Copy> Track<T> {
    /// Returns the four keys for a spline at a position: one before, the two around it, one after,
    /// cyclically.
    pub(crate) fn around(&self, before: usize) -> [T; 4] {
        let n = self.values.len();
        [n - 1, 0, 1, 2].map(|step| self.values[(before + step) % n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(frames: &[u32]) -> Track<u32> {
        let keys: Vec<Key<u32>> = frames
            .iter()
            .map(|&frame| Key {
                frame,
                value: frame * 10,
            })
            .collect();
        Track::new(&keys, |value| value)
    }

    fn between(before: usize, after: usize, start: u32, length: u32) -> Option<KeyInterval> {
        let span = Span { start, length };
        Some(KeyInterval::Between { before, after, span })
    }

    /// The expected values were derived by hand from the rule: the last key not above the integer frame, and
    /// the next one cyclically.
    #[test]
    fn keys_around_a_frame() {
        let track = track(&[0, 10, 20]);
        let place = |frame| track.place(frame, 30, LastKey::Original);
        assert_eq!(place(0.0), between(0, 1, 0, 10));
        assert_eq!(place(9.99), between(0, 1, 0, 10));
        assert_eq!(place(10.0), between(1, 2, 10, 10));
        // The last key leads to the first within one frame, and extrapolates afterwards.
        assert_eq!(place(25.5), between(2, 0, 20, 1));
    }

    #[test]
    fn the_other_rules_for_the_last_key() {
        let track = track(&[0, 10, 20]);
        assert_eq!(track.place(25.5, 30, LastKey::Hold), Some(KeyInterval::At(2)));
        assert_eq!(track.place(25.5, 30, LastKey::Wrap), between(2, 0, 20, 10));
        assert_eq!(track.place(5.0, 30, LastKey::Hold), between(0, 1, 0, 10));
    }

    #[test]
    fn few_keys_and_late_ones() {
        assert_eq!(track(&[]).place(3.0, 30, LastKey::Original), None);
        assert_eq!(
            track(&[0]).place(3.0, 30, LastKey::Original),
            Some(KeyInterval::At(0))
        );
        assert_eq!(
            track(&[5, 9]).place(3.0, 30, LastKey::Original),
            Some(KeyInterval::At(0))
        );
    }

    /// A table that returns to frame 0 (PSO's animation_020, node 42): the search ends at the key before.
    #[test]
    fn a_table_that_descends() {
        let track = track(&[0, 4, 8, 0]);
        assert_eq!(track.descent(), Some(3));
        assert_eq!(track.place(6.0, 30, LastKey::Original), between(1, 2, 4, 4));
        assert_eq!(track.place(9.0, 30, LastKey::Original), between(2, 3, 8, 1));
    }

    #[test]
    fn a_spline_takes_four_keys_counted_around() {
        let track = track(&[0, 1, 2, 3]);
        assert_eq!(track.around(0), [30, 0, 10, 20]);
        assert_eq!(track.around(3), [20, 30, 0, 10]);
    }
}
