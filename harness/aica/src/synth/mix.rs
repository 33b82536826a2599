//! Levels, pan and the master volume ("Level", "Sends and pan").

/// The attenuation from which nothing is heard.
const SILENT: u32 = 0x3C0;
/// Steps of 3 dB from which a weakened side is silent.
const LAST_STEP: u32 = 27;

/// A sample weakened by 6.02 dB for each 40h of attenuation.
pub(crate) fn level_gain(sample: i32, attenuation: u32) -> i32 {
    match attenuation {
        SILENT.. => 0,
        _ => (sample * (0x7F ^ (attenuation & 0x3F)) as i32) >> (7 + (attenuation >> 6)),
    }
}

/// A 16-bit sample as a value of 20 bits, weakened by so many steps of 3 dB.
fn weakened(sample: i32, steps: u32) -> i32 {
    ((sample << 4) * (4 - (steps & 1) as i32)) >> ((steps >> 1) + 2)
}

/// A 16-bit sample through a level of 4 bits: 0 is off, F full.
pub(crate) fn by_level(sample: i32, level: u16) -> i32 {
    match level {
        0 => 0,
        _ => weakened(sample, 15 - u32::from(level)),
    }
}

/// Left and right, 20 bits each, of a 16-bit sample through a send register: 11:8 level, 4:0 pan.
pub(crate) fn direct(sample: i32, send: u16, mono: bool) -> [i32; 2] {
    let (level, pan) = (send >> 8 & 15, if mono { 0 } else { u32::from(send & 31) });
    if level == 0 {
        return [0; 2];
    }
    let full = by_level(sample, level);
    let steps = 15 - u32::from(level) + (pan & 15);
    let weak = match pan & 15 {
        15 => 0,
        _ if steps > LAST_STEP => 0,
        _ => weakened(sample, steps),
    };
    if pan & 16 != 0 { [full, weak] } else { [weak, full] }
}

/// A sum of 20-bit values through the master volume, as 16 bits.
pub(crate) fn master(sum: i64, volume: u16) -> i16 {
    let steps = 15 - u32::from(volume);
    let value = match volume {
        0 => 0,
        _ => (sum * (4 - i64::from(steps & 1))) >> ((steps >> 1) + 6),
    };
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 7F/128, 40/128 of it, and halves.
    #[test]
    fn gains_by_hand() {
        let both = |attenuation| [0x7FFF, -0x8000].map(|sample| level_gain(sample, attenuation));
        assert_eq!(both(0), [32_511, -32_512]);
        assert_eq!(both(1), [32_255, -32_256]);
        assert_eq!(both(0x3F), [16_383, -16_384]);
        assert_eq!(both(0x40), [16_255, -16_256]);
        assert_eq!(both(0x60), [12_159, -12_160]);
        assert_eq!(both(0x200), [126, -127]);
        assert_eq!(both(0x3C0), [0, 0]);
    }

    /// Of 16,000 x 16 = 256,000: 1, 3/4, 1/2.
    #[test]
    fn sends_by_hand() {
        let send = |level: u16, pan: u16| direct(16_000, level << 8 | pan, false);
        assert_eq!(send(15, 0), [256_000, 256_000]);
        assert_eq!(send(15, 1), [192_000, 256_000]);
        assert_eq!(send(14, 0x12), [192_000, 96_000]);
        assert_eq!(send(13, 0x0F), [0, 128_000]);
        assert_eq!(send(1, 0x1E), [2000, 0]);
        assert_eq!(send(0, 0), [0, 0]);
        assert_eq!(direct(16_000, 15 << 8 | 0x1F, true), [256_000, 256_000], "mono");
        let steps: Vec<i32> = (0..5).map(|steps| weakened(0x7FFF, steps)).collect();
        assert_eq!(steps, [524_272, 393_204, 262_136, 196_602, 131_068]);
    }

    #[test]
    fn the_master_volume_saturates_last() {
        let volumes = [15, 14, 13, 8, 1, 0].map(|volume| master(0x6_0000, volume));
        assert_eq!(volumes, [24_576, 18_432, 12_288, 2304, 192, 0]);
        assert_eq!([15, 1].map(|volume| master(-0x6_0000, volume)), [-24_576, -192]);
        assert_eq!([master(700_000, 15), master(-700_000, 15)], [32_767, -32_768]);
    }
}
