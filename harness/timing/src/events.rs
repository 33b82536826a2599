//! The console's 33 performance events, as its counters number them.

use crate::cause::Cause;
use crate::counts::Counts;
use crate::ledger::Ledger;
use crate::memory::MemoryStats;
use crate::parameters::Parameters;
use std::fmt::Write as _;
use thiserror::Error;

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Code in PMCR's low six bits.
    pub code: u8,
    /// Name in CSV files.
    pub key: &'static str,
    /// Counted occurrence.
    pub text: &'static str,
    /// True if the event counts cycles instead of occurrences.
    pub cycles: bool,
}

macro_rules! events {
    ($($code:literal $key:literal $kind:literal $text:literal;)+) => {
        /// All events, by code. The codes 0C, 1B to 20 and 26 do not exist.
        pub const EVENTS: &[Event] = &[$(Event {
            code: $code,
            key: $key,
            text: $text,
            cycles: $kind,
        },)+];
    };
}

events! {
    0x01 "operand_read" false "operand read (cached)";
    0x02 "operand_write" false "operand write (cached)";
    0x03 "utlb_miss" false "UTLB miss";
    0x04 "operand_read_miss" false "operand cache read miss";
    0x05 "operand_write_miss" false "operand cache write miss";
    0x06 "instruction_fetch" false "instruction fetch (cached)";
    0x07 "instruction_tlb_miss" false "instruction TLB miss";
    0x08 "instruction_miss" false "instruction cache miss";
    0x09 "operand_access_all" false "all operand accesses";
    0x0A "instruction_fetch_all" false "all instruction fetches";
    0x0B "cache_ram_access" false "operand cache as RAM";
    0x0D "on_chip_access" false "on-chip I/O";
    0x0E "operand_access" false "operand read and write (cached)";
    0x0F "operand_miss" false "operand cache miss";
    0x10 "branch" false "branch";
    0x11 "branch_taken" false "branch taken";
    0x12 "call" false "BSR, BSRF, JSR";
    0x13 "instruction" false "instruction";
    0x14 "instruction_parallel" false "instructions in parallel";
    0x15 "fpu_instruction" false "FPU instruction";
    0x16 "interrupt" false "interrupt";
    0x17 "nmi" false "NMI";
    0x18 "trapa" false "TRAPA";
    0x19 "ubc_a" false "user break channel A";
    0x1A "ubc_b" false "user break channel B";
    0x21 "instruction_fill" true "instruction cache fill";
    0x22 "operand_fill" true "operand cache fill";
    0x23 "elapsed" true "elapsed time";
    0x24 "freeze_instruction_miss" true "frozen by instruction miss";
    0x25 "freeze_operand_miss" true "frozen by operand miss";
    0x27 "freeze_branch" true "frozen by branch";
    0x28 "freeze_register" true "frozen by CPU register";
    0x29 "freeze_fpu" true "frozen by FPU";
}

/// Code of the event that counts elapsed time.
pub const ELAPSED: u8 = 0x23;

/// A count for each of [`EVENTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventCounts(pub [u64; EVENTS.len()]);

impl EventCounts {
    /// Creates the counts of a run.
    #[must_use]
    pub fn new(
        ledger: &Ledger,
        counts: &Counts,
        memory: &MemoryStats,
        parameters: &Parameters,
    ) -> EventCounts {
        let idle = |causes: &[Cause]| {
            causes
                .iter()
                .map(|cause| ledger.idle[*cause as usize])
                .sum::<u64>()
        };
        let operand = idle(&[
            Cause::OperandMiss,
            Cause::PrefetchBusy,
            Cause::WriteDuringFill,
            Cause::StoreQueue,
            Cause::WriteBuffer,
            Cause::Turnaround,
            Cause::RowMiss,
            Cause::CacheOperation,
            Cause::Uncached,
        ]);
        let cached = memory.cached_reads + memory.cached_writes;
        // A region may begin between the two instructions of a pair.
        let singles = counts.instructions.saturating_sub(2 * counts.pairs);
        let count = |code: u8| match code {
            0x01 => memory.cached_reads,
            0x02 => memory.cached_writes,
            0x04 => memory.read_misses,
            0x05 => memory.write_misses,
            0x06 | 0x0A => counts.fetches,
            0x08 => memory.instruction_misses,
            0x09 => memory.accesses,
            0x0B => memory.cache_ram,
            0x0D => memory.on_chip,
            0x0E => cached,
            0x0F => memory.read_misses + memory.write_misses,
            0x10 => counts.branches,
            0x11 => counts.taken,
            0x12 => counts.calls,
            0x13 if parameters.pmu_event13 == 0 => singles,
            0x13 => counts.instructions,
            0x14 if parameters.pmu_event14 == 0 => counts.pairs,
            0x14 => 2 * counts.pairs,
            0x15 => counts.fpu,
            0x16 => counts.interrupts,
            0x18 => counts.traps,
            0x21 => memory.instruction_fill_ticks / 100,
            0x22 => memory.operand_fill_ticks / 100,
            ELAPSED => ledger.cycles().0,
            0x24 => idle(&[Cause::InstructionMiss]),
            0x25 => operand,
            0x27 => idle(&[Cause::Branch, Cause::Align]),
            0x28 => idle(&[Cause::Flow, Cause::Control]),
            0x29 => idle(&[Cause::FlowFpu, Cause::Fpu, Cause::Output, Cause::Anti]),
            // The model has no address translation; it counts no NMI and no user break.
            _ => 0,
        };
        EventCounts(std::array::from_fn(|i| count(EVENTS[i].code)))
    }

    /// Returns the count of the event `code`, as read from PMCTR; `None` for unknown codes.
    #[must_use]
    pub fn get(&self, code: u8) -> Option<u64> {
        let index = EVENTS.iter().position(|event| event.code == code)?;
        self.0.get(index).copied()
    }

    /// Adds to the count of the event `code`; unknown codes are ignored.
    pub fn add(&mut self, code: u8, more: u64) {
        if let Some(index) = EVENTS.iter().position(|event| event.code == code) {
            self.0[index] += more;
        }
    }

    /// Returns the CSV text: `code,event,count` lines with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("code,event,count\n");
        for (event, count) in EVENTS.iter().zip(self.0) {
            let _ = writeln!(text, "{:02X},{},{count}", event.code, event.key);
        }
        text
    }
}

/// A measured count from a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Code of the event.
    pub code: u8,
    /// Measured count; averages of several runs may be fractions.
    pub count: f64,
}

/// A malformed line of a CSV file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: found {found:?}, expected {expected}")]
pub struct CsvError {
    /// Line number from 1.
    pub line: usize,
    /// Text of the line.
    pub found: String,
    /// Expected form.
    pub expected: &'static str,
}

/// Reads measured counts: lines `CODE,NAME,COUNT` or `CODE,COUNT`, with the code in hexadecimal. Lines that
/// begin with `#` are comments. The first other line is a header if it begins with `code`.
///
/// # Errors
/// Fails if a line has no event code or no number.
pub fn read_csv(text: &str) -> Result<Vec<Measured>, CsvError> {
    let mut measured = Vec::new();
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    for (place, (index, line)) in lines.enumerate() {
        if place == 0 && line.starts_with("code") {
            continue;
        }
        let fail = |expected| CsvError {
            line: index + 1,
            found: line.to_owned(),
            expected,
        };
        let mut cells = line.split(',').map(str::trim);
        let code = cells.next().unwrap_or_default();
        let code = code.trim_start_matches("0x");
        let code = u8::from_str_radix(code, 16)
            .ok()
            .filter(|code| EVENTS.iter().any(|e| e.code == *code));
        let code = code.ok_or_else(|| fail("a hexadecimal event code, 01 to 29"))?;
        let count: Option<f64> = cells.next_back().and_then(|cell| cell.parse().ok());
        let count = count.filter(|count| count.is_finite() && *count >= 0.0);
        measured.push(Measured {
            code,
            count: count.ok_or_else(|| fail("a count in the last column"))?,
        });
    }
    Ok(measured)
}
