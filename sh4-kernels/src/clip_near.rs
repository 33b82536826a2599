//! `void clip_near(const struct corner corners[], const uint16_t edges[][2], uint32_t n, float_bits near,
//! struct corner out[])`: intersections of edges with the near plane.
//!
//! A corner is 12 words: x, y, z, w in view space; two pairs of texture coordinates; four packed ARGB
//! colours. An edge consists of the corner in front of the plane and the corner beyond it, in this order, so
//! that two triangles with a common edge get the same point. All words except z are interpolated; z is
//! exactly `-near`. Colour channels are truncated. If an edge does not cross the plane, a channel may leave 0
//! to 255, and its lowest byte is kept.

use crate::bounded::Bounded;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "clip_near",
    symbol: "_clip_near",
    summary: "edges cut at the near plane",
    params: &[
        Param::words("corners"),
        Param::halfwords("edges"),
        Param::value("n"),
        Param::value("near"),
        Param::words_mut("out"),
    ],
    reference,
    generate,
    deviation,
};

/// A vertex with all interpolated attributes; also the input of [`crate::submit_vertices`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Corner {
    /// x, y, z, w in view space; or x, y, 1/w, w on the screen.
    pub position: [f32; 4],
    /// Texture coordinates of both volumes: u, v, u, v.
    pub uv: [f32; 4],
    /// Base and offset colour of the first volume, then of the second; ARGB.
    pub colours: [u32; 4],
}

/// Number of words of a corner.
pub const WORDS: usize = 12;

impl Corner {
    /// Returns the words in memory.
    pub fn words(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        words[..4].copy_from_slice(&self.position.map(f32::to_bits));
        words[4..8].copy_from_slice(&self.uv.map(f32::to_bits));
        words[8..].copy_from_slice(&self.colours);
        words
    }

    fn from_words(words: &[u32]) -> Self {
        let mut corner = Self::default();
        for k in 0..4 {
            corner.position[k] = f32::from_bits(words[k]);
            corner.uv[k] = f32::from_bits(words[4 + k]);
            corner.colours[k] = words[8 + k];
        }
        corner
    }
}

/// Returns the intersections of `edges` (corner in front, corner beyond) with the plane at distance `near`.
///
/// # Errors
/// See [`KernelError`]; a signature error if an edge names a missing corner.
pub fn clip_near(
    kernels: &mut dyn Kernels,
    corners: &[Corner],
    edges: &[[u16; 2]],
    near: f32,
) -> Result<Vec<Corner>, KernelError> {
    let words: Vec<u32> = corners.iter().flat_map(Corner::words).collect();
    let mut out = vec![0; WORDS * edges.len()];
    let mut args = [
        Arg::Words(&words),
        Arg::Halfwords(edges.as_flattened()),
        Arg::Value(edges.len() as u32),
        Arg::Value(near.to_bits()),
        Arg::WordsMut(&mut out),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out.chunks_exact(WORDS).map(Corner::from_words).collect())
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(corners),
        Arg::Halfwords(edges),
        Arg::Value(n),
        Arg::Value(near),
        Arg::WordsMut(out),
    ] = args
    else {
        return Err(KERNEL.signature("corners, edges, n, near, out"));
    };
    let (n, near) = (*n as usize, f32::from_bits(*near));
    if edges.len() < 2 * n || out.len() < WORDS * n {
        return Err(KERNEL.signature("an edge has two half-words, out 12 words for each"));
    }
    let corner = |index: u16| corners.chunks_exact(WORDS).nth(usize::from(index));
    for (edge, out) in edges.chunks_exact(2).zip(out.chunks_exact_mut(WORDS)).take(n) {
        let (Some(front), Some(behind)) = (corner(edge[0]), corner(edge[1])) else {
            return Err(KERNEL.signature("an edge refers to a missing corner"));
        };
        let (z, other) = (f32::from_bits(front[2]), f32::from_bits(behind[2]));
        let share = fpu::div(fpu::add(z, near), fpu::sub(z, other));
        let between = |a: f32, b: f32| fpu::mac(a, share, fpu::sub(b, a));
        for k in 0..8 {
            out[k] = between(f32::from_bits(front[k]), f32::from_bits(behind[k])).to_bits();
        }
        out[2] = fpu::neg(near).to_bits();
        for k in 8..WORDS {
            let mut colour = 0;
            for shift in [24, 16, 8, 0] {
                let [a, b] = [front[k], behind[k]].map(|word| fpu::from_int((word >> shift & 0xFF) as i32));
                colour |= (fpu::trunc(between(a, b)) as u32 & 0xFF) << shift;
            }
            out[k] = colour;
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(16);
    let near = rng.range(0.1, 10.0);
    let mut corners = Vec::new();
    let mut edges = Vec::new();
    for i in 0..n as u16 {
        for behind in [false, true] {
            let distance = rng.range(0.001, 200.0);
            let z = if behind { distance } else { -distance } - near;
            corners.extend([rng.finite(), rng.finite(), z, 1.0].map(f32::to_bits));
            corners.extend((0..4).map(|_| rng.range(-8.0, 8.0).to_bits()));
            corners.extend((0..4).map(|_| rng.word()));
        }
        edges.extend([2 * i, 2 * i + 1]);
    }
    Case(vec![
        Value::Words(corners),
        Value::Halfwords(edges),
        Value::Value(n),
        Value::Value(near.to_bits()),
        Value::output(WORDS * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let near = f32::from_bits(case.value(3));
    let pairs = case.words(0).chunks_exact(2 * WORDS);
    for (i, (pair, out)) in pairs.zip(case.words(4).chunks_exact(WORDS)).enumerate() {
        let (front, behind) = pair.split_at(WORDS);
        let float = |words: &[u32], k: usize| Bounded::single(f32::from_bits(words[k]));
        let (z, other) = (float(front, 2), float(behind, 2));
        let share = z.add(Bounded::single(near)).div(z.sub(other));
        let between = |a: Bounded, b: Bounded| a.add(share.mul(b.sub(a)));
        for k in (0..8).filter(|k| *k != 2) {
            let exact = between(float(front, k), float(behind, k));
            worst.note(WORDS * i + k, f32::from_bits(out[k]), exact.value, exact.slack);
        }
        worst.note_exact(WORDS * i + 2, f32::from_bits(out[2]) == -near);
        for k in 8..WORDS {
            for shift in [24, 16, 8, 0] {
                let byte = |word: u32| (word >> shift) as u8;
                let [a, b] = [front[k], behind[k]].map(|word| Bounded::single(f32::from(byte(word))));
                let exact = between(a, b);
                // The channel is truncated: it is between value - 1 and value, plus or minus the slack.
                let found = f32::from(byte(out[k]));
                worst.note(WORDS * i + k, found, exact.value - 0.5, 0.5 + exact.slack);
            }
        }
    }
    worst
}
