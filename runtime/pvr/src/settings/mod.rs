//! Doubtful hardware behaviour, one named switch each (`docs/hardware/pvr2.md`, "Switches").
//!
//! The default is the best evidence there is; each switch says what that is and how good. Switches can be
//! listed ([`Settings::switches`]) and set by name ([`Settings::set`]); [`PRESETS`] sets them together.

mod switch;
mod table;

pub(crate) use switch::switches;
pub use switch::{Choice, Confidence, Switch};
pub use table::{
    BilinearSum, BumpStage, CheapShadowStage, Dcalc, DepthStore, DitherMatrix, EndWithoutList, FbConcatGreen,
    FbDisabled, FbRound, FillRule, FogMode2Stage, FpModel, MidStripGlobal, MipLevel, ModvolLastUnion,
    OpaqueBlend, OutsideUntouched, OverflowSize, PerpCull, PresortModvol, PtAlphaSource, PtDepth,
    ScalerFilter, Settings, SortDmaZero, Supersample, TexelOffset, Trilinear, UserClipGroup, UserClipTiming,
    WeightScale, YuvRestart,
};

/// Why a switch cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such switch.
    #[error("no switch '{name}', expected one of {known}")]
    Switch {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The switch has no such choice.
    #[error("{switch} has no choice '{name}', expected one of {known}")]
    Choice {
        /// The switch.
        switch: &'static str,
        /// The name that was given.
        name: String,
        /// The choices that there are.
        known: String,
    },
    /// There is no such preset.
    #[error("no preset '{name}', expected one of {known}")]
    Preset {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: String,
    },
}

/// Switches set together.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Whose opinion it is.
    pub about: &'static str,
    /// Names of switches and choices; the others keep their defaults.
    pub choices: &'static [(&'static str, &'static str)],
}

/// Public implementations as far as their opinions are known (`docs/hardware/pvr2.md`, "Sources").
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

impl Settings {
    /// All switches.
    pub fn switches() -> impl Iterator<Item = &'static Switch> {
        table::SWITCHES.iter().chain(crate::texture::SWITCHES)
    }

    /// Sets a switch by the names of [`Switch`] and [`Choice`].
    ///
    /// # Errors
    /// [`SettingError`] with the names that there are.
    pub fn set(&mut self, name: &str, choice: &str) -> Result<(), SettingError> {
        let switch = Self::switches().find(|switch| switch.name == name);
        let switch = switch.ok_or_else(|| SettingError::Switch {
            name: name.to_owned(),
            known: join(Self::switches().map(|switch| switch.name)),
        })?;
        let at = switch.choices.iter().position(|known| known.name == choice);
        let at = at.ok_or_else(|| SettingError::Choice {
            switch: switch.name,
            name: choice.to_owned(),
            known: join(switch.choices.iter().map(|known| known.name)),
        })?;
        (switch.set)(self, at);
        Ok(())
    }

    /// The settings of one of [`PRESETS`], or of `default`.
    ///
    /// # Errors
    /// [`SettingError::Preset`] with the names that there are.
    pub fn preset(name: &str) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        let preset = PRESETS.iter().find(|preset| preset.name == name);
        match preset {
            Some(preset) => preset
                .choices
                .iter()
                .try_for_each(|(name, choice)| settings.set(name, choice))?,
            None if name == "default" => {}
            None => {
                let names = PRESETS.iter().map(|preset| preset.name);
                return Err(SettingError::Preset {
                    name: name.to_owned(),
                    known: join(names.chain(["default"])),
                });
            }
        }
        Ok(settings)
    }
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_can_be_set_and_read_back() {
        let mut names = Vec::new();
        for switch in Settings::switches() {
            names.push(switch.name);
            assert_eq!(switch.choice(&Settings::default()), &switch.choices[0]);
            assert!(!switch.about.is_empty() && !switch.evidence.is_empty());
            for choice in switch.choices {
                let mut settings = Settings::default();
                settings.set(switch.name, choice.name).unwrap();
                assert_eq!(switch.choice(&settings), choice);
                // Nothing else has changed.
                let others = Settings::switches().filter(|other| other.name != switch.name);
                for other in others {
                    assert_eq!(other.choice(&settings), &other.choices[0]);
                }
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "names are unique");
    }

    #[test]
    fn presets_name_switches_that_there_are() {
        for preset in PRESETS {
            assert_ne!(Settings::preset(preset.name).unwrap(), Settings::default());
        }
        assert_eq!(Settings::preset("default").unwrap(), Settings::default());
        let error = Settings::preset("x").unwrap_err().to_string();
        assert_eq!(error, "no preset 'x', expected one of refsw2, flycast, default");
        let error = Settings::default().set("fill_rule", "x").unwrap_err().to_string();
        assert_eq!(
            error,
            "fill_rule has no choice 'x', expected one of top_left, top_left_raw, inclusive"
        );
        assert!(Settings::default().set("x", "y").is_err());
    }
}
