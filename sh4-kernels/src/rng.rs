//! Seeded random inputs.
//!
//! This generator is part of the crate, because a seed in a report must always give the same numbers.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator for `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns the next 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Returns a uniform number in `0..end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(end)) >> 32) as u32
    }

    /// Returns a uniform number in `low..high`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.word() >> 8) as f32 / (1 << 24) as f32
    }

    /// Returns a typical finite float: mostly of ordinary size, sometimes zero, one, tiny or large.
    pub fn finite(&mut self) -> f32 {
        let magnitude = match self.below(16) {
            0 => 0.0,
            1 => 1.0,
            2 => f32::from_bits(self.below(0x0080_0000)),
            3 => f32::from_bits(0x0080_0000 + self.below(0x1000_0000)),
            4 => self.range(1.0e6, 1.0e9),
            5 => self.below(4096) as f32,
            _ => self.range(0.0, 200.0),
        };
        if self.word() & 1 == 0 {
            magnitude
        } else {
            -magnitude
        }
    }

    /// Returns `N` finite floats.
    pub fn finites<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.finite())
    }

    /// Returns a vector of length one, up to rounding.
    pub fn unit(&mut self) -> [f32; 3] {
        loop {
            let v: [f32; 3] = std::array::from_fn(|_| self.range(-1.0, 1.0));
            let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            if length > 0.1 && length <= 1.0 {
                return v.map(|c| c / length);
            }
        }
    }

    /// Returns the matrix of an object in a scene (rotation by three angles, scale, translation); sometimes
    /// random finite floats.
    pub fn matrix(&mut self) -> [f32; 16] {
        if self.below(8) == 0 {
            return self.finites();
        }
        let (x, y, z) = (self.unit(), self.unit(), self.unit());
        let scale = self.range(0.25, 4.0);
        let t: [f32; 3] = std::array::from_fn(|_| self.range(-100.0, 100.0));
        [
            x[0] * scale,
            x[1] * scale,
            x[2] * scale,
            0.0,
            y[0] * scale,
            y[1] * scale,
            y[2] * scale,
            0.0,
            z[0] * scale,
            z[1] * scale,
            z[2] * scale,
            0.0,
            t[0],
            t[1],
            t[2],
            1.0,
        ]
    }
}
