//! Colour conversion for parameters in VRAM (`docs/hardware/pvr2.md`, "Colour conversion").

/// Clamps to 0..=1; infinities and NaNs are decided by their sign.
fn unit(value: f32) -> f32 {
    if value.is_nan() {
        return if value.is_sign_negative() { 0.0 } else { 1.0 };
    }
    value.clamp(0.0, 1.0)
}

/// `max(0, trunc(256 * clamp(c, 0, 1) - 1))`
fn channel(value: f32) -> u32 {
    (256.0 * unit(value) - 1.0).max(0.0) as u32
}

/// Packs four floats A, R, G, B (as bits) into an ARGB word.
pub(super) fn pack(argb: [u32; 4]) -> u32 {
    argb.into_iter()
        .fold(0, |word, bits| word << 8 | channel(f32::from_bits(bits)))
}

/// Scales red, green and blue of a face colour: `face * k >> 8` with `k = trunc(256 * clamp(i, 0, 1))`. Alpha
/// does not change.
pub(super) fn scale(face: u32, intensity: u32) -> u32 {
    let k = (256.0 * unit(f32::from_bits(intensity))) as u32;
    let part = |shift: u32| (((face >> shift & 0xFF) * k) >> 8) << shift;
    face & 0xFF00_0000 | part(16) | part(8) | part(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_bytes() {
        let bits = |a: [f32; 4]| a.map(f32::to_bits);
        // 256 * 0.5 - 1 = 127; 256 * 1 - 1 = 255; 0 and negatives clamp; 256 * 0.25 - 1 = 63
        assert_eq!(pack(bits([0.5, 1.0, -3.0, 0.25])), 0x7FFF_003F);
        assert_eq!(
            pack(bits([f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN])),
            0xFF00_FF00
        );
    }

    #[test]
    fn intensity_leaves_alpha() {
        // k = 128: 0x80 * 128 >> 8 = 0x40
        assert_eq!(scale(0x1280_FF02, 0.5f32.to_bits()), 0x1240_7F01);
        assert_eq!(scale(0x1280_FF02, 9.0f32.to_bits()), 0x1280_FF02);
    }
}
