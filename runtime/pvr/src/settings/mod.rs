//! Settings for uncertain hardware behaviour (`docs/hardware/pvr2.md`, "Switches").
//!
//! The default has the best evidence; each setting states it and its confidence. [`Table::rows`] lists the
//! settings, [`Table::set`] sets one by name, and [`Table::set_preset`] applies a preset.

mod table;
mod texture;

pub use settings::{Error, Preset, Setting, Table};
pub use table::{
    BilinearSum, BumpStage, CheapShadowStage, Dcalc, DepthStore, DitherMatrix, EndWithoutList, FbConcatGreen,
    FbDisabled, FbRound, FillRule, FogMode2Stage, FpModel, MidStripGlobal, MipLevel, ModvolLastUnion,
    OpaqueBlend, OutsideUntouched, OverflowSize, PerpCull, PresortModvol, PtAlphaSource, PtDepth,
    ScalerFilter, Settings, SortDmaZero, Supersample, TexelOffset, Trilinear, UserClipGroup, UserClipTiming,
    WeightScale, YuvRestart,
};
pub use texture::{LinearExpand, TextureSettings, VqPalette};

/// Public implementations, as far as their choices are known (`docs/hardware/pvr2.md`, "Sources").
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "refsw2",
        about: "refsw2 of October 2025 (which dithers always and has neither scaler nor trilinear filter)",
        choices: &[
            ("bump_stage", "replaces_combiner"),
            ("dither_matrix", "refsw2"),
            ("fill_rule", "top_left_raw"),
            ("linear_expand", "zero"),
            ("mip_level", "refsw2_a"),
            ("opaque_blend", "as_given"),
            ("texel_offset", "refsw2_2025"),
        ],
    },
    Preset {
        name: "flycast",
        about: "flycast of August 2026, as far as a renderer on a GPU can be followed",
        choices: &[
            ("ta_user_clip", "own"),
            ("texel_offset", "gl_centre"),
            ("trilinear", "adjust_bits"),
            ("cheap_shadow_stage", "final"),
            ("fb_round", "round_for_texture"),
            ("linear_expand", "replicate"),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_name_settings_that_there_are() {
        for preset in PRESETS {
            let mut settings = Settings::default();
            settings.set_preset(preset.name).unwrap();
            assert_eq!(settings.changed().len(), preset.choices.len(), "{}", preset.name);
        }
        let error = Settings::default().set_preset("x").unwrap_err().to_string();
        assert_eq!(error, "no preset 'x', expected one of refsw2, flycast, default");
    }

    #[test]
    fn a_part_is_set_by_name() {
        let mut settings = Settings::default();
        settings.set("linear_expand", "zero").unwrap();
        assert_eq!(settings.texture.linear_expand, LinearExpand::Zero);
        assert_eq!(settings.changed(), ["linear_expand=zero"]);
    }
}
