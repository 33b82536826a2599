//! Levels, pan and the master volume ("Level", "Sends and pan").

use crate::settings::{SendCurve, Settings, SilenceFloor, UnityGain};

/// Smallest attenuation that is silent.
const SILENT: u32 = 0x3C0;
const LAST: u32 = 0x3FF;
/// Maximum number of 3 dB steps; with more, the attenuated side is silent.
const LAST_STEP: u32 = 27;

/// Attenuates a 16-bit or 20-bit sample by 6.02 dB for each 40h of attenuation.
pub(crate) fn level_gain(sample: i32, attenuation: u32, settings: &Settings) -> i32 {
    let factor = (0x7F ^ (attenuation & 0x3F)) as i32 + i32::from(settings.unity_gain == UnityGain::One);
    let quiet = || (i64::from(sample) * i64::from(factor)) >> (7 + (attenuation.min(LAST) >> 6));
    match attenuation {
        SILENT.. if settings.silence_floor == SilenceFloor::Zero => 0,
        _ => quiet() as i32,
    }
}

/// 2^15 x 2^(-n/2) for n = 0 and n = 1.
const EXACT: [i64; 2] = [0x8000, 0x5A82];

/// Attenuates a value by steps of 3 dB.
fn attenuated(value: i64, steps: u32, curve: SendCurve) -> i64 {
    let [odd, whole] = [steps & 1, steps >> 1];
    match curve {
        SendCurve::ThreeQuarters => (value * (4 - i64::from(odd))) >> (whole + 2),
        SendCurve::Exact => (value * (EXACT[odd as usize] >> whole)) >> 15,
    }
}

/// Applies a 4-bit level to a 20-bit value: 0 is off, F is full volume.
pub(crate) fn by_level(value: i32, level: u16, curve: SendCurve) -> i32 {
    match level {
        0 => 0,
        _ => attenuated(value.into(), 15 - u32::from(level), curve) as i32,
    }
}

/// Splits a 20-bit value into left and right by a send register: 11:8 level, 4:0 pan.
pub(crate) fn direct(value: i32, send: u16, mono: bool, curve: SendCurve) -> [i32; 2] {
    let (level, pan) = (send >> 8 & 15, if mono { 0 } else { u32::from(send & 31) });
    if level == 0 {
        return [0; 2];
    }
    let full = by_level(value, level, curve);
    let steps = 15 - u32::from(level) + (pan & 15);
    let quiet = match pan & 15 {
        15 => 0,
        _ if steps > LAST_STEP => 0,
        _ => attenuated(value.into(), steps, curve) as i32,
    };
    if pan & 16 != 0 {
        [full, quiet]
    } else {
        [quiet, full]
    }
}

/// Applies the master volume to a sum of 20-bit values, and returns 16 bits.
pub(crate) fn master(sum: i64, volume: u16, curve: SendCurve) -> i16 {
    let value = match volume {
        0 => 0,
        _ => master_gain(sum, 15 - u32::from(volume), curve),
    };
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Applies the master gain. The shift also removes the four low bits.
fn master_gain(sum: i64, steps: u32, curve: SendCurve) -> i64 {
    match curve {
        SendCurve::ThreeQuarters => (sum * (4 - i64::from(steps & 1))) >> ((steps >> 1) + 6),
        SendCurve::Exact => attenuated(sum, steps, curve) >> 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVE: SendCurve = SendCurve::ThreeQuarters;

    /// Gains of 127/128 for attenuation 0 and 64/128 for 3F. Each further 40h halves the gain.
    #[test]
    fn gains_by_hand() {
        let both = |attenuation| {
            [0x7FFF, -0x8000].map(|sample| level_gain(sample, attenuation, &Settings::default()))
        };
        assert_eq!(both(0), [32_511, -32_512]);
        assert_eq!(both(1), [32_255, -32_256]);
        assert_eq!(both(0x3F), [16_383, -16_384]);
        assert_eq!(both(0x40), [16_255, -16_256]);
        assert_eq!(both(0x60), [12_159, -12_160]);
        assert_eq!(both(0x200), [126, -127]);
        assert_eq!(both(0x3BF), [0, -1]);
        assert_eq!(both(0x3C0), [0, 0]);
        let settings = Settings {
            unity_gain: UnityGain::One,
            silence_floor: SilenceFloor::Shift,
            ..Settings::default()
        };
        let other = |attenuation| [0x7FFF, -0x8000].map(|sample| level_gain(sample, attenuation, &settings));
        assert_eq!(
            [other(0), other(0x40), other(0x9999)],
            [[0x7FFF, -0x8000], [0x3FFF, -0x4000], [0, -1]]
        );
    }

    /// Full volume gives 16,000 x 16 = 256,000. Steps of 3 dB give 3/4, 1/2, 3/8 and so on of it.
    #[test]
    fn sends_by_hand() {
        let send = |level: u16, pan: u16| direct(16_000 << 4, level << 8 | pan, false, CURVE);
        assert_eq!(send(15, 0), [256_000, 256_000]);
        assert_eq!(send(15, 1), [192_000, 256_000]);
        assert_eq!(send(14, 0x12), [192_000, 96_000]);
        assert_eq!(send(13, 0x0F), [0, 128_000]);
        assert_eq!(send(1, 0x1E), [2000, 0]);
        assert_eq!(send(8, 0x1F), [24_000, 0]);
        assert_eq!(send(0, 0), [0, 0]);
        assert_eq!(
            direct(16_000 << 4, 15 << 8 | 0x1F, true, CURVE),
            [256_000, 256_000],
            "mono"
        );
        let steps: Vec<i32> = (8..=15)
            .rev()
            .map(|level| by_level(0x7FFF << 4, level, CURVE))
            .collect();
        assert_eq!(
            steps,
            [
                524_272, 393_204, 262_136, 196_602, 131_068, 98_301, 65_534, 49_150
            ]
        );
        let exact = [15, 14, 13].map(|level| by_level(0x4_0000, level, SendCurve::Exact));
        assert_eq!(exact, [0x4_0000, 0x2_D410, 0x2_0000]);
    }

    #[test]
    fn the_master_volume_saturates_last() {
        let volumes = [15, 14, 13, 8, 1, 0].map(|volume| master(0x6_0000, volume, CURVE));
        assert_eq!(volumes, [24_576, 18_432, 12_288, 2304, 192, 0]);
        assert_eq!(
            [15, 1].map(|volume| master(-0x6_0000, volume, CURVE)),
            [-24_576, -192]
        );
        assert_eq!(
            [master(700_000, 15, CURVE), master(-700_000, 15, CURVE)],
            [32_767, -32_768]
        );
    }
}
