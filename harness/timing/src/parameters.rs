//! The figures that are not known for certain.
//!
//! A parameter has a default, the range that sources leave open, the evidence and a confidence. A measurement
//! on a console changes one line here.

use crate::table::{InstructionTiming, Lock, Stage};
use sh4::table::Id;
use std::fmt;
use thiserror::Error;

/// How well a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// Sources agree, or it follows from them.
    High,
    /// One good source, or a derivation.
    Medium,
    /// Sources disagree, or the evidence is weak.
    Low,
    /// No source.
    Open,
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
            Confidence::Open => "open",
        })
    }
}

/// The notation of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Whole CPU cycles.
    Cycles,
    /// Hundredths of a CPU cycle, written as a decimal.
    Hundredths,
    /// kHz.
    Kilohertz,
    /// The index of one of these words.
    Choice(&'static [&'static str]),
}

/// The description of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name, as `--set` takes it.
    pub name: &'static str,
    /// The notation of its value.
    pub unit: Unit,
    /// The value used.
    pub default: u32,
    /// Lowest value that the evidence allows.
    pub low: u32,
    /// Highest.
    pub high: u32,
    /// The source of the value, and sources that disagree.
    pub evidence: &'static str,
    /// Its confidence.
    pub confidence: Confidence,
}

/// A setting that is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParameterError {
    /// There is no such parameter.
    #[error("no parameter {0}; there are {1}")]
    Name(String, String),
    /// The value is malformed or too large.
    #[error("{name}: found {found}, expected {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value given.
        found: String,
        /// The values allowed.
        expected: String,
    },
}

macro_rules! parameters {
    ($($name:ident $unit:expr, $default:literal in $low:literal..=$high:literal, $confidence:ident, $evidence:literal;)+) => {
        /// The model's open figures. The default is the chip as well as it is known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[doc = $evidence] pub $name: u32,)+
        }

        impl Default for Parameters {
            fn default() -> Self {
                Parameters { $($name: $default,)+ }
            }
        }

        /// The descriptions of all parameters.
        pub const DESCRIPTIONS: &[Description] = &[$(Description {
            name: stringify!($name),
            unit: $unit,
            default: $default,
            low: $low,
            high: $high,
            evidence: $evidence,
            confidence: Confidence::$confidence,
        },)+];

        impl Parameters {
            fn field(&mut self, name: &str) -> Option<&mut u32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            /// The value of each, in the order of [`DESCRIPTIONS`].
            #[must_use]
            pub fn values(&self) -> Vec<u32> {
                vec![$(self.$name,)+]
            }
        }
    };
}

const NO_YES: Unit = Unit::Choice(&["no", "yes"]);

#[rustfmt::skip]
parameters! {
    fsrra_latency Unit::Cycles, 4 in 3..=6, Low,
        "Not in the SH7750 manual: 1 to 5 in emulators and GCC; a quoted 22-cycle loop suggests 4 to 6.";
    fsca_latency Unit::Cycles, 3 in 3..=7, Low,
        "Not in the SH7750 manual: 3 in three emulators, 7 in GCC's SH-4A model.";
    fsca_busy Unit::Cycles, 1 in 1..=3, Low,
        "Cycles that FSCA keeps F1: 1 like other arithmetic, 3 in GCC's SH-4A model.";
    ftrv_first_latency Unit::Cycles, 5 in 4..=5, Medium,
        "First component of FTRV: 5 in the manual's table, 4 by its stage chart.";
    fdiv_d_f3_length Unit::Cycles, 22 in 21..=23, Medium,
        "Divider time of a double FDIV: 21 transcribed, 22 in GCC, 23 by the latency.";
    fdiv_d_tail Unit::Cycles, 21 in 20..=22, Medium,
        "Cycle in which a double FDIV comes back to F1: 20 transcribed, 21 in GCC, 22 by the latency.";
    fsqrt_d_f3_length Unit::Cycles, 21 in 20..=22, Medium,
        "The same for a double FSQRT: one less.";
    fsqrt_d_tail Unit::Cycles, 20 in 19..=21, Medium,
        "The same for a double FSQRT: one less.";
    float_s_f1_lock NO_YES, 0 in 0..=1, Medium,
        "Whether single FLOAT keeps F1 for two cycles: one transcription says so, its pattern does not.";
    lds_l_fpscr_latency Unit::Cycles, 4 in 3..=4, Medium,
        "LDS.L @Rm+,FPSCR: 4 in the manual, 3 in two other tables.";
    waw_fsqrt_less Unit::Cycles, 0 in 0..=2, Open,
        "By how much a write behind FSQRT or FDIV to the same register may come earlier than the manual's \
         latency.";
    fetch_align_penalty Unit::Cycles, 0 in 0..=1, Open,
        "Issue slots lost at a branch to an odd halfword (0 or 1); homebrew aligns hot loops to 4 bytes.";
    slot_pairs_with_taken_branch NO_YES, 1 in 0..=1, Medium,
        "Whether a delay slot issues together with a taken branch.";
    ocbi_busy_hit Unit::Cycles, 2 in 1..=2, Medium,
        "Cycles that OCBI keeps the memory stage on a hit; 1 on a miss. The manual gives 1 to 2.";
    ocbp_busy_dirty Unit::Cycles, 5 in 1..=5, Medium,
        "The same for OCBP and OCBWB on a dirty line; 1 otherwise. The manual gives 1 to 5.";
    movca_busy_clean Unit::Cycles, 3 in 3..=7, Medium,
        "The same for MOVCA.L that evicts nothing dirty. The manual gives 3 to 7.";
    movca_busy_dirty Unit::Cycles, 7 in 3..=7, Medium,
        "The same for MOVCA.L that evicts a dirty line.";
    ocbwb_blocks_reads NO_YES, 1 in 0..=1, Medium,
        "Whether operand reads wait while OCBP or OCBWB sends a line: probable from measurements.";
    bus_turnaround Unit::Hundredths, 775 in 700..=800, High,
        "Cost of changing the bus between reading and writing: fitted to three measured patterns, residual \
         0.1.";
    mem_base_overhead Unit::Hundredths, 230 in 200..=260, High,
        "Time on the bus around a line read beyond SDRAM's own: 24.3 cycles measured for a read and a \
         write, 22 derived.";
    demand_miss_overhead Unit::Hundredths, 600 in 0..=700, Low,
        "What a load that misses waits beyond the line's own time on the bus; set by one measurement \
         (TransformVecs, uncached: 15.2 cycles a vector).";
    row_policy Unit::Choice(&["hit", "miss", "tracked"]), 2 in 0..=2, Medium,
        "Whether SDRAM rows are followed, or every access hits or misses.";
    row_bank_bits Unit::Choice(&["high", "low"]), 0 in 0..=1, Low,
        "Which address bits choose the SDRAM bank: 23-22 or 12-11.";
    register_access Unit::Cycles, 8 in 4..=16, Open,
        "An access to a register of an on-chip peripheral (TMU, DMAC, SCIF, INTC): at least one cycle of \
         the 50 MHz peripheral clock.";
    interrupt_entry Unit::Cycles, 19 in 13..=26, Low,
        "From the acceptance of an interrupt or exception to the first instruction of its handler: by the \
         response times in section 19 of the SH7750 manual; not measured on a console.";
    dma_stall Unit::Hundredths, 40 in 0..=100, Open,
        "The fraction by which the CPU's memory stalls grow while DMA moves main memory: one burst of 10 \
         cycles before each transfer of 24.";
    refresh_stall Unit::Hundredths, 1 in 0..=2, Low,
        "The same for SDRAM refresh: 14 bus cycles every 15.04 us are 0.9 % of the bus's time.";
    pmu_event13 Unit::Choice(&["single", "all"]), 0 in 0..=1, Low,
        "What event 13 counts: instructions that issued alone (as read by a console's user), or all.";
    pmu_event14 Unit::Choice(&["pairs", "instructions"]), 0 in 0..=1, Low,
        "What event 14 counts: pairs, or the instructions in them.";
    cpu_khz Unit::Kilohertz, 199_500 in 199_500..=200_000, High,
        "The console's clock: 199.5 MHz from measured bus clocks, 200 MHz nominal.";
}

impl Parameters {
    /// Sets the parameter `name` from text.
    ///
    /// # Errors If there is no such parameter, or `value` is not one of its values. A value outside of the
    /// range that the evidence allows is taken: that is what "what if" means; only times beyond 64 cycles are
    /// refused.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let Some(description) = DESCRIPTIONS.iter().find(|d| d.name == name) else {
            let names: Vec<&str> = DESCRIPTIONS.iter().map(|d| d.name).collect();
            return Err(ParameterError::Name(name.to_owned(), names.join(", ")));
        };
        let parsed = description
            .unit
            .parse(value)
            .ok_or_else(|| ParameterError::Value {
                name: description.name,
                found: value.to_owned(),
                expected: description.unit.expected(),
            })?;
        if let Some(field) = self.field(name) {
            *field = parsed;
        }
        Ok(())
    }

    /// The parameters that differ from the default, as `name=value`.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        DESCRIPTIONS
            .iter()
            .zip(self.values())
            .filter(|(description, value)| description.default != *value)
            .map(|(description, value)| format!("{}={}", description.name, description.unit.text(value)))
            .collect()
    }

    /// The same with every figure of the pipeline at the fast end of what the evidence allows.
    #[must_use]
    pub fn fastest(mut self) -> Parameters {
        self.bend(|d| d.low);
        self.waw_fsqrt_less = 2;
        self.slot_pairs_with_taken_branch = 1;
        self
    }

    /// The same with every figure of the pipeline at the slow end.
    #[must_use]
    pub fn slowest(mut self) -> Parameters {
        self.bend(|d| d.high);
        self.waw_fsqrt_less = 0;
        self.slot_pairs_with_taken_branch = 0;
        self
    }

    /// Figures that were set by hand stay.
    fn bend(&mut self, end: fn(&Description) -> u32) {
        for description in DESCRIPTIONS {
            let pipeline = description.confidence != Confidence::High && PIPELINE.contains(&description.name);
            if let (true, Some(field)) = (pipeline, self.field(description.name))
                && *field == description.default
            {
                *field = end(description);
            }
        }
    }

    /// A row's figures with the open ones filled in.
    pub(crate) fn figures(&self, row: &InstructionTiming) -> [u8; 5] {
        let mut figures = [0; 5];
        figures[..row.figures.len()].copy_from_slice(row.figures);
        let short = |cycles: u32| cycles.min(64) as u8;
        match row.id {
            Id::fsrra_frn => {
                figures[..2].copy_from_slice(&[short(self.fsrra_latency), short(self.fsrra_latency + 1)])
            }
            Id::fsca_fpul_drn => {
                figures[..2].copy_from_slice(&[short(self.fsca_latency), short(self.fsca_latency + 1)])
            }
            Id::ftrv_xmtrx_fvn => figures[0] = short(self.ftrv_first_latency),
            Id::lds_l_post_rm_fpscr => figures[1] = short(self.lds_l_fpscr_latency),
            _ => {}
        }
        figures
    }

    /// A row's locks with the open ones filled in.
    pub(crate) fn locks(&self, row: &InstructionTiming) -> Vec<Lock> {
        let lock = |stage, start, cycles: u32| Lock {
            stage,
            start,
            cycles: cycles.min(48) as u8,
        };
        let long = |length, tail: u32| {
            vec![
                lock(Stage::F1, 2, 2),
                lock(Stage::F3, 2, length),
                lock(Stage::F1, tail.min(48) as u8, 3),
            ]
        };
        match row.id {
            Id::fdiv_drm_drn => long(self.fdiv_d_f3_length, self.fdiv_d_tail),
            Id::fsqrt_drn => long(self.fsqrt_d_f3_length, self.fsqrt_d_tail),
            Id::fsca_fpul_drn => vec![lock(Stage::F1, 2, self.fsca_busy.max(1))],
            Id::float_fpul_frn if self.float_s_f1_lock != 0 => vec![lock(Stage::F1, 2, 2)],
            _ => row.locks.to_vec(),
        }
    }
}

/// The parameters of the pipeline, which [`Parameters::fastest`] and [`Parameters::slowest`] set.
const PIPELINE: &[&str] = &[
    "fsrra_latency",
    "fsca_latency",
    "fsca_busy",
    "ftrv_first_latency",
    "fdiv_d_f3_length",
    "fdiv_d_tail",
    "fsqrt_d_f3_length",
    "fsqrt_d_tail",
    "float_s_f1_lock",
    "lds_l_fpscr_latency",
    "fetch_align_penalty",
];

impl Unit {
    fn parse(self, text: &str) -> Option<u32> {
        match self {
            Unit::Cycles => text.parse().ok().filter(|cycles| *cycles <= 64),
            Unit::Kilohertz => text.parse().ok().filter(|khz| *khz > 0),
            Unit::Hundredths => {
                let value: f64 = text.parse().ok()?;
                (0.0..=64.0)
                    .contains(&value)
                    .then(|| (value * 100.0).round() as u32)
            }
            Unit::Choice(words) => words.iter().position(|word| *word == text).map(|i| i as u32),
        }
    }

    /// The text of `value`.
    #[must_use]
    pub fn text(self, value: u32) -> String {
        match self {
            Unit::Cycles | Unit::Kilohertz => value.to_string(),
            Unit::Hundredths => format!("{}", f64::from(value) / 100.0),
            Unit::Choice(words) => words.get(value as usize).copied().unwrap_or("?").to_owned(),
        }
    }

    fn expected(self) -> String {
        match self {
            Unit::Cycles => "whole cycles, 0 to 64".to_owned(),
            Unit::Kilohertz => "kHz".to_owned(),
            Unit::Hundredths => "cycles, 0 to 64".to_owned(),
            Unit::Choice(words) => words.join(" or "),
        }
    }
}
