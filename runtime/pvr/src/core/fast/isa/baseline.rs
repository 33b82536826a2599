//! Lanes as arrays.

use super::{DepthMode, FOUR, Isa, LANES};

/// Lanes as arrays, which every processor can compute.
#[derive(Debug, Clone, Copy)]
pub(in crate::core::fast) struct Baseline;

type F = [f32; LANES];
type W = [u32; LANES];
type D = [f64; FOUR];

/// One value for each lane.
#[inline(always)]
fn each<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; LANES] {
    let mut out = [T::default(); LANES];
    for (n, out) in out.iter_mut().enumerate() {
        *out = f(n);
    }
    out
}

/// One double for each of four rows.
#[inline(always)]
fn four(f: impl Fn(usize) -> f64) -> D {
    [f(0), f(1), f(2), f(3)]
}

#[inline(always)]
fn mask(f: impl Fn(usize) -> bool) -> W {
    each(|n| u32::from(f(n)).wrapping_neg())
}

/// An operation on the half words of two words.
#[inline(always)]
fn halves(a: &W, b: &W, f: impl Fn(u16, u16) -> u16) -> W {
    each(|n| {
        let low = f(a[n] as u16, b[n] as u16);
        let high = f((a[n] >> 16) as u16, (b[n] >> 16) as u16);
        u32::from(low) | u32::from(high) << 16
    })
}

/// Operations are not always inlined: inlined into every loop and unrolled eight times, they would take
/// minutes to compile.
macro_rules! operations {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {
        $(#[inline]
        fn $name(self, $($a: $t),*) -> $r {
            $e
        })*
    };
}

impl Isa for Baseline {
    type F = F;
    type W = W;
    type D = D;

    operations! {
        splat_float(value: f32) -> F = [value; LANES];
        load_floats(values: &[f32; LANES]) -> F = *values;
        store_floats(values: F, out: &mut [f32; LANES]) -> () = *out = values;
        add(a: F, b: F) -> F = each(|n| a[n] + b[n]);
        mul(a: F, b: F) -> F = each(|n| a[n] * b[n]);
        div(a: F, b: F) -> F = each(|n| a[n] / b[n]);
        max(a: F, b: F) -> F = each(|n| if a[n] > b[n] { a[n] } else { b[n] });
        min(a: F, b: F) -> F = each(|n| if a[n] < b[n] { a[n] } else { b[n] });
        to_ints(values: [F; 2]) -> [W; 2] = values.map(|value| each(|n| value[n] as i32 as u32));
        truncate(value: F) -> W = each(|n| value[n] as i32 as u32);
        floats_to_bits(value: F) -> W = each(|n| value[n].to_bits());
        bits_to_floats(bits: W) -> F = each(|n| f32::from_bits(bits[n]));
        passes(mode: DepthMode, new: F, old: F) -> W
            = mask(|n| crate::core::scalar::passes(mode, new[n], old[n]));

        splat(value: u32) -> W = [value; LANES];
        load_words(values: &[u32; LANES]) -> W = *values;
        store(words: W, out: &mut [u32; LANES]) -> () = *out = words;
        and(a: W, b: W) -> W = each(|n| a[n] & b[n]);
        and_not(a: W, b: W) -> W = each(|n| a[n] & !b[n]);
        or(a: W, b: W) -> W = each(|n| a[n] | b[n]);
        xor(a: W, b: W) -> W = each(|n| a[n] ^ b[n]);
        add32(a: W, b: W) -> W = each(|n| a[n].wrapping_add(b[n]));
        mul15(a: W, b: W) -> W = each(|n| a[n].wrapping_mul(b[n]));
        max32(a: W, b: W) -> W = each(|n| (a[n] as i32).max(b[n] as i32) as u32);
        min32(a: W, b: W) -> W = each(|n| (a[n] as i32).min(b[n] as i32) as u32);
        equal(a: W, b: W) -> W = mask(|n| a[n] == b[n]);
        greater(a: W, b: W) -> W = mask(|n| a[n] as i32 > b[n] as i32);
        select(mask: W, a: W, b: W) -> W = each(|n| a[n] & mask[n] | b[n] & !mask[n]);
        lanes(bits: u32) -> W = mask(|n| bits >> n & 1 != 0);
        bits(mask: W) -> u32 = (0..LANES).fold(0, |bits, n| bits | (mask[n] >> 31) << n);

        add16(a: W, b: W) -> W = halves(&a, &b, u16::wrapping_add);
        add16_saturated(a: W, b: W) -> W = halves(&a, &b, u16::saturating_add);
        sub16_saturated(a: W, b: W) -> W = halves(&a, &b, u16::saturating_sub);
        sub16(a: W, b: W) -> W = halves(&a, &b, u16::wrapping_sub);
        mul16(a: W, b: W) -> W = halves(&a, &b, u16::wrapping_mul);
        mul16_high(a: W, b: W) -> W = halves(&a, &b, |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16);
        equal16(a: W, b: W) -> W = halves(&a, &b, |a, b| if a == b { u16::MAX } else { 0 });
        max16(a: W, b: W) -> W = halves(&a, &b, u16::max);
        min16(a: W, b: W) -> W = halves(&a, &b, u16::min);
        low_bytes(a: W) -> W = each(|n| (a[n] & 0xFF) * 0x0001_0001);
        upper(a: W) -> W = each(|n| a[n] >> 16 | a[n] & 0xFFFF_0000);

        splat_double(value: f64) -> D = [value; FOUR];
        counted(start: f64) -> D = [start, start + 1.0, start + 2.0, start + 3.0];
        add4(a: D, b: D) -> D = four(|n| a[n] + b[n]);
        sub4(a: D, b: D) -> D = four(|n| a[n] - b[n]);
        mul4(a: D, b: D) -> D = four(|n| a[n] * b[n]);
        max4(a: D, b: D) -> D = four(|n| if a[n] > b[n] { a[n] } else { b[n] });
        min4(a: D, b: D) -> D = four(|n| if a[n] < b[n] { a[n] } else { b[n] });
        floor4(a: D) -> D = four(|n| a[n].floor());
        exceeds4(a: D, b: f64) -> u32 = (0..FOUR).fold(0, |bits, n| bits | u32::from(a[n].abs() > b) << n);
        span_masks(before: D, last: D) -> [u32; FOUR] = {
            let below = |n: f64| (1_u64 << (n + 1.0) as u32) as u32;
            let mut masks = [0; FOUR];
            for (mask, (before, last)) in masks.iter_mut().zip(before.into_iter().zip(last)) {
                if before < last {
                    *mask = below(last).wrapping_sub(below(before));
                }
            }
            masks
        };

        along(c: &[f64; LANES], d: &[f64; LANES], at: f64) -> F = each(|n| (c[n] + d[n] * at) as f32);
        gather(texels: &[u64], places: W) -> W = {
            let last = texels.len().saturating_sub(1);
            each(|n| texels.get(last.min(places[n] as usize)).map_or(0, |&texel| texel as u32))
        };
        gather_pairs(texels: &[u64], places: W) -> [W; 4] = {
            let last = texels.len().saturating_sub(2);
            let pair = |place: u32| texels.get(last.min(place as usize)..)?.first_chunk::<2>().copied();
            let mut out = [[0; LANES]; 4];
            for (n, &place) in places.iter().enumerate() {
                let [a, b] = pair(place).unwrap_or_default();
                (out[0][n], out[1][n]) = (a as u32, (a >> 32) as u32);
                (out[2][n], out[3][n]) = (b as u32, (b >> 32) as u32);
            }
            out
        };
    }

    #[inline(always)]
    fn shl<const N: i32>(self, a: W) -> W {
        each(|n| a[n] << N)
    }

    #[inline(always)]
    fn shr<const N: i32>(self, a: W) -> W {
        each(|n| a[n] >> N)
    }

    #[inline(always)]
    fn sar<const N: i32>(self, a: W) -> W {
        each(|n| (a[n] as i32 >> N) as u32)
    }

    #[inline(always)]
    fn shl16<const N: i32>(self, a: W) -> W {
        halves(&a, &a, |a, _| a << N)
    }

    #[inline(always)]
    fn shr16<const N: i32>(self, a: W) -> W {
        halves(&a, &a, |a, _| a >> N)
    }

    fn prefetch(self, _: &u8) {}
}
