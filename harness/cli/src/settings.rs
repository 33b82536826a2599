//! `swirl settings`: all settings for uncertain behaviour.

use crate::exit::ExitStatus;
use crate::setting_options as options;
use anyhow::Result;
use dreamcast::Config;
use serde::Serialize;
use settings::{Error, Group, Preset, Setting, Values};
use std::collections::BTreeMap;
use std::fmt::Write;

/// List settings for uncertain behaviour of the hardware and of the Ninja library.
///
/// Without a name: lists all settings, one per line, with the confidence in the default and the choices or
/// range; a star marks the default. With a group: also explains each setting of the group. With a setting:
/// prints everything about it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl settings\n  swirl settings pvr --evidence\n  \
    swirl settings fill_rule\n  swirl settings --json\n  \
    swirl render model.nj -o model.png --set pvr=flycast --set fill_rule=inclusive\n  \
    swirl run game.elf --set dcload=none --set open_bus=0xffffffff --set cpu.fipr_model=exact\n\n\
    Groups: cpu, console, pvr, aica, timing, play. --set NAME=VALUE of other verbs sets them; \
    GROUP.NAME=VALUE\nif several groups have the name; GROUP=PRESET all of a preset.\n\n\
    JSON: {\"groups\": [{\"name\", \"about\", \"settings\": [{\"name\", \"about\", \"choices\": [{\"name\", \
    \"about\"}] or\n  \"range\": [least, greatest], \"default\", \"current\", \"section\", \"evidence\", \
    \"confidence\"}],\n  \"presets\": [{\"name\", \"about\", \"choices\": {setting: choice}}]}]}"
)]
pub(crate) struct Args {
    /// Groups, or settings as NAME or GROUP.NAME; by default all.
    #[arg(value_name = "GROUP|NAME")]
    names: Vec<String>,
    /// Print the evidence for each default.
    #[arg(long)]
    evidence: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Set a setting before listing.
    #[arg(long, value_name = "[GROUP.]NAME=VALUE")]
    set: Vec<String>,
}

/// Arguments of an older verb with the settings of one group.
#[derive(clap::Args)]
#[command(hide = true, after_help = "Example:\n  swirl settings")]
pub(crate) struct OldArgs {
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Set a setting before listing.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Set a setting or preset of the PowerVR2 before listing.
    #[arg(long, value_name = "NAME=CHOICE|PRESET")]
    pvr: Vec<String>,
    /// Set a setting or preset of playing before listing.
    #[arg(long, value_name = "NAME=CHOICE|PRESET")]
    play: Vec<String>,
}

#[derive(Serialize)]
struct Listing {
    groups: Vec<GroupRow>,
}

#[derive(Serialize)]
struct GroupRow {
    name: &'static str,
    about: &'static str,
    settings: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presets: Vec<PresetRow>,
}

/// JSON document of an older verb.
#[derive(Serialize)]
struct OldListing {
    switches: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presets: Vec<PresetRow>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<ChoiceRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[u64; 2]>,
    /// Values with a role: the default, or the choices of two sources.
    #[serde(flatten)]
    roles: BTreeMap<&'static str, String>,
    current: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    section: &'static str,
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
    choices: BTreeMap<&'static str, String>,
}

/// Settings of all groups.
#[derive(Default)]
struct All {
    console: Config,
    play: scene::Settings,
}

impl All {
    fn groups(&mut self) -> Vec<Group<'_>> {
        let mut groups = options::console(&mut self.console);
        groups.push(Group {
            name: "play",
            table: &mut self.play,
        });
        groups
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let mut all = All::default();
    let mut groups = all.groups();
    options::apply(&mut groups, &args.set)?;
    let chosen = chosen(&groups, &args.names)?;
    if args.json {
        let rows: Vec<GroupRow> = chosen
            .iter()
            .map(|(group, rows)| group_row(group, rows))
            .collect();
        println!("{}", serde_json::to_string_pretty(&Listing { groups: rows })?);
        return Ok(ExitStatus::Done);
    }
    let is_whole = |group: &Group<'_>| args.names.iter().any(|name| name == group.name);
    for (group, rows) in &chosen {
        if args.names.is_empty() || is_whole(group) {
            print!("{}", list(group, rows, !args.names.is_empty(), args.evidence));
        } else {
            rows.iter().for_each(|row| print!("{}", explanation(group, row)));
        }
    }
    Ok(ExitStatus::Done)
}

/// Prints the output of an older verb, in the older JSON.
pub(crate) fn run_old(group: &str, args: &OldArgs) -> Result<ExitStatus> {
    let mut all = All::default();
    let mut groups = all.groups();
    groups.retain(|known| known.name == group);
    for (name, asked) in [("pvr", &args.pvr), ("play", &args.play)] {
        for asked in asked {
            options::old(&mut groups, name, asked)?;
        }
    }
    options::apply(&mut groups, &args.set)?;
    for group in &groups {
        let rows = group.table.rows();
        if args.json {
            let mut old = OldListing {
                switches: rows.iter().map(|row| json_row(group, row)).collect(),
                presets: presets(group),
            };
            if group.name == "play" {
                name_sources(&mut old);
            }
            println!("{}", serde_json::to_string_pretty(&old)?);
        } else {
            print!("{}", list(group, &rows, true, true));
        }
    }
    Ok(ExitStatus::Done)
}

/// Adds the older JSON's names for playing: the choices of both presets in each row, and all choices in each
/// preset.
fn name_sources(listing: &mut OldListing) {
    for row in &mut listing.switches {
        let seed = row.roles.remove("default").unwrap_or_default();
        for preset in &mut listing.presets {
            let choice = preset.choices.entry(row.name).or_insert_with(|| seed.clone());
            row.roles.insert(preset.name, choice.clone());
        }
    }
}

/// Returns the settings of `names`, by group.
fn chosen<'a, 'b>(groups: &'a [Group<'b>], names: &[String]) -> Result<Vec<(&'a Group<'b>, Vec<Setting>)>> {
    let mut known: Vec<String> = Vec::new();
    let mut chosen: Vec<(&Group<'_>, Vec<Setting>)> = Vec::new();
    let mut found = vec![false; names.len()];
    for group in groups {
        let mut rows = Vec::new();
        known.push(group.name.to_owned());
        for row in group.table.rows() {
            let full = format!("{}.{}", group.name, row.name);
            let plain = |name: &str| name.replace('-', "_");
            let mut is_chosen = names.is_empty();
            for (name, found) in names.iter().zip(&mut found) {
                let fits = [group.name, row.name, &full].map(plain).contains(&plain(name));
                *found |= fits;
                is_chosen |= fits;
            }
            known.push(row.name.to_owned());
            if is_chosen {
                rows.push(row);
            }
        }
        if !rows.is_empty() {
            chosen.push((group, rows));
        }
    }
    match names.iter().zip(found).find(|(_, found)| !found) {
        Some((name, _)) => Err(Error::Name {
            kind: "setting",
            found: name.clone(),
            known,
        }
        .into()),
        None => Ok(chosen),
    }
}

fn about(group: &str) -> &'static str {
    match group {
        "cpu" => "the SH4",
        "console" => "bus and devices of the console",
        "pvr" => "the PowerVR2",
        "aica" => "the sound block",
        "timing" => "the cycle model",
        _ => "models, motions and cell sprites",
    }
}

fn group_row(group: &Group<'_>, rows: &[Setting]) -> GroupRow {
    GroupRow {
        name: group.name,
        about: about(group.name),
        settings: rows.iter().map(|row| json_row(group, row)).collect(),
        presets: presets(group),
    }
}

fn json_row(group: &Group<'_>, row: &Setting) -> Row {
    let choices = row.choices().iter().map(|choice| ChoiceRow {
        name: choice.name,
        about: choice.about,
    });
    let (choices, range) = match row.values {
        Values::Choices(_) => (Some(choices.collect()), None),
        Values::Number(number) => (None, Some([number.least, number.greatest])),
    };
    Row {
        name: row.name,
        about: row.about,
        choices,
        range,
        roles: [("default", row.text(row.default))].into(),
        current: group.table.text(row),
        section: row.section,
        evidence: row.evidence,
        confidence: row.confidence.to_string(),
    }
}

fn presets(group: &Group<'_>) -> Vec<PresetRow> {
    let row = |preset: &Preset| PresetRow {
        name: preset.name,
        about: preset.about,
        choices: preset
            .choices
            .iter()
            .map(|&(name, choice)| (name, choice.to_owned()))
            .collect(),
    };
    group.table.presets().iter().map(row).collect()
}

/// Lists the settings of a group, one per line; with descriptions and evidence if requested.
fn list(group: &Group<'_>, rows: &[Setting], subjects: bool, evidence: bool) -> String {
    let mut text = format!("{}: {}\n", group.name, about(group.name));
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in rows {
        let _ = writeln!(
            text,
            "  {:width$}  {:<6}  {}",
            row.name,
            row.confidence,
            values(group, row)
        );
        if subjects {
            let _ = writeln!(text, "      {}", row.about);
        }
        if evidence {
            text += &sources(row, "      ");
        }
    }
    for preset in group.table.presets() {
        let _ = writeln!(text, "  preset {}: {}", preset.name, preset.about);
        let choices: Vec<String> = preset
            .choices
            .iter()
            .map(|(name, choice)| format!("{name}={choice}"))
            .collect();
        if subjects && !choices.is_empty() {
            let _ = writeln!(text, "      {}", choices.join(" "));
        }
    }
    text + "\n"
}

/// Lists the choices or the range, with a star at the default.
fn values(group: &Group<'_>, row: &Setting) -> String {
    let default = row.text(row.default);
    let mut text = match row.values {
        Values::Choices(choices) => {
            let marked = choices.iter().map(|choice| match choice.name == default {
                true => format!("*{}", choice.name),
                false => choice.name.to_owned(),
            });
            marked.collect::<Vec<_>>().join("  ")
        }
        Values::Number(number) => {
            let [least, greatest] = number.likely.unwrap_or([number.least, number.greatest]);
            let unit = number.unit;
            format!(
                "*{default}  {} to {}{}",
                unit.text(least),
                unit.text(greatest),
                unit.words()
            )
        }
    };
    let current = group.table.text(row);
    if current != default {
        let _ = write!(text, "  (now {current})");
    }
    text
}

fn sources(row: &Setting, indent: &str) -> String {
    match row.section.is_empty() {
        true => format!("{indent}Evidence: {}\n", row.evidence),
        false => format!(
            "{indent}Specification: {}\n{indent}Original library: {}\n",
            row.section, row.evidence
        ),
    }
}

/// Explains a setting.
fn explanation(group: &Group<'_>, row: &Setting) -> String {
    let mut text = format!("{}.{}\n{}\n\n", group.name, row.name, row.about);
    let default = row.text(row.default);
    match row.values {
        Values::Choices(choices) => {
            let width = choices.iter().map(|choice| choice.name.len()).max().unwrap_or(0);
            for choice in choices {
                let mark = if choice.name == default { '*' } else { ' ' };
                let line = format!("  {mark} {:width$}  {}", choice.name, choice.about);
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        Values::Number(number) => {
            let _ = writeln!(text, "  * {default}  {}", row.expected());
            if let Some([low, high]) = number.likely {
                let [low, high] = [low, high].map(|value| number.unit.text(value));
                let _ = writeln!(text, "    The evidence allows {low} to {high}.");
            }
        }
    }
    let current = group.table.text(row);
    if current != default {
        let _ = writeln!(text, "  Now: {current}");
    }
    for preset in group.table.presets() {
        let mut choices = preset.choices.iter();
        if let Some((_, choice)) = choices.find(|(name, _)| *name == row.name) {
            let _ = writeln!(text, "  Preset {}: {choice}", preset.name);
        }
    }
    let _ = write!(text, "\n{}Confidence: {}\n", sources(row, ""), row.confidence);
    let _ = writeln!(text, "Option: --set {}.{}=VALUE\n", group.name, row.name);
    text
}
