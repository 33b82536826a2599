//! Vectors whose products with XMTRX need no proof: whole numbers, and what is like them.
//!
//! If all numbers in a row of the matrix are multiples of a power of two and all in the vector are of another, so are the
//! products and all their sums of the powers' product; and where they are few enough multiples, every one of those is a single.
//! Then arithmetic in single precision is exact, in any order and by either model: the hardware cuts off only what
//! is below 2^-26 times the largest product. Zeros are positive as long as the first addend is.

use std::arch::x86_64::*;

/// Bits of a single's significand.
const DIGITS: i32 = 24;
/// The exponents that products and sums may have, away from the ends of the range.
const EXPONENTS: std::ops::RangeInclusive<i32> = -120..=120;
/// Widest range of exponents that [`Grid::round`] tells multiples in.
const WIDEST: i32 = DIGITS - 2;
/// Exact vectors off the grid after which a matrix is not given another one.
const MISSES: u32 = 64;

/// Numbers lie in this: multiples of `1 << least`, less than `1 << top`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    least: i32,
    top: i32,
}

impl Span {
    /// Of normal numbers; others count as zeros. Nothing if there is none.
    fn of(numbers: impl Iterator<Item = u32>) -> Option<Span> {
        numbers.filter_map(Span::one).reduce(Span::with)
    }

    fn one(bits: u32) -> Option<Span> {
        let exponent = (bits >> 23 & 0xFF) as i32 - super::BIAS as i32;
        let fraction = bits & 0x7F_FFFF | 0x80_0000;
        (bits & super::INFINITY as u32 != 0).then_some(Span {
            least: exponent - (DIGITS - 1) + fraction.trailing_zeros() as i32,
            top: exponent + 1,
        })
    }

    fn with(self, other: Span) -> Span {
        Span {
            least: self.least.min(other.least),
            top: self.top.max(other.top),
        }
    }

    fn width(self) -> i32 {
        self.top - self.least
    }
}

/// A matrix, and the vectors that lie on its grid.
pub(super) struct Grid {
    columns: [__m128; 4],
    /// Vectors lie between these,
    lowest: __m128,
    highest: __m128,
    /// and what is added to this rounds to multiples as theirs are.
    round: __m128,
    /// That of all vectors so far that were exact, as far as they fit.
    seen: Option<Span>,
    misses: u32,
}

impl Grid {
    /// Whether it pays to [`Grid::learn`].
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.misses < MISSES
    }

    /// A matrix of which no vectors have been seen.
    pub(super) fn restart(&mut self) {
        (self.seen, self.misses) = (None, 0);
    }

    /// `vector` was exact and not on the grid: makes another one that it is on. False if there is none.
    #[cold]
    pub(super) fn learn(&mut self, elements: &[u32; 16], vector: [u32; 4]) -> bool {
        self.misses += 1;
        let rows = [0, 1, 2, 3].map(|row| Span::of(elements.iter().skip(row).step_by(4).copied()));
        let width = rows.iter().flatten().map(|row| row.width()).max().unwrap_or(0);
        // Four products are less than four times the largest.
        let room = (DIGITS - 2 - width).min(WIDEST);
        let Some(new) = Span::of(vector.into_iter()) else {
            return false;
        };
        let both = self.seen.map_or(new, |seen| seen.with(new));
        let seen = if both.width() <= room { both } else { new };
        let span = Span {
            top: seen.least + room,
            ..seen
        };
        let ends = rows
            .iter()
            .flatten()
            .flat_map(|row| [row.least + span.least, row.top + span.top + 2]);
        let mut ends = ends.chain([span.least, span.least + DIGITS]);
        if seen.width() > room || !ends.all(|exponent| EXPONENTS.contains(&exponent)) {
            return false;
        }
        self.set(elements, span);
        self.seen = Some(seen);
        true
    }

    fn set(&mut self, elements: &[u32; 16], span: Span) {
        let all = |x: f32| bits([x.to_bits(); 4]);
        let highest = power(span.top);
        let columns = elements.as_chunks::<4>().0;
        self.columns = [0, 1, 2, 3].map(|i| bits(columns[i]));
        (self.lowest, self.highest) = (all(-highest), all(highest));
        // Between this and as much again, singles are `1 << span.least` apart, and `highest` leads no further.
        self.round = all(1.5 * power(span.least + DIGITS - 1));
    }

    /// The product, for vectors on the grid. For a host that takes denormal operands for zeros.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn product(&self, v: __m128) -> Option<__m128> {
        // What is no number comes out of the first as something else too.
        let inside = _mm_max_ps(_mm_min_ps(v, self.highest), self.lowest);
        let multiples = _mm_sub_ps(_mm_add_ps(inside, self.round), self.round);
        let off = _mm_cmp_ps::<_CMP_NEQ_UQ>(multiples, v);
        if _mm_testz_ps(off, off) == 0 {
            return None;
        }
        let [a, b, c, d] = self.columns;
        let sum = _mm_fmadd_ps(a, _mm_permute_ps::<0x00>(v), _mm_setzero_ps());
        let sum = _mm_fmadd_ps(b, _mm_permute_ps::<0x55>(v), sum);
        let sum = _mm_fmadd_ps(c, _mm_permute_ps::<0xAA>(v), sum);
        Some(_mm_fmadd_ps(d, _mm_permute_ps::<0xFF>(v), sum))
    }
}

/// A power of two.
fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + super::BIAS as i32) as u32) << 23)
}

fn bits(lanes: [u32; 4]) -> __m128 {
    let [a, b, c, d] = lanes.map(f32::from_bits);
    // SAFETY: every host here has SSE.
    unsafe { _mm_setr_ps(a, b, c, d) }
}
