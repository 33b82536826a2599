//! `void twiddle_4(uint8_t dst[], const uint8_t src[], uint32_t log2)`: converts a square texture of 4-bit
//! palette indices from rows to twiddled order.
//!
//! A byte has two texels. In `src` its low bits are the left texel; in `dst` they are the texel with the
//! lower index (docs/hardware/pvr2.md, "Textures"). The side is 2 to the power of `log2`, 8 to 1024; the
//! order is the same as in [`crate::twiddle_16`].

use crate::twiddle::Texels;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature};

/// Manifest row.
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

const TEXELS: Texels = Texels {
    bits: 4,
    least: 3,
    wanted: "log2 is not 3 to 10, or dst or src is too short",
};

/// Twiddles a square with a side of 2 to the power of `log2`; eight texels per word, the left one lowest.
///
/// # Errors
/// See [`KernelError`]; a signature error if a buffer is too short or the side is not 8 to 1024.
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
    TEXELS.reference(&KERNEL, args)
}

fn generate(rng: &mut Rng) -> Case {
    TEXELS.generate(rng)
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    TEXELS.deviation(case)
}
