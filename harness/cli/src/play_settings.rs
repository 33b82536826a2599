//! `swirl play-settings`: the rules of drawing and playing that are doubtful or disputed.

use crate::exit::ExitStatus;
use crate::frame::play_options::PlayOptions;
use anyhow::Result;
use scene::{PRESETS, PlaySwitch, Settings};
use serde::Serialize;

/// List the rules by which models and cell sprites are drawn and played.
///
/// For each: its name, what it decides, the choices, and what the specification and the original library say. The preset
/// `seed` follows the specification and is the default; `original` follows the original library as far as it is known.
/// --play of render, view and convert --check sets them, and the key `play` of a regression case.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl play-settings\n  swirl play-settings --json\n  \
    swirl play-settings --play original\n  swirl render walk.spa --cells walk.csa -o walk.gif --play original --play stamps=reached\n\n\
    JSON: {\"switches\": [{\"name\", \"about\", \"choices\": [{\"name\", \"about\"}], \"seed\", \"original\", \"current\", \
    \"section\", \"evidence\",\n  \"confidence\"}], \"presets\": [{\"name\", \"about\", \"choices\": {switch: choice}}]}"
)]
pub(crate) struct Args {
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    play: PlayOptions,
}

#[derive(Serialize)]
struct Listing {
    switches: Vec<Row>,
    presets: Vec<PresetRow>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: String,
    choices: Vec<ChoiceRow>,
    seed: &'static str,
    original: &'static str,
    current: &'static str,
    section: &'static str,
    evidence: &'static str,
    confidence: String,
}

#[derive(Serialize)]
struct ChoiceRow {
    name: &'static str,
    about: String,
}

#[derive(Serialize)]
struct PresetRow {
    name: &'static str,
    about: &'static str,
    choices: serde_json::Map<String, serde_json::Value>,
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    if args.play.has_mode() {
        anyhow::bail!(
            "--play: expected a preset or NAME=CHOICE; what follows a motion's last frame is no play setting"
        );
    }
    let listing = Listing::of(&args.play.settings()?);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&listing)?);
    } else {
        print!("{}", listing.text());
    }
    Ok(ExitStatus::Done)
}

impl Row {
    fn of(switch: &PlaySwitch, settings: &Settings) -> Self {
        let choice = |choice: &scene::PlayChoice| ChoiceRow {
            name: choice.name,
            about: choice.about.trim().to_owned(),
        };
        Self {
            name: switch.name,
            about: switch.about.trim().to_owned(),
            choices: switch.choices.iter().map(choice).collect(),
            seed: switch.seed().name,
            original: switch.original().name,
            current: switch.choice(settings).name,
            section: switch.section,
            evidence: switch.evidence,
            confidence: switch.confidence.to_string(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.about);
        for choice in &self.choices {
            let mark = if choice.name == self.current { '*' } else { ' ' };
            let of = match (choice.name == self.seed, choice.name == self.original) {
                (true, true) => " (seed, original)",
                (true, false) => " (seed)",
                (false, true) => " (original)",
                (false, false) => "",
            };
            text += &format!("  {mark} {}{of}: {}\n", choice.name, choice.about);
        }
        let Self {
            section,
            evidence,
            confidence,
            ..
        } = self;
        text + &format!("    seed: {section}\n    original: {evidence}; confidence: {confidence}\n\n")
    }
}

impl Listing {
    fn of(settings: &Settings) -> Self {
        let presets = PRESETS.iter().map(|&(name, about)| {
            let preset = Settings::preset(name).unwrap_or_default();
            let choices = Settings::switches()
                .map(|switch| (switch.name.to_owned(), switch.choice(&preset).name.into()))
                .collect();
            PresetRow { name, about, choices }
        });
        Self {
            switches: Settings::switches()
                .map(|switch| Row::of(switch, settings))
                .collect(),
            presets: presets.collect(),
        }
    }

    fn text(&self) -> String {
        let rows: String = self.switches.iter().map(Row::text).collect();
        let presets = self.presets.iter();
        rows + &presets
            .map(|preset| format!("preset {}: {}\n", preset.name, preset.about))
            .collect::<String>()
    }
}
