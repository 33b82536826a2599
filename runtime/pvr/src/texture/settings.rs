//! The open points of texture decoding, one named switch each.

/// How a 4-, 5- or 6-bit colour channel becomes 8 bits.
///
/// The one-bit alpha of ARGB1555 becomes 0 or 255, and the missing alpha of RGB565 255, under every choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearExpand {
    /// Twiddled textures repeat their top bits below, linear ones (TCW bit 26) fill with zeros. Evidence: the polly2 RTL.
    /// Confidence: fair, one source.
    #[default]
    ByLayout,
    /// The top bits are repeated below in both layouts. Evidence: flycast.
    Replicate,
    /// Zeros below in both layouts. Evidence: refsw2, which marks it as unfinished.
    Zero,
}

/// How the 8 bytes of a VQ code are shared out among texels narrower than 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VqPalette {
    /// A code is 8 bytes of consecutive texels in address order: 16 four-bit texels (4x4) or 8 eight-bit texels (2 wide, 4 high).
    /// Evidence: KallistiOS `pvrtex`, which writes such textures for consoles. Confidence: good.
    #[default]
    WholeCode,
    /// A code is always one 2x2 quad, made of its first four texels. Evidence: none beyond the general description of VQ;
    /// kept so that a capture can settle it.
    Quad,
}

/// The switches of texture decoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureSettings {
    /// Widening of 16-bit colours. Palette entries count as twiddled, since paletted textures always are.
    pub linear_expand: LinearExpand,
    /// VQ combined with a palette.
    pub vq_palette: VqPalette,
}
