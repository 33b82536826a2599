//! NJS_CELL and NJS_CELL_SPRITE (docs/formats/cell-sprite.md, section 2) as words.

use crate::Rng;

/// NJS_CELL: attributes and texture (low half), offset, size, priority and angle (low half), centre, four
/// colours, u0, v0, u2, v2.
pub type Cell = [u32; 16];

/// NJS_CELL_SPRITE: cells, count, position, angle, scale, diffuse (alpha, red, green, blue), specular
/// (exponent, red, green, blue).
pub type Sprite = [u32; 16];

/// First eight words of a [`Sprite`]; they place the cells.
pub type Placing = [u32; 8];

/// NJD_FCA_VC in a cell's first word: vertex colours are used.
pub(crate) const VERTEX_COLOUR: u32 = 1 << 23;
/// NJD_FCA_HF: u0 and u2 are swapped.
pub(crate) const FLIP_H: u32 = 1 << 20;
/// NJD_FCA_VF: v0 and v2 are swapped.
pub(crate) const FLIP_V: u32 = 1 << 19;
/// Depth of one unit of priority (docs/formats/ninja.md, section 2.7).
pub(crate) const PRIORITY: f32 = 3.0520e-5;

/// Priority: the high half of the sixth word.
pub(crate) fn priority(cell: &[u32]) -> i32 {
    i32::from((cell[5] >> 16) as i16)
}

/// u and v of the corners top left, bottom left, top right, bottom right.
pub(crate) fn corner_uv(cell: &[u32]) -> [[u32; 2]; 4] {
    let (mut left, mut right) = (cell[12], cell[14]);
    let (mut top, mut bottom) = (cell[13], cell[15]);
    if cell[0] & FLIP_H != 0 {
        (left, right) = (right, left);
    }
    if cell[0] & FLIP_V != 0 {
        (top, bottom) = (bottom, top);
    }
    [[left, top], [left, bottom], [right, top], [right, bottom]]
}

/// A random sprite with plausible values.
pub(crate) fn any_sprite(rng: &mut Rng) -> Sprite {
    let mut words = [0; 16];
    for word in &mut words[2..4] {
        *word = rng.range(-700.0, 700.0).to_bits();
    }
    words[4] = rng.range(-1000.0, -1.5).to_bits();
    words[5] = rng.word();
    for word in &mut words[6..8] {
        *word = rng.range(-4.0, 4.0).to_bits();
    }
    // Colour components, usually from 0 to 1. Sometimes they are larger, and their bytes wrap around.
    let most = if rng.below(8) == 0 { 3.0 } else { 1.0 };
    for word in &mut words[8..16] {
        *word = rng.range(0.0, most).to_bits();
    }
    words
}

/// Random cells with plausible values.
pub(crate) fn any_cells(rng: &mut Rng, n: u32) -> Vec<u32> {
    (0..n).flat_map(|_| any_cell(rng)).collect()
}

fn any_cell(rng: &mut Rng) -> Cell {
    let mut words = [0; 16];
    words[0] = rng.word();
    for word in &mut words[1..3] {
        *word = rng.range(-300.0, 300.0).to_bits();
    }
    for word in &mut words[3..5] {
        *word = rng.range(0.0, 256.0).to_bits();
    }
    words[5] = rng.word();
    for word in &mut words[6..8] {
        *word = (rng.below(5) as f32 * 0.25).to_bits();
    }
    for word in &mut words[8..12] {
        *word = rng.word();
    }
    for word in &mut words[12..16] {
        *word = rng.range(-1.0, 2.0).to_bits();
    }
    words
}
