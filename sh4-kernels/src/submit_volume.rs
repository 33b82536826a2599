//! `void submit_volume(const float screen[][4], const uint16_t triangles[][3], uint32_t n, void *sq)`: sends
//! triangles of a modifier volume through the store queues.
//!
//! `screen` is x, y, 1/w, w, 8-byte aligned; a triangle is three indices in it. A parameter is 64 bytes:
//! control word, x, y, 1/w of the three corners, six zeros.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_volume",
    symbol: "_submit_volume",
    summary: "modifier volume triangles through the store queues",
    params: &[
        Param::words("screen").aligned(8),
        Param::halfwords("triangles"),
        Param::value("n"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Control word of a vertex parameter that ends its strip, as each triangle of a volume does.
const CONTROL: u32 = 0xF000_0000;

/// Sends `triangles`, each three indices in `screen`.
///
/// # Errors
/// See [`KernelError`]; a signature error if an index is outside `screen`.
pub fn submit_volume(
    kernels: &mut dyn Kernels,
    screen: &[[f32; 4]],
    triangles: &[[u16; 3]],
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(screen.as_flattened())),
        Arg::Halfwords(triangles.as_flattened()),
        Arg::Value(triangles.len() as u32),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(screen),
        Arg::Halfwords(triangles),
        Arg::Value(n),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("screen, triangles, n, sq"));
    };
    let n = *n as usize;
    if triangles.len() / 3 < n {
        return Err(KERNEL.signature("a triangle has three indices"));
    }
    for triangle in triangles.chunks_exact(3).take(n) {
        let mut words = [0; 16];
        words[0] = CONTROL;
        for (corner, index) in words[1..10].chunks_exact_mut(3).zip(triangle) {
            let Some(vertex) = screen.chunks_exact(4).nth(usize::from(*index)) else {
                return Err(KERNEL.signature("a triangle refers to a missing vertex"));
            };
            corner.copy_from_slice(&vertex[..3]);
        }
        blocks.extend(words.as_chunks::<8>().0);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, vertices) = (1 + rng.below(24), 3 + rng.below(30));
    Case(vec![
        Value::Words((0..4 * vertices).map(|_| rng.word()).collect()),
        Value::Halfwords((0..3 * n).map(|_| rng.below(vertices) as u16).collect()),
        Value::Value(n),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// All words are copies, so they must be exact.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(triangles)) = case.0.get(1) else {
        return worst;
    };
    let sent = case.words(3);
    worst.note_exact(0, sent.len() == 16 * case.value(2) as usize);
    for (at, &word) in sent.iter().enumerate() {
        let expected = match at % 16 {
            0 => 0xF000_0000,
            place @ 1..=9 => {
                let index = usize::from(triangles[at / 16 * 3 + (place - 1) / 3]);
                case.words(0)[4 * index + (place - 1) % 3]
            }
            _ => 0,
        };
        worst.note_exact(at, word == expected);
    }
    worst
}
