//! Doubtful hardware behaviour, one named switch each (`facts/pvr2.md` section 10).
//!
//! The default is the best evidence there is; each switch says what that is and how good.

use crate::texture::TextureSettings;

/// When an object is held against the user tile clip. Confidence in the default: medium (inferred from test
/// vectors on real hardware; no other implementation does it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserClipTiming {
    /// Stored by its own polygon's mode, binned by the mode in force when the next object arrives.
    #[default]
    Late,
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

/// Culling of triangles that are seen edge-on (FPU_PERP_VAL). Confidence: low; no source has the formula and no
/// other implementation models it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PerpCull {
    /// FPU_PERP_VAL has no effect. Evidence: all public implementations.
    #[default]
    Off,
    /// A triangle is dropped if `|d|`, twice its area, is below FPU_PERP_VAL times its longest edge squared. A guess
    /// at what "perpendicular" may mean; evidence: none.
    On,
}

/// Float arithmetic of interpolation. Confidence: low; the silicon is not known to follow either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FpModel {
    /// IEEE single precision, rounded to nearest. Evidence: refsw2.
    #[default]
    IeeeF32,
    /// Results cut off towards zero, denormals zero. Evidence: the polly2 RTL, which economises on FPGA cells.
    Truncating,
}

/// How the mip level is found. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MipLevel {
    /// One coefficient a polygon times W squared. Evidence: the simulator of the PowerVR Series 1, the parent design.
    #[default]
    Series1,
    /// Logarithm of the smaller sum of derivatives at the pixel. Evidence: refsw2, which says that it is not exact.
    Refsw2A,
    /// The same one level smaller. Evidence: refsw2's other variant.
    Refsw2B,
}

/// What the Dcalc bit of the ISP word does. Confidence: low (recalled: more exact near small or edge polygons).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dcalc {
    /// Nothing. Evidence: all public implementations.
    #[default]
    Ignore,
    /// The step of texture coordinates is worked out at each pixel instead of once a polygon.
    Exact,
}

/// Weights of the two passes of trilinear filtering. Confidence: low; no other implementation filters so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trilinear {
    /// Pass A draws level n times 1 - f, pass B level n + 1 times f, f being the fraction of the mip level in 1/32.
    /// Evidence: the simulator of the PowerVR Series 1.
    #[default]
    DFraction,
    /// f is the low two bits of the D adjust field over 4. Evidence: flycast.
    AdjustBits,
}

/// The super-sample bit of the TSP word. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Supersample {
    /// No effect, with a warning. Evidence: all public implementations.
    #[default]
    Ignore,
    /// The mean of four texture samples, a quarter of a pixel away in x and y. Evidence: only the bit's name.
    Average,
}

/// Where fog table mode 2 puts its colour. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FogMode2Stage {
    /// It replaces the combined colour. Evidence: refsw2.
    #[default]
    AfterCombine,
    /// It replaces the vertex colour, before the texture is combined. Evidence: none; the other reading of the manual.
    BeforeCombine,
}

/// Where a bump map's intensity goes. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BumpStage {
    /// It is the combined colour. Evidence: refsw2.
    #[default]
    ReplacesCombiner,
    /// It is the texel, to be combined with the base colour. Evidence: flycast.
    AsTexel,
}

/// What an intensity volume darkens. Confidence: low; the choices differ with decal shading and fog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CheapShadowStage {
    /// Base colour (with alpha) and offset colour before they are combined. Evidence: refsw2.
    #[default]
    Inputs,
    /// Red, green and blue of the finished colour, after fog. Evidence: flycast.
    Final,
}

/// Modifier volumes of translucent polygons that are presorted. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PresortModvol {
    /// Without effect. Evidence: refsw2.
    #[default]
    Ignore,
    /// Held against each polygon's depth, as for sorted ones. Evidence: none.
    PerList,
}

/// Pixels that no triangle of a volume touched, when "outside last" closes it. Confidence: low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutsideUntouched {
    /// They keep their area. Evidence: refsw2.
    #[default]
    Keep,
    /// They are outside, so they end in area 0. Evidence: the words of the instruction.
    Clear,
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
    /// Texture decoding.
    pub texture: TextureSettings,
    /// Punch-through alpha.
    pub pt_alpha_source: PtAlphaSource,
    /// Punch-through depth.
    pub pt_depth: PtDepth,
    /// Edge-on triangles.
    pub perp_cull: PerpCull,
    /// Arithmetic of interpolation.
    pub fp_model: FpModel,
    /// Mip level.
    pub mip_level: MipLevel,
    /// Exact mip level.
    pub dcalc: Dcalc,
    /// Trilinear passes.
    pub trilinear: Trilinear,
    /// Super-sampling.
    pub supersample: Supersample,
    /// Fog table mode 2.
    pub fog_mode2_stage: FogMode2Stage,
    /// Bump maps.
    pub bump_stage: BumpStage,
    /// Intensity volumes.
    pub cheap_shadow_stage: CheapShadowStage,
    /// Volumes of presorted polygons.
    pub presort_modvol: PresortModvol,
    /// Pixels outside of an "outside last" volume.
    pub outside_untouched: OutsideUntouched,
}
