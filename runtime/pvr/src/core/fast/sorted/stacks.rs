//! Shaded fragments of each pixel, sorted as they come.

use crate::core::PIXELS;

/// Fragments that a pixel can hold; of 16 bytes each.
const DEPTH: usize = 24;

/// A shaded pixel of a figure.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shaded {
    pub(super) key: u64,
    pub(super) colour: u32,
    /// Place of the figure in its list.
    pub(super) tag: u32,
}

/// The fragments of a tile.
#[derive(Debug)]
pub(super) struct Stacks {
    counts: Box<[u8; PIXELS]>,
    /// [`DEPTH`] a pixel, the first of them in use.
    fragments: Vec<[Shaded; DEPTH]>,
}

/// What became of a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pushed {
    Kept,
    /// Its key was there already; of both the one that is listed first has stayed.
    Double,
    /// There was no room.
    Full,
}

impl Default for Stacks {
    fn default() -> Self {
        Self {
            counts: Box::new([0; PIXELS]),
            fragments: Vec::new(),
        }
    }
}

impl Stacks {
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
        self.fragments.resize(PIXELS, [Shaded::default(); DEPTH]);
    }

    /// Puts a fragment in its place; quickly if it belongs at the end or near it.
    #[inline(always)]
    pub(super) fn push(&mut self, pixel: usize, new: Shaded) -> Pushed {
        let (Some(count), Some(stack)) = (self.counts.get_mut(pixel), self.fragments.get_mut(pixel)) else {
            return Pushed::Full;
        };
        let held = usize::from(*count);
        if held >= DEPTH {
            return Pushed::Full;
        }
        let mut at = held;
        while at > 0 && stack[at - 1].key > new.key {
            at -= 1;
        }
        if at > 0 && stack[at - 1].key == new.key {
            if new.tag < stack[at - 1].tag {
                stack[at - 1] = new;
            }
            return Pushed::Double;
        }
        for n in (at..held).rev() {
            stack[n + 1] = stack[n];
        }
        stack[at] = new;
        *count += 1;
        Pushed::Kept
    }

    /// The fragments of a pixel by rising key.
    #[inline(always)]
    pub(super) fn of(&self, pixel: usize) -> &[Shaded] {
        let stack = self.fragments.get(pixel).map_or(&[][..], |stack| stack);
        let count = self.counts.get(pixel).map_or(0, |count| usize::from(*count));
        stack.get(..count).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(key: u64, tag: u32) -> Shaded {
        Shaded { key, colour: 0, tag }
    }

    #[test]
    fn a_pixel_has_its_fragments_in_order_and_each_key_once() {
        let mut stacks = Stacks::default();
        stacks.clear();
        let pushed =
            [(5, 0), (9, 1), (7, 2), (1, 3), (7, 1), (9, 4)].map(|(k, t)| stacks.push(3, fragment(k, t)));
        use Pushed::{Double, Kept};
        assert_eq!(pushed, [Kept, Kept, Kept, Kept, Double, Double]);
        let held: Vec<_> = stacks.of(3).iter().map(|f| (f.key, f.tag)).collect();
        assert_eq!(held, [(1, 3), (5, 0), (7, 1), (9, 1)]);
        assert!(stacks.of(2).is_empty());
    }

    #[test]
    fn a_pixel_is_full_at_its_depth() {
        let mut stacks = Stacks::default();
        stacks.clear();
        for n in 0..DEPTH as u32 {
            assert_eq!(stacks.push(0, fragment(u64::from(n), n)), Pushed::Kept);
        }
        assert_eq!(stacks.push(0, fragment(99, 99)), Pushed::Full);
        assert_eq!(stacks.push(1, fragment(99, 99)), Pushed::Kept);
    }
}
