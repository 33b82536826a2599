//! The 4-bit format ("Sample formats").

/// Factors of the step by the three low bits of a nibble, in 1/256.
const FACTORS: [i32; 8] = [230, 230, 230, 230, 307, 409, 512, 614];
const SMALLEST: i32 = 127;
const LARGEST: i32 = 24_576;

/// A decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Adpcm {
    /// The last sample.
    pub(crate) sample: i32,
    /// The step.
    pub(crate) step: i32,
}

impl Default for Adpcm {
    /// As after key-on.
    fn default() -> Self {
        Self {
            sample: 0,
            step: SMALLEST,
        }
    }
}

impl Adpcm {
    /// Decodes a nibble. The difference is limited before its sign counts.
    pub(crate) fn decode(&mut self, nibble: u8) -> i32 {
        let size = nibble & 7;
        let difference = ((self.step * (2 * i32::from(size) + 1)) >> 3).min(32_767);
        let signed = if nibble & 8 != 0 { -difference } else { difference };
        self.sample = (self.sample + signed).clamp(-32_768, 32_767);
        self.step = ((self.step * FACTORS[usize::from(size)]) >> 8).clamp(SMALLEST, LARGEST);
        self.sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(mut decoder: Adpcm, nibbles: &[u8]) -> Vec<(i32, i32)> {
        let both = |nibble: &u8| (decoder.decode(*nibble), decoder.step);
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
    }

    #[test]
    fn nibbles_by_hand() {
        // 127 x 1 / 8 = 15; 127 x 230 / 256 is below 127. 127 x 15 / 8 = 238; 127 x 614 / 256 = 304.
        assert_eq!(decode(Adpcm::default(), &[0, 7]), [(15, 127), (253, 304)]);
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
}
