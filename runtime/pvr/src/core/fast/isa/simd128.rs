//! Lanes as pairs of WebAssembly's registers of 128 bits.

use super::{Baseline, DepthMode, FOUR, Isa, LANES};
use bytemuck::cast;
use std::arch::wasm32::*;

/// Lanes as registers of WebAssembly. It exists only in modules that are compiled with `simd128`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Simd128;

type F = [v128; 2];
type W = [v128; 2];
type D = [v128; 2];

/// Calls an intrinsic for both registers of its operands.
macro_rules! both {
    ($name:ident($($a:ident),*)) => {
        [$name($($a[0]),*), $name($($a[1]),*)]
    };
}

/// Upper halves of the products of half words.
#[inline(always)]
fn upper_product(a: v128, b: v128) -> v128 {
    let (low, high) = (u32x4_extmul_low_u16x8(a, b), u32x4_extmul_high_u16x8(a, b));
    i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
}

macro_rules! operations {
    ($($name:ident $(<const $n:ident>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {
        $(#[inline(always)]
        fn $name $(<const $n: i32>)? (self, $($a: $t),*) -> $r {
            $e
        })*
    };
}

impl Isa for Simd128 {
    type F = F;
    type W = W;
    type D = D;

    operations! {
        splat_float(value: f32) -> F = [f32x4_splat(value); 2];
        load_floats(values: &[f32; LANES]) -> F = cast(*values);
        store_floats(values: F, out: &mut [f32; LANES]) -> () = *out = cast(values);
        add(a: F, b: F) -> F = both!(f32x4_add(a, b));
        mul(a: F, b: F) -> F = both!(f32x4_mul(a, b));
        div(a: F, b: F) -> F = both!(f32x4_div(a, b));
        // `pmax(b, a)` is `if b < a { a } else { b }`.
        max(a: F, b: F) -> F = both!(f32x4_pmax(b, a));
        min(a: F, b: F) -> F = both!(f32x4_pmin(b, a));
        to_ints(values: [F; 2]) -> [W; 2] = values.map(|value| both!(i32x4_trunc_sat_f32x4(value)));
        truncate(value: F) -> W = both!(i32x4_trunc_sat_f32x4(value));
        floats_to_bits(value: F) -> W = value;
        bits_to_floats(bits: W) -> F = bits;
        passes(mode: DepthMode, new: F, old: F) -> W = match mode {
            DepthMode::Never => [i32x4_splat(0); 2],
            DepthMode::Less => both!(f32x4_lt(new, old)),
            DepthMode::Equal => both!(f32x4_eq(new, old)),
            DepthMode::LessEqual => both!(f32x4_le(new, old)),
            DepthMode::Greater => both!(f32x4_gt(new, old)),
            DepthMode::NotEqual => both!(f32x4_ne(new, old)),
            DepthMode::GreaterEqual => both!(f32x4_ge(new, old)),
            DepthMode::Always => [i32x4_splat(-1); 2],
        };

        splat(value: u32) -> W = [u32x4_splat(value); 2];
        load_words(values: &[u32; LANES]) -> W = cast(*values);
        store(words: W, out: &mut [u32; LANES]) -> () = *out = cast(words);
        and(a: W, b: W) -> W = both!(v128_and(a, b));
        and_not(a: W, b: W) -> W = both!(v128_andnot(a, b));
        or(a: W, b: W) -> W = both!(v128_or(a, b));
        xor(a: W, b: W) -> W = both!(v128_xor(a, b));
        shl<const N>(a: W) -> W = a.map(|a| i32x4_shl(a, N as u32));
        shr<const N>(a: W) -> W = a.map(|a| u32x4_shr(a, N as u32));
        sar<const N>(a: W) -> W = a.map(|a| i32x4_shr(a, N as u32));
        add32(a: W, b: W) -> W = both!(i32x4_add(a, b));
        mul15(a: W, b: W) -> W = both!(i32x4_dot_i16x8(a, b));
        max32(a: W, b: W) -> W = both!(i32x4_max(a, b));
        min32(a: W, b: W) -> W = both!(i32x4_min(a, b));
        equal(a: W, b: W) -> W = both!(i32x4_eq(a, b));
        greater(a: W, b: W) -> W = both!(i32x4_gt(a, b));
        select(mask: W, a: W, b: W) -> W
            = [v128_bitselect(a[0], b[0], mask[0]), v128_bitselect(a[1], b[1], mask[1])];
        lanes(bits: u32) -> W = [u32x4(1, 2, 4, 8), u32x4(16, 32, 64, 128)]
            .map(|own| i32x4_eq(v128_and(u32x4_splat(bits), own), own));
        bits(mask: W) -> u32 = u32::from(i32x4_bitmask(mask[0])) | u32::from(i32x4_bitmask(mask[1])) << 4;

        add16(a: W, b: W) -> W = both!(i16x8_add(a, b));
        add16_saturated(a: W, b: W) -> W = both!(u16x8_add_sat(a, b));
        sub16_saturated(a: W, b: W) -> W = both!(u16x8_sub_sat(a, b));
        sub16(a: W, b: W) -> W = both!(i16x8_sub(a, b));
        mul16(a: W, b: W) -> W = both!(i16x8_mul(a, b));
        mul16_high(a: W, b: W) -> W = both!(upper_product(a, b));
        equal16(a: W, b: W) -> W = both!(i16x8_eq(a, b));
        max16(a: W, b: W) -> W = both!(u16x8_max(a, b));
        min16(a: W, b: W) -> W = both!(u16x8_min(a, b));
        shl16<const N>(a: W) -> W = a.map(|a| i16x8_shl(a, N as u32));
        shr16<const N>(a: W) -> W = a.map(|a| u16x8_shr(a, N as u32));
        low_bytes(a: W) -> W = a.map(|a| {
            let bytes = v128_and(a, u32x4_splat(0xFF));
            v128_or(bytes, i32x4_shl(bytes, 16))
        });
        upper(a: W) -> W = a.map(|a| i16x8_shuffle::<1, 1, 3, 3, 5, 5, 7, 7>(a, a));

        splat_double(value: f64) -> D = [f64x2_splat(value); 2];
        counted(start: f64) -> D = [f64x2(start, start + 1.0), f64x2(start + 2.0, start + 3.0)];
        add4(a: D, b: D) -> D = both!(f64x2_add(a, b));
        sub4(a: D, b: D) -> D = both!(f64x2_sub(a, b));
        mul4(a: D, b: D) -> D = both!(f64x2_mul(a, b));
        max4(a: D, b: D) -> D = both!(f64x2_pmax(b, a));
        min4(a: D, b: D) -> D = both!(f64x2_pmin(b, a));
        floor4(a: D) -> D = both!(f64x2_floor(a));
        exceeds4(a: D, b: f64) -> u32 = {
            let [low, high] = a.map(|a| f64x2_gt(f64x2_abs(a), f64x2_splat(b)));
            u32::from(i64x2_bitmask(low)) | u32::from(i64x2_bitmask(high)) << 2
        };
        span_masks(before: D, last: D) -> [u32; FOUR] = Baseline.span_masks(cast(before), cast(last));

        along(c: &[f64; LANES], d: &[f64; LANES], at: f64) -> [f32; LANES] = {
            let (c, d): ([v128; 4], [v128; 4]) = (cast(*c), cast(*d));
            let part = |n: usize| f32x4_demote_f64x2_zero(f64x2_add(c[n], f64x2_mul(d[n], f64x2_splat(at))));
            let join = |low, high| i32x4_shuffle::<0, 1, 4, 5>(low, high);
            cast([join(part(0), part(1)), join(part(2), part(3))])
        };
        gather(texels: &[u64], places: W) -> W = cast(Baseline.gather(texels, cast(places)));
        gather_pairs(texels: &[u64], places: W) -> [W; 4]
            = Baseline.gather_pairs(texels, cast(places)).map(cast);
        prefetch(_byte: &u8) -> () = ();
    }
}
