//! Chunks that set the drawing state: blending, textures, materials, bump (docs/formats/ninja.md 1.7).

use crate::color::Argb;

/// A blending factor. "Other" means the destination's colour in a source factor, and the source's colour in a
/// destination factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum BlendMode {
    #[default]
    Zero = 0,
    One = 1,
    OtherColor = 2,
    InverseOtherColor = 3,
    SourceAlpha = 4,
    InverseSourceAlpha = 5,
    DestinationAlpha = 6,
    InverseDestinationAlpha = 7,
}

impl BlendMode {
    /// Returns the factor for a 3-bit code; higher bits are ignored.
    pub fn from_code(code: u8) -> Self {
        use BlendMode::*;
        let modes = [
            Zero,
            One,
            OtherColor,
            InverseOtherColor,
            SourceAlpha,
            InverseSourceAlpha,
            DestinationAlpha,
            InverseDestinationAlpha,
        ];
        modes[usize::from(code & 7)]
    }
}

/// Blending in CB_BA and in materials: the high byte of the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Blend {
    /// Head bits 13-11.
    pub src: BlendMode,
    /// Head bits 10-8.
    pub dst: BlendMode,
    /// Head bit 15: source from the secondary buffer (Ninja2, confidence medium).
    pub src_select: bool,
    /// Head bit 14: destination is the secondary buffer (Ninja2, confidence medium).
    pub dst_select: bool,
}

impl Blend {
    /// Source alpha and inverse source alpha, the usual choice: headbits 0x25.
    pub const ALPHA: Blend = Blend {
        src: BlendMode::SourceAlpha,
        dst: BlendMode::InverseSourceAlpha,
        src_select: false,
        dst_select: false,
    };

    /// Decodes the high byte of the head.
    pub fn from_headbits(bits: u8) -> Self {
        Blend {
            src: BlendMode::from_code(bits >> 3),
            dst: BlendMode::from_code(bits),
            src_select: bits & 0x80 != 0,
            dst_select: bits & 0x40 != 0,
        }
    }

    /// Encodes the high byte of the head.
    pub fn headbits(self) -> u8 {
        u8::from(self.src_select) << 7
            | u8::from(self.dst_select) << 6
            | (self.src as u8) << 3
            | self.dst as u8
    }
}

/// CB_DA: the high byte of the head; only bits 0 to 3 are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MipmapAdjust(pub u8);

impl MipmapAdjust {
    /// Adjustment factor, 0.25 to 3.75.
    pub fn factor(self) -> f32 {
        f32::from(self.0 & 0xF) * 0.25
    }
}

/// CB_EXP: the high byte of the head; only bits 0 to 4 are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exponent(pub u8);

impl Exponent {
    /// Exponent, 0..=16 in regular files.
    pub fn value(self) -> u8 {
        self.0 & 0x1F
    }
}

/// Texture filtering, bits 15-14 of a tiny chunk's second word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Filter {
    /// Point sampled (PS).
    Point = 0,
    /// Bilinear (BF), the default.
    #[default]
    Bilinear = 1,
    /// Trilinear A (TF_A; TF in Ninja1).
    TrilinearA = 2,
    /// Trilinear B (TF_B).
    TrilinearB = 3,
}

/// CT_TID and CT_TID2: texture number and sampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tiny {
    /// CT_TID2: for the second parameter.
    pub second: bool,
    /// Number in the texture list, 0..=8191.
    pub texture: u16,
    /// Mirror every other repeat in u.
    pub flip_u: bool,
    /// Mirror every other repeat in v.
    pub flip_v: bool,
    /// Disables repetition in u.
    pub clamp_u: bool,
    /// Disables repetition in v.
    pub clamp_v: bool,
    /// Mipmap depth adjust in quarters, 0..=15.
    pub mipmap_adjust: u8,
    /// Filtering.
    pub filter: Filter,
    /// Super sampling.
    pub supersample: bool,
}

impl Tiny {
    /// Highest texture number that the chunk can encode.
    pub const MAX_TEXTURE: u16 = 0x1FFF;

    pub(super) fn id(self) -> u8 {
        8 + u8::from(self.second)
    }

    pub(super) fn from_words(second: bool, head: u16, word: u16) -> Self {
        Tiny {
            second,
            texture: word & Self::MAX_TEXTURE,
            flip_u: head & 0x8000 != 0,
            flip_v: head & 0x4000 != 0,
            clamp_u: head & 0x2000 != 0,
            clamp_v: head & 0x1000 != 0,
            mipmap_adjust: (head >> 8 & 0xF) as u8,
            filter: [
                Filter::Point,
                Filter::Bilinear,
                Filter::TrilinearA,
                Filter::TrilinearB,
            ][usize::from(word >> 14)],
            supersample: word & 0x2000 != 0,
        }
    }

    /// Encodes head and second word; the numbers must be in range.
    pub(super) fn words(self) -> [u16; 2] {
        let bit = |set: bool, n: u16| u16::from(set) << n;
        let flips = bit(self.flip_u, 15) | bit(self.flip_v, 14);
        let clamps = bit(self.clamp_u, 13) | bit(self.clamp_v, 12);
        let head = flips | clamps | u16::from(self.mipmap_adjust) << 8 | u16::from(self.id());
        [
            head,
            (self.filter as u16) << 14 | bit(self.supersample, 13) | self.texture,
        ]
    }
}

/// Specular colour of a material: a word `exponent << 24 | R << 16 | G << 8 | B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Specular {
    /// Exponent, 0..=16 in regular files.
    pub exponent: u8,
    /// Red, green, blue.
    pub rgb: [u8; 3],
}

/// CM_*: new colours and blending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Material {
    /// For the second parameter (CM_D2 and so on).
    pub second: bool,
    /// Blending.
    pub blend: Blend,
    /// Diffuse colour.
    pub diffuse: Option<Argb>,
    /// Ambient colour; its alpha is filler, 255 in files.
    pub ambient: Option<Argb>,
    /// Specular colour and exponent.
    pub specular: Option<Specular>,
}

impl Material {
    /// Bit 0 means diffuse, 1 ambient, 2 specular.
    pub(super) fn bits(&self) -> u8 {
        u8::from(self.diffuse.is_some())
            | u8::from(self.ambient.is_some()) << 1
            | u8::from(self.specular.is_some()) << 2
    }

    pub(super) fn id(&self) -> u8 {
        16 + 8 * u8::from(self.second) + self.bits()
    }

    /// Number of 16-bit words of colours.
    pub(super) fn data_words(&self) -> usize {
        2 * self.bits().count_ones() as usize
    }

    /// Decodes the colours selected by `bits`, in the order diffuse, ambient, specular.
    pub(super) fn from_words(second: bool, bits: u8, headbits: u8, words: &[u16]) -> Self {
        let mut colors = words
            .as_chunks::<2>()
            .0
            .iter()
            .map(|halves| Argb::from_halves(*halves));
        let mut take = |bit: u8| (bits & bit != 0).then(|| colors.next()).flatten();
        let (diffuse, ambient) = (take(1), take(2));
        let specular = take(4).map(|c| Specular {
            exponent: c.a(),
            rgb: [c.r(), c.g(), c.b()],
        });
        Material {
            second,
            blend: Blend::from_headbits(headbits),
            diffuse,
            ambient,
            specular,
        }
    }

    /// Encodes the colours as words, in file order.
    pub(super) fn words(&self) -> impl Iterator<Item = u16> {
        let specular = self
            .specular
            .map(|s| Argb::new(s.exponent, s.rgb[0], s.rgb[1], s.rgb[2]));
        [self.diffuse, self.ambient, specular]
            .into_iter()
            .flatten()
            .flat_map(Argb::halves)
    }
}

/// CM_BU: bump direction and up vector, each component over 32767; used only with a bump-map texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bump {
    /// The head's high byte, unused.
    pub headbits: u8,
    /// dx, dy, dz.
    pub direction: [i16; 3],
    /// ux, uy, uz.
    pub up: [i16; 3],
}

impl Bump {
    pub(super) const WORDS: usize = 6;
}
