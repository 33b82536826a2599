//! Eight pixels side by side: loops of fixed length over arrays, which compilers turn into vector instructions.

/// Pixels that are computed together. A run is worked on in whole groups; what lies beyond its end is computed and not used.
pub(super) const LANES: usize = 8;

pub(super) type F32 = [f32; LANES];
pub(super) type I32 = [i32; LANES];
pub(super) type U32 = [u32; LANES];
/// Two channels of each of eight pixels.
pub(super) type U16 = [u16; 2 * LANES];

/// One value for each lane.
#[inline(always)]
pub(super) fn each<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; LANES] {
    let mut out = [T::default(); LANES];
    for (n, out) in out.iter_mut().enumerate() {
        *out = f(n);
    }
    out
}

/// One value for each channel.
#[inline(always)]
pub(super) fn each16(f: impl Fn(usize) -> u16) -> U16 {
    let mut out = [0; 2 * LANES];
    for (n, out) in out.iter_mut().enumerate() {
        *out = f(n);
    }
    out
}

/// The same value in both channels of a pixel.
#[inline(always)]
pub(super) fn both(values: &U32) -> U16 {
    bytemuck::cast(each(|n| values[n] | values[n] << 16))
}

/// Eight colours with 16 bits a channel: red and blue, alpha and green.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    pub(super) rb: U16,
    pub(super) ag: U16,
}

impl Colours {
    #[inline(always)]
    pub(super) fn of(argb: &U32) -> Self {
        Self {
            rb: bytemuck::cast(each(|n| argb[n] & 0x00FF_00FF)),
            ag: bytemuck::cast(each(|n| argb[n] >> 8 & 0x00FF_00FF)),
        }
    }

    /// Channels hold at most 255.
    #[inline(always)]
    pub(super) fn argb(&self) -> U32 {
        let (rb, ag): (U32, U32) = (bytemuck::cast(self.rb), bytemuck::cast(self.ag));
        each(|n| rb[n] | ag[n] << 8)
    }

    #[inline(always)]
    pub(super) fn map(self, f: impl Fn(u16) -> u16) -> Self {
        Self {
            rb: each16(|n| f(self.rb[n])),
            ag: each16(|n| f(self.ag[n])),
        }
    }

    #[inline(always)]
    pub(super) fn zip(self, other: &Self, f: impl Fn(u16, u16) -> u16) -> Self {
        Self {
            rb: each16(|n| f(self.rb[n], other.rb[n])),
            ag: each16(|n| f(self.ag[n], other.ag[n])),
        }
    }

    /// With the alpha of another.
    #[inline(always)]
    pub(super) fn with_alpha(self, other: &Self) -> Self {
        let (own, alpha): (U32, U32) = (bytemuck::cast(self.ag), bytemuck::cast(other.ag));
        let ag = each(|n| own[n] & 0xFFFF | alpha[n] & 0xFFFF_0000);
        Self {
            ag: bytemuck::cast(ag),
            ..self
        }
    }

    /// Alpha in all channels.
    #[inline(always)]
    pub(super) fn alphas(&self) -> Self {
        let ag: U32 = bytemuck::cast(self.ag);
        let alpha = both(&each(|n| ag[n] >> 16));
        Self { rb: alpha, ag: alpha }
    }
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
