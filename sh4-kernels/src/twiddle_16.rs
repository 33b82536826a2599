//! `void twiddle_16(uint16_t dst[], const uint16_t src[], uint32_t log2)`: a square texture of 16-bit texels from rows to
//! twiddled order.
//!
//! The side is 2 to the power of `log2`, 4 to 1024. Bit `i` of y is bit `2 i` of a texel's place, bit `i` of x is bit
//! `2 i + 1` (facts/pvr2.md section 4).

use crate::bytes::{byte, set_byte};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "twiddle_16",
    symbol: "_twiddle_16",
    summary: "a square of 16-bit texels twiddled",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::words("src"),
        Param::value("log2"),
    ],
    reference,
    generate,
    deviation,
};

/// Twiddles a square of a side of 2 to the power of `log2`; two texels a word, the left one low.
///
/// # Errors
/// See [`KernelError`]; a signature error if one of both is too short or the side is not 4 to 1024.
pub fn twiddle_16(
    kernels: &mut dyn Kernels,
    src: &[u32],
    log2: u32,
    dst: &mut [u32],
) -> Result<(), KernelError> {
    let mut args = [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(log2)];
    kernels.call(&KERNEL, &mut args)
}

/// The place of a texel.
pub(crate) fn place(x: usize, y: usize, log2: u32) -> usize {
    let bits = |bit| (y >> bit & 1) << (2 * bit) | (x >> bit & 1) << (2 * bit + 1);
    (0..log2).fold(0, |place, bit| place | bits(bit))
}

/// x and y of the texel at a place, by halving: apart from [`place`], which it is held against.
pub(crate) fn texel_at(mut place: usize, side: usize) -> (usize, usize) {
    let (mut x, mut y, mut step) = (0, 0, 1);
    while step < side {
        y += step * (place % 2);
        x += step * (place / 2 % 2);
        (place, step) = (place / 4, 2 * step);
    }
    (x, y)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(log2)] = args else {
        return Err(KERNEL.signature("dst, src, log2"));
    };
    let log2 = *log2;
    if !(2..=10).contains(&log2) || dst.len().min(src.len()) < 1 << (2 * log2 - 1) {
        return Err(KERNEL.signature("log2 is not 2 to 10, or dst or src is too short"));
    }
    for y in 0..1 << log2 {
        for x in 0..1 << log2 {
            let place = place(x, y, log2);
            let from = (y << log2) + x;
            for half in 0..2 {
                set_byte(dst, 2 * place + half, byte(src, 2 * from + half));
            }
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let log2 = 2 + rng.below(4);
    let words = 1 << (2 * log2 - 1);
    Case(vec![
        Value::output(words),
        Value::Words((0..words).map(|_| rng.word()).collect()),
        Value::Value(log2),
    ])
}

/// The other way around: where each place's texel came from.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let side = 1_usize << case.value(2);
    let texel = |at: usize| {
        let (x, y) = texel_at(at, side);
        let from = side * y + x;
        case.words(1)[from / 2] >> (16 * (from % 2)) & 0xFFFF
    };
    let expected = (0..side * side / 2).map(|i| texel(2 * i) | texel(2 * i + 1) << 16);
    Deviation::of_words(case.words(0), expected)
}
