//! `void submit_vertices(const struct corner corners[], uint32_t n, uint32_t form, uint32_t doubled, void
//! *sq)`:
//! sends a triangle strip of finished corners as vertex parameters through the store queues.
//!
//! Corners have the layout of [`crate::clip_near`] with screen positions, 8-byte aligned. `form` selects the
//! parameters:
//! - 0: one volume (32 bytes: control word, x, y, 1/w, u, v, base, offset);
//! - 1: two volumes with texture (64 bytes: the words of form 0, then u, v, base, offset of the second volume
//!   and four zeros);
//! - 2: two volumes without texture (32 bytes: control word, x, y, 1/w, base, second base, two zeros).
//!
//! The last vertex has the end-of-strip bit. With `doubled` the kernel sends the first corner twice, which
//! reverses the winding of all triangles.

use crate::clip_near::{Corner, WORDS};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_vertices",
    symbol: "_submit_vertices",
    summary: "corners through the store queues",
    params: &[
        Param::words("corners").aligned(8),
        Param::value("n"),
        Param::value("form"),
        Param::value("doubled"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Kind of vertex parameters; see docs/hardware/pvr2.md, "Vertex forms".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Forms 0 and 3: one volume, packed colours, with or without texture.
    OneVolume = 0,
    /// Form 11: two volumes, packed colours, texture.
    TwoTextured = 1,
    /// Form 9: two volumes, packed colours, no texture.
    TwoPlain = 2,
}

const VERTEX: u32 = 0xE000_0000;
const END_OF_STRIP: u32 = 0x1000_0000;

/// Sends a strip.
///
/// # Errors
/// See [`KernelError`].
pub fn submit_vertices(
    kernels: &mut dyn Kernels,
    corners: &[Corner],
    form: Form,
    doubled: bool,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let words: Vec<u32> = corners.iter().flat_map(Corner::words).collect();
    let mut args = [
        Arg::Words(&words),
        Arg::Value(corners.len() as u32),
        Arg::Value(form as u32),
        Arg::Value(u32::from(doubled)),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(corners),
        Arg::Value(n),
        Arg::Value(form),
        Arg::Value(doubled),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("corners, n, form, doubled, sq"));
    };
    let n = *n as usize;
    if corners.len() / WORDS < n || *form > 2 {
        return Err(KERNEL.signature("a corner has 12 words, a form is 0, 1 or 2"));
    }
    for (i, c) in corners.chunks_exact(WORDS).take(n).enumerate() {
        let last = if i + 1 == n { END_OF_STRIP } else { 0 };
        let times = if i == 0 && *doubled != 0 { 2 } else { 1 };
        for time in 1..=times {
            let control = VERTEX | if time == times { last } else { 0 };
            if *form == 2 {
                blocks.push([control, c[0], c[1], c[2], c[8], c[10], 0, 0]);
            } else {
                blocks.push([control, c[0], c[1], c[2], c[4], c[5], c[8], c[9]]);
            }
            if *form == 1 {
                blocks.push([c[6], c[7], c[10], c[11], 0, 0, 0, 0]);
            }
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 3 + rng.below(30);
    Case(vec![
        Value::Words((0..WORDS as u32 * n).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::Value(rng.below(3)),
        Value::Value(rng.below(2)),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// All words are copies, so they must be exact. A second table, independent of the reference, gives the
/// source of each word by vertex form.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    const SOURCES: [&[Option<usize>]; 3] = [
        &[
            None,
            Some(0),
            Some(1),
            Some(2),
            Some(4),
            Some(5),
            Some(8),
            Some(9),
        ],
        &[
            None,
            Some(0),
            Some(1),
            Some(2),
            Some(4),
            Some(5),
            Some(8),
            Some(9),
            Some(6),
            Some(7),
            Some(10),
            Some(11),
            None,
            None,
            None,
            None,
        ],
        &[None, Some(0), Some(1), Some(2), Some(8), Some(10), None, None],
    ];
    let mut worst = Deviation::default();
    let (n, doubled) = (case.value(1) as usize, case.value(3) as usize);
    let Some(sources) = SOURCES.get(case.value(2) as usize) else {
        return worst;
    };
    let sent = case.words(4);
    worst.note_exact(0, sent.len() == sources.len() * (n + doubled));
    for (at, &word) in sent.iter().enumerate() {
        let (vertex, place) = (at / sources.len(), at % sources.len());
        let corner = vertex.saturating_sub(doubled);
        let expected = match (place, sources[place]) {
            (0, _) if vertex + 1 == n + doubled => 0xF000_0000,
            (0, _) => 0xE000_0000,
            (_, Some(source)) => case.words(0)[WORDS * corner + source],
            (_, None) => 0,
        };
        worst.note_exact(at, word == expected);
    }
    worst
}
