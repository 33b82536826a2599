//! `void submit_strip(const float screen[][4], const uint32_t colours[], const int16_t entries[], uint32_t n,
//! uint32_t first, uint32_t entry_halfwords, float_bits uv_scale, uint32_t offset_colour, uint32_t doubled,
//! void *sq)`:
//! sends one triangle strip as 32-byte vertex parameters through the store queues.
//!
//! `entries` is the strip data of a chunk model's polygon list. An entry is a vertex index and, if
//! `entry_halfwords` is 3 or more, U and V. `screen` (x, y, 1/w, w) and `colours` begin with vertex `first`.
//! A parameter is control word, x, y, 1/w, u, v, base colour, offset colour; the last has the end-of-strip
//! bit. With `doubled` the kernel sends the first vertex twice, which reverses the winding of all triangles.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_strip",
    symbol: "_submit_strip",
    summary: "strip vertices through the store queues",
    params: &[
        Param::words("screen"),
        Param::words("colours"),
        Param::halfwords("entries"),
        Param::value("n"),
        Param::value("first"),
        Param::value("entry_halfwords"),
        Param::value("uv_scale"),
        Param::value("offset_colour"),
        Param::value("doubled"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Parameter control word of a vertex.
const VERTEX: u32 = 0xE000_0000;
/// Parameter control word of the last vertex of a strip.
const VERTEX_END: u32 = 0xF000_0000;

/// Entries of a strip and their meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip<'a> {
    /// The entries, half-words of the polygon list.
    pub entries: &'a [u16],
    /// Number of entries.
    pub n: usize,
    /// Number of half-words per entry: 1 without U and V, 3 with them, more if other data follow.
    pub entry_halfwords: usize,
    /// Factor that converts U and V to texture coordinates.
    pub uv_scale: f32,
    /// Offset colour of all vertices, ARGB.
    pub offset_colour: u32,
    /// Sends the first vertex twice.
    pub doubled: bool,
}

/// Sends a strip; `screen` and `colours` begin with vertex `first`.
///
/// # Errors
/// See [`KernelError`]; a signature error if an index is outside the vertices.
pub fn submit_strip(
    kernels: &mut dyn Kernels,
    screen: &[[f32; 4]],
    colours: &[u32],
    first: usize,
    strip: &Strip<'_>,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(screen.as_flattened())),
        Arg::Words(colours),
        Arg::Halfwords(strip.entries),
        Arg::Value(strip.n as u32),
        Arg::Value(first as u32),
        Arg::Value(strip.entry_halfwords as u32),
        Arg::Value(strip.uv_scale.to_bits()),
        Arg::Value(strip.offset_colour),
        Arg::Value(u32::from(strip.doubled)),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(screen),
        Arg::Words(colours),
        Arg::Halfwords(entries),
        Arg::Value(n),
        Arg::Value(first),
        Arg::Value(entry_halfwords),
        Arg::Value(uv_scale),
        Arg::Value(offset_colour),
        Arg::Value(doubled),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("screen, colours, entries, n, first, entry_halfwords, .."));
    };
    let (n, size) = (*n as usize, *entry_halfwords as usize);
    if size == 0 || size == 2 || entries.len() < n.saturating_mul(size) {
        return Err(KERNEL.signature("entry_halfwords is 0 or 2, or there are fewer than n entries"));
    }
    for (i, entry) in entries.chunks_exact(size).take(n).enumerate() {
        let Some(vertex) = u32::from(entry[0]).checked_sub(*first).map(|v| v as usize) else {
            return Err(KERNEL.signature("a strip index is before the first vertex"));
        };
        if screen.len() < 4 * vertex + 4 || colours.len() <= vertex {
            return Err(KERNEL.signature("a strip index is past the last vertex"));
        }
        let uv = |k: usize| {
            let raw = entry
                .get(k)
                .map_or(0.0, |raw| fpu::from_int(i32::from(*raw as i16)));
            fpu::mul(raw, f32::from_bits(*uv_scale)).to_bits()
        };
        let block = [
            if i + 1 == n { VERTEX_END } else { VERTEX },
            screen[4 * vertex],
            screen[4 * vertex + 1],
            screen[4 * vertex + 2],
            uv(1),
            uv(2),
            colours[vertex],
            *offset_colour,
        ];
        if i == 0 && *doubled != 0 {
            blocks.push([
                VERTEX, block[1], block[2], block[3], block[4], block[5], block[6], block[7],
            ]);
        }
        blocks.push(block);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 3 + rng.below(30);
    let vertices = 3 + rng.below(40);
    let first = rng.below(1000);
    let size = [1, 3, 5, 6][rng.below(4) as usize];
    let mut entries = Vec::new();
    for _ in 0..n {
        entries.push((first + rng.below(vertices)) as u16);
        entries.extend((1..size).map(|_| rng.word() as u16));
    }
    let screen: Vec<f32> = (0..4 * vertices).map(|_| rng.finite()).collect();
    let scale = if rng.word() & 1 == 0 {
        1.0_f32 / 256.0
    } else {
        1.0 / 1024.0
    };
    Case(vec![
        Value::floats(&screen),
        Value::Words((0..vertices).map(|_| rng.word()).collect()),
        Value::Halfwords(entries),
        Value::Value(n),
        Value::Value(first),
        Value::Value(size),
        Value::Value(scale.to_bits()),
        Value::Value(rng.word()),
        Value::Value(rng.below(2)),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// All words are copies or products with a power of two, so they must be exact.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(entries)) = case.0.get(2) else {
        return worst;
    };
    let (size, doubled) = (case.value(5) as usize, case.value(8) as usize);
    let scale = f64::from(f32::from_bits(case.value(6)));
    let words = case.words(9);
    worst.note_exact(0, words.len() == 8 * (case.value(3) as usize + doubled));
    for (i, block) in words.chunks_exact(8).enumerate() {
        let entry = &entries[i.saturating_sub(doubled) * size..];
        let vertex = u32::from(entry[0]).wrapping_sub(case.value(4)) as usize;
        worst.note_exact(8 * i, (block[0] == VERTEX_END) == (8 * (i + 1) == words.len()));
        worst.note_exact(
            8 * i + 1,
            block[1..4] == case.words(0)[4 * vertex..4 * vertex + 3],
        );
        for k in 0..2 {
            let raw = if size > 1 {
                f64::from(entry[1 + k] as i16)
            } else {
                0.0
            };
            worst.note(8 * i + 4 + k, f32::from_bits(block[4 + k]), raw * scale, 0.0);
        }
        worst.note_exact(
            8 * i + 6,
            block[6] == case.words(1)[vertex] && block[7] == case.value(7),
        );
    }
    worst
}
