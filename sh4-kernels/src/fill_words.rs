//! `void fill_words(uint32_t dst[], uint32_t n, uint32_t value, uint32_t at)`: writes `n` equal words from
//! `dst[at]` on. Complete lines are not read first (MOVCA.L).

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "fill_words",
    symbol: "_fill_words",
    summary: "equal words",
    params: &[
        Param::words_mut("dst").aligned(32),
        Param::value("n"),
        Param::value("value"),
        Param::value("at"),
    ],
    reference,
    generate,
    deviation,
};

/// Fills `n` words of `dst` from word `at` on.
///
/// # Errors
/// See [`KernelError`]; a signature error if the range exceeds `dst`.
pub fn fill_words(
    kernels: &mut dyn Kernels,
    dst: &mut [u32],
    at: usize,
    n: usize,
    value: u32,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst),
        Arg::Value(n as u32),
        Arg::Value(value),
        Arg::Value(at as u32),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::WordsMut(dst),
        Arg::Value(n),
        Arg::Value(value),
        Arg::Value(at),
    ] = args
    else {
        return Err(KERNEL.signature("dst, n, value, at"));
    };
    let (n, at) = (*n as usize, *at as usize);
    let Some(dst) = dst.get_mut(at..).and_then(|dst| dst.get_mut(..n)) else {
        return Err(KERNEL.signature("dst is too short"));
    };
    dst.fill(*value);
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (at, n) = (rng.below(10), rng.below(80));
    Case(vec![
        Value::output((at + n + 1 + rng.below(10)) as usize),
        Value::Value(n),
        Value::Value(rng.word()),
        Value::Value(at),
    ])
}

/// Compares word by word, including the surrounding words.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let (n, value, at) = (case.value(1) as usize, case.value(2), case.value(3) as usize);
    let old = before.words(0).iter().enumerate();
    let expected = old.map(|(i, old)| if i >= at && i - at < n { value } else { *old });
    Deviation::of_words(case.words(0), expected)
}
