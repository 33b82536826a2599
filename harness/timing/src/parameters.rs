//! Uncertain constants of the cycle model.
//!
//! A parameter has a default, the range that sources leave open, the evidence and a confidence. A new
//! measurement on a console changes one line here.

use crate::table::{InstructionTiming, Lock, Stage};
use settings::{Confidence, Setting, Table, Values};
use sh4::table::Id;

settings::settings! {
    /// The model's uncertain constants. The defaults are the best-supported values.
    pub struct Parameters;

    values:
    /// Latency of FSRRA.
    fsrra_latency: u32 = 4 in 0..=64 cycles (3..=6), Low,
        "not in the SH7750 manual: 1 to 5 in emulators and GCC; a quoted 22-cycle loop suggests 4 to 6";
    /// Latency of FSCA.
    fsca_latency: u32 = 3 in 0..=64 cycles (3..=7), Low,
        "not in the SH7750 manual: 3 in three emulators, 7 in GCC's SH-4A model";
    /// Cycles that FSCA occupies F1.
    fsca_busy: u32 = 1 in 0..=64 cycles (1..=3), Low, "1 like other arithmetic, 3 in GCC's SH-4A model";
    /// Latency of FTRV's first component.
    ftrv_first_latency: u32 = 5 in 0..=64 cycles (4..=5), Medium,
        "5 in the manual's table, 4 by its stage chart";
    /// Cycles that a double FDIV occupies the divider.
    fdiv_d_f3_length: u32 = 22 in 0..=64 cycles (21..=23), Medium,
        "21 transcribed, 22 in GCC, 23 by the latency";
    /// Cycle in which a double FDIV returns to F1.
    fdiv_d_tail: u32 = 21 in 0..=64 cycles (20..=22), Medium, "20 transcribed, 21 in GCC, 22 by the latency";
    /// Cycles that a double FSQRT occupies the divider.
    fsqrt_d_f3_length: u32 = 21 in 0..=64 cycles (20..=22), Medium, "one less than FDIV";
    /// Cycle in which a double FSQRT returns to F1.
    fsqrt_d_tail: u32 = 20 in 0..=64 cycles (19..=21), Medium, "one less than FDIV";
    /// Single FLOAT occupies F1 for two cycles.
    float_s_f1_lock: u32 = 0 of "no" "yes", Medium, "one transcription says so, its pattern does not";
    /// Latency of LDS.L @Rm+,FPSCR.
    lds_l_fpscr_latency: u32 = 4 in 0..=64 cycles (3..=4), Medium, "4 in the manual, 3 in two other tables";
    /// Cycles by which a write after FSQRT or FDIV to the same register may precede the manual's latency.
    waw_fsqrt_less: u32 = 0 in 0..=64 cycles (0..=2), Low, "none";
    /// Issue slots lost at a branch to an odd halfword.
    fetch_align_penalty: u32 = 0 in 0..=64 cycles (0..=1), Low, "none; homebrew aligns hot loops to 4 bytes";
    /// A delay slot issues together with a taken branch.
    slot_pairs_with_taken_branch: u32 = 1 of "no" "yes", Medium, "an inference, not measured";
    /// Cycles that OCBI occupies the memory stage on a hit; 1 on a miss.
    ocbi_busy_hit: u32 = 2 in 0..=64 cycles (1..=2), Medium, "the manual gives 1 to 2";
    /// Cycles that OCBP and OCBWB occupy the memory stage on a dirty line; 1 otherwise.
    ocbp_busy_dirty: u32 = 5 in 0..=64 cycles (1..=5), Medium, "the manual gives 1 to 5";
    /// Cycles that MOVCA.L occupies the memory stage if it evicts no dirty line.
    movca_busy_clean: u32 = 3 in 0..=64 cycles (3..=7), Medium, "the manual gives 3 to 7";
    /// Cycles that MOVCA.L occupies the memory stage if it evicts a dirty line.
    movca_busy_dirty: u32 = 7 in 0..=64 cycles (3..=7), Medium, "the manual gives 3 to 7";
    /// Operand reads wait while OCBP or OCBWB sends a line.
    ocbwb_blocks_reads: u32 = 1 of "no" "yes", Medium, "probable from measurements";
    /// Cycles for changing the bus between reading and writing.
    bus_turnaround: u32 = 775 in 0..=6400 hundredths (700..=800), High,
        "fitted to three measured patterns, residual 0.1";
    /// Cycles that a line read occupies the bus in addition to the SDRAM's time.
    mem_base_overhead: u32 = 230 in 0..=6400 hundredths (200..=260), High,
        "24.3 cycles measured for a read and a write, 22 derived";
    /// Cycles that a load miss takes in addition to the line's time on the bus.
    demand_miss_overhead: u32 = 600 in 0..=6400 hundredths (0..=700), Low,
        "one measurement (TransformVecs, uncached: 15.2 cycles a vector)";
    /// SDRAM rows: every access hits, every access misses, or rows are tracked.
    row_policy: u32 = 2 of "hit" "miss" "tracked", Medium, "the console's SDRAM has rows of 2 KiB in 4 banks";
    /// Address bits that choose the SDRAM bank: 23-22 or 12-11.
    row_bank_bits: u32 = 0 of "high" "low", Low, "none";
    /// Cycles of an access to a register of an on-chip peripheral (TMU, DMAC, SCIF, INTC).
    register_access: u32 = 8 in 0..=64 cycles (4..=16), Low,
        "at least one cycle of the 50 MHz peripheral clock; no source has more";
    /// Cycles from the acceptance of an interrupt or exception to the first instruction of its handler.
    interrupt_entry: u32 = 19 in 0..=64 cycles (13..=26), Low,
        "the response times in section 19 of the SH7750 manual; not measured on a console";
    /// Fraction by which the CPU's memory stalls grow while DMA moves main memory.
    dma_stall: u32 = 40 in 0..=6400 hundredths (0..=100), Low,
        "no measurement: one burst of 10 cycles before each transfer of 24";
    /// Fraction by which the CPU's memory stalls grow by SDRAM refresh.
    refresh_stall: u32 = 1 in 0..=6400 hundredths (0..=2), Low,
        "14 bus cycles every 15.04 us are 0.9 % of the bus's time";
    /// Events of counter 13: instructions that issued alone, or all.
    pmu_event13: u32 = 0 of "single" "all", Low, "reported by a user of a console";
    /// Events of counter 14: pairs, or the instructions in them.
    pmu_event14: u32 = 0 of "pairs" "instructions", Low, "none";
    /// The clock by which the profiler converts cycles to time.
    cpu_khz: u32 = 199_500 in 1..=4_294_967_295 kilohertz (199_500..=200_000), High,
        "199.5 MHz from measured bus clocks, 200 MHz nominal";
}

impl Parameters {
    /// Returns the parameters with every constant of the pipeline at the fast end of the range that the
    /// evidence allows.
    #[must_use]
    pub fn fastest(mut self) -> Parameters {
        self.set_extremes(0);
        self.waw_fsqrt_less = 2;
        self.slot_pairs_with_taken_branch = 1;
        self
    }

    /// Returns the parameters with every constant of the pipeline at the slow end of the range.
    #[must_use]
    pub fn slowest(mut self) -> Parameters {
        self.set_extremes(1);
        self.waw_fsqrt_less = 0;
        self.slot_pairs_with_taken_branch = 0;
        self
    }

    /// Moves all constants that were not set explicitly to one end of their ranges.
    fn set_extremes(&mut self, end: usize) {
        for row in self.rows() {
            let is_open = row.confidence != Confidence::High && PIPELINE.contains(&row.name);
            if is_open && self.number(row.name) == Some(row.default) {
                let [low, high] = likely(&row);
                self.set_number(row.name, [low, high][end]);
            }
        }
    }

    /// Returns the latencies of a row, with the uncertain ones filled in.
    pub(crate) fn latencies(&self, row: &InstructionTiming) -> [u8; 5] {
        let mut latencies = [0; 5];
        latencies[..row.latencies.len()].copy_from_slice(row.latencies);
        let short = |cycles: u32| cycles.min(64) as u8;
        match row.id {
            Id::fsrra_frn => {
                latencies[..2].copy_from_slice(&[short(self.fsrra_latency), short(self.fsrra_latency + 1)])
            }
            Id::fsca_fpul_drn => {
                latencies[..2].copy_from_slice(&[short(self.fsca_latency), short(self.fsca_latency + 1)])
            }
            Id::ftrv_xmtrx_fvn => latencies[0] = short(self.ftrv_first_latency),
            Id::lds_l_post_rm_fpscr => latencies[1] = short(self.lds_l_fpscr_latency),
            _ => {}
        }
        latencies
    }

    /// Returns the locks of a row, with the uncertain ones filled in.
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

/// Parameters of the pipeline, which [`Parameters::fastest`] and [`Parameters::slowest`] change.
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

/// Lowest and highest value that the evidence allows.
#[must_use]
pub fn likely(row: &Setting) -> [u64; 2] {
    match row.values {
        Values::Number(number) => number.likely.unwrap_or([number.least, number.greatest]),
        Values::Choices(choices) => [0, choices.len() as u64 - 1],
    }
}
