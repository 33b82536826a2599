//! `void cell_corners(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float corners[][4][2])`: the
//! corners of a CellSprite's cells, rotated and scaled (FSCA).
//!
//! `sprite` and `cells` are the structures of seed 003 section 2, 64 bytes each; of the sprite the first eight words are
//! read. y goes down, angles are BAMS, positive is clockwise on screen. A cell of size `csx * sx` by `csy * sy` hangs on
//! its centre, is turned by its own angle, moved by `(cox * sx, coy * sy)`, turned by the sprite's angle and moved to the
//! sprite's position. Corners: top left, bottom left, top right, bottom right.

use crate::bound::{HALF_ULP, SINE, TINY, exact};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "cell_corners",
    symbol: "_cell_corners",
    summary: "corners of a CellSprite's cells",
    params: &[
        Param::words("sprite"),
        Param::words("cells"),
        Param::value("n"),
        Param::words_mut("corners"),
    ],
    reference,
    generate,
    deviation,
};

/// What of an NJS_CELL_SPRITE places its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Position; z is the priority in 2D.
    pub pos: [f32; 3],
    /// Angle, BAMS.
    pub zang: u32,
    /// Scale.
    pub scale: [f32; 2],
}

/// What of an NJS_CELL places its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Offset from the sprite.
    pub offset: [f32; 2],
    /// Size.
    pub size: [f32; 2],
    /// Angle, BAMS.
    pub zang: i16,
    /// Centre as a share of the size.
    pub centre: [f32; 2],
}

/// Corners of one cell, in the order of its colours: top left, bottom left, top right, bottom right.
pub type Corners = [[f32; 2]; 4];

/// The corners of every cell.
///
/// # Errors
/// See [`KernelError`].
pub fn cell_corners(
    kernels: &mut dyn Kernels,
    sprite: &Sprite,
    cells: &[Cell],
) -> Result<Vec<Corners>, KernelError> {
    let mut corners = vec![Corners::default(); cells.len()];
    let cells: Vec<u32> = cells.iter().flat_map(Cell::words).collect();
    let sprite = sprite.words();
    let mut args = [
        Arg::Words(&sprite),
        Arg::Words(&cells),
        Arg::Value(corners.len() as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(
            corners.as_flattened_mut().as_flattened_mut(),
        )),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(corners)
}

impl Sprite {
    /// The structure's first eight words; the cell pointer and count are not used and 0.
    fn words(&self) -> [u32; 8] {
        let [x, y, z] = self.pos.map(f32::to_bits);
        [
            0,
            0,
            x,
            y,
            z,
            self.zang,
            self.scale[0].to_bits(),
            self.scale[1].to_bits(),
        ]
    }
}

impl Cell {
    /// The structure's 16 words; texture, attributes, priority, colours and UV are not used and 0.
    fn words(&self) -> [u32; 16] {
        let mut words = [0; 16];
        words[1] = self.offset[0].to_bits();
        words[2] = self.offset[1].to_bits();
        words[3] = self.size[0].to_bits();
        words[4] = self.size[1].to_bits();
        words[5] = u32::from(self.zang as u16);
        words[6] = self.centre[0].to_bits();
        words[7] = self.centre[1].to_bits();
        words
    }
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(sprite),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::WordsMut(corners),
    ] = args
    else {
        return Err(KERNEL.signature("sprite, cells, n, corners"));
    };
    let n = *n as usize;
    if sprite.len() < 8 || cells.len() / 16 < n || corners.len() / 8 < n {
        return Err(KERNEL.signature("a sprite has 8 words, a cell 16, its corners 8"));
    }
    let s: &[f32] = bytemuck::cast_slice(sprite);
    let (scale_x, scale_y) = (s[6], s[7]);
    for (cell, out) in cells.chunks_exact(16).zip(corners.chunks_exact_mut(8)).take(n) {
        let c: &[f32] = bytemuck::cast_slice(cell);
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
    let sprite = Sprite {
        pos: std::array::from_fn(|_| rng.range(-700.0, 700.0)),
        zang: rng.word(),
        scale: std::array::from_fn(|_| rng.range(-4.0, 4.0)),
    };
    let cells = (0..n).flat_map(|_| {
        Cell {
            offset: std::array::from_fn(|_| rng.range(-300.0, 300.0)),
            size: std::array::from_fn(|_| rng.range(0.0, 256.0)),
            zang: rng.word() as i16,
            centre: std::array::from_fn(|_| rng.below(5) as f32 * 0.25),
        }
        .words()
    });
    let cells: Vec<u32> = cells.collect();
    Case(vec![
        Value::Words(sprite.words().to_vec()),
        Value::Words(cells),
        Value::Value(n),
        Value::output(8 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let s: Vec<f64> = case.floats(0).iter().map(|v| exact(*v)).collect();
    let sprite_angle = case.words(0).get(5).copied().unwrap_or(0);
    for (i, (words, out)) in case
        .words(1)
        .chunks_exact(16)
        .zip(case.floats(3).chunks_exact(8))
        .enumerate()
    {
        let c: Vec<f64> = words.iter().map(|w| exact(f32::from_bits(*w))).collect();
        let (width, height) = (c[3] * s[6], c[4] * s[7]);
        let (left, top) = (-c[6] * width, -c[7] * height);
        let corners = [
            [left, top],
            [left, top + height],
            [left + width, top],
            [left + width, top + height],
        ];
        for (k, corner) in corners.into_iter().enumerate() {
            // Size, centre and sum are three roundings of numbers up to the size plus the centre.
            let size = width.abs().max(height.abs()) * (1.0 + c[6].abs().max(c[7].abs()));
            let stage = Stage {
                at: corner,
                slack: 3.0 * size * HALF_ULP + TINY,
            };
            let stage = stage.turn_and_move(words[5], [c[1] * s[6], c[2] * s[7]]);
            let stage = stage.turn_and_move(sprite_angle, [s[2], s[3]]);
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

/// A point in `f64`, and how far either coordinate of the SH4's may be off.
struct Stage {
    at: [f64; 2],
    slack: f64,
}

impl Stage {
    fn turn_and_move(self, angle: u32, by: [f64; 2]) -> Self {
        let (sin, cos) = (f64::from(angle & 0xFFFF) * std::f64::consts::TAU / 65536.0).sin_cos();
        let [x, y] = self.at;
        let length = x.abs() + y.abs() + 2.0 * self.slack;
        let moved = length + by[0].abs().max(by[1].abs());
        Self {
            at: [x * cos - y * sin + by[0], x * sin + y * cos + by[1]],
            // Both coordinates' errors, both table errors, two products and two sums; the offset is one product.
            slack: 2.0 * self.slack + length * (SINE + 3.0 * HALF_ULP) + 2.0 * moved * HALF_ULP + TINY,
        }
    }
}
