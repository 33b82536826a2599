//! `void copy_lines(uint32_t dst[], const uint32_t src[], uint32_t n)`: copies lines of 32 bytes from cache
//! or memory to the cache (MOVCA.L).

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "copy_lines",
    symbol: "_copy_lines",
    summary: "lines of 32 bytes copied",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::words("src").aligned(8),
        Param::value("n"),
    ],
    reference,
    generate,
    deviation,
};

/// Copies `src` to `dst`; both consist of complete lines of eight words.
///
/// # Errors
/// See [`KernelError`]; a signature error if the lengths differ.
pub fn copy_lines(
    kernels: &mut dyn Kernels,
    src: &[[u32; 8]],
    dst: &mut [[u32; 8]],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst.as_flattened_mut()),
        Arg::Words(src.as_flattened()),
        Arg::Value(src.len() as u32),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::WordsMut(dst), Arg::Words(src), Arg::Value(n)] = args else {
        return Err(KERNEL.signature("dst, src, n"));
    };
    let words = (*n as usize).saturating_mul(8);
    let (Some(dst), Some(src)) = (dst.get_mut(..words), src.get(..words)) else {
        return Err(KERNEL.signature("dst or src is too short"));
    };
    dst.copy_from_slice(src);
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(33);
    // Words beyond the lines must not change.
    let words = 8 * n + 1 + rng.below(9);
    Case(vec![
        Value::output(words as usize),
        Value::Words((0..words).map(|_| rng.word()).collect()),
        Value::Value(n),
    ])
}

/// Compares word by word, including the words after the lines.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let copied = 8 * case.value(2) as usize;
    let (old, new) = (before.words(0), case.words(1));
    let expected = (0..old.len()).map(|i| if i < copied { new[i] } else { old[i] });
    Deviation::of_words(case.words(0), expected)
}
