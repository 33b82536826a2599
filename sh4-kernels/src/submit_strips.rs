//! `void submit_strips(const float screen[][4], const uint32_t base[], const uint32_t offset[], const int16_t
//! strips[], uint32_t count, uint32_t entry_halfwords, float_bits uv_scale, uint32_t offset_mask, void *sq)`:
//! sends all strips of a chunk as 32-byte vertex parameters through the store queues.
//!
//! `strips` is the strip data of a chunk model's polygon list, without user words. Each strip has a length,
//! negative for a reversed one, then its entries as in [`crate::submit_strip`]. The first vertex of a
//! reversed strip is sent twice. Strips of fewer than three entries are omitted. Offset colours are ANDed
//! with `offset_mask`.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_strips",
    symbol: "_submit_strips",
    summary: "all strips of a chunk through the store queues",
    params: &[
        Param::words("screen"),
        Param::words("base"),
        Param::words("offset"),
        Param::halfwords("strips"),
        Param::value("count"),
        Param::value("entry_halfwords"),
        Param::value("uv_scale"),
        Param::value("offset_mask"),
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

/// Vertices of strips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertices<'a> {
    /// x, y, 1/w and w of each vertex.
    pub screen: &'a [[f32; 4]],
    /// Base colour of each vertex.
    pub base: &'a [u32],
    /// Offset colour of each vertex.
    pub offset: &'a [u32],
}

/// The strips of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strips<'a> {
    /// Lengths and entries, half-words of the polygon list.
    pub halfwords: &'a [u16],
    /// Number of strips.
    pub count: usize,
    /// Number of half-words per entry: 1 without U and V, 3 with them, more if other data follow.
    pub entry_halfwords: usize,
    /// Factor that converts U and V to texture coordinates.
    pub uv_scale: f32,
    /// Mask for the offset colours.
    pub offset_mask: u32,
}

/// Sends all strips.
///
/// # Errors
/// See [`KernelError`]. It is a signature error if a strip is longer than the half-words, or if an index is
/// past the last vertex.
pub fn submit_strips(
    kernels: &mut dyn Kernels,
    vertices: &Vertices<'_>,
    strips: &Strips<'_>,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(vertices.screen.as_flattened())),
        Arg::Words(vertices.base),
        Arg::Words(vertices.offset),
        Arg::Halfwords(strips.halfwords),
        Arg::Value(strips.count as u32),
        Arg::Value(strips.entry_halfwords as u32),
        Arg::Value(strips.uv_scale.to_bits()),
        Arg::Value(strips.offset_mask),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

/// Entries of a strip, and whether it is reversed.
type Strip<'a> = (Vec<&'a [u16]>, bool);

/// Returns all strips.
pub(crate) fn strips(halfwords: &[u16], count: usize, entry: usize, user: usize) -> Option<Vec<Strip<'_>>> {
    let (mut rest, mut found) = (halfwords, Vec::new());
    for _ in 0..count {
        let (length, after) = rest.split_first()?;
        let (length, mut entries) = (*length as i16, Vec::new());
        rest = after;
        for i in 0..usize::from(length.unsigned_abs()) {
            let (words, after) = rest.split_at_checked(entry)?;
            entries.push(words);
            // User words follow from the third entry on.
            rest = after.get(if i < 2 { 0 } else { user }..)?;
        }
        found.push((entries, length < 0));
    }
    Some(found)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(screen),
        Arg::Words(base),
        Arg::Words(offset),
        Arg::Halfwords(halfwords),
        Arg::Value(count),
        Arg::Value(size),
        Arg::Value(uv_scale),
        Arg::Value(mask),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("screen, base, offset, strips, count, entry_halfwords, .."));
    };
    let size = *size as usize;
    let strips = strips(halfwords, *count as usize, size, 0);
    let Some(strips) = strips.filter(|_| size == 1 || size >= 3) else {
        return Err(KERNEL.signature("entry_halfwords is 0 or 2, or a strip is incomplete"));
    };
    for (entries, reversed) in strips.into_iter().filter(|(entries, _)| entries.len() >= 3) {
        for (i, entry) in entries.iter().enumerate() {
            let vertex = usize::from(entry[0]);
            if screen.len() < 4 * vertex + 4 || base.len() <= vertex || offset.len() <= vertex {
                return Err(KERNEL.signature("a strip index is past the last vertex"));
            }
            let uv = |k: usize| {
                let raw = entry
                    .get(k)
                    .map_or(0.0, |raw| fpu::from_int(i32::from(*raw as i16)));
                fpu::mul(raw, f32::from_bits(*uv_scale)).to_bits()
            };
            let is_last = i + 1 == entries.len();
            let block = [
                if is_last { VERTEX_END } else { VERTEX },
                screen[4 * vertex],
                screen[4 * vertex + 1],
                screen[4 * vertex + 2],
                uv(1),
                uv(2),
                base[vertex],
                offset[vertex] & *mask,
            ];
            blocks.push(block);
            if i == 0 && reversed {
                blocks.push(block);
            }
        }
    }
    Ok(())
}

/// Random strips of 0 to 12 entries; the slots are below `vertices`.
pub(crate) fn generate_strips(rng: &mut Rng, count: u32, size: u32, user: u32, vertices: u32) -> Vec<u16> {
    let mut halfwords = Vec::new();
    for _ in 0..count {
        let length = rng.below(13) as i16;
        halfwords.push((if rng.below(2) == 0 { -length } else { length }) as u16);
        for i in 0..length {
            halfwords.push(rng.below(vertices) as u16);
            let others = size - 1 + if i < 2 { 0 } else { user };
            halfwords.extend((0..others).map(|_| rng.word() as u16));
        }
    }
    halfwords
}

fn generate(rng: &mut Rng) -> Case {
    let (count, vertices) = (rng.below(6), 3 + rng.below(40));
    let size = [1, 3, 5, 6][rng.below(4) as usize];
    let halfwords = generate_strips(rng, count, size, 0, vertices);
    let screen: Vec<f32> = (0..4 * vertices).map(|_| rng.finite()).collect();
    let scale = if rng.word() & 1 == 0 {
        1.0_f32 / 256.0
    } else {
        1.0 / 1024.0
    };
    Case(vec![
        Value::floats(&screen),
        Value::Words((0..vertices).map(|_| rng.word()).collect()),
        Value::Words((0..vertices).map(|_| rng.word()).collect()),
        Value::Halfwords(halfwords),
        Value::Value(count),
        Value::Value(size),
        Value::Value(scale.to_bits()),
        Value::Value(if rng.below(2) == 0 { 0 } else { 0xFFFF_FFFF }),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// All words are copies or products with a power of two, so they must be exact. Unlike the reference, the
/// check divides the blocks at the end-of-strip bits, and compares them with the entries in order.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(halfwords)) = case.0.get(3) else {
        return worst;
    };
    let (size, scale) = (case.value(5) as usize, f64::from(f32::from_bits(case.value(6))));
    let mut blocks = case.words(8).chunks_exact(8).enumerate();
    let mut at = 0;
    for _ in 0..case.value(4) {
        let length = halfwords[at] as i16;
        let n = usize::from(length.unsigned_abs());
        let doubled = usize::from(length < 0);
        for i in (0..n + doubled).filter(|_| n >= 3) {
            let entry = &halfwords[at + 1 + size * i.saturating_sub(doubled)..];
            let vertex = usize::from(entry[0]);
            let Some((number, block)) = blocks.next() else {
                worst.note_exact(0, false);
                return worst;
            };
            let first = 8 * number;
            worst.note_exact(first, (block[0] == VERTEX_END) == (i + 1 == n + doubled));
            worst.note_exact(
                first + 1,
                block[1..4] == case.words(0)[4 * vertex..4 * vertex + 3],
            );
            for k in 0..2 {
                let raw = if size > 1 {
                    f64::from(entry[1 + k] as i16)
                } else {
                    0.0
                };
                worst.note(first + 4 + k, f32::from_bits(block[4 + k]), raw * scale, 0.0);
            }
            worst.note_exact(first + 6, block[6] == case.words(1)[vertex]);
            worst.note_exact(first + 7, block[7] == case.words(2)[vertex] & case.value(7));
        }
        at += 1 + n * size;
    }
    worst.note_exact(0, blocks.next().is_none());
    worst
}
