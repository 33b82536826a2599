//! `void split_16(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)`: splits stereo
//! samples of 16 bits into the data of two channels.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Signature, split};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "split_16",
    symbol: "_split_16",
    summary: "stereo samples split into channels",
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

const BITS: usize = 16;

/// Splits frames of two samples, the left one low. Each output word has two samples of one side.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is shorter than twice `left`, or `right` is shorter than
/// `left`.
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
    split::reference(&KERNEL, BITS, args)
}

fn deviation(before: &Case, case: &Case) -> Deviation {
    split::deviation(BITS, before, case)
}
