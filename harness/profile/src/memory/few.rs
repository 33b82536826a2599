//! A few things at one place.

use std::ops::{Deref, DerefMut};

/// As many as `N`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few<T, const N: usize> {
    all: [T; N],
    count: usize,
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Takes one more; false if there is no room.
    pub(super) fn push(&mut self, one: T) -> bool {
        let room = self.all.get_mut(self.count);
        let fits = room.is_some();
        if let Some(place) = room {
            *place = one;
            self.count += 1;
        }
        fits
    }
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    fn default() -> Few<T, N> {
        Few {
            all: [T::default(); N],
            count: 0,
        }
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.all[..self.count.min(N)]
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[..self.count.min(N)]
    }
}
