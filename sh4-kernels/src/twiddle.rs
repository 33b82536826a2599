//! Shared code of the kernels that twiddle squares of texels. They differ in the bits of a texel and the
//! smallest side.
//!
//! Arguments are `dst`, `src` and the side's `log2`. Bit `i` of y is bit `2 i` of a texel's index, bit `i` of
//! x is bit `2 i + 1` (docs/hardware/pvr2.md, "Textures").

use crate::bytes::{field, set_field};
use crate::{Arg, Case, Deviation, Kernel, Rng, Signature, Value};

/// Binary logarithm of the largest side.
const MAX: u32 = 10;

/// Texel size and smallest side of a square.
pub(crate) struct Texels {
    pub(crate) bits: usize,
    /// Binary logarithm of the smallest side.
    pub(crate) least: u32,
    /// Error for other sides.
    pub(crate) wanted: &'static str,
}

/// Index of a texel in twiddled order.
fn place(x: usize, y: usize, log2: u32) -> usize {
    let bits = |bit| (y >> bit & 1) << (2 * bit) | (x >> bit & 1) << (2 * bit + 1);
    (0..log2).fold(0, |place, bit| place | bits(bit))
}

/// Returns x and y of the texel at an index by halving. This is independent of [`place`], which it checks.
fn texel_at(mut place: usize, side: usize) -> (usize, usize) {
    let (mut x, mut y, mut step) = (0, 0, 1);
    while step < side {
        y += step * (place % 2);
        x += step * (place / 2 % 2);
        (place, step) = (place / 4, 2 * step);
    }
    (x, y)
}

impl Texels {
    /// Number of words of a square.
    fn words(&self, log2: u32) -> usize {
        (self.bits << (2 * log2)) / 32
    }

    /// Copies each texel to its index in twiddled order.
    pub(crate) fn reference(&self, kernel: &Kernel, args: &mut [Arg<'_>]) -> Result<(), Signature> {
        let [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(log2)] = args else {
            return Err(kernel.signature("dst, src, log2"));
        };
        let log2 = *log2;
        if !(self.least..=MAX).contains(&log2) || dst.len().min(src.len()) < self.words(log2) {
            return Err(kernel.signature(self.wanted));
        }
        for y in 0..1 << log2 {
            for x in 0..1 << log2 {
                let texel = field(src, self.bits, (y << log2) + x);
                set_field(dst, self.bits, place(x, y, log2), texel);
            }
        }
        Ok(())
    }

    /// Generates sides up to 32.
    pub(crate) fn generate(&self, rng: &mut Rng) -> Case {
        let log2 = self.least + rng.below(6 - self.least);
        let words = self.words(log2);
        Case(vec![
            Value::output(words),
            Value::Words((0..words).map(|_| rng.word()).collect()),
            Value::Value(log2),
        ])
    }

    /// Checks in the opposite direction: computes for each index the texel that belongs there.
    pub(crate) fn deviation(&self, case: &Case) -> Deviation {
        let (side, each) = (1_usize << case.value(2), 32 / self.bits);
        let texel = |at: usize| {
            let (x, y) = texel_at(at, side);
            let from = side * y + x;
            case.words(1)[from / each] >> (self.bits * (from % each)) & ((1 << self.bits) - 1)
        };
        let word = |i: usize| (0..each).fold(0, |word, k| word | texel(each * i + k) << (self.bits * k));
        Deviation::of_words(case.words(0), (0..side * side / each).map(word))
    }
}
