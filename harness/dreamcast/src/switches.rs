//! The switches of [`Settings`] by name, with what speaks for each default.

use crate::settings::{
    BootRomCheck, BootState, CpuHz, Dcload, DmaWindows, MapleTime, SbRevision, Settings, TmuPhase,
    VblankUnits,
};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A value of a switch that has few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// What a switch can be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these; the default first.
    Choices(&'static [Choice]),
    /// A number.
    Number(RangeInclusive<u64>),
}

/// A switch.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// What it can be set to.
    pub values: Values,
    /// What speaks for the default.
    pub evidence: &'static str,
    /// How good that is: low, medium or high.
    pub confidence: &'static str,
    get: fn(&Settings) -> u64,
    set: fn(&mut Settings, u64),
}

/// A switch that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is no such switch.
    #[error("no switch {name}, expected {known}")]
    Switch {
        /// What was asked for.
        name: String,
        /// The names, joined by commas.
        known: String,
    },
    /// The switch has no such value.
    #[error("{switch}: found {found:?}, expected {expected}")]
    Value {
        /// The switch.
        switch: &'static str,
        /// What was asked for.
        found: String,
        /// What it can be.
        expected: String,
    },
}

/// Every value of a switch that is an enum, as its number and back.
macro_rules! of_enum {
    ($field:ident, $type:ident: $($value:ident),+) => {
        (
            (|settings| settings.$field as u64) as fn(&Settings) -> u64,
            (|settings, number| {
                let values = [$($type::$value),+];
                settings.$field = values.get(number as usize).copied().unwrap_or_default();
            }) as fn(&mut Settings, u64),
        )
    };
}

macro_rules! of_number {
    ($field:ident) => {
        (
            (|settings| settings.$field.into()) as fn(&Settings) -> u64,
            (|settings, number| settings.$field = number as _) as fn(&mut Settings, u64),
        )
    };
}

const fn choice(name: &'static str, about: &'static str) -> Choice {
    Choice { name, about }
}

/// Name and subject; values; evidence and confidence; access.
type Row = (
    [&'static str; 2],
    Values,
    [&'static str; 2],
    (fn(&Settings) -> u64, fn(&mut Settings, u64)),
);

fn rows() -> Vec<Row> {
    let mut rows = enums();
    rows.extend(numbers());
    rows
}

fn enums() -> Vec<Row> {
    vec![
        (
            ["cpu_hz", "The SH4's clock"],
            Values::Choices(
                const {
                    &[
                        choice("ratio", "199.5 MHz: 133/18 of the 27 MHz dot clock"),
                        choice("measured", "199,499,520 Hz, as KallistiOS assumes"),
                        choice("nominal", "200 MHz"),
                    ]
                },
            ),
            ["2.4 ppm from what KallistiOS measured (its timer.c)", "medium"],
            of_enum!(cpu_hz, CpuHz: Ratio133To18, Measured, Nominal),
        ),
        (
            ["vint_units", "What SPG_VBLANK_INT counts in interlaced modes"],
            Values::Choices(
                const {
                    &[
                        choice("field_lines", "whole lines of the field"),
                        choice("raw", "the counter of SPG_STATUS, which runs at half lines"),
                    ]
                },
            ),
            [
                "Olsson's register guide: 21 and 258 where the blanking registers hold 36 and 516",
                "medium",
            ],
            of_enum!(vint_units, VblankUnits: FieldLines, Raw),
        ),
        (
            ["maple_time", "How long a Maple transfer takes"],
            Values::Choices(
                const {
                    &[
                        choice(
                            "bytes",
                            "2 Mbit/s out, 0.74 Mbit/s in, the time-out for an empty port",
                        ),
                        choice(
                            "millisecond",
                            "1 ms, the typical time of a console test by the author of washingtondc",
                        ),
                        choice("fifth_of_millisecond", "0.2 ms"),
                    ]
                },
            ),
            ["the bus's clock", "medium"],
            of_enum!(maple_time, MapleTime: Bytes, Millisecond, FifthOfMillisecond),
        ),
        (
            ["tmu_phase", "The phase of a timer's prescaler"],
            Values::Choices(
                const {
                    &[
                        choice("restart", "it restarts when TSTR starts the channel"),
                        choice("free_running", "it runs free from power-on"),
                    ]
                },
            ),
            ["none: no source decides", "low"],
            of_enum!(tmu_phase, TmuPhase: Restart, FreeRunning),
        ),
        (
            ["rom_check", "What the drive's unlock register 005F74EC answers"],
            Values::Choices(
                const {
                    &[
                        choice(
                            "skip",
                            "3: the check has passed; KallistiOS does not read the boot ROM",
                        ),
                        choice("read", "0: KallistiOS reads 2 MiB of ROM, some 331 ms"),
                    ]
                },
            ),
            ["a loader leaves the drive unlocked", "medium"],
            of_enum!(rom_check, BootRomCheck: Skip, Read),
        ),
        (
            ["dcload", "The loader that the program finds"],
            Values::Choices(
                const {
                    &[
                        choice("serial", "dcload-serial: console and files by its calls"),
                        choice("ip", "dcload-ip: call 14 fails"),
                        choice("none", "no loader: text goes to the serial port"),
                    ]
                },
            ),
            ["a matter of the developer's cable", "high"],
            of_enum!(dcload_kind, Dcload: Serial, Ip, None),
        ),
        (
            [
                "dma_windows",
                "PVR, G2 and Maple DMA outside the window of PDAPRO, G2APRO or MDAPRO",
            ],
            Values::Choices(
                const {
                    &[
                        choice("report", "goes on; the check dma-range reports it"),
                        choice("refuse", "overrun error; the enable register falls"),
                    ]
                },
            ),
            [
                "KallistiOS opens the windows; flycast refuses for G2 and Maple",
                "low",
            ],
            of_enum!(dma_windows, DmaWindows: Report, Refuse),
        ),
        (
            ["boot_state", "The screen that a program finds: 640 x 480 pixels"],
            Values::Choices(
                const {
                    &[
                        choice("boot_rom", "the boot ROM's: RGB0888 at 00200000"),
                        choice("dcload", "dcload-ip 2's: RGB0555 at 0"),
                    ]
                },
            ),
            [
                "IP.BIN copies 640 x 480 words to A5200000; dcload-ip's source; programs that set no mode",
                "medium-high",
            ],
            of_enum!(boot_state, BootState: BootRom, Dcload),
        ),
        (
            ["sb_revision", "SBREV (005F689C)"],
            Values::Choices(const { &[choice("0b", "as three emulators answer"), choice("10", "10 hex")] }),
            ["agreement of emulators", "medium"],
            of_enum!(sb_revision, SbRevision: Eleven, Sixteen),
        ),
    ]
}

fn numbers() -> Vec<Row> {
    vec![
        (
            [
                "gd_disc_rate",
                "Cycles that the GD-ROM drive takes for a byte from the disc",
            ],
            Values::Number(1..=100_000),
            [
                "1.8 MB/s at 12 times the speed of audio; two emulators agree",
                "high",
            ],
            of_number!(gd_disc_rate),
        ),
        (
            [
                "gd_buffer_rate",
                "Cycles that G1 DMA takes for a byte in the drive's buffer",
            ],
            Values::Number(1..=100_000),
            ["13.3 MB/s; another emulator has 8 cycles", "low"],
            of_number!(gd_buffer_rate),
        ),
        (
            [
                "gd_command_time",
                "Cycles that a command of the drive takes beside its data",
            ],
            Values::Number(0..=400_000_000),
            ["nobody has measured seeks", "low"],
            of_number!(gd_command_time),
        ),
        (
            [
                "cycles_per_instruction",
                "Cycles that an instruction takes under the fast clock",
            ],
            Values::Number(1..=16),
            [
                "the SH4 issues up to two instructions a cycle and waits for memory; no number is right",
                "low",
            ],
            of_number!(cycles_per_instruction),
        ),
        (
            ["open_bus", "What reads of unassigned addresses give"],
            Values::Number(0..=u32::MAX as u64),
            ["other emulators; no capture of a console exists", "low"],
            of_number!(open_bus),
        ),
        (
            [
                "ta_list_latency",
                "Cycles from a list's end-of-list parameter to its event",
            ],
            Values::Number(0..=1_000_000),
            [
                "programs set flags behind the store, so 0 breaks them; other emulators: 0 and 800",
                "low",
            ],
            of_number!(ta_list_latency),
        ),
        (
            [
                "translucent_tenths",
                "PVR clocks that a translucent pixel takes, in tenths",
            ],
            Values::Number(0..=10_000),
            [
                "60 Hz is lost beyond 0.5 to 0.6 million translucent pixels a frame (dreamcast.wiki)",
                "low",
            ],
            of_number!(translucent_tenths),
        ),
        (
            [
                "ch2_rate64",
                "Hundredths of cycles for 32 bytes of channel 2 DMA by the 64-bit path",
            ],
            Values::Number(1..=100_000),
            [
                "measured on a console: 9.886 cycles (snickerbockers/pvr2_mem_test)",
                "high",
            ],
            of_number!(ch2_rate64),
        ),
        (
            [
                "ch2_rate32",
                "Hundredths of cycles for 32 bytes of channel 2 DMA by the 32-bit path",
            ],
            Values::Number(1..=100_000),
            [
                "measured on a console: 16.713 cycles (snickerbockers/pvr2_mem_test)",
                "high",
            ],
            of_number!(ch2_rate32),
        ),
        (
            ["g2_dma_rate", "Cycles that G2 DMA takes for a byte"],
            Values::Number(1..=1000),
            [
                "4 is the bus's limit (16 bits at 25 MHz); 10 is another emulator's guess",
                "low",
            ],
            of_number!(g2_dma_rate),
        ),
        (
            [
                "g2_word_time",
                "Cycles in which the sound block's write buffer stores a word (FFST bit 0)",
            ],
            Values::Number(0..=10_000),
            [
                "lxdream's author read 120 to 420 ns; clearing sound memory takes about 200 ms",
                "low",
            ],
            of_number!(g2_word_time),
        ),
    ]
}

impl Settings {
    /// Every switch.
    #[must_use]
    pub fn switches() -> Vec<Switch> {
        let switch = |([name, about], values, [evidence, confidence], (get, set)): Row| Switch {
            name,
            about,
            values,
            evidence,
            confidence,
            get,
            set,
        };
        rows().into_iter().map(switch).collect()
    }

    /// Sets the switch `name`. Numbers are decimal, or hexadecimal with 0x.
    ///
    /// # Errors
    /// If there is no such switch, or it has no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let switches = Self::switches();
        let Some(switch) = switches.iter().find(|switch| switch.name == name) else {
            let known: Vec<_> = switches.iter().map(|switch| switch.name).collect();
            return Err(SettingError::Switch {
                name: name.to_owned(),
                known: known.join(", "),
            });
        };
        let number = switch.number(value).ok_or_else(|| SettingError::Value {
            switch: switch.name,
            found: value.to_owned(),
            expected: switch.expected(),
        })?;
        (switch.set)(self, number);
        Ok(())
    }
}

impl Switch {
    /// The value that `settings` hold.
    #[must_use]
    pub fn value(&self, settings: &Settings) -> String {
        let number = (self.get)(settings);
        match &self.values {
            Values::Choices(choices) => choices
                .get(number as usize)
                .map_or(String::new(), |choice| choice.name.to_owned()),
            Values::Number(_) => number.to_string(),
        }
    }

    fn number(&self, value: &str) -> Option<u64> {
        match &self.values {
            Values::Choices(choices) => {
                let index = choices.iter().position(|choice| choice.name == value)?;
                Some(index as u64)
            }
            Values::Number(range) => {
                let number = match value.strip_prefix("0x") {
                    Some(digits) => u64::from_str_radix(digits, 16),
                    None => value.parse(),
                };
                number.ok().filter(|number| range.contains(number))
            }
        }
    }

    fn expected(&self) -> String {
        match &self.values {
            Values::Choices(choices) => choices
                .iter()
                .map(|choice| choice.name)
                .collect::<Vec<_>>()
                .join(", "),
            Values::Number(range) => format!("a number from {} to {}", range.start(), range.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value of every switch can be set and is read back; the first choice is the default.
    #[test]
    fn switches_hold_what_is_set() {
        let default = Settings::default();
        for switch in Settings::switches() {
            let values: Vec<String> = match &switch.values {
                Values::Choices(choices) => choices.iter().map(|choice| choice.name.to_owned()).collect(),
                Values::Number(range) => vec![range.start().to_string(), range.end().to_string()],
            };
            if let Values::Choices(choices) = &switch.values {
                assert_eq!(switch.value(&default), choices[0].name, "{}", switch.name);
            }
            for value in values {
                let mut settings = default;
                settings.set(switch.name, &value).expect("a known value");
                assert_eq!(switch.value(&settings), value, "{}", switch.name);
            }
            assert!(default.clone().set(switch.name, "nonsense").is_err());
            assert!(!switch.evidence.is_empty() && !switch.about.is_empty());
        }
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal_and_have_limits() {
        let mut settings = Settings::default();
        settings.set("open_bus", "0xFFFFFFFF").expect("32 bits");
        assert_eq!(settings.open_bus, u32::MAX);
        assert!(settings.set("open_bus", "0x100000000").is_err());
        assert!(settings.set("cycles_per_instruction", "0").is_err());
        let error = settings.set("clock", "1").expect_err("no such switch");
        assert!(
            error
                .to_string()
                .starts_with("no switch clock, expected cpu_hz, "),
            "{error}"
        );
    }
}
