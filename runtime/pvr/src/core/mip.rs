//! Mip level of a pixel (`docs/hardware/pvr2.md`, "Mip levels"), and the fraction towards the next level.

use super::plane::{U, V, Z};
use super::surface::Surface;
use crate::settings::{Dcalc, MipLevel, Settings};

/// A level, and the fraction towards the next in 1/32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lod {
    pub(super) level: u32,
    pub(super) fraction: u32,
}

/// Returns the level at a pixel. `w` is W at this pixel. `uv` are its texture coordinates, in texels of the
/// largest level. `last` is the number of the smallest level.
pub(super) fn lod(surface: &Surface, settings: &Settings, w: f32, uv: [f64; 2], last: u32) -> Lod {
    let adjust = f64::from(surface.tsp.mip_adjust()) / 4.0;
    let exact = surface.isp.dcalc() && settings.dcalc == Dcalc::Exact;
    let (step, extra) = match settings.mip_level {
        _ if exact => (longest(derivatives(surface, w, uv)), 0),
        MipLevel::Series1 => (polygon_step(surface, w), 0),
        MipLevel::Refsw2A => (shortest_sum(derivatives(surface, w, uv)), 0),
        MipLevel::Refsw2B => (shortest_sum(derivatives(surface, w, uv)), 1),
    };
    let lod = of_step((step * adjust) as f32);
    let level = lod.level + extra;
    if level >= last {
        return Lod {
            level: last,
            fraction: 0,
        };
    }
    Lod { level, ..lod }
}

/// D = coefficient * W^2. The coefficient is constant for a polygon. W has 14 significant bits; its square,
/// the coefficient and D have 8.
fn polygon_step(surface: &Surface, w: f32) -> f64 {
    let w = f64::from(keep(w, 14));
    let square = keep((w * w) as f32, 8);
    f64::from(keep(
        (f64::from(coefficient(surface)) * f64::from(square)) as f32,
        8,
    ))
}

/// Step of a polygon's texture coordinates for W = 1.
pub(super) fn coefficient(surface: &Surface) -> f32 {
    keep(longest(surface.gradients) as f32, 8)
}

/// Texels per pixel along x and y, as pairs of u and v: (dU - u dZ) W.
fn derivatives(surface: &Surface, w: f32, uv: [f64; 2]) -> [[f64; 2]; 2] {
    let dz = surface.planes.plane(Z).gradient();
    let duv = [U, V].map(|n| surface.planes.plane(n).gradient().map(|step| step / 256.0));
    [0, 1].map(|axis| [0, 1].map(|n| (duv[n][axis] - uv[n] * dz[axis]) * f64::from(w)))
}

/// Approximates the length of the longer vector: `max + 0.4142 min` of the absolute components.
fn longest(steps: [[f64; 2]; 2]) -> f64 {
    let [x, y] = steps.map(|[u, v]| {
        let (u, v) = (u.abs(), v.abs());
        u.max(v) + 0.4142 * u.min(v)
    });
    x.max(y)
}

/// Returns the smaller of the two sums |dU + dV|.
fn shortest_sum(steps: [[f64; 2]; 2]) -> f64 {
    let [x, y] = steps.map(|[u, v]| (u + v).abs());
    x.min(y)
}

/// Truncates a float to `bits` significant bits.
fn keep(value: f32, bits: u32) -> f32 {
    f32::from_bits(value.to_bits() & !((1 << (24 - bits)) - 1))
}

/// Returns the level of a step in texels per pixel. The exponent is the level, and the top five bits of the
/// mantissa are the fraction. Steps below 1 give level 0.
fn of_step(step: f32) -> Lod {
    if step.is_nan() || step < 1.0 {
        return Lod::default();
    }
    let bits = step.to_bits();
    Lod {
        level: (bits >> 23) - 127,
        fraction: bits >> 18 & 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_steps() {
        let lod = |step| {
            let Lod { level, fraction } = of_step(step);
            (level, fraction)
        };
        assert_eq!([0.0, 0.99, 1.0, f32::NAN, -5.0].map(lod), [(0, 0); 5]);
        assert_eq!(lod(1.5), (0, 16));
        assert_eq!(lod(2.0), (1, 0));
        assert_eq!(lod(7.0), (2, 24));
        assert_eq!(lod(f32::INFINITY).0, 128, "`lod` clamps it to the last level");
    }

    #[test]
    fn mantissas_are_cut() {
        assert_eq!(keep(1.0 + 1.0 / 256.0, 8), 1.0);
        assert_eq!(keep(1.0 + 1.0 / 128.0, 8), 1.0 + 1.0 / 128.0);
    }
}
