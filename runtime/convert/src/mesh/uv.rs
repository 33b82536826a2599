//! Texture coordinates as 16-bit steps (docs/formats/ninja.md, 1.7): UVN has 256, UVH 1024 steps per texture
//! width.

use ninja::UvScale;

use crate::error::Warnings;
use crate::options::UvKind;

/// Assumed side of textures of unknown size.
const UNKNOWN_SIDE: u32 = 256;

/// Mapping of a group's texture coordinates to steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapping<'a> {
    /// Coordinates by corner.
    set: &'a [[f64; 2]],
    pub(super) scale: UvScale,
    /// Whole texture widths to subtract.
    shift: [f64; 2],
}

fn steps(scale: UvScale) -> f64 {
    match scale {
        UvScale::Over1024 => 1024.0,
        _ => 256.0,
    }
}

/// Flips v: rows of the chip's textures go down, v of FBX goes up.
fn coordinates(set: &[[f64; 2]], corner: u32) -> [f64; 2] {
    let [u, v] = set[corner as usize];
    [u, 1.0 - v].map(|c| if c.is_finite() { c } else { 0.0 })
}

impl<'a> Mapping<'a> {
    /// Chooses the mapping for the corners of a group.
    pub(super) fn choose(
        set: &'a [[f64; 2]],
        corners: impl Iterator<Item = u32>,
        texture: Option<[u32; 2]>,
        clamp: [bool; 2],
        kind: UvKind,
        place: &str,
        warnings: &mut Warnings,
    ) -> Self {
        let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for corner in corners {
            for (range, c) in range.iter_mut().zip(coordinates(set, corner)) {
                *range = [range[0].min(c), range[1].max(c)];
            }
        }
        // Textures repeat, so whole widths can be subtracted to make coordinates fit.
        let reach = |steps: f64| 32_767.0 / steps;
        let shift_for = |steps: f64| {
            [0, 1].map(|k| {
                let [low, high] = range[k];
                let far = low.abs().max(high.abs()) > reach(steps);
                if far && !clamp[k] {
                    ((low + high) / 2.0).round()
                } else {
                    0.0
                }
            })
        };
        let fits = |steps: f64| {
            let shift = shift_for(steps);
            (0..2).all(|k| range[k].iter().all(|c| (c - shift[k]).abs() <= reach(steps)))
        };
        let side = texture.map_or(UNKNOWN_SIDE, |[w, h]| w.max(h));
        let scale = match kind {
            UvKind::Uvn => UvScale::Over256,
            UvKind::Uvh => UvScale::Over1024,
            // A rounding error is half a step: up to this size, at most a quarter of a texel.
            UvKind::Auto if side <= 128 || !fits(1024.0) => UvScale::Over256,
            UvKind::Auto => UvScale::Over1024,
        };
        if !fits(steps(scale)) {
            let reach = reach(steps(scale)).floor();
            warnings.add(
                place,
                format!("texture coordinates exceed {reach} widths of the texture: cut to this range"),
            );
        }
        Mapping {
            set,
            scale,
            shift: shift_for(steps(scale)),
        }
    }

    /// Returns the steps of a corner, and their largest error in texture widths.
    pub(super) fn apply(&self, corner: u32) -> ([i16; 2], f64) {
        let steps = steps(self.scale);
        let mut error = 0.0_f64;
        let source = coordinates(self.set, corner);
        let made = [0, 1].map(|k| {
            let wanted = (source[k] - self.shift[k]) * steps;
            let made = wanted.round().clamp(-32_767.0, 32_767.0);
            error = error.max((wanted - made).abs() / steps);
            made as i16
        });
        (made, error)
    }
}
