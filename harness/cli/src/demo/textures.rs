//! The demo's textures, made by formula: a 565 skin, a vector-quantized sand, a 4444 swirl with alpha.

use anyhow::Result;
use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture};
use pvr::texture::Rgba;
use std::f32::consts::TAU;

/// The textures in the order of the model's list.
pub(super) fn all() -> Result<[PvrTexture; 3]> {
    use PvrDataFormat::{Twiddled, Vq};
    use PvrPixelFormat::{Argb4444, Rgb565};
    Ok([
        PvrTexture::from_image(&image(128, skin), Rgb565, Twiddled)?,
        PvrTexture::from_image(&image(128, sand), Rgb565, Vq)?,
        PvrTexture::from_image(&image(128, swirl), Argb4444, Twiddled)?,
    ])
}

/// A square image from a colour (alpha, red, green, blue; 0 to 1) at each place (0 to 1).
fn image(side: u32, colour: impl Fn(f32, f32) -> [f32; 4]) -> Rgba {
    let at = |i: u32| (i as f32 + 0.5) / side as f32;
    let texels = (0..side * side).map(|i| {
        let channels = colour(at(i % side), at(i / side));
        channels.iter().fold(0, |word, c| {
            word << 8 | (c.clamp(0.0, 1.0) * 255.0).round() as u32
        })
    });
    Rgba {
        width: side,
        height: side,
        texels: texels.collect(),
    }
}

/// Smooth noise that repeats every `period` cells.
fn noise(x: f32, y: f32, period: i32) -> f32 {
    let lattice = |x: i32, y: i32| {
        let (x, y) = (x.rem_euclid(period) as u32, y.rem_euclid(period) as u32);
        let mut hash = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ (period as u32) << 7;
        hash = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
        hash = (hash ^ hash >> 12).wrapping_mul(0x297A_2D39);
        (hash >> 8) as f32 / (1 << 24) as f32
    };
    let (x, y) = (x * period as f32, y * period as f32);
    let (column, row) = (x.floor() as i32, y.floor() as i32);
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - x.floor()), smooth(y - y.floor()));
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(
        mix(lattice(column, row), lattice(column + 1, row), u),
        mix(lattice(column, row + 1), lattice(column + 1, row + 1), u),
        v,
    )
}

/// Octaves of noise, 0 to 1.
fn cloud(x: f32, y: f32, period: i32) -> f32 {
    (noise(x, y, period) * 4.0 + noise(x, y, period * 2) * 2.0 + noise(x, y, period * 4)) / 7.0
}

/// Around the body runs v: 0 and 1 are the back, one half the belly. Along it runs u, four times.
fn skin(u: f32, v: f32) -> [f32; 4] {
    let belly = 0.5 - 0.5 * (v * TAU).cos();
    let edge = ((belly - 0.52 + 0.16 * (cloud(u, v, 8) - 0.5)) * 9.0).clamp(0.0, 1.0);
    let grain = 0.86 + 0.28 * cloud(u, v, 16);
    let back = [0.33, 0.42, 0.53];
    let front = [0.93, 0.94, 0.92];
    let [r, g, b] = [0, 1, 2].map(|k| (back[k] + (front[k] - back[k]) * edge) * grain);
    [1.0, r, g, b]
}

fn sand(u: f32, v: f32) -> [f32; 4] {
    let bend = 0.12 * (cloud(u, v, 4) - 0.5);
    let ripple = 0.5 + 0.5 * ((v + bend) * TAU * 5.0).sin();
    let light = 0.62 + 0.2 * ripple + 0.3 * (cloud(u, v, 16) - 0.5);
    [1.0, light, light * 0.9, light * 0.68]
}

/// A spiral on a disc, transparent around it.
fn swirl(u: f32, v: f32) -> [f32; 4] {
    let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let radius = (x * x + y * y).sqrt();
    let turn = y.atan2(x) / TAU;
    let arm = (radius * 2.6 - turn).rem_euclid(1.0);
    let line = ((0.25 - (arm - 0.5).abs()) * 14.0 * radius.max(0.15)).clamp(0.0, 1.0);
    let disc = ((0.94 - radius) * 20.0).clamp(0.0, 1.0);
    let [r, g, b] = [0, 1, 2].map(|k| [0.95, 0.45, 0.12][k] * line + [1.0, 0.97, 0.9][k] * (1.0 - line));
    [disc * (0.35 + 0.6 * line), r, g, b]
}
