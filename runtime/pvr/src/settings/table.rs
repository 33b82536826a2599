//! Table of the settings (`docs/hardware/pvr2.md`, "Switches"). Each setting is one row.

use super::{PRESETS, TextureSettings};

settings::settings! {
    /// All settings. `Settings::default()` is the best-known chip.
    pub struct Settings;

    choices:

    /// When an object is held against the user tile clip.
    UserClipTiming ta_user_clip: Medium,
        "all twelve recorded vectors of user clip; no other implementation does it" {
        /// Stored by its own polygon's mode, binned by the mode and rectangle in force when the next object
        /// is stored, the next polygon parameter is read or the list ends.
        Late = "late",
        /// As late, but a user clip parameter in between lists what waits by the old rectangle first.
        LateMode = "late_mode",
        /// Stored and binned by its own polygon's mode.
        Own = "own",
    }

    /// Whether PCW bits 17:16 need the group-enable bit 23.
    UserClipGroup ta_user_clip_group: Medium,
        "vector 5.17.1 clips with the bit clear; the manual says that the bit is needed" {
        /// The mode of every polygon parameter is taken.
        Always = "always",
        /// Taken only with the group-enable bit.
        WithGroupEnable = "with_group_enable",
    }

    /// Size of a block that continues a full object list.
    OverflowSize ta_overflow_size: Medium,
        "minicast: a game loses text otherwise; all vectors have equal sizes in all lists" {
        /// The block size of the open list.
        CurrentList = "current_list",
        /// The block size of the opaque list (lxdream).
        OpaqueList = "op_list",
    }

    /// A global parameter inside an open strip.
    MidStripGlobal ta_midstrip_global: Medium, "four vectors agree, one does not" {
        /// The strip is padded with its last vertex and stored, then vertices are ignored to the end of the
        /// list.
        PadAndIgnore = "pad_and_ignore",
        /// The strip is dropped and the new polygon begins.
        Drop = "drop",
    }

    /// An end of list parameter while no list is open.
    EndWithoutList ta_end_without_list: Medium,
        "flycast and Deecy: games wait for the event of a list that they send nothing to" {
        /// The list that the parameter names is done.
        Event = "event",
        /// Nothing happens.
        Ignore = "ignore",
    }

    /// What the YUV converter does with input after the last macroblock of a texture.
    YuvRestart yuv_restart: Low, "flycast" {
        /// A texture begins again at TA_YUV_TEX_BASE.
        NextInput = "next_input",
        /// Input is dropped until TA_YUV_TEX_BASE is written.
        TexBase = "tex_base",
    }

    /// Blocks of a sort DMA's chunk whose size is 0.
    SortDmaZero sort_dma_zero: Low, "flycast; the size is eight bits and no chunk can be empty" {
        /// 256.
        All = "256",
        /// None.
        Nothing = "none",
    }

    /// What the beam shows while the framebuffer is switched off (FB_R_CTRL bit 0).
    FbDisabled fb_disabled: Low, "a guess: the output has no other colour then" {
        /// The border colour.
        Border = "border",
        /// Black inside the border.
        Black = "black",
    }

    /// Whether the closing triangles of a modifier volume are listed in every tile that the volume touched.
    ModvolLastUnion modvol_last_union: Low, "minicast; no vector spans two tiles" {
        /// In every tile of the whole volume's box.
        On = "on",
        /// In their own tiles only (lxdream).
        Off = "off",
    }

    /// What is added to texture coordinates, in 1/256 texel.
    TexelOffset texel_offset: Medium,
        "the register's name; GL centres look right in flycast and Deecy; KallistiOS's fb_tex needs some" {
        /// When HALF_OFFSET bit 2 is set -128 for filters and -127 for point sampling, which keeps sprites of
        /// the texture's size off the texel borders. 0 when clear.
        HalfTexel = "half_texel",
        /// +127 when HALF_OFFSET bit 2 is clear, 0 when set (refsw2 of October 2025).
        Refsw2025 = "refsw2_2025",
        /// -127 when HALF_OFFSET bit 2 is set, 0 when clear (refsw 2020 to 2024).
        Refsw2020 = "refsw_2020",
        /// Never anything (polly2).
        None = "none",
        /// -128 for filters, 0 for point sampling, whatever the register: as in OpenGL (flycast, Deecy).
        GlCentre = "gl_centre",
        /// -128 for all filters when HALF_OFFSET bit 2 is set, 0 when clear.
        HalfTexelAll = "half_texel_all",
    }

    /// Pixels exactly on an edge.
    FillRule fill_rule: Low,
        "KallistiOS's modifier_volume: by the raw order a line crosses it where two triangles meet" {
        /// Drawn on top and left edges only, whatever the vertex order.
        TopLeft = "top_left",
        /// As `top_left`, but by the vertex order, as if all triangles had the same winding (refsw2).
        TopLeftRaw = "top_left_raw",
        /// Drawn on every edge (minicast).
        Inclusive = "inclusive",
    }

    /// How depth is kept in the tile.
    DepthStore depth_store: Low, "refsw2, where the masking is commented out" {
        /// As a 32-bit float.
        F32 = "f32",
        /// With a 19-bit mantissa and no sign; negative depth is 0 (the form of ISP_BACKGND_D).
        M19Unsigned = "m19_unsigned",
    }

    /// Culling of triangles that are seen edge-on (FPU_PERP_VAL).
    PerpCull perp_cull: Low, "no source has the formula and no implementation models it" {
        /// FPU_PERP_VAL has no effect.
        Off = "off",
        /// A triangle is dropped if twice its area is below FPU_PERP_VAL times its longest edge squared: a
        /// guess at what "perpendicular" may mean.
        On = "on",
    }

    /// Float arithmetic of interpolation.
    FpModel fp_model: Low, "refsw2; the silicon is not known to follow either" {
        /// IEEE single precision, rounded to nearest.
        IeeeF32 = "ieee_f32",
        /// Results cut off towards zero, denormals zero (polly2, which economises on FPGA cells).
        Truncating = "truncating",
    }

    /// How the mip level is found.
    MipLevel mip_level: Low,
        "the simulator of the PowerVR Series 1, the parent design; refsw2 says of itself that it is not \
        exact" {
        /// One coefficient a polygon times W squared.
        Series1 = "series1",
        /// Logarithm of the smaller sum of derivatives at the pixel.
        Refsw2A = "refsw2_a",
        /// The same one level smaller.
        Refsw2B = "refsw2_b",
    }

    /// What the Dcalc bit of the ISP word does.
    Dcalc dcalc: Low, "all public implementations; recalled: more exact near small or edge polygons" {
        /// Nothing.
        Ignore = "ignore",
        /// The step of texture coordinates is worked out at each pixel instead of once a polygon.
        Exact = "exact",
    }

    /// Weights of the two passes of trilinear filtering of a texture with mip levels. Without levels both
    /// passes are whole.
    Trilinear trilinear: Low,
        "GLdc, developed on consoles, draws with pass B only; a game is too light if both passes are whole; \
         weights of the PowerVR Series 1" {
        /// As `d_fraction`, but a pass B with a destination factor other than ONE is whole, of level n.
        LonePass = "lone_pass",
        /// Pass A draws level n times 1 - f, pass B level n + 1 times f, f being the fraction of the mip
        /// level in 1/32.
        DFraction = "d_fraction",
        /// f is the low two bits of the D adjust field over 4 (flycast).
        AdjustBits = "adjust_bits",
    }

    /// Blend factors of opaque polygons.
    OpaqueBlend opaque_blend: Medium,
        "flycast commit 88fd2641d: games miss polygons unless the first pass replaces, two others need later \
         passes to blend" {
        /// In the first pass over a tile opaque polygons and the background replace the pixel, as with ONE
        /// and ZERO. Later passes blend as the polygon says.
        FirstPassReplaces = "first_pass_replaces",
        /// As the polygon says, in all passes (refsw2).
        AsGiven = "as_given",
    }

    /// The super-sample bit of the TSP word.
    Supersample supersample: Low, "all public implementations" {
        /// No effect, with a warning.
        Ignore = "ignore",
        /// The mean of four texture samples, a quarter of a pixel away in x and y: what the bit's name says.
        Average = "average",
    }

    /// Where fog table mode 2 puts its colour.
    FogMode2Stage fog_mode2_stage: Low, "refsw2, whose fog was never compared with hardware" {
        /// It replaces the combined colour.
        AfterCombine = "after_combine",
        /// It replaces the vertex colour, before the texture is combined: the other reading of the manual.
        BeforeCombine = "before_combine",
    }

    /// How an 8-bit weight scales in fog, blending and combining.
    WeightScale weight_scale: Low,
        "refsw2; KallistiOS's fb_tex says that a vertex colour of 255 darkens a texture by 255/256" {
        /// `f + (f >> 7)`, so that 255 means 1.
        Scaled256 = "256",
        /// The raw byte over 256 (polly2).
        Raw = "raw",
    }

    /// How four texels are summed; the difference is one step of a channel.
    BilinearSum bilinear_sum: Low, "refsw2" {
        /// One sum of products over 65536, weights of 0 to 256.
        OneSum = "one_sum",
        /// Two horizontal and one vertical interpolation with raw 8-bit weights (polly2).
        TwoLerps = "two_lerps",
    }

    /// Where a bump map's intensity goes.
    BumpStage bump_stage: Medium, "KallistiOS's bumpmap shows relief only so" {
        /// It is the texel's alpha, to be combined with the base colour (flycast).
        AsTexel = "as_texel",
        /// It is the combined colour (refsw2).
        ReplacesCombiner = "replaces_combiner",
    }

    /// What an intensity volume darkens; the choices differ with decal shading and fog.
    CheapShadowStage cheap_shadow_stage: Low, "refsw2" {
        /// Base colour (with alpha) and offset colour before they are combined.
        Inputs = "inputs",
        /// Red, green and blue of the finished colour, after fog (flycast).
        Final = "final",
    }

    /// Ordered dither matrix, used only when FB_W_CTRL bit 3 is set.
    DitherMatrix dither_matrix: Medium,
        "flycast commit 27f19a5b names it the chip's kernel; with it a homebrew's screen melt looks as on a \
         console" {
        /// Bayer, first row 5 13 7 15 (flycast).
        Flycast = "flycast",
        /// Bayer, first row 0 8 2 10: the other turned by 180 degrees (refsw2).
        Refsw2 = "refsw2",
    }

    /// Reduction to fewer bits without dither.
    FbRound fb_round: Low, "refsw before 2025" {
        /// Cut off.
        Truncate = "truncate",
        /// To nearest.
        Round = "round",
        /// To nearest when writing through the 64-bit area (a texture), else cut off (flycast).
        RoundForTexture = "round_for_texture",
    }

    /// How the output scaler filters.
    ScalerFilter scaler_filter: Low,
        "inferred from the usual value 0x8040 of Y_COEFF; no implementation has it" {
        /// Half width: the mean of two pixels. Other vertical factors than 1: three lines weighted by
        /// Y_COEFF's coefficients 0, 1, 0, over 256.
        YCoeff = "y_coeff",
        /// One pixel is taken.
        Nearest = "nearest",
    }

    /// Which bits of FB_R_CTRL's concat field go below six-bit green.
    FbConcatGreen fb_concat_green: Low, "none; three bits must fit a gap of two" {
        /// Its high two.
        High = "high",
        /// Its low two.
        Low = "low",
    }

    /// Which alpha the punch-through test reads.
    PtAlphaSource pt_alpha_source: Low, "refsw2" {
        /// Of the finished pixel.
        Shaded = "shaded",
        /// Of the texture (what Deecy saw one game need).
        Texture = "texture",
    }

    /// Depth comparison of punch-through polygons.
    PtDepth pt_depth: Low, "refsw2" {
        /// Greater or equal, whatever the polygon says.
        ForceGreaterEqual = "force_ge",
        /// The polygon's own mode, against the opaque depth (polly2).
        OwnMode = "own_mode",
    }

    /// Modifier volumes of translucent polygons that are presorted.
    PresortModvol presort_modvol: Low, "refsw2" {
        /// Without effect.
        Ignore = "ignore",
        /// Held against each polygon's depth, as for sorted ones.
        PerList = "per_list",
    }

    /// Pixels that no triangle of a volume touched, when "outside last" closes it.
    OutsideUntouched outside_untouched: Low, "refsw2" {
        /// They keep their area.
        Keep = "keep",
        /// They are outside, so they end in area 0: the words of the instruction.
        Clear = "clear",
    }

    parts:
    /// Texture decoding.
    texture: TextureSettings;

    presets PRESETS;
}
