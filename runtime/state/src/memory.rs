//! Memories of devices.

use std::ops::{Deref, DerefMut};

/// Memory of a device, on the heap. A copy of the device can have none if the owner of the copy keeps the
/// bytes.
#[derive(Clone, Debug)]
pub struct Memory<const N: usize>(Option<Box<[u8; N]>>);

impl<const N: usize> Memory<N> {
    /// Allocates zeroed memory, without a copy on the stack.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(vec![0; N].into_boxed_slice().try_into().ok())
    }

    /// No memory. It has no bytes to read or write.
    #[must_use]
    pub const fn absent() -> Self {
        Self(None)
    }
}

impl<const N: usize> Deref for Memory<N> {
    type Target = [u8; N];

    #[inline]
    fn deref(&self) -> &[u8; N] {
        let Some(bytes) = &self.0 else {
            unreachable!("a device without memory does not run");
        };
        bytes
    }
}

impl<const N: usize> DerefMut for Memory<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8; N] {
        let Some(bytes) = &mut self.0 else {
            unreachable!("a device without memory does not run");
        };
        bytes
    }
}
