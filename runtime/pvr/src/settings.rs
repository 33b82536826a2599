//! Doubtful hardware behaviour, one named switch each (`facts/pvr2.md` section 10).
//!
//! The default is the best evidence there is; each switch says what that is and how good.

use crate::texture::TextureSettings;

/// When an object is held against the user tile clip. Confidence in the default: medium (inferred from test
/// vectors on real hardware; no other implementation does it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserClipTiming {
    /// Stored by its own polygon's mode, binned by the mode and rectangle in force when the next object is stored,
    /// the next polygon parameter is read or the list ends.
    #[default]
    Late,
    /// As `Late`, but a user clip parameter in between lists what waits by the old rectangle first.
    LateMode,
    /// Stored and binned by its own polygon's mode.
    Own,
}

/// Whether PCW bits 17:16 need the group-enable bit 23. Confidence: medium (test vector 5.17.1 clips with the
/// bit clear; the manual says that the bit is needed).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserClipGroup {
    /// The mode of every polygon parameter is taken.
    #[default]
    Always,
    /// Taken only with the group-enable bit.
    WithGroupEnable,
}

/// Size of a block that continues a full object list. Confidence: medium (a game loses text otherwise).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverflowSize {
    /// The block size of the open list.
    #[default]
    CurrentList,
    /// The block size of the opaque list.
    OpaqueList,
}

/// A global parameter inside an open strip. Confidence: medium (four vectors agree, one does not).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MidStripGlobal {
    /// The strip is padded with its last vertex and stored, then vertices are ignored to the end of the list.
    #[default]
    PadAndIgnore,
    /// The strip is dropped and the new polygon begins.
    Drop,
}

/// What is added to texture coordinates, in 1/256 texel. Confidence: low, the most visible open point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TexelOffset {
    /// +127 when HALF_OFFSET bit 2 is clear, 0 when set.
    #[default]
    Refsw2025,
    /// -127 when HALF_OFFSET bit 2 is set, 0 when clear.
    Refsw2020,
    /// Never anything.
    None,
    /// -128 always: texel centres as in OpenGL.
    GlCentre,
}

/// Pixels exactly on an edge. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FillRule {
    /// Drawn on top and left edges only, told apart by the raw vertex order.
    #[default]
    TopLeft,
    /// Drawn on every edge.
    Inclusive,
}

/// How depth is kept in the tile. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DepthStore {
    /// As a 32-bit float.
    #[default]
    F32,
    /// With a 19-bit mantissa and no sign; negative depth is 0.
    M19Unsigned,
}

/// How an 8-bit weight scales in blending and combining. Confidence: medium.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightScale {
    /// `f + (f >> 7)`, so that 255 means 1.
    #[default]
    Scaled256,
    /// The raw byte over 256.
    Raw,
}

/// How four texels are summed. Confidence: low; the difference is one step of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BilinearSum {
    /// One sum of products over 65536, weights as in [`WeightScale::Scaled256`].
    #[default]
    OneSum,
    /// Two horizontal and one vertical interpolation with raw 8-bit weights.
    TwoLerps,
}

/// Ordered dither matrix, used only when FB_W_CTRL bit 3 is set. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DitherMatrix {
    /// Biases 8 to 248 out of 255.
    #[default]
    Refsw2,
    /// 1 to 16 out of 16.
    Flycast,
}

/// Reduction to fewer bits without dither. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FbRound {
    /// Cut off.
    #[default]
    Truncate,
    /// To nearest.
    Round,
    /// To nearest when writing through the 64-bit area (a texture), else cut off.
    RoundForTexture,
}

/// How the output scaler filters. Confidence: low, inferred from the usual value 0x8040 of Y_COEFF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScalerFilter {
    /// Half width: the mean of two pixels. Other vertical factors than 1: three lines weighted by Y_COEFF's
    /// coefficients 0, 1, 0, over 256.
    #[default]
    YCoeff,
    /// One pixel is taken.
    Nearest,
}

/// Which bits of FB_R_CTRL's concat field go below six-bit green. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FbConcatGreen {
    /// Its high two.
    #[default]
    High,
    /// Its low two.
    Low,
}

/// Which alpha the punch-through test reads. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PtAlphaSource {
    /// Of the finished pixel.
    #[default]
    Shaded,
    /// Of the texture.
    Texture,
}

/// Depth comparison of punch-through polygons. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PtDepth {
    /// Greater or equal, whatever the polygon says.
    #[default]
    ForceGreaterEqual,
    /// The polygon's own mode, against the opaque depth.
    OwnMode,
}

/// All switches. `Settings::default()` is the best-known chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// User tile clip timing.
    pub ta_user_clip: UserClipTiming,
    /// User tile clip and the group-enable bit.
    pub ta_user_clip_group: UserClipGroup,
    /// Size of list continuation blocks.
    pub ta_overflow_size: OverflowSize,
    /// Global parameter inside a strip.
    pub ta_midstrip_global: MidStripGlobal,
    /// The closing triangles of a modifier volume are listed only in their own tiles instead of in every tile
    /// that the volume touched. Off by default: one later fix to an emulator says so; confidence low.
    pub modvol_last_own_tiles: bool,
    /// Half-texel offset.
    pub texel_offset: TexelOffset,
    /// Fill rule.
    pub fill_rule: FillRule,
    /// Depth precision.
    pub depth_store: DepthStore,
    /// Weights of blending and combining.
    pub weight_scale: WeightScale,
    /// Bilinear arithmetic.
    pub bilinear_sum: BilinearSum,
    /// Dither matrix.
    pub dither_matrix: DitherMatrix,
    /// Rounding on output.
    pub fb_round: FbRound,
    /// Output scaler.
    pub scaler_filter: ScalerFilter,
    /// Low bits of green in video output.
    pub fb_concat_green: FbConcatGreen,
    /// Texture decoding.
    pub texture: TextureSettings,
    /// Punch-through alpha.
    pub pt_alpha_source: PtAlphaSource,
    /// Punch-through depth.
    pub pt_depth: PtDepth,
}
