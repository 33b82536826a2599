//! `void fill_bytes(void *dst, uint32_t n, uint32_t value, uint32_t at)`: writes `n` equal bytes from `dst +
//! at` on. Any alignment is allowed. Complete lines are not read first (MOVCA.L).

use crate::bytes::set_byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "fill_bytes",
    symbol: "_fill_bytes",
    summary: "equal bytes",
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

/// Fills `n` bytes of `dst` from byte `at` on. The lowest byte of a word is the first.
///
/// # Errors
/// See [`KernelError`]; a signature error if the range exceeds `dst`.
pub fn fill_bytes(
    kernels: &mut dyn Kernels,
    dst: &mut [u32],
    at: usize,
    n: usize,
    value: u8,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst),
        Arg::Value(n as u32),
        Arg::Value(value.into()),
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
    if at.checked_add(n).is_none_or(|end| end > 4 * dst.len()) {
        return Err(KERNEL.signature("dst is too short"));
    }
    for i in at..at + n {
        set_byte(dst, i, *value as u8);
    }
    Ok(())
}

/// Cases with sizes near a line, where the method changes. Some have a value larger than a byte, of which
/// only the lowest byte counts, as in `memset`.
fn generate(rng: &mut Rng) -> Case {
    let at = [rng.below(40), 4 * rng.below(10)][rng.below(2) as usize];
    let n = [rng.below(260), 31 + rng.below(3), rng.below(20)][rng.below(3) as usize];
    let value = [rng.word(), rng.word() & 0xFF][rng.below(2) as usize];
    Case(vec![
        Value::output(((at + n) / 4 + 1 + rng.below(10)) as usize),
        Value::Value(n),
        Value::Value(value),
        Value::Value(at),
    ])
}

/// Compares with a fill of a byte slice, including the surrounding bytes.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let (n, value, at) = (
        case.value(1) as usize,
        case.value(2) as u8,
        case.value(3) as usize,
    );
    let mut bytes: Vec<u8> = before
        .words(0)
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    bytes[at..at + n].fill(value);
    let words = bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b));
    Deviation::of_words(case.words(0), words)
}
