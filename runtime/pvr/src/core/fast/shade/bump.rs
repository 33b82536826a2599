//! Bump maps of eight pixels, as [`crate::core::bump`] defines them for one.

use super::channels::Channels;
use crate::core::bump::{COS_ELEVATION, COS_ROTATION, SIN_ELEVATION};
use crate::core::fast::isa::Isa;

/// Sines as floats, in the form of texels.
static TABLES: [[u64; 256]; 3] = [
    floats(&SIN_ELEVATION),
    floats(&COS_ELEVATION),
    floats(&COS_ROTATION),
];

const fn floats(sines: &[i32; 256]) -> [u64; 256] {
    let mut floats = [0; 256];
    let mut n = 0;
    while n < 256 {
        floats[n] = (sines[n] as f32).to_bits() as u64;
        n += 1;
    }
    floats
}

/// The sine in a table at an angle, the low byte.
#[inline(always)]
fn sine<I: Isa>(isa: I, table: usize, angle: I::W) -> I::F {
    isa.bits_to_floats(isa.gather(&TABLES[table], isa.and(angle, isa.splat(0xFF))))
}

/// A product of sines over 127, cut off.
#[inline(always)]
fn quotient<I: Isa>(isa: I, product: I::F) -> I::W {
    isa.truncate(isa.div(product, isa.splat_float(127.0)))
}

/// [`crate::core::bump::intensity`] of texels by offset colours. All numbers are whole and below 2^24, so
/// floats hold them exactly; a quotient cut off equals that of integers.
#[inline(always)]
pub(super) fn intensity<I: Isa>(isa: I, texels: I::W, offset: Channels<I::W>) -> Channels<I::W> {
    let low = isa.splat(0xFFFF);
    let (k1, k2) = (isa.shr::<16>(offset.ag), isa.shr::<16>(offset.rb));
    let (k3, q) = (isa.and(offset.ag, low), isa.and(offset.rb, low));
    let elevation = isa.shr::<8>(texels);
    // -q is the complement plus 1.
    let minus_q = isa.add32(isa.xor(q, isa.splat(u32::MAX)), isa.splat(1));
    let turn = isa.add32(texels, minus_q);
    let product = isa.mul(sine::<I>(isa, 1, elevation), sine::<I>(isa, 2, turn));
    let across = isa.to_floats(quotient::<I>(isa, product));
    let sum = isa.add(
        isa.mul(isa.to_floats(k2), sine::<I>(isa, 0, elevation)),
        isa.mul(isa.to_floats(k3), across),
    );
    let value = isa.add32(k1, quotient::<I>(isa, sum));
    let value = isa.max32(isa.min32(value, isa.splat(0xFF)), isa.splat(0));
    Channels {
        rb: isa.splat(0x00FF_00FF),
        ag: isa.or(isa.shl::<16>(value), isa.splat(0xFF)),
    }
}
