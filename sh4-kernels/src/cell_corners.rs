//! `void cell_corners(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float
//! corners[][4][2], uint32_t stride)`:
//! corners of a CellSprite's cells, rotated and scaled (FSCA).
//!
//! docs/formats/cell-sprite.md, section 2, defines `sprite` and `cells`, 64 bytes each. The kernel reads the
//! first eight words of the sprite. Each cell may have its own sprite: `stride` is the distance in bytes
//! between sprites, or 0 for a common one. y points down; angles are BAMS, positive is clockwise on screen. A
//! cell has the size `csx * sx` by `csy * sy`, relative to its centre. The kernel rotates it by its own
//! angle, moves it by `(cox * sx, coy * sy)`, rotates it by the sprite's angle and moves it to the sprite's
//! position. Corners: top left, bottom left, top right, bottom right.

use crate::bound::{HALF_ULP, SINE, TINY, exact};
use crate::cell::{Cell, Placing, Sprite, any_cells, any_sprite};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "cell_corners",
    symbol: "_cell_corners",
    summary: "corners of a CellSprite's cells",
    params: &[
        Param::words("sprite"),
        Param::words("cells"),
        Param::value("n"),
        Param::words_mut("corners"),
        Param::value("stride"),
    ],
    reference,
    generate,
    deviation,
};

/// Corners of one cell, in the order of its colours: top left, bottom left, top right, bottom right.
pub type Corners = [[f32; 2]; 4];

/// Returns the corners of every cell of a sprite.
///
/// # Errors
/// See [`KernelError`].
pub fn cell_corners(
    kernels: &mut dyn Kernels,
    sprite: &Sprite,
    cells: &[Cell],
) -> Result<Vec<Corners>, KernelError> {
    run(kernels, sprite, cells, 0)
}

/// Returns the corners of cells that each have their own placing.
///
/// # Errors
/// See [`KernelError`]; a signature error if there are fewer placings than cells.
pub fn placed_corners(
    kernels: &mut dyn Kernels,
    placings: &[Placing],
    cells: &[Cell],
) -> Result<Vec<Corners>, KernelError> {
    run(
        kernels,
        placings.as_flattened(),
        cells,
        size_of::<Placing>() as u32,
    )
}

fn run(
    kernels: &mut dyn Kernels,
    sprite: &[u32],
    cells: &[Cell],
    stride: u32,
) -> Result<Vec<Corners>, KernelError> {
    let mut corners = vec![Corners::default(); cells.len()];
    let mut args = [
        Arg::Words(sprite),
        Arg::Words(cells.as_flattened()),
        Arg::Value(cells.len() as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(
            corners.as_flattened_mut().as_flattened_mut(),
        )),
        Arg::Value(stride),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(corners)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(sprite),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::WordsMut(corners),
        Arg::Value(stride),
    ] = args
    else {
        return Err(KERNEL.signature("sprite, cells, n, corners, stride"));
    };
    let (n, stride) = (*n as usize, *stride as usize / 4);
    if cells.len() / 16 < n || corners.len() / 8 < n {
        return Err(KERNEL.signature("a cell has 16 words, its corners 8"));
    }
    let last = n.saturating_sub(1).checked_mul(stride);
    if n > 0
        && last
            .and_then(|at| at.checked_add(8))
            .is_none_or(|end| end > sprite.len())
    {
        return Err(KERNEL.signature("a sprite has 8 words"));
    }
    for (i, (cell, out)) in cells
        .chunks_exact(16)
        .zip(corners.chunks_exact_mut(8))
        .take(n)
        .enumerate()
    {
        let sprite = &sprite[i * stride..];
        let s: &[f32] = bytemuck::cast_slice(sprite);
        let c: &[f32] = bytemuck::cast_slice(cell);
        let (scale_x, scale_y) = (s[6], s[7]);
        let (width, height) = (fpu::mul(c[3], scale_x), fpu::mul(c[4], scale_y));
        let left = fpu::neg(fpu::mul(c[6], width));
        let top = fpu::neg(fpu::mul(c[7], height));
        let (right, bottom) = (fpu::add(left, width), fpu::add(top, height));
        let offset = [fpu::mul(c[1], scale_x), fpu::mul(c[2], scale_y)];
        for (i, corner) in [[left, top], [left, bottom], [right, top], [right, bottom]]
            .into_iter()
            .enumerate()
        {
            let in_sprite = turn_and_move(corner, cell[5] as u16, offset);
            let [x, y] = turn_and_move(in_sprite, sprite[5] as u16, [s[2], s[3]]);
            out[2 * i] = x.to_bits();
            out[2 * i + 1] = y.to_bits();
        }
    }
    Ok(())
}

fn turn_and_move([x, y]: [f32; 2], angle: u16, by: [f32; 2]) -> [f32; 2] {
    let (sin, cos) = fpu::sincos(angle);
    let turned_x = fpu::sub(fpu::mul(x, cos), fpu::mul(y, sin));
    let turned_y = fpu::add(fpu::mul(x, sin), fpu::mul(y, cos));
    [fpu::add(turned_x, by[0]), fpu::add(turned_y, by[1])]
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(12);
    let own = rng.below(2);
    let sprites = if own == 0 { 1 } else { n };
    let sprites: Vec<u32> = (0..sprites).flat_map(|_| any_sprite(rng)).collect();
    Case(vec![
        Value::Words(sprites),
        Value::Words(any_cells(rng, n)),
        Value::Value(n),
        Value::output(8 * n as usize),
        Value::Value(own * size_of::<Sprite>() as u32),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let stride = case.value(4) as usize / 4;
    for (i, (words, out)) in case
        .words(1)
        .chunks_exact(16)
        .zip(case.floats(3).chunks_exact(8))
        .enumerate()
    {
        let sprite = &case.words(0)[i * stride..];
        let [s, c] = [sprite, words]
            .map(|words| -> Vec<f64> { words.iter().take(16).map(|w| exact(f32::from_bits(*w))).collect() });
        let (width, height) = (c[3] * s[6], c[4] * s[7]);
        let (left, top) = (-c[6] * width, -c[7] * height);
        let corners = [
            [left, top],
            [left, top + height],
            [left + width, top],
            [left + width, top + height],
        ];
        for (k, corner) in corners.into_iter().enumerate() {
            // The corner is the result of three rounded operations: the size, its product with the centre,
            // and their sum. `size` is an upper bound of these three values.
            let size = width.abs().max(height.abs()) * (1.0 + c[6].abs().max(c[7].abs()));
            let stage = Approximate {
                at: corner,
                slack: 3.0 * size * HALF_ULP + TINY,
            };
            let stage = stage.turn_and_move(words[5], [c[1] * s[6], c[2] * s[7]]);
            let stage = stage.turn_and_move(sprite[5], [s[2], s[3]]);
            for axis in 0..2 {
                worst.note(
                    8 * i + 2 * k + axis,
                    out[2 * k + axis],
                    stage.at[axis],
                    stage.slack,
                );
            }
        }
    }
    worst
}

/// A point in `f64`, and the maximum error of either coordinate on the SH4.
struct Approximate {
    at: [f64; 2],
    slack: f64,
}

impl Approximate {
    fn turn_and_move(self, angle: u32, by: [f64; 2]) -> Self {
        let (sin, cos) = (f64::from(angle & 0xFFFF) * std::f64::consts::TAU / 65536.0).sin_cos();
        let [x, y] = self.at;
        let length = x.abs() + y.abs() + 2.0 * self.slack;
        let moved = length + by[0].abs().max(by[1].abs());
        Self {
            at: [x * cos - y * sin + by[0], x * sin + y * cos + by[1]],
            // In order: the errors of the two input coordinates; the errors of sine and cosine, and the
            // roundings of the products and their sum; the roundings of the offset and of the last sum.
            slack: 2.0 * self.slack + length * (SINE + 3.0 * HALF_ULP) + 2.0 * moved * HALF_ULP + TINY,
        }
    }
}
