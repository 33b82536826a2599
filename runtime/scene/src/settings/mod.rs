//! Settings for every uncertain rule of drawing and playing.
//!
//! The default follows the specification where it is explicit (preset `seed`). Where the original library is
//! known to differ, its behaviour is a choice (preset `original`). [`Table::rows`] lists all settings.

mod shadows;
mod table;

pub use settings::{Error as SettingError, Preset, Table};
pub use shadows::{ColourMode, Shadows};
pub use table::{
    BitsChunks, CellSettings, EntryBurst, EventRate, Highlight, IdleStream, MotionBreak, MotionOrder,
    PunchThrough, QuadForm, RepeatSpan, Settings, SplineAngles, StampLength, StampRule, StreamSettings,
    TimeRepeat, Trilinear, VolumeLists, VolumeQuads, Volumes,
};

use pvr::ListType;

impl VolumeLists {
    pub(crate) fn lists(self) -> &'static [ListType] {
        match self {
            Self::Both => &[ListType::OpaqueModifier, ListType::TranslucentModifier],
            Self::Opaque => &[ListType::OpaqueModifier],
        }
    }
}

/// Presets. The first is the default.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "seed",
        about: "the specification's reading; the original library's where the specification is silent",
        choices: &[],
    },
    Preset {
        name: "original",
        about: "the original library's behaviour, as far as it is known",
        choices: &[
            ("bits", "skipped"),
            ("spline-angles", "linear"),
            ("motion-break", "ignored"),
            ("motion-order", "root"),
            ("stamps", "held"),
            ("idle-stream", "restores"),
            ("stamp-length", "counted"),
            ("events", "every-step"),
            ("time-repeat", "stamp"),
            ("repeat-span", "after"),
            ("entry-burst", "buffer"),
            ("punch-through", "ignored"),
        ],
    },
];

impl Settings {
    /// Returns the original library's choices.
    pub fn original() -> Self {
        let mut settings = Self::default();
        // A test sets every preset.
        let _ = settings.set_preset("original");
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_name_settings_that_there_are() {
        for preset in PRESETS {
            let mut settings = Settings::original();
            settings.set_preset(preset.name).unwrap();
            assert_eq!(settings.changed().len(), preset.choices.len(), "{}", preset.name);
        }
    }

    #[test]
    fn the_page_of_presets_has_each_rule() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/presets.md");
        let page = std::fs::read_to_string(page).unwrap();
        let original = Settings::original();
        for row in Settings::default().rows() {
            let seed = row.text(row.default);
            let other = match original.text(&row) {
                same if same == seed => "the same".to_owned(),
                other => format!("`{other}`"),
            };
            let start = format!("| `{}` |", row.name);
            let end = format!("| `{seed}` | {other} |");
            let line = page.lines().find(|line| line.starts_with(&start));
            assert!(line.is_some_and(|line| line.ends_with(&end)), "{start}: {line:?}");
        }
    }
}
