//! Shared code of the kernels that split stereo samples. They differ in the number of bits of a sample.
//!
//! Arguments are `src`, `left`, `right` and the number of their words `n`. In a frame the left sample is the
//! lower one.

use crate::bytes::{field, set_field};
use crate::{Arg, Case, Deviation, Kernel, Rng, Signature, Value};

/// Copies each sample to the buffer of its side.
pub(crate) fn reference(kernel: &Kernel, bits: usize, args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(src),
        Arg::WordsMut(left),
        Arg::WordsMut(right),
        Arg::Value(n),
    ] = args
    else {
        return Err(kernel.signature("src, left, right, n"));
    };
    let n = *n as usize;
    if left.len().min(right.len()).min(src.len() / 2) < n {
        return Err(kernel.signature("src, left or right is too short"));
    }
    for frame in 0..32 / bits * n {
        set_field(left, bits, frame, field(src, bits, 2 * frame));
        set_field(right, bits, frame, field(src, bits, 2 * frame + 1));
    }
    Ok(())
}

/// Generates up to 39 words per side.
pub(crate) fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(40);
    Case(vec![
        Value::Words((0..=2 * n).map(|_| rng.word()).collect()),
        Value::output(n as usize + 1),
        Value::output(n as usize + 1),
        Value::Value(n),
    ])
}

/// The joined sides must equal the source; words after the result must not change.
pub(crate) fn deviation(bits: usize, before: &Case, case: &Case) -> Deviation {
    let (n, each) = (case.value(3) as usize, 32 / bits);
    let sample = |at: usize| {
        let (frame, side) = (at / 2, 1 + at % 2);
        case.words(side)[frame / each] >> (bits * (frame % each)) & ((1 << bits) - 1)
    };
    let word = |i: usize| (0..each).fold(0, |word, k| word | sample(each * i + k) << (bits * k));
    let again: Vec<u32> = (0..2 * n).map(word).collect();
    let mut worst = Deviation::of_words(&again, case.words(0).iter().copied().take(2 * n));
    for side in [1, 2] {
        worst.note_exact(n, case.words(side)[n..] == before.words(side)[n..]);
    }
    worst
}
