//! Bump mapping (`docs/hardware/pvr2.md`, "Bump maps").

/// Angle steps in radians: elevation S = 255 is 90 degrees, rotation R = 256 would be 360.
const ELEVATION_STEP: f64 = std::f64::consts::FRAC_PI_2 / 255.0;
const ROTATION_STEP: f64 = std::f64::consts::TAU / 256.0;

/// 7-bit sines and cosines of all elevations and rotations.
pub(super) static SIN_ELEVATION: [i32; 256] = table(ELEVATION_STEP, false);
pub(super) static COS_ELEVATION: [i32; 256] = table(ELEVATION_STEP, true);
pub(super) static COS_ROTATION: [i32; 256] = table(ROTATION_STEP, true);

const fn table(step: f64, cosine: bool) -> [i32; 256] {
    let mut values = [0; 256];
    let mut n = 0;
    while n < 256 {
        let phase = if cosine { std::f64::consts::FRAC_PI_2 } else { 0.0 };
        let scaled = sine(step * n as f64 + phase) * 127.0;
        values[n] = (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32;
        n += 1;
    }
    values
}

/// Taylor series, exact to 1e-9 in 0 to 5/2 pi. The standard library's sine may differ between platforms.
const fn sine(x: f64) -> f64 {
    let x = if x > std::f64::consts::PI {
        x - std::f64::consts::TAU
    } else {
        x
    };
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while n < 27.0 {
        term = -term * x * x / ((n + 1.0) * (n + 2.0));
        sum += term;
        n += 2.0;
    }
    sum
}

/// Returns white with the intensity of a bump texel as alpha. Texel: S in 15:8, R in 7:0. Offset colour: K1,
/// K2, K3 and Q from the top. I = K1 + K2 sin S + K3 cos S cos(R - Q), clamped to 0..=255, with sines of 7
/// bits.
pub(super) fn intensity(texel: u32, offset: u32) -> u32 {
    let [s, r] = [texel >> 8 & 0xFF, texel & 0xFF];
    let [k1, k2, k3, q] = offset.to_be_bytes().map(i32::from);
    let turn = (r as i32 - q) & 0xFF;
    let across = COS_ELEVATION[s as usize] * COS_ROTATION[turn as usize] / 127;
    let value = k1 + (k2 * SIN_ELEVATION[s as usize] + k3 * across) / 127;
    (value.clamp(0, 255) as u32) << 24 | 0x00FF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intensities_by_hand() {
        // Straight up: K1 + K2.
        assert_eq!(intensity(0xFF00, 0x2040_FF00) >> 24, 0x60);
        // In the plane towards Q: K1 + K3; away from it K1 - K3, clamped to 0; across it K1.
        assert_eq!(intensity(0x0010, 0x20FF_4010) >> 24, 0x60);
        assert_eq!(intensity(0x0090, 0x20FF_4010), 0x00FF_FFFF);
        assert_eq!(intensity(0x0050, 0x20FF_4010) >> 24, 0x20);
        // S = 128 is 45.2 degrees: sine 90/127. K2 * 90 / 127 = 180
        assert_eq!(intensity(0x8040, 0x00FF_0000) >> 24, 180);
    }

    #[test]
    fn sines() {
        for (n, &cosine) in COS_ROTATION.iter().enumerate() {
            let angle = n as f64 * ROTATION_STEP;
            assert!((f64::from(cosine) - 127.0 * angle.cos()).abs() < 0.501, "{n}");
        }
    }
}
