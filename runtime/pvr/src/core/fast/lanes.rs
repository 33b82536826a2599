//! Eight pixels side by side: loops of fixed length over arrays, which compilers turn into vector instructions.

/// Pixels that are computed together. A run is worked on in whole groups; what lies beyond its end is computed and not used.
pub(super) const LANES: usize = 8;

pub(super) type F32 = [f32; LANES];
pub(super) type I32 = [i32; LANES];
pub(super) type U32 = [u32; LANES];

/// One value for each lane.
#[inline(always)]
pub(super) fn each<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; LANES] {
    let mut out = [T::default(); LANES];
    for (n, out) in out.iter_mut().enumerate() {
        *out = f(n);
    }
    out
}

/// The last place of floats from 2^23 on is 1; half more leaves room for negative ones.
const ROUND: f32 = 12_582_912.0;
/// Values nearer to zero than this are converted together.
const LIMIT: f32 = 4_194_304.0;

/// `value as i32` of each value. `as` saturates, for which most processors have no instruction; adding a power of two whose last
/// place is 1 leaves the rounded integer in the low bits instead, and a comparison takes the rounding back.
#[inline(always)]
pub(super) fn truncate(values: &F32) -> I32 {
    // Not `all`, which would leave early: all are compared at once.
    let near = values
        .iter()
        .fold(true, |near, value| near & (value.abs() < LIMIT));
    if !near {
        return values.map(|value| value as i32);
    }
    each(|n| {
        let sum = values[n] + ROUND;
        let rounded = sum - ROUND;
        let nearest = sum.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
        let down = i32::from(values[n] >= 0.0 && rounded > values[n]);
        let up = i32::from(values[n] < 0.0 && rounded < values[n]);
        nearest - down + up
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_equals_the_conversion() {
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
        for n in 0..1_000_000u32 {
            // Floats of all sizes, and neighbours of halves and integers.
            let wild = f32::from_bits(n.wrapping_mul(0x9E37_79B1));
            let half = n as f32 / 2.0;
            let [a, b, c, d] = [half, half.next_up(), half.next_down(), -half.next_up()];
            let near = [a, b, c, d, 0.5, -0.5, -half, -half.next_down()];
            assert_eq!(truncate(&near), near.map(|v| v as i32));
            let mixed = [wild, edges[n as usize % edges.len()], a, -1.5, 2.5, c, d, 1.0];
            assert_eq!(truncate(&mixed), mixed.map(|v| v as i32));
        }
    }
}
