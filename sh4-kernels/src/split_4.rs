//! `void split_4(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)`: splits stereo ADPCM,
//! or other samples of 4 bits, into the data of two channels of the sound block.
//!
//! A byte of `src` is a frame, with the left sample in its low bits. A byte of `left` or `right` is two
//! samples, with the earlier one in its low bits (Yamaha's ADPCM in WAV files; public decoders agree).

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Signature, split};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "split_4",
    symbol: "_split_4",
    summary: "stereo ADPCM split into channels",
    params: &[
        Param::words("src"),
        Param::words_mut("left"),
        Param::words_mut("right"),
        Param::value("n"),
    ],
    reference,
    generate: split::generate,
    deviation,
};

const BITS: usize = 4;

/// Splits frames, four per word. Each output word has eight samples of one side.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is shorter than both sides, or `right` shorter than
/// `left`.
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
    split::reference(&KERNEL, BITS, args)
}

fn deviation(before: &Case, case: &Case) -> Deviation {
    split::deviation(BITS, before, case)
}
