//! `--set`, and its older forms `--pvr` and `--play`.

use anyhow::{Context, Result};
use dreamcast::Config;
use scene::PlayMode;
use settings::{Applied, Group, Table};

/// Options for settings of the PowerVR2 and of playing.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct SetOptions {
    /// Set a setting (NAME=CHOICE), or all of a preset (GROUP=PRESET).
    ///
    /// If several groups have the name, use GROUP.NAME. May be given several times. `swirl settings` lists
    /// them.
    #[arg(long, value_name = "[GROUP.]NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Older form of --set pvr.NAME=CHOICE and --set pvr=PRESET.
    #[arg(long, hide = true, value_name = "NAME=CHOICE|PRESET")]
    pvr: Vec<String>,
}

/// Options for settings of drawing, and for the end of motions.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct PlayOptions {
    // The help omits the older form of --set play.NAME=CHOICE and --set play=PRESET.
    /// Select the behaviour after a motion's last frame: loop (start again), once (empty picture), hold (keep
    /// the last frame), or pingpong (backwards and forwards).
    #[arg(long, value_name = "MODE")]
    pub(crate) play: Vec<String>,
    #[command(flatten)]
    pub(crate) chip: SetOptions,
}

impl SetOptions {
    /// Returns these options, preceded by the words of `--pvr` in `first`.
    pub(crate) fn after(&self, first: &[String]) -> Self {
        Self {
            pvr: [first, &self.pvr].concat(),
            set: self.set.clone(),
        }
    }

    /// Returns the options as words of a command line.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let pvr = self.pvr.iter().map(|asked| ("--pvr", asked));
        pvr.chain(self.set.iter().map(|asked| ("--set", asked)))
    }

    /// Applies the options.
    ///
    /// # Errors
    /// If a setting or value is unknown.
    pub(crate) fn apply(&self, groups: &mut [Group<'_>]) -> Result<Vec<Applied>> {
        let old = self.pvr.iter().map(|asked| old(groups, "pvr", asked));
        let old = old.collect::<Result<Vec<_>>>()?;
        Ok([old, apply(groups, &self.set)?].concat())
    }

    /// Returns `settings` of the PowerVR2 with the options applied.
    ///
    /// # Errors
    /// If a setting or value is unknown.
    pub(crate) fn pvr(&self, mut settings: pvr::Settings) -> Result<pvr::Settings> {
        self.apply(&mut drawing(&mut settings, &mut scene::Settings::default()))?;
        Ok(settings)
    }
}

impl PlayOptions {
    /// Creates the options from lists of words, including older forms.
    pub(crate) fn of(play: &[String], set: &[String]) -> Self {
        Self {
            play: play.to_vec(),
            chip: SetOptions {
                set: set.to_vec(),
                pvr: Vec::new(),
            },
        }
    }

    /// Returns the settings of playing.
    ///
    /// # Errors
    /// If a setting or value is unknown.
    pub(crate) fn settings(&self) -> Result<scene::Settings> {
        let mut settings = scene::Settings::default();
        self.apply(&mut settings)?;
        Ok(settings)
    }

    fn apply(&self, settings: &mut scene::Settings) -> Result<Vec<Applied>> {
        let mut chip = pvr::Settings::default();
        let mut groups = drawing(&mut chip, settings);
        let asked = self.play.iter().filter(|asked| mode(asked).is_none());
        let old = asked.map(|asked| {
            old(&mut groups, "play", asked)
                .with_context(|| format!("--play {asked}: expected loop, once, hold or pingpong"))
        });
        let old = old.collect::<Result<Vec<_>>>()?;
        Ok([old, self.chip.apply(&mut groups)?].concat())
    }

    /// Returns whether a setting or preset of playing is given.
    pub(crate) fn has_rules(&self) -> bool {
        let applied = self.apply(&mut scene::Settings::default()).unwrap_or_default();
        applied.iter().any(|applied| applied.group == "play")
    }

    /// Returns the individually given settings of playing.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let applied = self.apply(&mut scene::Settings::default()).unwrap_or_default();
        let play = applied.iter().filter(|applied| applied.group == "play");
        play.filter_map(|applied| applied.setting).collect()
    }

    /// Returns the behaviour after a motion's last frame.
    pub(crate) fn mode(&self) -> PlayMode {
        let mut modes = self.play.iter().rev().filter_map(|asked| mode(asked));
        modes.next().unwrap_or_default()
    }

    /// Returns whether this behaviour is given.
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

/// Applies `--set`.
///
/// # Errors
/// If a setting or value is unknown.
pub(crate) fn apply(groups: &mut [Group<'_>], asked: &[String]) -> Result<Vec<Applied>> {
    let apply = |asked: &String| settings::apply(groups, asked).with_context(|| format!("--set {asked}"));
    asked.iter().map(apply).collect()
}

/// Applies an older option of one group: NAME=CHOICE, or a preset.
pub(crate) fn old(groups: &mut [Group<'_>], group: &str, asked: &str) -> Result<Applied> {
    let mark = if asked.contains('=') { '.' } else { '=' };
    settings::apply(groups, &format!("{group}{mark}{asked}")).with_context(|| format!("--{group} {asked}"))
}

/// Returns the groups of a console.
pub(crate) fn console(config: &mut Config) -> Vec<Group<'_>> {
    vec![
        group("cpu", &mut config.cpu),
        group("console", &mut config.settings),
        group("pvr", &mut config.pvr),
        group("aica", &mut config.aica),
        group("timing", &mut config.parameters),
    ]
}

/// Returns the groups of drawing.
pub(crate) fn drawing<'a>(pvr: &'a mut pvr::Settings, play: &'a mut scene::Settings) -> Vec<Group<'a>> {
    vec![group("pvr", pvr), group("play", play)]
}

fn group<'a>(name: &'static str, table: &'a mut dyn Table) -> Group<'a> {
    Group { name, table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{IdleStream, StampRule};

    #[test]
    fn presets_choices_and_modes_share_one_option() {
        let of =
            |asked: &[&str]| PlayOptions::of(&asked.iter().map(ToString::to_string).collect::<Vec<_>>(), &[]);
        let play = of(&["hold", "original", "stamps=reached", "once"]);
        let settings = play.settings().unwrap();
        assert_eq!(settings.streams.stamps, StampRule::Reached);
        assert_eq!(settings.streams.idle, IdleStream::Restores);
        assert_eq!(play.mode(), PlayMode::Once);
        assert_eq!(play.names(), ["stamps"]);
        assert_eq!(of(&[]).settings().unwrap(), scene::Settings::default());
        assert_eq!(of(&[]).mode(), PlayMode::Loop);
        assert!(of(&["ninja"]).settings().is_err() && of(&["stamps=never"]).settings().is_err());
    }

    /// `pvr` and `play` have a setting with the same name.
    #[test]
    fn a_group_is_needed_on_a_collision() {
        let of = |asked: &str| PlayOptions::of(&[], &[asked.to_owned()]);
        let play = of("play.trilinear=as-written");
        assert_eq!(play.settings().unwrap().trilinear, scene::Trilinear::AsWritten);
        assert_eq!(
            play.chip.pvr(pvr::Settings::default()).unwrap(),
            pvr::Settings::default()
        );
        let error = format!("{:#}", of("trilinear=as-written").settings().unwrap_err());
        assert!(error.contains("pvr.trilinear or play.trilinear"), "{error}");
        assert_eq!(
            of("stamps=held").settings().unwrap().streams.stamps,
            StampRule::Held
        );
    }

    #[test]
    fn every_setting_of_a_console_has_an_unambiguous_name() {
        let mut config = Config::default();
        let groups = console(&mut config);
        let mut names: Vec<&str> = groups
            .iter()
            .flat_map(|group| group.table.rows())
            .map(|row| row.name)
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
