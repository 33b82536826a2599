//! `--pvr`: switches of the PowerVR2 on the command line.

use anyhow::{Context, Error, Result, anyhow};
use pvr::Settings;
use pvr::settings::SettingError;
use verify::did_you_mean;

/// Switches for the chip.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct PvrOptions {
    /// Set a hardware switch, or all of a preset; may be given several times. See pvr-settings.
    #[arg(long, value_name = "NAME=CHOICE|PRESET")]
    pvr: Vec<String>,
}

impl PvrOptions {
    /// With more of the same, which come first.
    pub(crate) fn after(&self, first: &[String]) -> Self {
        Self {
            pvr: [first, &self.pvr].concat(),
        }
    }

    /// What was asked for.
    pub(crate) fn asked(&self) -> &[String] {
        &self.pvr
    }

    /// The defaults with what was asked for, in its order.
    pub(crate) fn settings(&self) -> Result<Settings> {
        self.settings_from(Settings::default())
    }

    /// Other settings with what was asked for, in its order.
    pub(crate) fn settings_from(&self, mut settings: Settings) -> Result<Settings> {
        for asked in &self.pvr {
            let result = match asked.split_once('=') {
                Some((name, choice)) => settings.set(name, choice),
                None => Settings::preset(asked).map(|preset| settings = preset),
            };
            result
                .with_context(|| format!("--pvr {asked}"))
                .map_err(suggested)?;
        }
        Ok(settings)
    }
}

/// The error with the closest name to an unknown one.
fn suggested(error: Error) -> Error {
    use SettingError::{Choice, Preset, Switch};
    let (Switch { name, known } | Choice { name, known, .. } | Preset { name, known }) =
        match error.downcast_ref::<SettingError>() {
            Some(setting) => setting,
            None => return error,
        };
    match did_you_mean(name, known.split(", ")) {
        Some(hint) => anyhow!("{error:#}{hint}"),
        None => error,
    }
}
