//! `swirl pvr-settings`: the switches for doubtful behaviour of the PowerVR2.

use crate::exit::ExitStatus;
use crate::pvr_options::PvrOptions;
use crate::switch_listing::{ChoiceRow, Listing, PresetRow, Row};
use anyhow::Result;
use pvr::Settings;
use pvr::settings::{Confidence, PRESETS};

/// List the switches for behaviour of the PowerVR2 that is not known for certain.
///
/// For each: its name, what is in doubt, the choices (the default first), what speaks for the default and how
/// good that is. They are set by --pvr of other verbs or by a scene's `setting` statement.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl pvr-settings\n  swirl pvr-settings --json\n  \
    swirl pvr-settings --pvr flycast\n  swirl render model.nj -o model.png --pvr flycast --pvr \
    fill_rule=inclusive\n\n\
    JSON: {\"switches\": [{\"name\", \"about\", \"choices\": [{\"name\", \"about\"}], \"default\", \
    \"current\", \"evidence\", \
    \"confidence\"}],\n  \"presets\": [{\"name\", \"about\", \"choices\": {switch: choice}}]}"
)]
pub(crate) struct Args {
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    chip: PvrOptions,
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    listing(&args.chip.settings()?).print(args.json)?;
    Ok(ExitStatus::Done)
}

fn listing(settings: &Settings) -> Listing {
    let switches = Settings::switches().map(|switch| Row {
        name: switch.name,
        about: switch.about.trim().to_owned(),
        choices: switch
            .choices
            .iter()
            .map(|choice| ChoiceRow {
                name: choice.name,
                about: choice.about.trim().to_owned(),
            })
            .collect(),
        range: None,
        roles: vec![("default", switch.choices[0].name.to_owned())],
        current: switch.choice(settings).name.to_owned(),
        evidence: vec![("evidence", switch.evidence)],
        confidence: Confidence::to_string(&switch.confidence),
    });
    let presets = PRESETS.iter().map(|preset| PresetRow {
        name: preset.name,
        about: preset.about,
        choices: preset
            .choices
            .iter()
            .map(|&(name, choice)| (name.to_owned(), choice.into()))
            .collect(),
        is_partial: true,
    });
    Listing {
        switches: switches.collect(),
        presets: presets.collect(),
    }
}
