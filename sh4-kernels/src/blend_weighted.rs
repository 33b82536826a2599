//! `void blend_weighted(const float matrix[16], const float src[], uint32_t n, float positions[][4], float
//! normals[][4], uint32_t first, uint32_t mode, float_bits scale)`:
//! one weight stage of a chunk vertex list.
//!
//! Elements of `src` have the layout of the vertex kinds with NinjaFlags: x, y, z, (nx, ny, nz,) flags =
//! `weight << 16 | index`. The kernel transforms each element, multiplies it by `weight * scale`, and stores
//! it in slot `index` of the buffers, which begin with slot `first`. `mode` bit 0 adds to the slot (MIDDLE,
//! END) instead of replacing it (START). Bit 1 means that normals are present. Like the original, the kernel
//! does not renormalise the weights.

use crate::bound::{HALF_ULP, TINY, exact, inner, row};
use crate::{
    Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value, columns,
};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "blend_weighted",
    symbol: "_blend_weighted",
    summary: "weighted vertices into the vertex buffer",
    params: &[
        Param::words("matrix").aligned(8),
        Param::words("src"),
        Param::value("n"),
        Param::words_mut("positions").aligned(8),
        Param::words_mut("normals").aligned(8),
        Param::value("first"),
        Param::value("mode"),
        Param::value("scale"),
    ],
    reference,
    generate,
    deviation,
};

/// `mode`: adds to the contents of the slot.
pub const ADD: u32 = 1;
/// `mode`: elements have normals.
pub const NORMALS: u32 = 2;

/// Scale for weights from 0 to 255. It is the original library's factor, one unit in the last place below
/// 1/255.
pub const SCALE_255: f32 = f32::from_bits(0x3B80_8080);

/// Blends `n` vertices of `src` into the slots `first..first + positions.len()`.
///
/// # Errors
/// See [`KernelError`]; a signature error if an index is outside the slots.
#[expect(clippy::too_many_arguments, reason = "they are the kernel's own")]
pub fn blend_weighted(
    kernels: &mut dyn Kernels,
    matrix: &Matrix,
    src: &[u32],
    n: usize,
    positions: &mut [[f32; 4]],
    normals: &mut [[f32; 4]],
    first: i32,
    mode: u32,
    scale: f32,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(matrix.as_flattened())),
        Arg::Words(src),
        Arg::Value(n as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(positions.as_flattened_mut())),
        Arg::WordsMut(bytemuck::cast_slice_mut(normals.as_flattened_mut())),
        Arg::Value(first as u32),
        Arg::Value(mode),
        Arg::Value(scale.to_bits()),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(matrix),
        Arg::Words(src),
        Arg::Value(n),
        Arg::WordsMut(positions),
        Arg::WordsMut(normals),
        Arg::Value(first),
        Arg::Value(mode),
        Arg::Value(scale),
    ] = args
    else {
        return Err(KERNEL.signature("matrix, src, n, positions, normals, first, mode, scale"));
    };
    let (n, mode, first) = (*n as usize, *mode, *first as i32);
    let stride = stride(mode);
    KERNEL.check_vectors(matrix.len(), src.len(), stride, n)?;
    let m = columns(matrix);
    for element in src.chunks_exact(stride).take(n) {
        let flags = element[stride - 1];
        let slot = i32::from(flags as i16) - first;
        if slot < 0 || positions.len() < 4 * slot as usize + 4 || normals.len() < 4 * slot as usize + 4 {
            return Err(KERNEL.signature("a vertex index is outside the buffers"));
        }
        let weight = fpu::mul(fpu::from_int((flags >> 16) as i32), f32::from_bits(*scale));
        blend(
            &m,
            &element[..3],
            1.0,
            weight,
            mode,
            &mut positions[4 * slot as usize..],
        );
        if mode & NORMALS != 0 {
            blend(
                &m,
                &element[3..6],
                0.0,
                weight,
                mode,
                &mut normals[4 * slot as usize..],
            );
        }
    }
    Ok(())
}

/// Stores `weight * (m * (v, w))` in `slot`, or adds it.
fn blend(m: &Matrix, v: &[u32], w: f32, weight: f32, mode: u32, slot: &mut [u32]) {
    let v = [
        f32::from_bits(v[0]),
        f32::from_bits(v[1]),
        f32::from_bits(v[2]),
        w,
    ];
    for (component, value) in slot.iter_mut().zip(fpu::transform(m, v)) {
        let before = if mode & ADD != 0 {
            f32::from_bits(*component)
        } else {
            0.0
        };
        *component = fpu::mac(before, weight, value).to_bits();
    }
}

fn stride(mode: u32) -> usize {
    if mode & NORMALS != 0 { 7 } else { 4 }
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(24);
    let (first, mode) = (rng.below(100), rng.below(4));
    let mut src = Vec::new();
    for _ in 0..n {
        src.extend((1..stride(mode)).map(|_| rng.finite().to_bits()));
        src.push(rng.below(256) << 16 | (first + rng.below(n)));
    }
    let buffer: Vec<u32> = (0..4 * n).map(|_| rng.range(-100.0, 100.0).to_bits()).collect();
    Case(vec![
        Value::floats(&rng.matrix()),
        Value::Words(src),
        Value::Value(n),
        Value::WordsMut(buffer.clone()),
        Value::WordsMut(buffer),
        Value::Value(first),
        Value::Value(mode),
        Value::Value(SCALE_255.to_bits()),
    ])
}

/// A slot's component in `f64`, and the accumulated error bound of the SH4's value.
type Bounded = (f64, f64);

fn deviation(before: &Case, after: &Case) -> Deviation {
    let (matrix, mode) = (before.floats(0), before.value(6));
    let stride = stride(mode);
    let start = |argument| {
        before
            .floats(argument)
            .iter()
            .map(|v| (exact(*v), 0.0))
            .collect::<Vec<Bounded>>()
    };
    let (mut positions, mut normals) = (start(3), start(4));
    for element in before.words(1).chunks_exact(stride) {
        let flags = element[stride - 1];
        let weight = f64::from(flags >> 16) * exact(SCALE_255);
        let at = 4 * (flags & 0xFFFF).wrapping_sub(before.value(5)) as usize;
        let vector = |k: usize, w| {
            let [x, y, z] = [k, k + 1, k + 2].map(|k| exact(f32::from_bits(element[k])));
            [x, y, z, w]
        };
        blend_exact(
            matrix,
            vector(0, 1.0),
            weight,
            mode,
            positions.get_mut(at..at + 4),
        );
        if mode & NORMALS != 0 {
            blend_exact(matrix, vector(3, 0.0), weight, mode, normals.get_mut(at..at + 4));
        }
    }
    let mut worst = Deviation::default();
    for (argument, expected) in [(3, positions), (4, normals)] {
        for (i, (&out, (value, bound))) in after.floats(argument).iter().zip(expected).enumerate() {
            worst.note(i, out, value, bound);
        }
    }
    worst
}

fn blend_exact(matrix: &[f32], v: [f64; 4], weight: f64, mode: u32, slot: Option<&mut [Bounded]>) {
    for (i, component) in slot.into_iter().flatten().enumerate() {
        let (value, bound) = inner(row(matrix, i), v);
        let (old, slack) = if mode & ADD != 0 { *component } else { (0.0, 0.0) };
        let sum = old + weight * value;
        // The weighted value is rounded once, the sum once.
        let rounding = (weight * value).abs() * HALF_ULP + sum.abs() * HALF_ULP;
        *component = (sum, slack + weight * bound + rounding * (1.0 + HALF_ULP) + TINY);
    }
}
