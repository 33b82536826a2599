//! Options that have no effect on an input: naming one is a usage error.

use crate::effects::GivenOptions;
use crate::setting_options::PlayOptions;
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use player::Moves;
use scene::StampRule;
use std::path::Path;

/// Rules of cell sprites and their streams.
const CELL_SETTINGS: [&str; 9] = [
    "stamps",
    "idle-stream",
    "stamp-length",
    "events",
    "time-repeat",
    "repeat-span",
    "entry-burst",
    "punch-through",
    "cell-form",
];

/// What an input is, as far as options go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputKind {
    /// A cell sprite is drawn.
    pub(crate) has_sprite: bool,
    /// A model is drawn.
    pub(crate) has_model: bool,
    /// The sprite stands in the space of the model.
    pub(crate) in_space: bool,
    /// A motion, a shape motion, a camera, a light or a sprite's motion plays.
    pub(crate) has_motion: bool,
    /// The output is an animation.
    pub(crate) is_animation: bool,
}

type HasEffect = fn(InputKind) -> bool;

/// Options, and the inputs on which they have an effect.
const EFFECTS: [(&[&str], HasEffect); 6] = [
    (
        &[
            "shape",
            "camera",
            "light_motion",
            "lamp",
            "ambient",
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

/// Options that have a meaning only where something moves.
const MOVEMENT: [&str; 1] = ["last_key"];

impl InputKind {
    /// Rules of playing that are about something else.
    fn check_settings(self, play: &PlayOptions) -> Result<()> {
        for name in play.names() {
            let applies = match name {
                "spline-angles" => self.has_motion,
                name if CELL_SETTINGS.contains(&name) => self.has_sprite,
                _ => self.has_model,
            };
            if !applies {
                bail!("--play {name} has no effect on {}", self.name());
            }
        }
        let streams = play.settings()?.streams;
        let waits = play
            .names()
            .into_iter()
            .find(|name| ["idle-stream", "events"].contains(name));
        if let Some(name) = waits.filter(|_| streams.stamps == StampRule::Reached) {
            bail!("--play {name} has no effect where stamps is reached; add --play stamps=held");
        }
        Ok(())
    }

    /// The same once the files are read: where nothing moves for even one frame.
    ///
    /// # Errors
    /// If the command line holds an option about what moves.
    pub(crate) fn check_length(self, matches: &ArgMatches, play: &PlayOptions, moves: Moves) -> Result<()> {
        let given = GivenOptions(matches);
        let still = format!("on {}: nothing moves", self.name());
        given.refuse(!moves.anything, &["frame", "frames"], &still)?;
        let motionless = format!("on {}: no motion plays", self.name());
        given.refuse(!moves.by_keys, &MOVEMENT, &motionless)?;
        if play.names().contains(&"spline-angles") && !moves.has_spline_angles {
            bail!(
                "--play spline-angles has no effect on {}: no spline moves angles",
                self.name()
            );
        }
        if play.has_mode() && !moves.by_keys {
            bail!("--play loop, once, hold and pingpong have no effect {motionless}",);
        }
        Ok(())
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

    /// # Errors
    /// If the command line holds an option without effect.
    pub(crate) fn check(self, file: &Path, matches: &ArgMatches, play: &PlayOptions) -> Result<()> {
        self.checked(matches, play)
            .with_context(|| file.display().to_string())
    }

    fn checked(self, matches: &ArgMatches, play: &PlayOptions) -> Result<()> {
        let given = GivenOptions(matches);
        for (ids, has_effect) in EFFECTS {
            given.refuse(!has_effect(self), ids, &format!("on {}", self.name()))?;
        }
        self.check_settings(play)?;
        if play.has_mode() && !self.has_motion {
            bail!(
                "--play loop, once, hold and pingpong have no effect: no motion plays on {}",
                self.name()
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;
    use std::collections::BTreeSet;

    /// Options that have an effect on every input.
    const ALWAYS: [&str; 12] = [
        "file",
        "output",
        "threads",
        "pvr",
        "ta_dump",
        "kernels",
        "help",
        "inspect",
        "overdraw",
        "wireframe",
        "lists",
        "stats",
    ];

    /// A new option of `render` or `view` has to be put in one of the lists, or in `ALWAYS`.
    #[test]
    fn each_option_is_in_a_list() {
        let listed: Vec<&str> = EFFECTS.iter().flat_map(|(ids, _)| *ids).copied().collect();
        let known: BTreeSet<&str> = listed.iter().chain(&ALWAYS).copied().collect();
        for command in [
            crate::render::Args::augment_args(clap::Command::new("render")),
            crate::view::Args::augment_args(clap::Command::new("view")),
        ] {
            let ids: Vec<String> = command
                .get_arguments()
                .map(|arg| arg.get_id().to_string())
                .collect();
            let unknown: Vec<&String> = ids.iter().filter(|id| !known.contains(id.as_str())).collect();
            assert!(
                unknown.is_empty(),
                "{}: {unknown:?} in no list",
                command.get_name()
            );
            if command.get_name() == "render" {
                assert!(
                    listed.iter().all(|id| ids.iter().any(|known| known == id)),
                    "{ids:?}"
                );
            }
        }
    }
}
