//! Lists every setting of the CPU, the console, the PowerVR2, the sound block and the cycle model.

use crate::setting_options::console;
use anyhow::{Context, Result};
use dreamcast::Config;
use settings::{Group, Setting, Values};

/// The group of a setting.
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

/// A setting with the values to try.
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) row: Setting,
    /// Values to try; the current one is first. For a number, the others are the ends of its uncertain range,
    /// or a single other value.
    pub(crate) choices: Vec<String>,
    pub(crate) owner: Owner,
}

impl Owner {
    fn of(group: &str) -> Owner {
        match group {
            "cpu" => Owner::Cpu,
            "pvr" => Owner::Pvr,
            "aica" => Owner::Aica,
            "timing" => Owner::Timing,
            _ => Owner::Console,
        }
    }
}

/// Returns the settings of some owners, or of all if `owners` is empty.
pub(crate) fn of(owners: &[Owner], mut config: Config) -> Vec<Switch> {
    let groups = console(&mut config);
    let switches = groups.iter().flat_map(|group| {
        let rows = group.table.rows().into_iter();
        rows.map(|row| switch(group, row)).collect::<Vec<_>>()
    });
    switches
        .filter(|switch| owners.is_empty() || owners.contains(&switch.owner))
        .collect()
}

fn switch(group: &Group<'_>, row: Setting) -> Switch {
    let current = group.table.number(row.name).unwrap_or(row.default);
    let others: Vec<u64> = match row.values {
        Values::Choices(choices) => (0..choices.len() as u64).collect(),
        Values::Number(number) => match number.likely {
            Some(ends) => ends.to_vec(),
            None if current > 0 => vec![(2 * current).min(number.greatest)],
            None => vec![number.greatest],
        },
    };
    let others = others.into_iter().filter(|other| *other != current);
    Switch {
        name: row.name,
        row,
        choices: std::iter::once(current)
            .chain(others)
            .map(|value| row.text(value))
            .collect(),
        owner: Owner::of(group.name),
    }
}

/// Sets a setting by name. For compatibility, settings of the sound block can have the prefix `aica_`.
///
/// # Errors
/// If the setting does not exist, or does not accept the value.
pub(crate) fn set(config: &mut Config, name: &str, choice: &str) -> Result<()> {
    let name = name.strip_prefix("aica_").unwrap_or(name);
    settings::apply(&mut console(config), &format!("{name}={choice}"))?;
    Ok(())
}

/// Sets a setting from `NAME=VALUE`.
pub(crate) fn set_text(config: &mut Config, asked: &str) -> Result<()> {
    let (name, choice) = asked.split_once('=').unwrap_or((asked, ""));
    set(config, name, choice).with_context(|| format!("--set {asked}"))
}

const DISC: &str = "needs a disc in the drive";

/// Settings that no experiment distinguishes, with the reason.
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
        "converts the profiler's results; the console's clock is cpu_hz",
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
        "rate_scaling",
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
    ("exts_order", "needs a disc with sound in the drive"),
];

/// Returns the reason in [`WITHOUT_EXPERIMENT`].
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    WITHOUT_EXPERIMENT
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, reason)| *reason)
}
