//! The 4-bit sample format ("Sample formats" in `docs/hardware/aica.md`).

use crate::settings::AdpcmLeak;

/// Factors of the step size by the three low bits of a nibble, in 1/256.
const FACTORS: [i32; 8] = [230, 230, 230, 230, 307, 409, 512, 614];
const SMALLEST: i32 = 127;
const LARGEST: i32 = 24_576;

/// A decoder. The default is the state after a key-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adpcm {
    /// Last sample.
    pub sample: i32,
    /// Step size.
    pub step: i32,
}

state::fields!(Adpcm { sample, step } check(|decoder: &Adpcm| {
    (-32_768..=32_767).contains(&decoder.sample) && (SMALLEST..=LARGEST).contains(&decoder.step)
}));

impl Default for Adpcm {
    /// State after a key-on.
    fn default() -> Self {
        Self {
            sample: 0,
            step: SMALLEST,
        }
    }
}

impl Adpcm {
    /// Decodes a nibble. Limits the difference before applying its sign.
    pub fn decode(&mut self, nibble: u8, leak: AdpcmLeak) -> i32 {
        let size = nibble & 7;
        let difference = ((self.step * (2 * i32::from(size) + 1)) >> 3).min(32_767);
        let signed = if nibble & 8 != 0 { -difference } else { difference };
        let kept = match leak {
            AdpcmLeak::None => self.sample,
            AdpcmLeak::Leak254 => self.sample * 254 / 256,
        };
        self.sample = (kept + signed).clamp(-32_768, 32_767);
        self.step = ((self.step * FACTORS[usize::from(size)]) >> 8).clamp(SMALLEST, LARGEST);
        self.sample
    }
}

/// Decodes nibbles, the low nibble of each byte first.
pub fn decode(bytes: &[u8]) -> Vec<i16> {
    let mut decoder = Adpcm::default();
    let nibbles = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    nibbles
        .map(|nibble| decoder.decode(nibble, AdpcmLeak::None) as i16)
        .collect()
}

/// Encodes samples. Each nibble decodes to the closest possible sample. Repeats the last sample if their
/// number is odd.
pub fn encode(samples: &[i16]) -> Vec<u8> {
    let mut decoder = Adpcm::default();
    let mut nearest = |sample: i16| {
        let error = |nibble: &u8| {
            let mut trial = decoder;
            trial.decode(*nibble, AdpcmLeak::None).abs_diff(sample.into())
        };
        let nibble = (0..16).min_by_key(error).unwrap_or_default();
        decoder.decode(nibble, AdpcmLeak::None);
        nibble
    };
    samples
        .chunks(2)
        .map(|pair| {
            let low = nearest(pair[0]);
            low | nearest(*pair.last().unwrap_or(&pair[0])) << 4
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(mut decoder: Adpcm, nibbles: &[u8]) -> Vec<(i32, i32)> {
        let both = |nibble: &u8| (decoder.decode(*nibble, AdpcmLeak::None), decoder.step);
        nibbles.iter().map(both).collect()
    }

    #[test]
    fn signs_and_sizes() {
        let rising = [
            (15, 127),
            (62, 127),
            (141, 127),
            (252, 127),
            (394, 152),
            (603, 242),
            (996, 484),
            (1903, 1160),
        ];
        assert_eq!(decode(Adpcm::default(), &[0, 1, 2, 3, 4, 5, 6, 7]), rising);
        let falling = [-238, -808, -2174, -5451, 2409, 21_260, 18_246, 20_954];
        let samples: Vec<i32> = decode(Adpcm::default(), &[15, 15, 15, 15, 7, 7, 8, 0])
            .iter()
            .map(|both| both.0)
            .collect();
        assert_eq!(samples, falling);
        // A loop of a long stream from 2 to 6 keeps the state.
        let stream = decode(Adpcm::default(), &[7, 7, 1, 9, 4, 12, 1, 9, 4, 12]);
        let samples: Vec<i32> = stream.iter().map(|both| both.0).collect();
        assert_eq!(samples, [238, 808, 1081, 836, 1496, 706, 1022, 739, 1504, 588]);
    }

    #[test]
    fn nibbles_by_hand() {
        // 127 x 1 / 8 = 15; 127 x 230 / 256 is below 127. 127 x 15 / 8 = 238; 127 x 614 / 256 = 304.
        assert_eq!(decode(Adpcm::default(), &[0, 7]), [(15, 127), (253, 304)]);
        let leaking = (0..4000).fold(Adpcm::default(), |mut decoder, _| {
            decoder.decode(0, AdpcmLeak::Leak254);
            decoder
        });
        assert_eq!(leaking.sample, 1793);
        let ones = decode(Adpcm::default(), &[0; 4000]);
        assert_eq!(ones.last(), Some(&(32_767, 127)), "no leak");
        let steps: Vec<i32> = decode(Adpcm::default(), &[7; 10])
            .iter()
            .map(|both| both.1)
            .collect();
        assert_eq!(
            steps,
            [
                304, 729, 1748, 4192, 10_054, 24_113, 24_576, 24_576, 24_576, 24_576
            ]
        );
    }

    /// 24,576 x 15 / 8 = 46,080 is limited to 32,767 before it is added.
    #[test]
    fn a_difference_is_limited() {
        let loud = Adpcm {
            sample: -32_768,
            step: LARGEST,
        };
        assert_eq!(decode(loud, &[7, 15]), [(-1, LARGEST), (-32_768, LARGEST)]);
    }

    /// A sine must decode within 1 %, and the second byte must begin with the third sample.
    #[test]
    fn samples_are_encoded() {
        let sine = |n: i32| (8000.0 * (f64::from(n) * 0.06).sin()) as i16;
        let samples: Vec<i16> = (0..2001).map(sine).collect();
        let bytes = encode(&samples);
        assert_eq!(bytes.len(), 1001);
        let back = super::decode(&bytes);
        let squares = back.iter().zip(&samples).map(|(a, b)| f64::from(a - b).powi(2));
        let rms = (squares.sum::<f64>() / 2001.0).sqrt();
        assert!(rms < 80.0, "{rms}");
        assert_eq!(super::decode(&[0x77, 0x91]), [238, 808, 1081, 836]);
        assert!(encode(&[]).is_empty());
    }
}
