//! Table of the settings (`docs/hardware/pvr2.md`, "Switches"). Each setting is one row.

use super::{PRESETS, TextureSettings};

settings::settings! {
    /// All settings. `Settings::default()` is the best-known chip.
    pub struct Settings;

    choices:

    /// Time at which an object is compared with the user tile clip.
    UserClipTiming ta_user_clip: Medium,
        "all twelve recorded vectors of user clip; no other implementation does it" {
        /// Stored by its own polygon's mode, binned by the mode and rectangle in force when the next object
        /// is stored, the next polygon parameter is read or the list ends.
        Late = "late",
        /// Like `late`, but a user clip parameter first bins the waiting object by the old rectangle.
        LateMode = "late_mode",
        /// Stored and binned by its own polygon's mode.
        Own = "own",
    }

    /// Dependence of PCW bits 17:16 on the group-enable bit 23.
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
        /// No effect.
        Ignore = "ignore",
    }

    /// Input of the YUV converter after the last macroblock of a texture.
    YuvRestart yuv_restart: Low, "flycast" {
        /// A texture begins again at TA_YUV_TEX_BASE.
        NextInput = "next_input",
        /// Input is dropped until TA_YUV_TEX_BASE is written.
        TexBase = "tex_base",
    }

    /// Number of blocks in a sort DMA chunk of size 0.
    SortDmaZero sort_dma_zero: Low, "flycast; the size is eight bits and no chunk can be empty" {
        /// 256.
        All = "256",
        /// None.
        Nothing = "none",
    }

    /// Displayed colour while the framebuffer is switched off (FB_R_CTRL bit 0).
    FbDisabled fb_disabled: Low, "a guess: the output has no other colour then" {
        /// The border colour.
        Border = "border",
        /// Black inside the border.
        Black = "black",
    }

    /// Tiles that list the closing triangles of a modifier volume.
    ModvolLastUnion modvol_last_union: Low, "minicast; no vector spans two tiles" {
        /// Every tile in the bounding box of the whole volume.
        On = "on",
        /// Only the tiles of the closing triangles (lxdream).
        Off = "off",
    }

    /// Offset of texture coordinates, in 1/256 texel.
    TexelOffset texel_offset: Medium,
        "the register's name; GL centres look right in flycast and Deecy; KallistiOS's fb_tex needs some" {
        /// When HALF_OFFSET bit 2 is set, -128 for filters and -127 for point sampling, which keeps sprites
        /// of the texture's size off the texel borders. 0 when clear.
        HalfTexel = "half_texel",
        /// +127 when HALF_OFFSET bit 2 is clear, 0 when set (refsw2 of October 2025).
        Refsw2025 = "refsw2_2025",
        /// -127 when HALF_OFFSET bit 2 is set, 0 when clear (refsw 2020 to 2024).
        Refsw2020 = "refsw_2020",
        /// Always 0 (polly2).
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
        /// Like `top_left`, but by the vertex order, as if all triangles had the same winding (refsw2).
        TopLeftRaw = "top_left_raw",
        /// Drawn on every edge (minicast).
        Inclusive = "inclusive",
    }

    /// Format of the depth buffer.
    DepthStore depth_store: Low, "refsw2, where the masking is commented out" {
        /// A 32-bit float.
        F32 = "f32",
        /// A 19-bit mantissa and no sign; negative depth is 0 (the format of ISP_BACKGND_D).
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

    /// Computation of the mip level.
    MipLevel mip_level: Low,
        "the simulator of the PowerVR Series 1, the parent design; refsw2 says of itself that it is not \
        exact" {
        /// One coefficient a polygon times W squared.
        Series1 = "series1",
        /// Logarithm of the smaller sum of derivatives at the pixel.
        Refsw2A = "refsw2_a",
        /// Like `refsw2_a`, but one level smaller.
        Refsw2B = "refsw2_b",
    }

    /// Effect of the Dcalc bit of the ISP word.
    Dcalc dcalc: Low, "all public implementations; recalled: more exact near small or edge polygons" {
        /// No effect.
        Ignore = "ignore",
        /// The step of texture coordinates is computed at each pixel instead of once per polygon.
        Exact = "exact",
    }

    /// Weights of the two passes of trilinear filtering of a texture with mip levels. Without levels both
    /// passes are whole.
    Trilinear trilinear: Low,
        "GLdc, developed on consoles, draws with pass B only; a game is too light if both passes are whole; \
         weights of the PowerVR Series 1" {
        /// Like `d_fraction`, but a pass B with a destination factor other than ONE draws level n with weight
        /// 1.
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
        /// The polygon's own factors in all passes (refsw2).
        AsGiven = "as_given",
    }

    /// The super-sample bit of the TSP word.
    Supersample supersample: Low, "all public implementations" {
        /// No effect, with a warning.
        Ignore = "ignore",
        /// The mean of four texture samples, a quarter of a pixel away in x and y, as the bit's name
        /// suggests.
        Average = "average",
    }

    /// Colour that fog table mode 2 replaces.
    FogMode2Stage fog_mode2_stage: Low, "refsw2, whose fog was never compared with hardware" {
        /// The combined colour.
        AfterCombine = "after_combine",
        /// The vertex colour before combining with the texture, the other reading of the manual.
        BeforeCombine = "before_combine",
    }

    /// Scale of 8-bit weights in fog, blending and combining.
    WeightScale weight_scale: Low,
        "refsw2; KallistiOS's fb_tex says that a vertex colour of 255 darkens a texture by 255/256" {
        /// `f + (f >> 7)`, so that 255 means 1.
        Scaled256 = "256",
        /// The raw byte over 256 (polly2).
        Raw = "raw",
    }

    /// Sum of four texels; the choices differ by one step of a channel.
    BilinearSum bilinear_sum: Low, "refsw2" {
        /// One sum of products over 65536, weights of 0 to 256.
        OneSum = "one_sum",
        /// Two horizontal and one vertical interpolation with raw 8-bit weights (polly2).
        TwoLerps = "two_lerps",
    }

    /// Use of a bump map's intensity.
    BumpStage bump_stage: Medium, "KallistiOS's bumpmap shows relief only so" {
        /// Alpha of the texel, which is then combined with the base colour (flycast).
        AsTexel = "as_texel",
        /// The combined colour (refsw2).
        ReplacesCombiner = "replaces_combiner",
    }

    /// Colours that an intensity volume darkens; the choices differ with decal shading and fog.
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

    /// Filter of the output scaler.
    ScalerFilter scaler_filter: Low,
        "inferred from the usual value 0x8040 of Y_COEFF; no implementation has it" {
        /// Half width: the mean of two pixels. Other vertical factors than 1: three lines weighted by
        /// Y_COEFF's coefficients 0, 1, 0, over 256.
        YCoeff = "y_coeff",
        /// One pixel is taken.
        Nearest = "nearest",
    }

    /// Bits of FB_R_CTRL's concat field that extend six-bit green.
    FbConcatGreen fb_concat_green: Low, "none; three bits must fit a gap of two" {
        /// The high two bits.
        High = "high",
        /// The low two bits.
        Low = "low",
    }

    /// Alpha of the punch-through test.
    PtAlphaSource pt_alpha_source: Low, "refsw2" {
        /// Alpha of the finished pixel.
        Shaded = "shaded",
        /// Alpha of the texture (Deecy reports one game that needs it).
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
        /// Compared with each polygon's depth, as for autosort.
        PerList = "per_list",
    }

    /// Pixels that no triangle of a volume touched, when "outside last" closes it.
    OutsideUntouched outside_untouched: Low, "refsw2" {
        /// They keep their area.
        Keep = "keep",
        /// They are outside and end in area 0, as the name of the instruction suggests.
        Clear = "clear",
    }

    parts:
    /// Texture decoding.
    texture: TextureSettings;

    presets PRESETS;
}
