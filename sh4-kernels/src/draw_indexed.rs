//! `void draw_indexed(const struct view *view, const float vertices[][8], const uint16_t offsets[], uint32_t
//! n, uint32_t fetch, void *sq)`:
//! transforms and lights the strips of an indexed mesh and sends them through the store queues (FTRV, FIPR,
//! FSRRA).
//!
//! A vertex is x y z, normal, u v, in its own cache line. An entry of `offsets` is 32 times the index of a
//! vertex, plus 1 for the last vertex of a strip ([`offsets`] computes them). Bits 1 to 4 are ignored, and
//! the last entry should have bit 0.
//!
//! The parameters have the form of textured intensity polygons: control word, x, y, 1/w, u, v, base
//! intensity, offset intensity. For this form the kernel computes one float per vertex. Packed colours would
//! need three products, three truncations and a packing. The polygon's face colour is the colour of light and
//! material. The base is `ambient + max(0, normal . light)`. The offset is `normal . light` without a limit,
//! for polygons that add their face offset colour. The tile accelerator clamps both to 0..1.
//!
//! The kernel first loads `fetch` vertices into the cache, in sequence. This is nearly twice as fast as
//! alternating between vertex reads and block writes. Pass 0 if the vertices are in the cache. `fetch` does
//! not affect the result. More than about 350 vertices (11 KB) evict each other: draw larger meshes in
//! pieces, each with its own `vertices`.
//!
//! The kernel does not clip. 1/w is FSRRA of w squared: vertices with negative w are mirrored, with 1/|w|,
//! and w = 0 gives infinities. The complete mesh must therefore be in front of the near plane
//! ([`crate::clip_near`] cuts others). Positions and matrix must be finite, because other values corrupt even
//! the control word; |w| must be between 2^-63 and 2^64.

use crate::bounded::Bounded;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "draw_indexed",
    symbol: "_draw_indexed",
    summary: "strips of an indexed mesh to the tile accelerator",
    params: &[
        Param::words("view"),
        Param::words("vertices").aligned(32),
        Param::halfwords("offsets"),
        Param::value("n"),
        Param::value("fetch"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Parameter control word of a vertex.
const VERTEX: u32 = 0xE000_0000;
/// End-of-strip bit in the control word.
const END_OF_STRIP: u32 = 0x1000_0000;
/// Number of words of a vertex.
const WORDS: usize = 8;
/// Number of vertices within reach of a 16-bit offset.
const REACH: u32 = 2048;

/// Camera and light of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Transforms from the mesh's space to the screen: x and y in pixels times w, an unused row, and w.
    pub matrix: Matrix,
    /// Direction to the light in the mesh's space; its length is the intensity.
    pub light: [f32; 3],
    /// Intensity without light.
    pub ambient: f32,
}

impl View {
    /// Returns the block in memory: the matrix, the light, the ambient intensity.
    pub fn words(&self) -> [u32; 20] {
        let mut words = [0; 20];
        words[..16].copy_from_slice(bytemuck::cast_slice(self.matrix.as_flattened()));
        words[16..19].copy_from_slice(bytemuck::cast_slice(&self.light));
        words[19] = self.ambient.to_bits();
        words
    }
}

/// Returns the offsets for `strips` of vertex indices; `None` if an index exceeds 2047, the limit of 16 bits.
pub fn offsets(strips: &[&[u16]]) -> Option<Vec<u16>> {
    let mut offsets = Vec::new();
    for strip in strips {
        for (i, vertex) in strip.iter().enumerate() {
            let last = u16::from(i + 1 == strip.len());
            offsets.push(vertex.checked_mul(32)? + last);
        }
    }
    Some(offsets)
}

/// Draws the strips given by `offsets`; the first `fetch` vertices are not in the cache.
///
/// # Errors
/// See [`KernelError`]; a signature error if an offset is outside the vertices.
pub fn draw_indexed(
    kernels: &mut dyn Kernels,
    view: &View,
    vertices: &[[f32; WORDS]],
    offsets: &[u16],
    fetch: usize,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let words = view.words();
    let mut args = [
        Arg::Words(&words),
        Arg::Words(bytemuck::cast_slice(vertices.as_flattened())),
        Arg::Halfwords(offsets),
        Arg::Value(offsets.len() as u32),
        Arg::Value(fetch as u32),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

/// Returns the vertex of an offset, and whether it ends its strip.
fn entry(offset: u16) -> (usize, bool) {
    (usize::from(offset / 32), offset % 2 == 1)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(view),
        Arg::Words(vertices),
        Arg::Halfwords(offsets),
        Arg::Value(n),
        Arg::Value(_),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("view, vertices, offsets, n, fetch, sq"));
    };
    let Some(view) = bytemuck::cast_slice::<u32, f32>(view).first_chunk::<20>() else {
        return Err(KERNEL.signature("a view has 20 words"));
    };
    let Some(offsets) = offsets.get(..*n as usize) else {
        return Err(KERNEL.signature("there are fewer than n offsets"));
    };
    for &offset in offsets {
        let (index, last) = entry(offset);
        let Some(vertex) = vertices.as_chunks::<WORDS>().0.get(index) else {
            return Err(KERNEL.signature("an offset is past the last vertex"));
        };
        blocks.push(parameter(view, vertex.map(f32::from_bits), last));
    }
    Ok(())
}

/// Returns the vertex parameter of a vertex.
fn parameter(view: &[f32; 20], [x, y, z, nx, ny, nz, u, v]: [f32; WORDS], last: bool) -> [u32; 8] {
    let on_screen = |k: usize| fpu::inner([view[k], view[4 + k], view[8 + k], view[12 + k]], [x, y, z, 1.0]);
    let w = on_screen(3);
    let inverse = fpu::rsqrt(fpu::mul(w, w));
    // The kernel's inner product also contains z, times 0, because z is in the same vector register as the
    // normal. The sign of z therefore affects the result if all other products are 0.
    let incidence = fpu::inner([0.0, view[16], view[17], view[18]], [z, nx, ny, nz]);
    let base = if fpu::greater(incidence, 0.0) {
        fpu::add(view[19], incidence)
    } else {
        view[19]
    };
    [
        if last { VERTEX | END_OF_STRIP } else { VERTEX },
        fpu::mul(on_screen(0), inverse).to_bits(),
        fpu::mul(on_screen(1), inverse).to_bits(),
        inverse.to_bits(),
        u.to_bits(),
        v.to_bits(),
        base.to_bits(),
        incidence.to_bits(),
    ]
}

/// Returns a matrix for a mesh at `distance` in front of the eye; a negative distance is behind the eye.
fn screen_matrix(rng: &mut Rng, distance: f32) -> Matrix {
    let (x, y, w) = (rng.unit(), rng.unit(), rng.unit());
    let mut matrix: Matrix = std::array::from_fn(|k| match k {
        3 => [rng.range(-500.0, 500.0), rng.range(-500.0, 500.0), 0.0, distance],
        _ => [500.0 * x[k], -500.0 * y[k], 0.0, w[k]],
    });
    for column in &mut matrix {
        column[0] += 320.0 * column[3];
        column[1] += 240.0 * column[3];
        column[2] = rng.finite();
    }
    matrix
}

/// Strips along two rows of vertices; some have random or repeated vertices.
fn walk(rng: &mut Rng, vertices: u32, n: u32) -> Vec<u16> {
    let ignored = if rng.below(4) == 0 { 0x1E } else { 0 };
    let (mut from, mut left) = (0, 0);
    let mut next = |i: u32| {
        if left == 0 {
            (from, left) = (rng.below(vertices), 3 + rng.below(14));
        }
        left -= 1;
        let vertex = match rng.below(8) {
            0 => rng.below(vertices),
            _ => (from + i / 2 + i % 2 * 7) % vertices,
        };
        32 * vertex as u16 + (rng.word() as u16 & ignored) + u16::from(left == 0 || i + 1 == n)
    };
    (0..n).map(&mut next).collect()
}

fn generate(rng: &mut Rng) -> Case {
    let vertices = match rng.below(32) {
        0 => REACH,
        1 => 1,
        _ => 3 + rng.below(46),
    };
    let n = match rng.below(8) {
        // The kernel first loads up to 2048 offsets into the cache.
        0 => [0, 1, 2, 3, 2048, 2049][rng.below(6) as usize],
        _ => 3 + rng.below(40),
    };
    let distance = rng.range(20.0, 200.0);
    let behind = rng.below(16) == 0;
    let strength = [0.0, 1.0, 1.5][rng.below(3) as usize];
    let view = View {
        matrix: screen_matrix(rng, if behind { -distance } else { distance }),
        light: rng.unit().map(|c| strength * c),
        ambient: rng.range(0.0, 0.5),
    };
    let mut mesh = Vec::new();
    for _ in 0..vertices {
        mesh.extend([0; 3].map(|_| rng.range(-10.0, 10.0)));
        mesh.extend(rng.unit());
        mesh.extend([rng.finite(), rng.finite()]);
    }
    Case(vec![
        Value::Words(view.words().to_vec()),
        Value::floats(&mesh),
        Value::Halfwords(walk(rng, vertices, n)),
        Value::Value(n),
        Value::Value(rng.below(vertices + 1)),
        Value::TileAccelerator(Vec::new()),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(offsets)) = case.0.get(2) else {
        return worst;
    };
    let blocks = case.words(5).as_chunks::<8>().0;
    worst.note_exact(0, blocks.len() == case.value(3) as usize);
    for (i, (block, offset)) in blocks.iter().zip(offsets).enumerate() {
        let (index, last) = entry(*offset);
        let vertex = &case.words(1)[WORDS * index..][..WORDS];
        let control = if last { VERTEX | END_OF_STRIP } else { VERTEX };
        worst.note_exact(8 * i, block[0] == control && block[4..6] == vertex[6..]);
        for (word, expected) in parameter_within(case.words(0), vertex) {
            let found = f32::from_bits(block[word]);
            worst.note(8 * i + word, found, expected.value, expected.slack);
        }
    }
    worst
}

/// Computed words of a parameter.
fn parameter_within(view: &[u32], vertex: &[u32]) -> [(usize, Bounded); 5] {
    let (one, none) = (Bounded::constant(1.0), Bounded::constant(0.0));
    let [x, y, z, nx, ny, nz] = [0, 1, 2, 3, 4, 5].map(|k| Bounded::bits(vertex[k]));
    let view = |k: usize| Bounded::bits(view[k]);
    let on_screen = |k: usize| Bounded::inner([0, 4, 8, 12].map(|column| view(column + k)), [x, y, z, one]);
    let w = on_screen(3);
    let inverse = w.mul(w).rsqrt();
    let incidence = Bounded::inner([view(16), view(17), view(18), none], [nx, ny, nz, none]);
    [
        (1, on_screen(0).mul(inverse)),
        (2, on_screen(1).mul(inverse)),
        (3, inverse),
        (6, view(19).add(incidence.clamp(0.0, f64::INFINITY))),
        (7, incidence),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;

    #[test]
    fn strips_become_offsets() {
        let strips: [&[u16]; 3] = [&[0, 1, 2], &[], &[2047, 3]];
        assert_eq!(offsets(&strips), Some(vec![0, 32, 65, 65504, 97]));
        assert_eq!(offsets(&[&[0, 2048]]), None);
    }

    /// A vertex at x = 2, y = 3 and w = 4 with its normal toward the light, and one with its normal away from
    /// it.
    #[test]
    fn two_vertices_by_hand() {
        let view = View {
            matrix: [
                [1.0, 0.0, 9.0, 0.0],
                [0.0, 2.0, 9.0, 0.0],
                [0.0, 0.0, 9.0, 1.0],
                [0.0; 4],
            ],
            light: [0.0, 0.0, 0.5],
            ambient: 0.25,
        };
        let vertex = |nz| [2.0, 3.0, 4.0, 0.0, 0.0, nz, 0.125, 0.75];
        let mut blocks = Vec::new();
        let mesh = [vertex(1.0), vertex(-1.0)];
        draw_indexed(&mut Reference, &view, &mesh, &[0, 33], 0, &mut blocks).unwrap();
        let floats = |block: &[u32; 8]| block.map(f32::from_bits)[1..].to_vec();
        assert_eq!([blocks[0][0], blocks[1][0]], [0xE000_0000, 0xF000_0000]);
        assert_eq!(floats(&blocks[0]), [0.5, 1.5, 0.25, 0.125, 0.75, 0.75, 0.5]);
        assert_eq!(floats(&blocks[1]), [0.5, 1.5, 0.25, 0.125, 0.75, 0.25, -0.5]);
    }
}
