//! `void queue_copy(const uint32_t src[], uint32_t n, void *sq)`: sends blocks of 32 bytes through the store
//! queues. QACR0 and QACR1 select the target: memory, video memory, sound memory or the tile accelerator.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "queue_copy",
    symbol: "_queue_copy",
    summary: "blocks through the store queues",
    params: &[
        Param::words("src").aligned(8),
        Param::value("n"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Sends blocks.
///
/// # Errors
/// See [`KernelError`].
pub fn queue_copy(
    kernels: &mut dyn Kernels,
    src: &[[u32; 8]],
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(src.as_flattened()),
        Arg::Value(src.len() as u32),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(src), Arg::Value(n), Arg::TileAccelerator(blocks)] = args else {
        return Err(KERNEL.signature("src, n, sq"));
    };
    let Some(sent) = src.as_chunks::<8>().0.get(..*n as usize) else {
        return Err(KERNEL.signature("src is too short"));
    };
    blocks.extend(sent);
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(33);
    let words = 8 * n + 1 + rng.below(9);
    Case(vec![
        Value::Words((0..words).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// Compares word by word.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let words = 8 * case.value(1) as usize;
    Deviation::of_words(case.words(2), (0..words).map(|i| case.words(0)[i]))
}
