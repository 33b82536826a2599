//! `void vq_decode(uint32_t dst[], const uint32_t codes[][2], const uint32_t indices[], uint32_t n)`:
//! decodes vector-quantised texels of 16 bits.
//!
//! A code is two by two texels in twiddled order. Indices are in twiddled order too, so the result is a
//! twiddled texture (docs/hardware/pvr2.md, "Textures").

use crate::bytes::byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "vq_decode",
    symbol: "_vq_decode",
    summary: "VQ texels unpacked",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::words("codes").aligned(8),
        Param::words("indices"),
        Param::value("n"),
    ],
    reference,
    generate,
    deviation,
};

/// Decodes four indices per word, the lowest byte first; `dst` has eight words for each word of `indices`.
///
/// # Errors
/// See [`KernelError`]; a signature error if there are not 256 codes or `dst` is too short.
pub fn vq_decode(
    kernels: &mut dyn Kernels,
    codes: &[[u32; 2]],
    indices: &[u32],
    dst: &mut [[u32; 8]],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst.as_flattened_mut()),
        Arg::Words(codes.as_flattened()),
        Arg::Words(indices),
        Arg::Value(indices.len() as u32),
    ];
    kernels.call(&KERNEL, &mut args)
}

const CODES: usize = 256;

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::WordsMut(dst),
        Arg::Words(codes),
        Arg::Words(indices),
        Arg::Value(n),
    ] = args
    else {
        return Err(KERNEL.signature("dst, codes, indices, n"));
    };
    let n = *n as usize;
    if codes.len() < 2 * CODES || indices.len() < n || dst.len() / 8 < n {
        return Err(KERNEL.signature("codes, indices or dst are too short"));
    }
    for i in 0..4 * n {
        let code = 2 * usize::from(byte(indices, i));
        dst[2 * i] = codes[code];
        dst[2 * i + 1] = codes[code + 1];
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(17);
    let mut words = |count: u32| (0..count).map(|_| rng.word()).collect();
    let (codes, indices) = (words(2 * CODES as u32), words(n + 1));
    Case(vec![
        Value::output(8 * n as usize + 1),
        Value::Words(codes),
        Value::Words(indices),
        Value::Value(n),
    ])
}

/// Checks each word against its code; words after the result must not change.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let unpacked = 8 * case.value(3) as usize;
    let word = |(i, old): (usize, &u32)| match i < unpacked {
        true => {
            let index = case.words(2)[i / 8] >> (i % 8 / 2 * 8) & 0xFF;
            case.words(1)[2 * index as usize + i % 2]
        }
        false => *old,
    };
    Deviation::of_words(case.words(0), before.words(0).iter().enumerate().map(word))
}
