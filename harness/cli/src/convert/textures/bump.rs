//! Converts between the colours of a normal map and the chip's elevation and rotation.

use pvr::texture::Rgba;

/// Converts a normal map (red right, green up, blue out of the surface) to elevation and rotation.
pub(super) fn bump_words(image: &Rgba) -> Rgba {
    let word = |&c: &u32| {
        let axis = |shift: u32| (c >> shift & 0xFF) as f32 / 127.5 - 1.0;
        // Rows go downwards.
        let (x, y, z) = (axis(16), -axis(8), axis(0));
        let elevation = z.atan2(x.hypot(y)).max(0.0) / std::f32::consts::FRAC_PI_2;
        let rotation = (y.atan2(x) / std::f32::consts::TAU).rem_euclid(1.0);
        ((elevation * 255.0).round() as u32) << 8 | (rotation * 256.0).round() as u32 & 0xFF
    };
    Rgba {
        texels: image.texels.iter().map(word).collect(),
        ..*image
    }
}

/// Converts elevation and rotation to the colour of a normal map: the inverse of [`bump_words`].
pub(super) fn normal(word: u32) -> u32 {
    let elevation = (word >> 8 & 0xFF) as f32 / 255.0 * std::f32::consts::FRAC_PI_2;
    let rotation = (word & 0xFF) as f32 / 256.0 * std::f32::consts::TAU;
    let byte = |axis: f32| ((axis + 1.0) * 127.5).round() as u32;
    let (x, y, z) = (
        elevation.cos() * rotation.cos(),
        elevation.cos() * rotation.sin(),
        elevation.sin(),
    );
    0xFF00_0000 | byte(x) << 16 | byte(-y) << 8 | byte(z)
}
