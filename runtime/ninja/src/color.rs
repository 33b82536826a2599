//! Packed colours.

/// A 32-bit colour, `A<<24 | R<<16 | G<<8 | B`, each component 0..=255 (docs/formats/ninja.md 1.6, "D8").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Argb(pub u32);

impl Argb {
    /// Creates a colour from four components.
    pub const fn new(a: u8, r: u8, g: u8, b: u8) -> Self {
        Argb(u32::from_be_bytes([a, r, g, b]))
    }

    /// Alpha component.
    pub const fn a(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// Red component.
    pub const fn r(self) -> u8 {
        self.0.to_be_bytes()[1]
    }

    /// Green component.
    pub const fn g(self) -> u8 {
        self.0.to_be_bytes()[2]
    }

    /// Blue component.
    pub const fn b(self) -> u8 {
        self.0.to_be_bytes()[3]
    }

    /// Returns two plist words in file order: `G<<8 | B`, then `A<<8 | R` (docs/formats/ninja.md
    /// 1.7).
    pub const fn halves(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }

    /// Creates a colour from two plist words in file order.
    pub const fn from_halves(halves: [u16; 2]) -> Self {
        Argb((halves[1] as u32) << 16 | halves[0] as u32)
    }

    /// Returns this colour with its two plist words swapped, so that `A<<8 | R` comes first in the file.
    /// docs/formats/chunk-model.md draws strip colours in this order. The runtime, other readers and this
    /// crate use the order of [`Argb::halves`] (docs/formats/ninja.md 4). Use this function for files in the
    /// drawn order.
    pub const fn halves_swapped(self) -> Self {
        Argb(self.0.rotate_left(16))
    }

    /// Converts RGB565 by shifting, with alpha 255. The low bits stay zero, as in the runtime
    /// (docs/formats/ninja.md 1.6).
    pub const fn from_565(v: u16) -> Self {
        Argb::new(255, (v >> 11 << 3) as u8, (v >> 5 << 2) as u8, (v << 3) as u8)
    }

    /// Converts ARGB4444: each nibble times 17 (docs/formats/ninja.md 1.6).
    pub const fn from_4444(v: u16) -> Self {
        Argb::new(
            (v >> 12 & 15) as u8 * 17,
            (v >> 8 & 15) as u8 * 17,
            (v >> 4 & 15) as u8 * 17,
            (v & 15) as u8 * 17,
        )
    }

    /// Returns a grey from the high byte of a 16-bit intensity, with alpha 255 (docs/formats/ninja.md 1.6,
    /// "IN").
    pub const fn from_intensity(v: u16) -> Self {
        let grey = (v >> 8) as u8;
        Argb::new(255, grey, grey, grey)
    }

    /// Converts to RGB565 by dropping the low bits; the inverse of [`Argb::from_565`] on its values.
    pub const fn to_565(self) -> u16 {
        (self.r() as u16 >> 3) << 11 | (self.g() as u16 >> 2) << 5 | self.b() as u16 >> 3
    }

    /// Converts to ARGB4444, rounding to nearest; the inverse of [`Argb::from_4444`] on its values.
    pub const fn to_4444(self) -> u16 {
        const fn nibble(v: u8) -> u16 {
            (v as u16 + 8) / 17
        }
        nibble(self.a()) << 12 | nibble(self.r()) << 8 | nibble(self.g()) << 4 | nibble(self.b())
    }
}
