//! Play settings: every doubtful rule of drawing and playing by name.
//!
//! Where the specification is explicit, its reading is the default (preset `seed`). Where the original
//! library is known to differ, its behaviour is a choice (preset `original`). [`Settings::switches`] lists
//! all of them.

mod shadows;
mod switch;
mod table;

pub use shadows::{ColourMode, Shadows};
pub use switch::{PlayChoice, PlaySwitch};
pub use table::{
    BitsChunks, EntryBurst, EventRate, Highlight, IdleStream, MotionBreak, MotionOrder, PunchThrough,
    QuadForm, RepeatSpan, SplineAngles, StampLength, StampRule, TimeRepeat, Trilinear, VolumeLists,
    VolumeQuads, Volumes,
};

use pvr::ListType;

/// How models and cell sprites are played and drawn. The default is [`Settings::seed`].
///
/// ```
/// use scene::{IdleStream, Settings};
///
/// let mut settings = Settings::preset("original")?;
/// assert_eq!(settings.streams.idle, IdleStream::Restores);
/// settings.set("idle-stream", "keeps")?;
/// assert_eq!(settings.streams.idle, IdleStream::Keeps);
/// let error = settings.set("idle-stream", "waits").unwrap_err();
/// assert_eq!(error.to_string(), "idle-stream has no choice 'waits', expected one of keeps, restores");
/// # Ok::<(), scene::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// See [`Highlight`].
    pub highlight: Highlight,
    /// See [`BitsChunks`].
    pub bits: BitsChunks,
    /// See [`Volumes`].
    pub volumes: Volumes,
    /// See [`VolumeQuads`].
    pub volume_quads: VolumeQuads,
    /// See [`VolumeLists`].
    pub volume_lists: VolumeLists,
    /// See [`Trilinear`].
    pub trilinear: Trilinear,
    /// See [`SplineAngles`].
    pub spline_angles: SplineAngles,
    /// See [`MotionBreak`].
    pub motion_break: MotionBreak,
    /// See [`MotionOrder`].
    pub motion_order: MotionOrder,
    /// How cell streams are played.
    pub streams: StreamSettings,
    /// How cells are drawn.
    pub cells: CellSettings,
    /// The effect of modifier volumes on the polygons inside them.
    pub shadows: Shadows,
    /// How colours of lit strips are sent.
    pub colours: ColourMode,
    /// Leave out models whose bounding sphere is out of sight. The runtime culls only where the picture stays
    /// the same. Nodes with the CLIP flag are culled with their children whatever this says.
    pub cull: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            highlight: Highlight::default(),
            bits: BitsChunks::default(),
            volumes: Volumes::default(),
            volume_quads: VolumeQuads::default(),
            volume_lists: VolumeLists::default(),
            trilinear: Trilinear::default(),
            spline_angles: SplineAngles::default(),
            motion_break: MotionBreak::default(),
            motion_order: MotionOrder::default(),
            streams: StreamSettings::default(),
            cells: CellSettings::default(),
            shadows: Shadows::default(),
            colours: ColourMode::default(),
            cull: true,
        }
    }
}

/// How cell streams are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSettings {
    /// See [`StampRule`].
    pub stamps: StampRule,
    /// See [`IdleStream`].
    pub idle: IdleStream,
    /// See [`StampLength`].
    pub length: StampLength,
    /// See [`EventRate`].
    pub events: EventRate,
    /// See [`TimeRepeat`].
    pub repeat: TimeRepeat,
    /// See [`RepeatSpan`].
    pub span: RepeatSpan,
    /// See [`EntryBurst`].
    pub entry_burst: EntryBurst,
}

/// How cells are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSettings {
    /// See [`PunchThrough`].
    pub punch_through: PunchThrough,
    /// See [`QuadForm`].
    pub form: QuadForm,
    /// Texture filter. Cells have no flag for it, the original library takes it from its state. Default:
    /// bilinear.
    pub filter: pvr::Filter,
}

impl Default for CellSettings {
    fn default() -> Self {
        Self {
            punch_through: PunchThrough::default(),
            form: QuadForm::default(),
            filter: pvr::Filter::Bilinear,
        }
    }
}

impl VolumeLists {
    pub(crate) fn lists(self) -> &'static [ListType] {
        match self {
            Self::Both => &[ListType::OpaqueModifier, ListType::TranslucentModifier],
            Self::Opaque => &[ListType::OpaqueModifier],
        }
    }
}

/// The presets by name, with what each follows. The first is the default.
pub const PRESETS: [(&str, &str); 2] = [
    (
        "seed",
        "the specification's reading; the original library's where the specification is silent",
    ),
    (
        "original",
        "the original library's behaviour, as far as it is known",
    ),
];

/// Why a play switch cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No switch has the name.
    #[error("no play switch '{name}', expected one of {known}")]
    Switch {
        /// The name found.
        name: String,
        /// All names.
        known: String,
    },
    /// The switch has no such choice.
    #[error("{switch} has no choice '{name}', expected one of {known}")]
    Choice {
        /// The switch.
        switch: &'static str,
        /// The name found.
        name: String,
        /// All its choices.
        known: String,
    },
    /// No preset has the name.
    #[error("no preset '{name}', expected one of {known}")]
    Preset {
        /// The name found.
        name: String,
        /// All presets.
        known: String,
    },
}

impl Settings {
    /// All switches.
    pub fn switches() -> impl Iterator<Item = &'static PlaySwitch> {
        table::SWITCHES.iter()
    }

    /// The specification's choices: the default.
    pub fn seed() -> Self {
        Self::default()
    }

    /// The original library's choices.
    pub fn original() -> Self {
        let mut settings = Self::default();
        for switch in Self::switches() {
            (switch.set)(&mut settings, switch.original);
        }
        settings
    }

    /// The settings of one of [`PRESETS`].
    ///
    /// # Errors
    /// [`SettingError::Preset`] with all names.
    pub fn preset(name: &str) -> Result<Self, SettingError> {
        match name {
            "seed" => Ok(Self::seed()),
            "original" => Ok(Self::original()),
            _ => Err(SettingError::Preset {
                name: name.to_owned(),
                known: join(PRESETS.iter().map(|(name, _)| *name)),
            }),
        }
    }

    /// Sets a switch by the names of [`PlaySwitch`] and [`PlayChoice`].
    ///
    /// # Errors
    /// [`SettingError`] with all names.
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
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_can_be_set_and_read_back() {
        let mut names: Vec<&str> = Settings::switches().map(|switch| switch.name).collect();
        for switch in Settings::switches() {
            assert_eq!(switch.choice(&Settings::seed()), switch.seed());
            assert_eq!(switch.choice(&Settings::original()), switch.original());
            assert!(!switch.section.is_empty() && !switch.evidence.is_empty());
            for choice in switch.choices {
                let mut settings = Settings::seed();
                settings.set(switch.name, choice.name).unwrap();
                assert_eq!(switch.choice(&settings), choice);
                let others = Settings::switches().filter(|other| other.name != switch.name);
                for other in others {
                    assert_eq!(other.choice(&settings), other.seed(), "{}", switch.name);
                }
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "each name stands once");
    }

    /// The rows on which the specification and the original library disagree.
    #[test]
    fn the_presets_differ_in_these_switches() {
        let differ = Settings::switches().filter(|switch| switch.seed() != switch.original());
        let names: Vec<&str> = differ.map(|switch| switch.name).collect();
        assert_eq!(
            names,
            [
                "bits",
                "spline-angles",
                "motion-break",
                "motion-order",
                "stamps",
                "idle-stream",
                "stamp-length",
                "events",
                "time-repeat",
                "repeat-span",
                "entry-burst",
                "punch-through"
            ]
        );
    }

    #[test]
    fn the_page_of_presets_has_each_rule() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/presets.md");
        let page = std::fs::read_to_string(page).unwrap();
        for switch in Settings::switches() {
            let (seed, original) = (switch.seed(), switch.original());
            let other = match seed == original {
                true => "the same".to_owned(),
                false => format!("`{}`", original.name),
            };
            let start = format!("| `{}` |", switch.name);
            let end = format!("| `{}` | {other} |", seed.name);
            let row = page.lines().find(|line| line.starts_with(&start));
            assert!(row.is_some_and(|row| row.ends_with(&end)), "{start}: {row:?}");
        }
    }

    #[test]
    fn wrong_names_list_the_right_ones() {
        let error = Settings::preset("ninja").unwrap_err().to_string();
        assert_eq!(error, "no preset 'ninja', expected one of seed, original");
        assert!(Settings::default().set("x", "y").is_err());
    }
}
