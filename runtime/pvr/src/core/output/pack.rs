//! Packing of colours into framebuffer pixels: pack modes, dither, rounding (`docs/hardware/pvr2.md`,
//! "Framebuffer output").

use crate::regs::{Registers, reg};
use crate::settings::{DitherMatrix, FbRound, Settings};

/// The 4x4 Bayer matrix in its usual order (as in refsw2).
const BAYER: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
/// The 4x4 Bayer matrix rotated by 180 degrees (as in flycast).
const BAYER_TURNED: [[u32; 4]; 4] = [[5, 13, 7, 15], [9, 1, 11, 3], [6, 14, 4, 12], [10, 2, 8, 0]];

/// Pixel format of the framebuffer: bits 2:0 of FB_W_CTRL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackMode {
    Krgb0555,
    Rgb565,
    Argb4444,
    Argb1555,
    Rgb888,
    Krgb0888,
    Argb8888,
    Reserved,
}

impl PackMode {
    fn from_code(code: u32) -> Self {
        match code & 7 {
            0 => Self::Krgb0555,
            1 => Self::Rgb565,
            2 => Self::Argb4444,
            3 => Self::Argb1555,
            4 => Self::Rgb888,
            5 => Self::Krgb0888,
            6 => Self::Argb8888,
            _ => Self::Reserved,
        }
    }

    /// Size of a pixel in bytes; 0 in the reserved mode.
    pub(super) fn bytes(self) -> u32 {
        match self {
            Self::Krgb0555 | Self::Rgb565 | Self::Argb4444 | Self::Argb1555 => 2,
            Self::Rgb888 => 3,
            Self::Krgb0888 | Self::Argb8888 => 4,
            Self::Reserved => 0,
        }
    }
}

/// Packer of ARGB colours into framebuffer pixels, as FB_W_CTRL and the settings specify.
#[derive(Debug)]
pub(super) struct Packer {
    pub(super) mode: PackMode,
    dither: Option<&'static [[u32; 4]; 4]>,
    round: bool,
    /// K value: alpha bits of modes 0 and 5.
    k: u32,
    alpha_threshold: u32,
}

impl Packer {
    /// Creates the packer from FB_W_CTRL. `texture` means that the result is written through the 64-bit area.
    pub(super) fn new(regs: &Registers, settings: &Settings, texture: bool) -> Self {
        let control = regs.get(reg::FB_W_CTRL);
        Self {
            mode: PackMode::from_code(control),
            dither: (control >> 3 & 1 != 0).then_some(match settings.dither_matrix {
                DitherMatrix::Flycast => &BAYER_TURNED,
                DitherMatrix::Refsw2 => &BAYER,
            }),
            round: match settings.fb_round {
                FbRound::Truncate => false,
                FbRound::Round => true,
                FbRound::RoundForTexture => texture,
            },
            k: control >> 8 & 0xFF,
            alpha_threshold: control >> 16 & 0xFF,
        }
    }

    /// Packs the colour of the pixel at framebuffer position (`x`, `y`). The low [`PackMode::bytes`] bytes
    /// of the result are the pixel.
    #[inline]
    pub(super) fn pack(&self, [x, y]: [u32; 2], colour: u32) -> u32 {
        self.compose(self.mode, colour, |c, bits| match self.dither {
            Some(matrix) => dither(c, bits, matrix[(y & 3) as usize][(x & 3) as usize]),
            None if self.round => (c * ((1 << bits) - 1) + 127) / 255,
            None => c >> (8 - bits),
        })
    }

    /// Reduces the channels of a colour and combines them. `reduce` gets a channel and its number of bits.
    /// Dithering does not affect alpha.
    #[inline(always)]
    fn compose(&self, mode: PackMode, colour: u32, reduce: impl Fn(u32, u32) -> u32) -> u32 {
        let part = |shift: u32, bits: u32| reduce(colour >> shift & 0xFF, bits);
        let rgb555 = || part(16, 5) << 10 | part(8, 5) << 5 | part(0, 5);
        let alpha = || match self.dither {
            Some(_) => colour >> 28,
            None => part(24, 4),
        };
        match mode {
            PackMode::Krgb0555 => (self.k >> 7) << 15 | rgb555(),
            PackMode::Rgb565 => part(16, 5) << 11 | part(8, 6) << 5 | part(0, 5),
            PackMode::Argb4444 => alpha() << 12 | part(16, 4) << 8 | part(8, 4) << 4 | part(0, 4),
            PackMode::Argb1555 => u32::from(colour >> 24 >= self.alpha_threshold) << 15 | rgb555(),
            PackMode::Rgb888 | PackMode::Krgb0888 => colour & 0x00FF_FFFF | self.k << 24,
            PackMode::Argb8888 | PackMode::Reserved => colour,
        }
    }

    /// Packs a row like [`Self::pack`] from position (`x`, `y`) on, in modes of two and four bytes. The loops
    /// are specialised for mode and dithering, so that the compiler can vectorize them.
    #[inline(always)]
    pub(super) fn pack_row(&self, [x, y]: [u32; 2], colours: &[u32], pixels: &mut [u8]) {
        match self.dither {
            Some(matrix) => {
                let row = matrix[(y & 3) as usize];
                let biases = [0, 1, 2, 3].map(|n| row[(x as usize + n) & 3]);
                self.row(colours, pixels, |c, bits, n| dither(c, bits, biases[n]));
            }
            None if self.round => {
                // Division by 255, exact for numerators below 65,536.
                let by_255 = |numerator: u32| (numerator + 1 + (numerator >> 8)) >> 8;
                self.row(colours, pixels, |c, bits, _| by_255((c << bits) - c + 127));
            }
            None => self.row(colours, pixels, |c, bits, _| c >> (8 - bits)),
        }
    }

    /// Packs a row of pixels. `reduce` gets a channel, its number of bits, and the column modulo 4.
    #[inline(always)]
    fn row(&self, colours: &[u32], pixels: &mut [u8], reduce: impl Fn(u32, u32, usize) -> u32) {
        use PackMode::{Argb1555, Argb4444, Argb8888, Krgb0555, Krgb0888, Reserved, Rgb565, Rgb888};
        let pack = |mode, colour, n| self.compose(mode, colour, |c, bits| reduce(c, bits, n));
        match self.mode {
            Krgb0555 => row_of(colours, pixels, |c, n| {
                (pack(Krgb0555, c, n) as u16).to_le_bytes()
            }),
            Rgb565 => row_of(colours, pixels, |c, n| (pack(Rgb565, c, n) as u16).to_le_bytes()),
            Argb4444 => row_of(colours, pixels, |c, n| {
                (pack(Argb4444, c, n) as u16).to_le_bytes()
            }),
            Argb1555 => row_of(colours, pixels, |c, n| {
                (pack(Argb1555, c, n) as u16).to_le_bytes()
            }),
            Krgb0888 => row_of(colours, pixels, |c, n| pack(Krgb0888, c, n).to_le_bytes()),
            Argb8888 => row_of(colours, pixels, |c, n| pack(Argb8888, c, n).to_le_bytes()),
            Rgb888 | Reserved => {}
        }
    }
}

/// Reduces a channel to 4, 5 or 6 bits with ordered dither. The bias of 0 to 15 is scaled to the range of the
/// dropped bits. Dither does not change a channel whose dropped bits are 0.
#[inline(always)]
fn dither(c: u32, bits: u32, bias: u32) -> u32 {
    (c + (bias >> (bits - 4))).min(255) >> (8 - bits)
}

/// Packs a row of colours; `pack` gets a colour and its column modulo 4.
#[inline(always)]
fn row_of<const BYTES: usize>(colours: &[u32], pixels: &mut [u8], pack: impl Fn(u32, usize) -> [u8; BYTES]) {
    let (fours, rest) = colours.as_chunks::<4>();
    let (whole, end) = pixels.as_chunks_mut::<BYTES>().0.split_at_mut(fours.len() * 4);
    for (pixels, colours) in whole.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
        *pixels = std::array::from_fn(|n| pack(colours[n], n));
    }
    for (n, (pixel, colour)) in end.iter_mut().zip(rest).enumerate() {
        *pixel = pack(*colour, n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packer(control: u32, settings: Settings, texture: bool) -> Packer {
        let mut regs = Registers::new();
        regs.set(reg::FB_W_CTRL, control);
        Packer::new(&regs, &settings, texture)
    }

    fn pack(control: u32, colour: u32) -> u32 {
        packer(control, Settings::default(), false).pack([0, 0], colour)
    }

    #[test]
    fn every_mode() {
        // 0x8C = 17 << 3 | 4 = 35 << 2; 0xF7 = 30 << 3 | 7 = 61 << 2 | 3; 0x0B = 1 << 3 | 3 = 2 << 2 | 3.
        let colour = 0x7F8C_F70B;
        assert_eq!(pack(0, colour), 17 << 10 | 30 << 5 | 1);
        assert_eq!(
            pack(0x8000, colour),
            1 << 15 | 17 << 10 | 30 << 5 | 1,
            "bit 7 of K"
        );
        assert_eq!(pack(1, colour), 17 << 11 | 61 << 5 | 1);
        assert_eq!(pack(2, colour), 0x78F0);
        assert_eq!(pack(0x007F_0003, colour) >> 15, 1, "at the threshold");
        assert_eq!(pack(0x0080_0003, colour) >> 15, 0, "below the threshold");
        assert_eq!(pack(4, colour) & 0xFF_FFFF, 0x8C_F70B);
        assert_eq!(pack(0xAB05, colour), 0xAB8C_F70B);
        assert_eq!(pack(6, colour), colour);
    }

    fn dithered(control: u32, dither_matrix: DitherMatrix) -> Packer {
        let settings = Settings {
            dither_matrix,
            ..Settings::default()
        };
        packer(control, settings, false)
    }

    #[test]
    fn dither_follows_the_place() {
        // 0x64 = 12 << 3 | 4 becomes 13 where the halved bias is at least 4: a bias of at least 8.
        let red = |matrix, y| [0, 1, 2, 3].map(|x| dithered(9, matrix).pack([x, y], 0x0064_0000) >> 11);
        assert_eq!(red(DitherMatrix::Flycast, 0), [12, 13, 12, 13]);
        assert_eq!(red(DitherMatrix::Flycast, 1), [13, 12, 13, 12]);
        assert_eq!(red(DitherMatrix::Flycast, 2), [12, 13, 12, 13]);
        assert_eq!(red(DitherMatrix::Flycast, 7), [13, 12, 13, 12]);
        assert_eq!(red(DitherMatrix::Refsw2, 0), [12, 13, 12, 13]);
        assert_eq!(red(DitherMatrix::Refsw2, 6), [12, 13, 12, 13]);
        // 0x67 = 12 << 3 | 7 becomes 13 for a bias of at least 2.
        let red = |matrix, y| [0, 1, 2, 3].map(|x| dithered(9, matrix).pack([x, y], 0x0067_0000) >> 11);
        assert_eq!(red(DitherMatrix::Flycast, 1), [13, 12, 13, 13]);
        assert_eq!(red(DitherMatrix::Refsw2, 2), [13, 13, 12, 13]);
        // Six bits: 0x66 = 25 << 2 | 2 becomes 26 for a quartered bias of at least 2.
        let green = |y| [0, 1, 2, 3].map(|x| dithered(9, DitherMatrix::Flycast).pack([x, y], 0x6600) >> 5);
        assert_eq!(green(0), [25, 26, 25, 26]);
        // Four bits: 0x6A becomes 7 for a bias of at least 6. Alpha is truncated.
        let pixel = |x| dithered(10, DitherMatrix::Flycast).pack([x, 2], 0x6F6A_6A6A);
        assert_eq!([0, 1, 2, 3].map(pixel), [0x6777, 0x6777, 0x6666, 0x6777]);
    }

    /// A colour that the format represents exactly gets no dither pattern in any mode.
    #[test]
    fn exact_colours_stay_exact() {
        for matrix in [DitherMatrix::Flycast, DitherMatrix::Refsw2] {
            for (mode, dropped) in [(0, [3, 3, 3]), (1, [3, 2, 3]), (2, [4, 4, 4]), (3, [3, 3, 3])] {
                let [plain, dithered] = [mode, mode | 8].map(|control| dithered(control, matrix));
                for value in 0..256_u32 {
                    let channels = dropped.map(|bits| value & (0xFF << bits));
                    let colour = 0xFF00_0000 | channels.iter().fold(0, |colour, c| colour << 8 | c);
                    for place in (0..16).map(|n| [n & 3, n >> 2]) {
                        let (one, other) = (dithered.pack(place, colour), plain.pack(place, colour));
                        assert_eq!(one, other, "mode {mode}, {colour:08X} at {place:?}");
                        assert_eq!(dithered.pack(place, u32::MAX), plain.pack(place, u32::MAX));
                    }
                }
            }
            for mode in 4..7 {
                let [plain, dithered] = [mode, mode | 8].map(|control| dithered(control, matrix));
                assert_eq!(
                    dithered.pack([1, 2], 0x1234_5678),
                    plain.pack([1, 2], 0x1234_5678)
                );
            }
        }
    }

    #[test]
    fn rounding_is_a_switch() {
        // 0x07 of 5 bits: 7 * 31 / 255 = 0.85.
        let with = |fb_round| Settings {
            fb_round,
            ..Settings::default()
        };
        let blue = |settings, texture| packer(1, settings, texture).pack([0, 0], 7);
        assert_eq!(blue(with(FbRound::Truncate), true), 0);
        assert_eq!(blue(with(FbRound::Round), false), 1);
        assert_eq!(blue(with(FbRound::RoundForTexture), false), 0);
        assert_eq!(blue(with(FbRound::RoundForTexture), true), 1);
    }
}
