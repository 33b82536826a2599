//! `void split_4(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)`: stereo ADPCM, or any other samples of
//! 4 bits, parted into what each of two channels of the sound block plays.
//!
//! A byte of `src` is a frame, the left sample in its low bits; in `left` and `right` a byte is two samples, the earlier
//! one in its low bits (Yamaha's ADPCM in WAV files; public decoders agree).

use crate::bytes::{nibble, set_nibble};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "split_4",
    symbol: "_split_4",
    summary: "stereo ADPCM parted",
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

/// Parts four frames a word into eight samples a word of each side.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is shorter than both together, or `right` shorter than `left`.
pub fn split_4(
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
    for frame in 0..8 * n {
        set_nibble(left, frame, nibble(src, 2 * frame));
        set_nibble(right, frame, nibble(src, 2 * frame + 1));
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
    let sample = |frame: usize, side: usize| case.words(side)[frame / 8] >> (4 * (frame % 8)) & 15;
    let frame = |at: usize| sample(at, 1) | sample(at, 2) << 4;
    let word = |i: usize| (0..4).fold(0, |word, k| word | frame(4 * i + k) << (8 * k));
    let again: Vec<u32> = (0..2 * n).map(word).collect();
    let mut worst = Deviation::of_words(&again, case.words(0).iter().copied().take(2 * n));
    for side in [1, 2] {
        worst.note_exact(n, case.words(side)[n..] == before.words(side)[n..]);
    }
    worst
}
