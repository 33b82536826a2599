//! Packed colours.

/// A colour in 32 bits, `A<<24 | R<<16 | G<<8 | B`, each part 0..=255 (docs/formats/ninja.md 1.6, "D8").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Argb(pub u32);

impl Argb {
    /// From its four parts.
    pub const fn new(a: u8, r: u8, g: u8, b: u8) -> Self {
        Argb(u32::from_be_bytes([a, r, g, b]))
    }

    /// Alpha.
    pub const fn a(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// Red.
    pub const fn r(self) -> u8 {
        self.0.to_be_bytes()[1]
    }

    /// Green.
    pub const fn g(self) -> u8 {
        self.0.to_be_bytes()[2]
    }

    /// Blue.
    pub const fn b(self) -> u8 {
        self.0.to_be_bytes()[3]
    }

    /// As two plist words, in file order: `G<<8 | B` first, then `A<<8 | R` (docs/formats/ninja.md 1.7).
    pub const fn halves(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }

    /// From two plist words in file order.
    pub const fn from_halves(halves: [u16; 2]) -> Self {
        Argb((halves[1] as u32) << 16 | halves[0] as u32)
    }

    /// The colour that the same two words mean when `A<<8 | R` comes first, which is the order that
    /// docs/formats/chunk-model.md draws for colours in strips. The runtime and the other readers disagree
    /// with it (docs/formats/ninja.md 4), so nothing here uses it; it is for files that turn out to follow
    /// the text.
    pub const fn halves_swapped(self) -> Self {
        Argb(self.0.rotate_left(16))
    }

    /// RGB565, widened by shifting only, with alpha 255: the runtime leaves the low bits zero
    /// (docs/formats/ninja.md 1.6).
    pub const fn from_565(v: u16) -> Self {
        Argb::new(255, (v >> 11 << 3) as u8, (v >> 5 << 2) as u8, (v << 3) as u8)
    }

    /// ARGB4444, each nibble times 17 (docs/formats/ninja.md 1.6).
    pub const fn from_4444(v: u16) -> Self {
        Argb::new(
            (v >> 12 & 15) as u8 * 17,
            (v >> 8 & 15) as u8 * 17,
            (v >> 4 & 15) as u8 * 17,
            (v & 15) as u8 * 17,
        )
    }

    /// A grey of the high byte of a 16-bit intensity, with alpha 255 (docs/formats/ninja.md 1.6, "IN").
    pub const fn from_intensity(v: u16) -> Self {
        let grey = (v >> 8) as u8;
        Argb::new(255, grey, grey, grey)
    }

    /// RGB565 by dropping the low bits; the inverse of [`Argb::from_565`] on its values.
    pub const fn to_565(self) -> u16 {
        (self.r() as u16 >> 3) << 11 | (self.g() as u16 >> 2) << 5 | self.b() as u16 >> 3
    }

    /// ARGB4444, rounded to nearest; the inverse of [`Argb::from_4444`] on its values.
    pub const fn to_4444(self) -> u16 {
        const fn nibble(v: u8) -> u16 {
            (v as u16 + 8) / 17
        }
        nibble(self.a()) << 12 | nibble(self.r()) << 8 | nibble(self.g()) << 4 | nibble(self.b())
    }
}
