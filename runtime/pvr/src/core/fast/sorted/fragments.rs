//! Fragments of pixels, sorted by depth.

use super::super::NONE;
use crate::core::PIXELS;

/// Maximum number of fragments that are sorted in a tile. The reference renderer draws tiles with more.
pub(in crate::core::fast) const MAX_FRAGMENTS: usize = 1 << 15;

/// A pixel of a primitive.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::core::fast) struct Fragment {
    pub(in crate::core::fast) key: u64,
    /// Primitive in the lower half, pixel in the upper half. A list has at most 2^15 primitives.
    place: u32,
}

impl Fragment {
    /// Number in place of the primitive for a removed fragment.
    const REMOVED: u32 = 0xFFFF;

    #[inline(always)]
    pub(in crate::core::fast) fn new(key: u64, tag: u32, pixel: usize) -> Self {
        Self {
            key,
            place: (pixel as u32) << 16 | tag & 0xFFFF,
        }
    }

    /// Returns the tag, or [`NONE`] for a removed fragment.
    #[inline(always)]
    pub(in crate::core::fast) fn tag(&self) -> u32 {
        match self.place & 0xFFFF {
            Self::REMOVED => NONE,
            tag => tag,
        }
    }

    /// Returns the sort key.
    #[inline(always)]
    fn sort_key(&self) -> (u64, u32) {
        (self.key, self.place)
    }

    #[inline(always)]
    fn pixel(&self) -> usize {
        (self.place >> 16) as usize
    }
}

/// Fragments by pixel.
#[derive(Debug, Default)]
pub(in crate::core::fast) struct Buckets {
    pub(in crate::core::fast) gathered: Vec<Fragment>,
    sorted: Vec<Fragment>,
    /// First fragment of each pixel in `sorted`, and the end.
    first: Vec<u32>,
}

impl Buckets {
    /// Sorts by pixel, then by key. Among equal keys, keeps the fragment of the primitive listed first.
    /// Returns the number of kept fragments.
    pub(in crate::core::fast) fn sort(&mut self) -> u64 {
        self.first.clear();
        self.first.resize(PIXELS + 1, 0);
        for fragment in &self.gathered {
            self.first[fragment.pixel() + 1] += 1;
        }
        for n in 0..PIXELS {
            self.first[n + 1] += self.first[n];
        }
        self.sorted.clear();
        self.sorted.resize(self.gathered.len(), Fragment::default());
        // The loop fills each pixel from its end. Then `first` has moved to the pixel's start.
        for &fragment in self.gathered.iter().rev() {
            let at = &mut self.first[fragment.pixel() + 1];
            *at -= 1;
            self.sorted[*at as usize] = fragment;
        }
        self.first.push(self.sorted.len() as u32);
        (0..PIXELS).map(|pixel| self.order(pixel)).sum()
    }

    fn range(&self, pixel: usize) -> std::ops::Range<usize> {
        self.first[pixel + 1] as usize..self.first[pixel + 2] as usize
    }

    /// Sorts the fragments of a pixel, which are nearly in order. Duplicates get the tag [`NONE`].
    fn order(&mut self, pixel: usize) -> u64 {
        let range = self.range(pixel);
        let fragments = &mut self.sorted[range];
        if fragments.len() > 32 {
            fragments.sort_unstable_by_key(Fragment::sort_key);
        }
        for n in 1..fragments.len() {
            let own = fragments[n];
            let mut at = n;
            while at > 0 && fragments[at - 1].sort_key() > own.sort_key() {
                fragments[at] = fragments[at - 1];
                at -= 1;
            }
            fragments[at] = own;
        }
        let mut last = None;
        let mut count = 0;
        for fragment in fragments {
            if last == Some(fragment.key) {
                fragment.place |= Fragment::REMOVED;
            } else {
                last = Some(fragment.key);
                count += 1;
            }
        }
        count
    }

    /// Returns the fragments of a pixel in ascending order. Fragments with the tag [`NONE`] are removed ones.
    pub(in crate::core::fast) fn of(&self, pixel: usize) -> &[Fragment] {
        self.sorted.get(self.range(pixel)).unwrap_or_default()
    }
}

/// Returns the depth of a sort key.
pub(in crate::core::fast) fn depth_of_key(key: u32) -> f32 {
    f32::from_bits(if key >> 31 != 0 { key & 0x7FFF_FFFF } else { !key })
}
