//! Floats to integers, cut off towards zero, several at a time.
//!
//! `as i32` is the definition. It saturates, for which x86-64 has no instruction, and compilers then convert one value
//! after another. Adding a power of two whose last place is 1 leaves the rounded integer in the low bits instead; a
//! comparison with the value takes the rounding back.

use super::plane::LANES;

/// The last place of numbers from 2^23 on is 1; half more leaves room for negative ones.
const ROUND: f32 = 12_582_912.0;
/// Values nearer to zero than this are converted together.
const LIMIT: f32 = 4_194_304.0;

/// `value as u32` of a value from 0 to 65536.
#[inline(always)]
pub(super) fn small(value: f32) -> u32 {
    let sum = value + ROUND;
    let rounded = sum - ROUND;
    sum.to_bits()
        .wrapping_sub(ROUND.to_bits())
        .wrapping_sub(u32::from(rounded > value))
}

/// `value as i32` of each value.
#[inline(always)]
pub(super) fn truncate(values: &[f32; LANES]) -> [i32; LANES] {
    let mut out = [0; LANES];
    // Not `any(|v| !(v < limit))`, which would leave early: all are compared at once.
    let near = values
        .iter()
        .fold(true, |near, value| near & (value.abs() < LIMIT));
    if near {
        for (out, &value) in out.iter_mut().zip(values) {
            let sum = value + ROUND;
            let rounded = sum - ROUND;
            let nearest = sum.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
            let down = i32::from(value >= 0.0 && rounded > value);
            let up = i32::from(value < 0.0 && rounded < value);
            *out = nearest - down + up;
        }
    } else {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = value as i32;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_conversion() {
        let edges = [
            0.0,
            -0.0,
            f32::NAN,
            f32::INFINITY,
            -f32::INFINITY,
            LIMIT,
            -LIMIT,
            1e-40,
            3e9,
            -3e9,
        ];
        for n in 0..2_000_000u32 {
            // Floats of all sizes, and neighbours of halves and integers.
            let wild = f32::from_bits(n.wrapping_mul(0x9E37_79B1));
            let half = n as f32 / 2.0;
            let near = |f: f32| [f, f.next_up(), f.next_down(), -f, -f.next_up(), -f.next_down()];
            let [a, b, c, d, e, f] = near(half);
            assert_eq!(
                truncate(&[a, b, c, d, e, f, 0.5, -0.5]),
                [a, b, c, d, e, f, 0.5, -0.5].map(|v| v as i32)
            );
            let mixed = [wild, edges[n as usize % edges.len()], a, -1.5, 2.5, c, d, 1.0];
            assert_eq!(truncate(&mixed), mixed.map(|v| v as i32));
            for value in [a, b, c] {
                if (0.0..=65536.0).contains(&value) {
                    assert_eq!(small(value), value as u32, "{value}");
                }
            }
        }
    }
}
