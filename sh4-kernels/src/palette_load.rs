//! `void palette_load(uint32_t dst[], const uint16_t src[], uint32_t n)`: converts colours of 16 bits to the
//! chip's palette format, with one colour in the low half of each word (docs/hardware/pvr2.md, "Textures":
//! palette RAM at 005F9000). Colours of 32 bits need no conversion.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "palette_load",
    symbol: "_palette_load",
    summary: "16-bit colours, one per word",
    params: &[Param::words_mut("dst"), Param::words("src"), Param::value("n")],
    reference,
    generate,
    deviation,
};

/// Converts two colours per word, the low one first, to one colour per word.
///
/// # Errors
/// See [`KernelError`]; a signature error if `dst` is shorter than twice `src`.
pub fn palette_load(kernels: &mut dyn Kernels, src: &[u32], dst: &mut [u32]) -> Result<(), KernelError> {
    let n = src.len() as u32;
    let mut args = [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(n)];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(n)] = args else {
        return Err(KERNEL.signature("dst, src, n"));
    };
    let n = *n as usize;
    if src.len() < n || dst.len() / 2 < n {
        return Err(KERNEL.signature("dst or src is too short"));
    }
    for i in 0..n {
        dst[2 * i] = src[i] & 0xFFFF;
        dst[2 * i + 1] = src[i] >> 16;
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(40);
    Case(vec![
        Value::output(2 * n as usize + 1),
        Value::Words((0..=n).map(|_| rng.word()).collect()),
        Value::Value(n),
    ])
}

/// Compares half-words; words after the result must not change.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let halves = case.words(1).iter().flat_map(|word| word.to_le_bytes());
    let halves: Vec<u8> = halves.take(4 * case.value(2) as usize).collect();
    let loaded = halves
        .as_chunks()
        .0
        .iter()
        .map(|half| u32::from(u16::from_le_bytes(*half)));
    let after = before.words(0).iter().copied().skip(2 * case.value(2) as usize);
    Deviation::of_words(case.words(0), loaded.chain(after))
}
