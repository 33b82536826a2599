//! `void twiddle_4(uint8_t dst[], const uint8_t src[], uint32_t log2)`: a square texture of palette indices of 4 bits from rows
//! to twiddled order.
//!
//! A byte has two texels, in rows the left one in the low bits, in the texture that of the lower place (facts/pvr2.md
//! section 4). The side is 2 to the power of `log2`, 8 to 1024; the order is that of [`crate::twiddle_16`].

use crate::bytes::{nibble, set_nibble};
use crate::twiddle_16::{place, texel_at};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "twiddle_4",
    symbol: "_twiddle_4",
    summary: "a square of 4-bit texels twiddled",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::words("src"),
        Param::value("log2"),
    ],
    reference,
    generate,
    deviation,
};

/// Twiddles a square of a side of 2 to the power of `log2`; eight texels a word, the left one lowest.
///
/// # Errors
/// See [`KernelError`]; a signature error if one of both is too short or the side is not 8 to 1024.
pub fn twiddle_4(
    kernels: &mut dyn Kernels,
    src: &[u32],
    log2: u32,
    dst: &mut [u32],
) -> Result<(), KernelError> {
    let mut args = [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(log2)];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(log2)] = args else {
        return Err(KERNEL.signature("dst, src, log2"));
    };
    let log2 = *log2;
    if !(3..=10).contains(&log2) || dst.len().min(src.len()) < 1 << (2 * log2 - 3) {
        return Err(KERNEL.signature("log2 is not 3 to 10, or dst or src is too short"));
    }
    for y in 0..1 << log2 {
        for x in 0..1 << log2 {
            set_nibble(dst, place(x, y, log2), nibble(src, (y << log2) + x));
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let log2 = 3 + rng.below(3);
    let words = 1 << (2 * log2 - 3);
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
        case.words(1)[from / 8] >> (4 * (from % 8)) & 0xF
    };
    let word = |i: usize| (0..8).fold(0, |word, k| word | texel(8 * i + k) << (4 * k));
    Deviation::of_words(case.words(0), (0..side * side / 8).map(word))
}
