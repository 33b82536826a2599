//! Every switch of the CPU, the console, the PowerVR2 and the sound block, and every parameter of the cycle
//! model.

use super::{aica, cpu};
use anyhow::{Result, anyhow};
use dreamcast::Config;
use dreamcast::switches::Values;
use timing::{DESCRIPTIONS, Unit};
use verify::did_you_mean;

/// What a switch belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Owner {
    /// The SH4.
    Cpu,
    /// Devices and the bus.
    Console,
    /// The PowerVR2.
    Pvr,
    /// The sound block.
    Aica,
    /// The cycle model.
    Timing,
}

/// A switch.
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) about: String,
    pub(crate) evidence: &'static str,
    pub(crate) confidence: String,
    /// Names of the choices, the default first. Of a number: the default and one other. Of a parameter: the
    /// default and both ends of the range that the evidence leaves open.
    pub(crate) choices: Vec<String>,
    pub(crate) owner: Owner,
}

/// The switches of some owners; of all, if none is named.
pub(crate) fn of(owners: &[Owner]) -> Vec<Switch> {
    let is_wanted = |switch: &Switch| owners.is_empty() || owners.contains(&switch.owner);
    all().into_iter().filter(is_wanted).collect()
}

/// All switches.
fn all() -> Vec<Switch> {
    let cpu = cpu::SWITCHES.iter().map(|switch| switch.listed(Owner::Cpu));
    let aica = aica::SWITCHES.iter().map(|switch| switch.listed(Owner::Aica));
    let console = dreamcast::Settings::switches().into_iter().map(|switch| Switch {
        name: switch.name,
        about: switch.about.to_owned(),
        evidence: switch.evidence,
        confidence: switch.confidence.to_owned(),
        choices: match &switch.values {
            Values::Choices(choices) => choices.iter().map(|choice| choice.name.to_owned()).collect(),
            Values::Number(range) => {
                let default = switch.value(&dreamcast::Settings::default());
                let other = match default.parse::<u64>() {
                    Ok(number) if number > 0 => (2 * number).min(*range.end()),
                    _ => *range.end(),
                };
                vec![default, other.to_string()]
            }
        },
        owner: Owner::Console,
    });
    let pvr = pvr::Settings::switches().map(|switch| Switch {
        name: switch.name,
        about: switch.about.trim().to_owned(),
        evidence: switch.evidence,
        confidence: switch.confidence.to_string(),
        choices: switch
            .choices
            .iter()
            .map(|choice| choice.name.to_owned())
            .collect(),
        owner: Owner::Pvr,
    });
    let timing = DESCRIPTIONS.iter().map(|parameter| {
        let mut values = vec![parameter.default];
        let others = match parameter.unit {
            Unit::Choice(words) => (0..words.len() as u32).collect(),
            _ => vec![parameter.low, parameter.high],
        };
        values.extend(others.into_iter().filter(|other| *other != parameter.default));
        Switch {
            name: parameter.name,
            about: claim(parameter.unit, parameter.default),
            evidence: parameter.evidence,
            confidence: parameter.confidence.to_string(),
            choices: values.iter().map(|value| parameter.unit.text(*value)).collect(),
            owner: Owner::Timing,
        }
    });
    cpu.chain(console).chain(pvr).chain(aica).chain(timing).collect()
}

/// What the cycle model says of a parameter.
fn claim(unit: Unit, value: u32) -> String {
    let value_text = unit.text(value);
    match unit {
        Unit::Cycles | Unit::Hundredths => format!("{value_text} cycles in the cycle model"),
        Unit::Kilohertz => format!("{value_text} kHz in the cycle model"),
        Unit::Choice(_) => format!("'{value_text}' in the cycle model"),
    }
}

/// Sets a switch of any part.
///
/// # Errors
/// If there is no such switch, or it has no such choice.
pub(crate) fn set(config: &mut Config, name: &str, choice: &str) -> Result<()> {
    if let Some(switch) = cpu::SWITCHES.iter().find(|switch| switch.name == name) {
        return switch.set(&mut config.cpu, choice);
    }
    if let Some(switch) = aica::SWITCHES.iter().find(|switch| switch.name == name) {
        return switch.set(&mut config.aica, choice);
    }
    if dreamcast::Settings::switches()
        .iter()
        .any(|switch| switch.name == name)
    {
        return Ok(config.settings.set(name, choice)?);
    }
    if pvr::Settings::switches().any(|switch| switch.name == name) {
        return Ok(config.pvr.set(name, choice)?);
    }
    if DESCRIPTIONS.iter().any(|parameter| parameter.name == name) {
        return Ok(config.parameters.set(name, choice)?);
    }
    let all = all();
    let hint = did_you_mean(name, all.iter().map(|switch| switch.name)).unwrap_or_default();
    Err(anyhow!(
        "no switch '{name}'{hint}; swirl truth switches lists them"
    ))
}

/// Sets a switch by `NAME=VALUE`.
pub(crate) fn set_text(config: &mut Config, asked: &str) -> Result<()> {
    let (name, choice) = asked
        .split_once('=')
        .ok_or_else(|| anyhow!("--set {asked}: expected NAME=VALUE"))?;
    set(config, name, choice).map_err(|error| error.context(format!("--set {asked}")))
}

const DISC: &str = "needs a disc in the drive";

/// Switches that no experiment tells apart, with the reason.
pub(crate) const WITHOUT_EXPERIMENT: &[(&str, &str)] = &[
    (
        "cycles_per_instruction",
        "paces the emulator's fast clock, not a behaviour of the console",
    ),
    (
        "fdiv_d_f3_length",
        "21 and 22 cycles give equal times: F1 is taken for as long",
    ),
    (
        "fsqrt_d_f3_length",
        "20 and 21 cycles give equal times: F1 is taken for as long",
    ),
    (
        "cpu_khz",
        "converts the profiler's figures; the console's clock is cpu_hz",
    ),
    ("exceptions", "the console always takes exceptions"),
    (
        "urc_boundary",
        "needs the MMU's random replacement: no experiment yet",
    ),
    (
        "singles_only",
        "the manual does not define the instructions, which may hang: no experiment yet",
    ),
    (
        "doubles_only",
        "the manual does not define the instructions, which may hang: no experiment yet",
    ),
    (
        "dma_windows",
        "a refused transfer may hold the bus until power-off: no experiment yet",
    ),
    (
        "aica_rate_scaling",
        "no sound of the program has a sum of KRS and OCT above 15: no experiment yet",
    ),
    (
        "dcload",
        "names the developer's cable, not a behaviour of the console",
    ),
    (
        "boot_state",
        "names the developer's loader; the program draws into a screen of its own",
    ),
    (
        "open_bus",
        "no address is known to be safe to read on every console",
    ),
    (
        "vint_units",
        "needs an interlaced mode: the program keeps the loader's mode",
    ),
    (
        "aica_attack_top",
        "the program's envelopes do not tell all its choices apart: no experiment yet",
    ),
    (
        "g2_word_time",
        "both choices give the same report: no experiment yet",
    ),
    ("gd_disc_rate", DISC),
    ("gd_buffer_rate", DISC),
    ("gd_command_time", DISC),
    (
        "sort_dma_zero",
        "a chunk of size 0 may never end: no program is known to send one",
    ),
    ("fb_disabled", "only the beam shows it"),
    (
        "dcalc",
        "in the program's pictures both choices find the same mip levels",
    ),
    ("fb_concat_green", "only the beam shows it"),
];

/// The reason of [`WITHOUT_EXPERIMENT`].
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    WITHOUT_EXPERIMENT
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, reason)| *reason)
}
