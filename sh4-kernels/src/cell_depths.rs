//! `void cell_depths(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float depths[])`: 1/w
//! of a 2D sprite's cells from their priorities.
//!
//! z is the sprite's z plus the cell's priority times 3.0520e-5, and 1/w = -1/z. Negative z is in front of
//! the screen; values closer to 0 are nearer (docs/formats/ninja.md, section 2.7).

use crate::bound::{HALF_ULP, TINY, exact};
use crate::cell::{Cell, PRIORITY, Sprite, any_cells, any_sprite, priority};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "cell_depths",
    symbol: "_cell_depths",
    summary: "depths of a 2D sprite's cells",
    params: &[
        Param::words("sprite"),
        Param::words("cells"),
        Param::value("n"),
        Param::words_mut("depths"),
    ],
    reference,
    generate,
    deviation,
};

/// Returns 1/w of every cell; not positive for cells that are not in front of the screen.
///
/// # Errors
/// See [`KernelError`].
pub fn cell_depths(
    kernels: &mut dyn Kernels,
    sprite: &Sprite,
    cells: &[Cell],
) -> Result<Vec<f32>, KernelError> {
    let mut depths = vec![0.0; cells.len()];
    let mut args = [
        Arg::Words(sprite),
        Arg::Words(cells.as_flattened()),
        Arg::Value(cells.len() as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(&mut depths)),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(depths)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(sprite),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::WordsMut(depths),
    ] = args
    else {
        return Err(KERNEL.signature("sprite, cells, n, depths"));
    };
    let n = *n as usize;
    if sprite.len() < 8 || cells.len() / 16 < n || depths.len() < n {
        return Err(KERNEL.signature("a sprite has 8 words, a cell 16, its depth one"));
    }
    let z = f32::from_bits(sprite[4]);
    for (cell, depth) in cells.chunks_exact(16).zip(depths.iter_mut()).take(n) {
        let z = fpu::mac(z, PRIORITY, fpu::from_int(priority(cell)));
        *depth = fpu::div(1.0, fpu::neg(z)).to_bits();
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(24);
    Case(vec![
        Value::Words(any_sprite(rng).to_vec()),
        Value::Words(any_cells(rng, n)),
        Value::Value(n),
        Value::output(n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let base = case.floats(0).get(4).map_or(f64::NAN, |z| exact(*z));
    for (i, (cell, depth)) in case.words(1).chunks_exact(16).zip(case.floats(3)).enumerate() {
        let z = base + f64::from(priority(cell)) * f64::from(PRIORITY);
        // Two results are rounded: the sum z and its reciprocal. The relative error of z is also an error of
        // the reciprocal.
        let inverse = -1.0 / z;
        worst.note(
            i,
            *depth,
            inverse,
            inverse.abs() * 2.0 * HALF_ULP * (1.0 + HALF_ULP) + TINY,
        );
    }
    worst
}
