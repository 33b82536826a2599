//! `void cell_colours(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, uint32_t
//! colours[][4], uint32_t *offset)`:
//! base colours of the corners of a sprite's cells, and their offset colour; ARGB.
//!
//! A channel is the vertex colour (255 if the cell does not use vertex colours) times the sprite's diffuse
//! colour, truncated. Values beyond 255 wrap around. The offset colour is the specular red, green and blue
//! times 255, with alpha 255 (docs/formats/ninja.md, section 2.7).

use crate::bound::{HALF_ULP, exact};
use crate::cell::{Cell, Sprite, VERTEX_COLOUR, any_cells, any_sprite};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "cell_colours",
    symbol: "_cell_colours",
    summary: "colours of a sprite's cells",
    params: &[
        Param::words("sprite"),
        Param::words("cells"),
        Param::value("n"),
        Param::words_mut("colours"),
        Param::words_mut("offset"),
    ],
    reference,
    generate,
    deviation,
};

/// Colours of one cell's corners: top left, bottom left, top right, bottom right.
pub type Colours = [u32; 4];

/// Returns the colours of every cell, and the offset colour of all cells.
///
/// # Errors
/// See [`KernelError`].
pub fn cell_colours(
    kernels: &mut dyn Kernels,
    sprite: &Sprite,
    cells: &[Cell],
) -> Result<(Vec<Colours>, u32), KernelError> {
    let mut colours = vec![Colours::default(); cells.len()];
    let mut offset = [0];
    let mut args = [
        Arg::Words(sprite),
        Arg::Words(cells.as_flattened()),
        Arg::Value(cells.len() as u32),
        Arg::WordsMut(colours.as_flattened_mut()),
        Arg::WordsMut(&mut offset),
    ];
    kernels.call(&KERNEL, &mut args)?;
    let [offset] = offset;
    Ok((colours, offset))
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(sprite),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::WordsMut(colours),
        Arg::WordsMut(offset),
    ] = args
    else {
        return Err(KERNEL.signature("sprite, cells, n, colours, offset"));
    };
    let n = *n as usize;
    if sprite.len() < 16 || cells.len() / 16 < n || colours.len() / 4 < n || offset.is_empty() {
        return Err(KERNEL.signature("a sprite and a cell have 16 words, its colours 4, offset one"));
    }
    let s: &[f32] = bytemuck::cast_slice(sprite);
    for (cell, out) in cells.chunks_exact(16).zip(colours.chunks_exact_mut(4)).take(n) {
        for (out, colour) in out.iter_mut().zip(corners(cell)) {
            *out = modulate(colour, [s[8], s[9], s[10], s[11]]);
        }
    }
    offset[0] = 0xFF00_0000 | modulate(0x00FF_FFFF, [0.0, s[13], s[14], s[15]]);
    Ok(())
}

/// Colours of the cell's corners before multiplication by the sprite's colour.
fn corners(cell: &[u32]) -> Colours {
    if cell[0] & VERTEX_COLOUR == 0 {
        [u32::MAX; 4]
    } else {
        [cell[8], cell[9], cell[10], cell[11]]
    }
}

fn modulate(colour: u32, by: [f32; 4]) -> u32 {
    let bytes = colour.to_be_bytes();
    let channel = |k: usize| fpu::trunc(fpu::mul(fpu::from_int(i32::from(bytes[k])), by[k])) as u8;
    u32::from_be_bytes([channel(0), channel(1), channel(2), channel(3)])
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(16);
    Case(vec![
        Value::Words(any_sprite(rng).to_vec()),
        Value::Words(any_cells(rng, n)),
        Value::Value(n),
        Value::output(4 * n as usize),
        Value::output(1),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let sprite: Vec<f64> = case.floats(0).iter().map(|v| exact(*v)).collect();
    let cells = case.words(1).chunks_exact(16);
    for (i, (cell, out)) in cells.zip(case.words(3).chunks_exact(4)).enumerate() {
        for (k, (colour, out)) in corners(cell).into_iter().zip(out).enumerate() {
            for channel in 0..4 {
                let byte = colour.to_be_bytes()[channel];
                let possible = products(byte, sprite[8 + channel]);
                worst.note_exact(4 * i + k, possible.contains(&out.to_be_bytes()[channel]));
            }
        }
    }
    let offset = case.words(4).first().copied().unwrap_or(0).to_be_bytes();
    worst.note_exact(0, offset[0] == 0xFF);
    for channel in 1..4 {
        worst.note_exact(
            channel,
            products(255, sprite[12 + channel]).contains(&offset[channel]),
        );
    }
    worst
}

/// Possible values of a channel: the truncated product. If the rounding error includes a whole number, the
/// values on both sides of it are possible.
fn products(byte: u8, by: f64) -> [u8; 2] {
    let product = f64::from(byte) * by;
    let slack = product.abs() * HALF_ULP;
    [product - slack, product + slack].map(|value| value.trunc() as i64 as u8)
}
