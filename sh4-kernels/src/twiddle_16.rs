//! `void twiddle_16(uint16_t dst[], const uint16_t src[], uint32_t log2)`: converts a square texture of
//! 16-bit texels from rows to twiddled order.
//!
//! The side is 2 to the power of `log2`, 4 to 1024. Bit `i` of y is bit `2 i` of a texel's index, bit `i` of
//! x is bit `2 i + 1` (docs/hardware/pvr2.md, "Textures").

use crate::twiddle::Texels;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature};

/// Manifest row.
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

const TEXELS: Texels = Texels {
    bits: 16,
    least: 2,
    wanted: "log2 is not 2 to 10, or dst or src is too short",
};

/// Twiddles a square with a side of 2 to the power of `log2`; two texels per word, the left one low.
///
/// # Errors
/// See [`KernelError`]; a signature error if a buffer is too short or the side is not 4 to 1024.
pub fn twiddle_16(
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
