//! Angles by integer rotations. They have the same bits on every machine, so that the runtime on the console
//! (`runtime/console/src/look.c`) gets the same results.
//!
//! Vectors have 30 bits. A rotation rounds down to a multiple of 2^-30; for 15 rotations the error is less
//! than a thousandth of a BAMS unit.

use ninja::Bams;

/// Cosine and sine of 2^i half BAMS units, over 2^30.
const STEPS: [[i32; 2]; 15] = [
    [1073741823, 51472],
    [1073741819, 102944],
    [1073741804, 205887],
    [1073741745, 411775],
    [1073741508, 823550],
    [1073740561, 1647099],
    [1073736771, 3294193],
    [1073721611, 6588356],
    [1073660973, 13176464],
    [1073418433, 26350943],
    [1072448455, 52686014],
    [1068571464, 105245103],
    [1053110176, 209476638],
    [992008094, 410903207],
    [759250125, 759250125],
];
/// Fraction bits of a value.
const BITS: u32 = 30;

/// Rotates back by one step.
fn back([x, y]: [i32; 2], [cos, sin]: [i32; 2]) -> [i32; 2] {
    let [x, y, cos, sin] = [x, y, cos, sin].map(i64::from);
    [(x * cos + y * sin) >> BITS, (y * cos - x * sin) >> BITS].map(|c| c as i32)
}

/// Scales a vector so that its largest component has 30 bits; zeros if it is not finite, or shorter than
/// 2^-98.
pub(crate) fn fixed(vector: [f32; 3]) -> [i32; 3] {
    let exponent = |value: f32| value.to_bits() >> 23 & 0xFF;
    let largest = vector.map(exponent).into_iter().fold(0, u32::max);
    if !(29..255).contains(&largest) {
        return [0; 3];
    }
    let factor = f32::from_bits((127 + 29 + 127 - largest) << 23);
    vector.map(|c| (c * factor) as i32)
}

/// Returns the angle from the first axis to a vector of at most 31 bits, rounded to the nearest BAMS unit,
/// and the vector's length. A vector of zeros has the angle 0.
pub(crate) fn angle([along, across]: [i32; 2]) -> (Bams, i32) {
    if along == 0 && across == 0 {
        return (Bams(0), 0);
    }
    let (mut vector, mut half_units) = ([along.saturating_abs(), across.saturating_abs()], 0);
    for (i, step) in STEPS.into_iter().enumerate().rev() {
        let turned = back(vector, step);
        if turned[1] >= 0 {
            vector = turned;
            half_units |= 1 << i;
        }
    }
    let mut units = (half_units + 1) >> 1;
    if along < 0 {
        units = 0x8000 - units;
    }
    (Bams(if across < 0 { -units } else { units }), vector[0])
}

/// Returns the cotangent of `half_units` half BAMS units, 1 to 0x7FFF.
pub(crate) fn cotangent(half_units: u32) -> f32 {
    let mut vector = [1 << BITS, 0];
    for (i, [cos, sin]) in STEPS.into_iter().enumerate().rev() {
        if half_units >> i & 1 != 0 {
            vector = back(vector, [cos, -sin]);
        }
    }
    vector[0] as f32 / vector[1] as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_cosines_and_sines() {
        for (i, [cos, sin]) in STEPS.into_iter().enumerate() {
            let angle = std::f64::consts::TAU / f64::from(1 << (17 - i));
            let wave = [angle.cos(), angle.sin()].map(|c| (c * f64::from(1 << BITS)).round() as i32);
            assert_eq!([cos, sin], wave, "step {i}");
        }
    }

    #[test]
    fn angles_of_all_directions() {
        for units in -0x7FFF..=0x8000 {
            let turn = f64::from(units) * std::f64::consts::TAU / 65536.0;
            let vector = [turn.cos(), turn.sin()].map(|c| (c * 536_870_912.0) as i32);
            let (found, length) = angle(vector);
            assert_eq!(found, Bams(units));
            assert!((length - 536_870_912).abs() < 64, "{units:#x}: {length}");
        }
        assert_eq!(angle([0, 0]), (Bams(0), 0));
        let far = 1 << 29;
        let axes = [[0, far], [0, -far], [-far, 0]];
        assert_eq!(axes.map(|v| angle(v).0.0), [0x4000, -0x4000, 0x8000]);
    }

    #[test]
    fn cotangents_are_those_of_f64() {
        for half_units in 0x100..0x8000 {
            let exact = 1.0 / (f64::from(half_units) * std::f64::consts::PI / 65536.0).tan();
            let error = (f64::from(cotangent(half_units)) / exact - 1.0).abs();
            // A cotangent close to 0 has few significant bits, so its relative error is larger.
            assert!(error < 1.0e-6 || half_units > 0x7000, "{half_units:#x}: {error}");
        }
        assert_eq!(cotangent(0x4000), 1.0);
    }

    #[test]
    fn vectors_of_all_sizes() {
        assert_eq!(fixed([1.0, -0.5, 0.0]), [1 << 29, -(1 << 28), 0]);
        assert_eq!(fixed([1.0e30, 0.0, 0.0])[0] >> 29, 1);
        assert_eq!([fixed([f32::NAN, 1.0, 0.0]), fixed([1.0e-30; 3])], [[0; 3]; 2]);
    }
}
