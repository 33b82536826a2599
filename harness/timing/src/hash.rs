//! A fast hash for small keys: numbers, addresses, and pairs of them. It does not resist chosen keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with such keys.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Factor of [`mix`].
pub const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Multiplies by 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4), so that
/// the upper bits depend on all bits of the number.
#[inline(always)]
pub fn mix(number: u64) -> u64 {
    number.wrapping_mul(FACTOR)
}

/// Hasher that mixes numbers in sequence.
#[derive(Clone, Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = mix(self.0 ^ number);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
