//! `void copy_bytes(void *dst, const void *src, uint32_t n, uint32_t dst_at, uint32_t src_at)`: copies `n`
//! bytes from `src + src_at` to `dst + dst_at`. Any alignment is allowed, but no overlap.

use crate::bytes::{byte, set_byte};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "copy_bytes",
    symbol: "_copy_bytes",
    summary: "bytes copied at any alignment",
    params: &[
        Param::words_mut("dst"),
        Param::words("src"),
        Param::value("n"),
        Param::value("dst_at"),
        Param::value("src_at"),
    ],
    reference,
    generate,
    deviation,
};

/// Copies `n` bytes from byte `src_at` of `src` to byte `dst_at` of `dst`. The lowest byte of a word is the
/// first.
///
/// # Errors
/// See [`KernelError`]; a signature error if either range is out of bounds.
pub fn copy_bytes(
    kernels: &mut dyn Kernels,
    src: &[u32],
    src_at: usize,
    dst: &mut [u32],
    dst_at: usize,
    n: usize,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst),
        Arg::Words(src),
        Arg::Value(n as u32),
        Arg::Value(dst_at as u32),
        Arg::Value(src_at as u32),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::WordsMut(dst),
        Arg::Words(src),
        Arg::Value(n),
        Arg::Value(dst_at),
        Arg::Value(src_at),
    ] = args
    else {
        return Err(KERNEL.signature("dst, src, n, dst_at, src_at"));
    };
    let (n, dst_at, src_at) = (*n as usize, *dst_at as usize, *src_at as usize);
    let within = |at: usize, words: usize| at.checked_add(n).is_some_and(|end| end <= 4 * words);
    if !within(dst_at, dst.len()) || !within(src_at, src.len()) {
        return Err(KERNEL.signature("dst or src is too short"));
    }
    for i in 0..n {
        set_byte(dst, dst_at + i, byte(src, src_at + i));
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, dst_at, src_at) = (rng.below(120), rng.below(8), rng.below(8));
    Case(vec![
        Value::output(((dst_at + n) / 4 + 1) as usize),
        Value::Words((0..(src_at + n).div_ceil(4)).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::Value(dst_at),
        Value::Value(src_at),
    ])
}

/// Compares with a copy of byte slices, including the surrounding bytes.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let [n, to, from] = [2, 3, 4].map(|i| case.value(i) as usize);
    let flat = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let (mut expected, src) = (flat(before.words(0)), flat(case.words(1)));
    expected[to..to + n].copy_from_slice(&src[from..from + n]);
    let words = expected.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b));
    Deviation::of_words(case.words(0), words)
}
