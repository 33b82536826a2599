//! `swirl console-settings`: the switches for doubtful behaviour of the console around the CPU and the
//! PowerVR2.

use crate::exit::ExitStatus;
use crate::switch_listing::{ChoiceRow, Listing, Row};
use anyhow::{Context, Result, anyhow};
use dreamcast::Settings;
use dreamcast::switches::{SettingError, Switch, Values};
use verify::did_you_mean;

/// List the switches for behaviour of the console around CPU and PowerVR2 that is not known for certain.
///
/// For each: its name, what is in doubt, the values (the default first), what speaks for the default and
/// how good that is. --set of run sets them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl console-settings\n  swirl console-settings --json\n  \
    swirl console-settings --set maple_time=millisecond\n  \
    swirl run game.elf --set dcload=none --set open_bus=0xffffffff\n\n\
    JSON: {\"switches\": [{\"name\", \"about\", \"choices\": [{\"name\", \"about\"}] or \
    \"range\": [least, greatest],\n  \"default\", \"current\", \"evidence\", \"confidence\"}]}"
)]
pub(crate) struct Args {
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    console: ConsoleOptions,
}

/// Switches of the console.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct ConsoleOptions {
    /// Set a switch of the console; may be given several times. See console-settings.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl ConsoleOptions {
    /// The defaults with what was asked for, in its order.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::default();
        for asked in &self.set {
            let option = || format!("--set {asked}");
            let (name, value) = asked
                .split_once('=')
                .ok_or_else(|| anyhow!("expected NAME=VALUE"))
                .with_context(option)?;
            settings
                .set(name, value)
                .map_err(suggested)
                .with_context(option)?;
        }
        Ok(settings)
    }
}

/// The error with the closest name to an unknown one.
fn suggested(error: SettingError) -> anyhow::Error {
    let hint = match &error {
        SettingError::Switch { name, known } => did_you_mean(name, known.split(", ")),
        SettingError::Value { found, expected, .. } => did_you_mean(found, expected.split(", ")),
    };
    match hint {
        Some(hint) => anyhow!("{error}{hint}"),
        None => error.into(),
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let settings = args.console.settings()?;
    let listing = Listing {
        switches: Settings::switches()
            .iter()
            .map(|switch| row(switch, &settings))
            .collect(),
        presets: Vec::new(),
    };
    listing.print(args.json)?;
    Ok(ExitStatus::Done)
}

fn row(switch: &Switch, settings: &Settings) -> Row {
    let (choices, range) = match &switch.values {
        Values::Choices(choices) => {
            let choice = |choice: &dreamcast::switches::Choice| ChoiceRow {
                name: choice.name,
                about: choice.about.to_owned(),
            };
            (choices.iter().map(choice).collect(), None)
        }
        Values::Number(range) => (Vec::new(), Some([*range.start(), *range.end()])),
    };
    Row {
        name: switch.name,
        about: switch.about.to_owned(),
        choices,
        range,
        roles: vec![("default", switch.value(&Settings::default()))],
        current: switch.value(settings),
        evidence: vec![("evidence", switch.evidence)],
        confidence: switch.confidence.to_owned(),
    }
}
