//! `swirl pvr-settings`: the switches for doubtful behaviour of the PowerVR2.

use crate::exit::ExitStatus;
use crate::pvr_options::PvrOptions;
use anyhow::Result;
use pvr::Settings;
use pvr::settings::{Confidence, PRESETS};
use serde::Serialize;

/// List the switches for hardware behaviour that is not known for certain.
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

#[derive(Serialize)]
struct Listing {
    switches: Vec<Row>,
    presets: Vec<PresetRow>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    choices: Vec<ChoiceRow>,
    default: &'static str,
    current: &'static str,
    evidence: &'static str,
    confidence: String,
}

#[derive(Serialize)]
struct ChoiceRow {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct PresetRow {
    name: &'static str,
    about: &'static str,
    choices: serde_json::Map<String, serde_json::Value>,
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let listing = Listing::of(&args.chip.settings()?);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&listing)?);
    } else {
        print!("{}", listing.text());
    }
    Ok(ExitStatus::Done)
}

impl Listing {
    fn of(settings: &Settings) -> Self {
        let switches = Settings::switches().map(|switch| Row {
            name: switch.name,
            about: switch.about.trim(),
            choices: switch
                .choices
                .iter()
                .map(|choice| ChoiceRow {
                    name: choice.name,
                    about: choice.about.trim(),
                })
                .collect(),
            default: switch.choices[0].name,
            current: switch.choice(settings).name,
            evidence: switch.evidence,
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
        });
        Self {
            switches: switches.collect(),
            presets: presets.collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.switches {
            text += &format!("{}: {}\n", row.name, row.about);
            for choice in &row.choices {
                let mark = if choice.name == row.current { '*' } else { ' ' };
                let default = if choice.name == row.default {
                    " (default)"
                } else {
                    ""
                };
                text += &format!("  {mark} {}{default}: {}\n", choice.name, choice.about);
            }
            text += &format!(
                "    evidence: {}; confidence: {}\n\n",
                row.evidence, row.confidence
            );
        }
        for preset in &self.presets {
            let choices = preset.choices.iter();
            let choices: Vec<String> = choices
                .map(|(name, choice)| format!("{name}={}", choice.as_str().unwrap_or_default()))
                .collect();
            text += &format!(
                "preset {}: {}\n    {}\n",
                preset.name,
                preset.about,
                choices.join(" ")
            );
        }
        text
    }
}
