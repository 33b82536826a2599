//! Settings for uncertain points of texture decoding.

settings::settings! {
    /// The settings of texture decoding.
    pub struct TextureSettings;

    choices:

    /// Expansion of 4-, 5- and 6-bit colour channels to 8 bits. Palette entries count as twiddled, since
    /// paletted textures always are. The one-bit alpha of ARGB1555 becomes 0 or 255, and the missing alpha of
    /// RGB565 255, under every choice.
    LinearExpand linear_expand: Medium, "the polly2 RTL, one source" {
        /// Twiddled textures repeat their top bits below, linear ones (TCW bit 26) fill with zeros.
        ByLayout = "by_layout",
        /// The top bits are repeated below in both layouts (flycast).
        Replicate = "replicate",
        /// Zeros below in both layouts (refsw2, which marks it as unfinished).
        Zero = "zero",
    }

    /// Distribution of the 8 bytes of a VQ code among texels of less than 16 bits.
    VqPalette vq_palette: High, "KallistiOS pvrtex, which writes such textures for consoles" {
        /// A code is 8 bytes of consecutive texels in address order: 16 four-bit texels (4x4) or 8 eight-bit
        /// texels (2 wide, 4 high).
        WholeCode = "whole_code",
        /// A code is always one 2x2 quad, made of its first four texels. Kept so that a capture can settle
        /// it.
        Quad = "quad",
    }
}
