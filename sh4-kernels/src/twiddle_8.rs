//! `void twiddle_8(uint8_t dst[], const uint8_t src[], uint32_t log2)`: a square texture of palette indices of 8 bits from rows
//! to twiddled order.
//!
//! The side is 2 to the power of `log2`, 8 to 1024; the order is that of [`crate::twiddle_16`].

use crate::bytes::{byte, set_byte};
use crate::twiddle_16::{place, texel_at};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "twiddle_8",
    symbol: "_twiddle_8",
    summary: "a square of 8-bit texels twiddled",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::words("src"),
        Param::value("log2"),
    ],
    reference,
    generate,
    deviation,
};

/// Twiddles a square of a side of 2 to the power of `log2`; four texels a word, the left one lowest.
///
/// # Errors
/// See [`KernelError`]; a signature error if one of both is too short or the side is not 8 to 1024.
pub fn twiddle_8(
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
    if !(3..=10).contains(&log2) || dst.len().min(src.len()) < 1 << (2 * log2 - 2) {
        return Err(KERNEL.signature("log2 is not 3 to 10, or dst or src is too short"));
    }
    for y in 0..1 << log2 {
        for x in 0..1 << log2 {
            set_byte(dst, place(x, y, log2), byte(src, (y << log2) + x));
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let log2 = 3 + rng.below(3);
    let words = 1 << (2 * log2 - 2);
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
        case.words(1)[from / 4] >> (8 * (from % 4)) & 0xFF
    };
    let word = |i: usize| (0..4).fold(0, |word, k| word | texel(4 * i + k) << (8 * k));
    Deviation::of_words(case.words(0), (0..side * side / 4).map(word))
}
