//! `void split_16(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)`: stereo samples of 16 bits parted into
//! what each of two channels plays.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "split_16",
    symbol: "_split_16",
    summary: "stereo samples parted",
    params: &[
        Param::words("src"),
        Param::words_mut("left"),
        Param::words_mut("right"),
        Param::value("n"),
    ],
    reference,
    generate,
    deviation,
};

/// Parts frames of two samples, the left one low, into two samples a word of each side.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is shorter than both together, or `right` shorter than `left`.
pub fn split_16(
    kernels: &mut dyn Kernels,
    src: &[u32],
    left: &mut [u32],
    right: &mut [u32],
) -> Result<(), KernelError> {
    let n = left.len() as u32;
    let mut args = [
        Arg::Words(src),
        Arg::WordsMut(left),
        Arg::WordsMut(right),
        Arg::Value(n),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(src),
        Arg::WordsMut(left),
        Arg::WordsMut(right),
        Arg::Value(n),
    ] = args
    else {
        return Err(KERNEL.signature("src, left, right, n"));
    };
    let n = *n as usize;
    if left.len().min(right.len()).min(src.len() / 2) < n {
        return Err(KERNEL.signature("src, left or right is too short"));
    }
    for i in 0..n {
        let (first, second) = (src[2 * i], src[2 * i + 1]);
        left[i] = first & 0xFFFF | second << 16;
        right[i] = first >> 16 | second & 0xFFFF_0000;
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(40);
    Case(vec![
        Value::Words((0..=2 * n).map(|_| rng.word()).collect()),
        Value::output(n as usize + 1),
        Value::output(n as usize + 1),
        Value::Value(n),
    ])
}

/// Put together again, the sides are the source; what lies behind stays.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let n = case.value(3) as usize;
    let sample = |frame: usize, side: usize| case.words(side)[frame / 2] >> (16 * (frame % 2)) & 0xFFFF;
    let again: Vec<u32> = (0..2 * n).map(|i| sample(i, 1) | sample(i, 2) << 16).collect();
    let mut worst = Deviation::of_words(&again, case.words(0).iter().copied().take(2 * n));
    for side in [1, 2] {
        worst.note_exact(n, case.words(side)[n..] == before.words(side)[n..]);
    }
    worst
}
