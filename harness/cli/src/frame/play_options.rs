//! `--play`: the rules of playing, and what follows a motion's last frame.

use anyhow::{Context, Result};
use scene::{PlayMode, Settings};

/// Rules of playing.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct PlayOptions {
    /// Set a rule of playing (NAME=CHOICE), all rules of a preset (seed, original), or what follows a
    /// motion's last frame: loop, the first frame again; once, nothing; hold, the last frame stays; pingpong,
    /// backwards and forwards. May be given several times. See play-settings.
    #[arg(long, value_name = "PRESET|NAME=CHOICE|MODE")]
    pub(crate) play: Vec<String>,
}

impl PlayOptions {
    /// The same after others.
    pub(crate) fn after(&self, first: &[String]) -> Self {
        Self {
            play: [first, &self.play].concat(),
        }
    }

    /// The rules that were asked for, in the order of the options.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::default();
        for asked in self.play.iter().filter(|asked| mode(asked).is_none()) {
            let result = match asked.split_once('=') {
                Some((name, choice)) => settings.set(name, choice),
                None => Settings::preset(asked).map(|preset| settings = preset),
            };
            let expected =
                || format!("--play {asked}: expected a preset, NAME=CHOICE, loop, once, hold or pingpong");
            result.with_context(expected)?;
        }
        Ok(settings)
    }

    /// The names of the rules that were asked for one by one.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.play
            .iter()
            .filter_map(|asked| Some(asked.split_once('=')?.0))
    }

    /// What follows a motion's last frame.
    pub(crate) fn mode(&self) -> PlayMode {
        let mut modes = self.play.iter().rev().filter_map(|asked| mode(asked));
        modes.next().unwrap_or_default()
    }

    /// Whether a mode, or a rule, was asked for.
    pub(crate) fn has_mode(&self) -> bool {
        self.play.iter().any(|asked| mode(asked).is_some())
    }
}

fn mode(name: &str) -> Option<PlayMode> {
    match name {
        "loop" => Some(PlayMode::Loop),
        "once" => Some(PlayMode::Once),
        "hold" => Some(PlayMode::Hold),
        "pingpong" => Some(PlayMode::PingPong),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{IdleStream, StampRule};

    #[test]
    fn presets_choices_and_modes_share_one_option() {
        let of = |asked: &[&str]| PlayOptions {
            play: asked.iter().map(ToString::to_string).collect(),
        };
        let play = of(&["hold", "original", "stamps=reached", "once"]);
        let settings = play.settings().unwrap();
        assert_eq!(settings.streams.stamps, StampRule::Reached);
        assert_eq!(settings.streams.idle, IdleStream::Restores);
        assert_eq!(play.mode(), PlayMode::Once);
        assert_eq!(of(&[]).settings().unwrap(), Settings::seed());
        assert_eq!(of(&[]).mode(), PlayMode::Loop);
        assert!(of(&["ninja"]).settings().is_err() && of(&["stamps=never"]).settings().is_err());
    }
}
