//! `void cell_billboards(const NJS_CELL_SPRITE *sprite, const float viewport[4], const NJS_CELL cells[],
//! uint32_t n, uint32_t placings[][8])`:
//! screen position and scale of each cell of a 3D sprite.
//!
//! The sprite's position is in view space (the eye looks along -z, y up); `viewport` is as for
//! `project_points`. Each cell has its own depth: z plus its priority times 3.0520e-5. A placing has the form
//! of the first eight words of NJS_CELL_SPRITE: 0, 0, the pixel's x and y, 1/w, the sprite's angle, and the
//! scale in both directions. The scale is the sprite's scale times the height in pixels of one unit at the
//! cell's depth (docs/formats/ninja.md, section 2.7).

use crate::bound::{HALF_ULP, TINY, exact};
use crate::cell::{Cell, PRIORITY, Placing, Sprite, any_cells, any_sprite, priority};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "cell_billboards",
    symbol: "_cell_billboards",
    summary: "places of a 3D sprite's cells",
    params: &[
        Param::words("sprite"),
        Param::words("viewport"),
        Param::words("cells"),
        Param::value("n"),
        Param::words_mut("placings").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns the placing of every cell of `sprite`, which is in view space.
///
/// # Errors
/// See [`KernelError`].
pub fn cell_billboards(
    kernels: &mut dyn Kernels,
    sprite: &Sprite,
    viewport: &[f32; 4],
    cells: &[Cell],
) -> Result<Vec<Placing>, KernelError> {
    let mut placings = vec![Placing::default(); cells.len()];
    let mut args = [
        Arg::Words(sprite),
        Arg::Words(bytemuck::cast_slice(viewport)),
        Arg::Words(cells.as_flattened()),
        Arg::Value(cells.len() as u32),
        Arg::WordsMut(placings.as_flattened_mut()),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(placings)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(sprite),
        Arg::Words(viewport),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::WordsMut(placings),
    ] = args
    else {
        return Err(KERNEL.signature("sprite, viewport, cells, n, placings"));
    };
    let n = *n as usize;
    if sprite.len() < 8 || viewport.len() < 4 || cells.len() / 16 < n || placings.len() / 8 < n {
        return Err(KERNEL.signature("a sprite has 8 words, viewport 4, a cell 16, its placing 8"));
    }
    let s: &[f32] = bytemuck::cast_slice(sprite);
    let v: &[f32] = bytemuck::cast_slice(viewport);
    for (cell, out) in cells.chunks_exact(16).zip(placings.chunks_exact_mut(8)).take(n) {
        let z = fpu::mac(s[4], PRIORITY, fpu::from_int(priority(cell)));
        let inverse = fpu::div(1.0, fpu::neg(z));
        let x = fpu::mac(v[2], inverse, fpu::mul(s[2], v[0]));
        let y = fpu::mac(v[3], inverse, fpu::mul(s[3], v[1]));
        let unit = fpu::mul(fpu::abs(v[1]), inverse);
        let scale = [fpu::mul(s[6], unit), fpu::mul(s[7], unit)];
        out[..2].fill(0);
        out[2..5].copy_from_slice(&[x, y, inverse].map(f32::to_bits));
        out[5] = sprite[5];
        out[6..8].copy_from_slice(&scale.map(f32::to_bits));
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(24);
    let viewport = [rng.range(100.0, 2000.0), rng.range(-2000.0, -100.0), 320.0, 240.0];
    Case(vec![
        Value::Words(any_sprite(rng).to_vec()),
        Value::floats(&viewport),
        Value::Words(any_cells(rng, n)),
        Value::Value(n),
        Value::output(8 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let sprite: Vec<f64> = case.floats(0).iter().map(|v| exact(*v)).collect();
    let viewport: Vec<f64> = case.floats(1).iter().map(|v| exact(*v)).collect();
    for (i, (cell, out)) in case
        .words(2)
        .chunks_exact(16)
        .zip(case.words(4).chunks_exact(8))
        .enumerate()
    {
        let got = |k: usize| f32::from_bits(out[k]);
        let w = -(sprite[4] + f64::from(priority(cell)) * f64::from(PRIORITY));
        worst.note_exact(8 * i, out[..2] == [0, 0] && out[5] == case.words(0)[5]);
        // The reciprocal has two roundings, and each later product adds one. The last factor covers the
        // products of several rounding errors.
        let roundings = |n: f64| n * HALF_ULP * (1.0 + 8.0 * HALF_ULP);
        worst.note(8 * i + 4, got(4), 1.0 / w, roundings(2.0) / w.abs() + TINY);
        for axis in 0..2 {
            let offset = sprite[2 + axis] * viewport[axis] / w;
            let value = offset + viewport[2 + axis];
            let bound =
                offset.abs() * roundings(3.0) + value.abs() * roundings(1.0) + TINY * (1.0 + 1.0 / w.abs());
            worst.note(8 * i + 2 + axis, got(2 + axis), value, bound);
            let scale = sprite[6 + axis] * viewport[1].abs() / w;
            worst.note(
                8 * i + 6 + axis,
                got(6 + axis),
                scale,
                scale.abs() * roundings(4.0) + TINY,
            );
        }
    }
    worst
}
