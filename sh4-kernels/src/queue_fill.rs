//! `void queue_fill(uint32_t value, uint32_t n, void *sq)`: sends blocks of eight equal words through the
//! store queues. QACR0 and QACR1 select the target.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "queue_fill",
    symbol: "_queue_fill",
    summary: "equal blocks through the store queues",
    params: &[
        Param::value("value"),
        Param::value("n"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Sends `n` blocks of equal words.
///
/// # Errors
/// See [`KernelError`].
pub fn queue_fill(
    kernels: &mut dyn Kernels,
    value: u32,
    n: usize,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Value(value),
        Arg::Value(n as u32),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Value(value), Arg::Value(n), Arg::TileAccelerator(blocks)] = args else {
        return Err(KERNEL.signature("value, n, sq"));
    };
    for _ in 0..*n {
        blocks.push([*value; 8]);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    Case(vec![
        Value::Value(rng.word()),
        Value::Value(rng.below(33)),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// Compares word by word.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let words = 8 * case.value(1) as usize;
    Deviation::of_words(case.words(2), std::iter::repeat_n(case.value(0), words))
}
