//! Warns of options without effect on an input.

use super::options::RenderOptions;
use super::scenes;
use crate::effects::GivenOptions;
use crate::setting_options::PlayOptions;
use clap::ArgMatches;
use player::Moves;

/// Properties of an input that decide which options have an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputKind {
    /// Set if a cell sprite is drawn.
    pub(crate) has_sprite: bool,
    /// Set if a model is drawn.
    pub(crate) has_model: bool,
    /// Set if the model comes from a scene.
    pub(crate) is_scene: bool,
    /// Set if the sprite is in the space of the model.
    pub(crate) in_space: bool,
    /// Set if a motion, shape motion, camera motion, light motion or sprite motion plays.
    pub(crate) has_motion: bool,
    /// Set if the output is an animation.
    pub(crate) is_animation: bool,
}

type HasEffect = fn(InputKind) -> bool;

/// Options, and a function that returns whether they have an effect on an input.
const EFFECTS: [(&[&str], HasEffect); 7] = [
    (&scenes::IDS, |kind| kind.is_scene),
    (
        &[
            "shape",
            "camera",
            "light_motion",
            "lamp",
            "ambient",
            "ambient_light",
            "light",
            "draw",
        ],
        |kind| kind.has_model,
    ),
    (&["yaw", "pitch", "distance"], |kind| {
        kind.has_model || kind.in_space
    }),
    (&MOVEMENT, |kind| kind.has_motion),
    (&["cells", "cell_space"], |kind| kind.has_sprite),
    (
        &[
            "motion",
            "link",
            "share",
            "textures",
            "palette",
            "frame",
            "frames",
            "play",
            "size",
            "background",
            "kernels",
            "cycles",
        ],
        |kind| kind.has_model || kind.has_sprite,
    ),
    (&["fps"], |kind| kind.is_animation),
];

/// Options that have an effect only if a motion plays.
const MOVEMENT: [&str; 1] = ["last_key"];

impl InputKind {
    /// Warns of options without effect on this kind of input.
    pub(crate) fn warn(self, matches: &ArgMatches, render: &RenderOptions) {
        let RenderOptions { drawing, play, .. } = render;
        let given = GivenOptions(matches);
        let on = format!("on {}", self.name());
        for (ids, has_effect) in EFFECTS {
            given.warn(!has_effect(self), ids, &on);
        }
        if !self.is_scene && self.has_model && drawing.has_scene_ambient() {
            eprintln!(
                "swirl: warning: --ambient has no effect {on}: auto, file and diffuse need a scene, expected \
                RRGGBB"
            );
        }
        if !self.has_model && !self.has_sprite && play.has_rules() {
            eprintln!("swirl: warning: settings of the group play have no effect {on}");
        }
    }

    /// Warns of options without effect on an input that does not move.
    pub(crate) fn warn_still(self, matches: &ArgMatches, play: &PlayOptions, moves: Moves) {
        let given = GivenOptions(matches);
        let on = |why: &str| format!("on {}: {why}", self.name());
        given.warn(!moves.anything, &["frame", "frames"], &on("no part moves"));
        given.warn(
            self.has_motion && !moves.by_keys,
            &MOVEMENT,
            &on("no motion plays"),
        );
        given.warn(
            play.has_mode() && !moves.by_keys,
            &["play"],
            &on("no motion plays"),
        );
    }

    fn name(self) -> &'static str {
        match self {
            Self { has_model: true, .. } => "this model",
            Self {
                has_sprite: true,
                in_space: true,
                ..
            } => "a cell sprite in space",
            Self { has_sprite: true, .. } => "a cell sprite on the screen",
            _ => "a scene for the PowerVR2",
        }
    }
}
