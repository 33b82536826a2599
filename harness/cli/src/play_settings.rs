//! `swirl play-settings`: the rules of drawing and playing that are doubtful or disputed.

use crate::exit::ExitStatus;
use crate::frame::play_options::PlayOptions;
use crate::switch_listing::{ChoiceRow, Listing, PresetRow, Row};
use anyhow::Result;
use scene::{PRESETS, PlaySwitch, Settings};

/// List the rules by which models and cell sprites are drawn and played.
///
/// For each: its name, what it decides, the choices, and what the specification and the original library say.
/// The preset `seed` follows the specification and is the default; `original` follows the original library as
/// far as it is known. --play of render, view and convert --check sets them, and the key `play` of a
/// regression case.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl play-settings\n  swirl play-settings --json\n  \
    swirl play-settings --play original\n  \
    swirl render walk.spa --cells walk.csa -o walk.gif --play original --play stamps=reached\n\n\
    JSON: {\"switches\": [{\"name\", \"about\", \"choices\": [{\"name\", \"about\"}], \"seed\", \
    \"original\", \"current\", \
    \"section\", \"evidence\",\n  \"confidence\"}], \"presets\": [{\"name\", \"about\", \"choices\": \
    {switch: choice}}]}"
)]
pub(crate) struct Args {
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    play: PlayOptions,
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    if args.play.has_mode() {
        anyhow::bail!(
            "--play: expected a preset or NAME=CHOICE; what follows a motion's last frame is no play setting"
        );
    }
    listing(&args.play.settings()?).print(args.json)?;
    Ok(ExitStatus::Done)
}

fn row(switch: &PlaySwitch, settings: &Settings) -> Row {
    let choice = |choice: &scene::PlayChoice| ChoiceRow {
        name: choice.name,
        about: choice.about.trim().to_owned(),
    };
    Row {
        name: switch.name,
        about: switch.about.trim().to_owned(),
        choices: switch.choices.iter().map(choice).collect(),
        range: None,
        roles: vec![
            ("seed", switch.seed().name.to_owned()),
            ("original", switch.original().name.to_owned()),
        ],
        current: switch.choice(settings).name.to_owned(),
        evidence: vec![("seed", switch.section), ("original", switch.evidence)],
        confidence: switch.confidence.to_string(),
    }
}

fn listing(settings: &Settings) -> Listing {
    let presets = PRESETS.iter().map(|&(name, about)| {
        let preset = Settings::preset(name).unwrap_or_default();
        let choices = Settings::switches()
            .map(|switch| (switch.name.to_owned(), switch.choice(&preset).name.into()))
            .collect();
        PresetRow {
            name,
            about,
            choices,
            is_partial: false,
        }
    });
    Listing {
        switches: Settings::switches().map(|switch| row(switch, settings)).collect(),
        presets: presets.collect(),
    }
}
