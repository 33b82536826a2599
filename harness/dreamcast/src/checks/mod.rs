//! Checks for code that works here but fails on a console, reported at the responsible instruction.
//!
//! Each rule is a row in the table of [`Rule`], and a check in a device or in the memory path. Memory and
//! store queues answer without the exact time. If a check there finds a broken rule, it defers the access, so
//! that the CPU repeats it with its address and the exact time.

mod devices;
mod dma;
mod functions;
mod heap;
mod instruction_cache;
mod memory;
mod red_zone;
mod rules;
mod tile_accelerator;
mod video;

pub use rules::{Confidence, Info, Rule, RuleSet, Severity};

pub(crate) use dma::{G2APRO, MDAPRO, PDAPRO};
pub(crate) use instruction_cache::InstructionCache;
pub(crate) use red_zone::StackTap;

use crate::system::{System, ram_offset};
use machine::cache::{LINE, OperandCache};
use memory::Written;
use sh4::{BusError, Cpu};
use state::{Error, State, Stream};
use std::collections::BTreeMap;
use tile_accelerator::Parameters;
use video::Rendering;

/// Maximum number of stored places; further ones are only counted.
const PLACES: usize = 1000;
/// Bytes of the stack stored for a back-trace.
const STACK: usize = 4096;

/// A rule broken at one place, and the number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Broken rule.
    pub rule: Rule,
    /// Address of the responsible instruction, or of the next instruction if a device is responsible.
    pub pc: u32,
    /// Description of the first occurrence.
    pub detail: String,
    /// Addresses involved.
    pub addresses: Vec<u32>,
    /// Frame of the first occurrence.
    pub frame: u64,
    /// Cycle of the first occurrence.
    pub cycle: u64,
    /// Number of occurrences.
    pub count: u64,
    /// R0 to R15 after the instruction, at the first occurrence.
    pub registers: [u32; 16],
    /// PR at the first occurrence.
    pub pr: u32,
    /// Memory from R15 up at the first occurrence, as the CPU sees it through the cache.
    pub stack: Vec<u8>,
}

/// Place of a broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The instruction at an address.
    Instruction(u32),
    /// Not at an instruction; the number identifies the situation.
    Occasion(u32),
}

/// State of all rules.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    rules: RuleSet,
    findings: Vec<Finding>,
    places: BTreeMap<(Rule, Place), usize>,
    /// Number of findings that were not stored.
    more: u64,
    /// Index of the first finding without registers.
    settled: usize,
    /// Index of the first finding that can end the run.
    judged: usize,
    pub(crate) stop_at_first: bool,
    /// Set after the program has read EXPEVT: an exception handler is running.
    pub(crate) in_handler: bool,
    parameters: Parameters,
    rendering: Option<Rendering>,
    written: Option<Box<Written>>,
    heap: Option<Box<heap::Heap>>,
    stack_watch: Option<Box<red_zone::StackWatch>>,
    /// Words of each store queue written since it was last sent, one bit each.
    queue_words: [u8; 2],
    /// QACR at the time of writing each of these words.
    queue_targets: [[u8; 8]; 2],
    /// Number of words written to G2 since the last read of the FIFO's state.
    g2_words: u32,
    /// Enabled events pending at the last vertical blank that the program has not cleared since.
    waiting: u32,
    cleared: u32,
}

/// State files contain no findings. Loading a state keeps the findings of the current run.
impl State for Checks {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            rules: _,
            findings: _,
            places: _,
            more: _,
            settled: _,
            judged: _,
            stop_at_first: _,
            in_handler,
            parameters,
            rendering,
            written,
            heap,
            stack_watch,
            queue_words,
            queue_targets,
            g2_words,
            waiting,
            cleared,
        } = self;
        in_handler.transfer(stream)?;
        parameters.transfer(stream)?;
        rendering.transfer(stream)?;
        // The rules determine which of these exist. A state can be loaded only under the rules under which it
        // was saved; the console compares them.
        if let Some(written) = written {
            written.transfer(stream)?;
        }
        if let Some(heap) = heap {
            heap.transfer(stream)?;
        }
        if let Some(watch) = stack_watch {
            watch.transfer(stream)?;
        }
        queue_words.transfer(stream)?;
        queue_targets.transfer(stream)?;
        g2_words.transfer(stream)?;
        waiting.transfer(stream)?;
        cleared.transfer(stream)
    }
}

impl Checks {
    /// Creates checks for `rules`.
    #[must_use]
    pub(crate) fn new(rules: RuleSet, stop_at_first: bool) -> Self {
        Self {
            rules,
            stop_at_first,
            stack_watch: rules.has(Rule::RedZone).then(Box::default),
            written: rules.has(Rule::Uninitialised).then(Box::default),
            ..Self::default()
        }
    }

    /// The rules that are checked.
    pub(crate) fn rules(&self) -> RuleSet {
        self.rules
    }

    fn note(&mut self, rule: Rule, place: Place, detail: impl FnOnce() -> (String, Vec<u32>)) -> bool {
        if let Some(&index) = self.places.get(&(rule, place)) {
            self.findings[index].count += 1;
            return false;
        }
        if self.findings.len() >= PLACES {
            self.more += 1;
            return false;
        }
        self.places.insert((rule, place), self.findings.len());
        let (detail, addresses) = detail();
        let pc = match place {
            Place::Instruction(pc) => pc,
            Place::Occasion(_) => 0,
        };
        self.findings.push(Finding {
            rule,
            pc,
            detail,
            addresses,
            frame: 0,
            cycle: 0,
            count: 1,
            registers: [0; 16],
            pr: 0,
            stack: Vec::new(),
        });
        true
    }

    fn has_news(&self) -> bool {
        self.settled < self.findings.len() || self.in_handler
    }
}

/// Returns up to 4 KiB of the stack from `address` on. Dirty lines come from the cache, all other bytes from
/// memory.
fn stack(cache: &OperandCache, ram: &[u8], address: u32) -> Vec<u8> {
    let Some(offset) = ram_offset(address) else {
        return Vec::new();
    };
    let end = (offset + STACK).min(ram.len());
    let mut bytes = ram.get(offset..end).unwrap_or_default().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let from = address.wrapping_add(at as u32);
        let part = (LINE - from % LINE) as usize;
        let end = (at + part).min(bytes.len());
        if let Some((line, _)) = cache.dirty_line(from) {
            let skipped = (from % LINE) as usize;
            bytes[at..end].copy_from_slice(&line[skipped..skipped + end - at]);
        }
        at = end;
    }
    bytes
}

impl System {
    /// Returns whether `rule` is checked.
    #[inline]
    pub(crate) fn is_checked(&self, rule: Rule) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.rules.has(rule))
    }

    /// Reports a rule that the current instruction breaks. Its access has the exact time.
    pub(crate) fn broken(&mut self, rule: Rule, addresses: &[u32], detail: impl FnOnce() -> String) {
        self.broken_at(rule, Place::Instruction(self.pc), addresses, detail);
    }

    fn broken_at(&mut self, rule: Rule, place: Place, addresses: &[u32], detail: impl FnOnce() -> String) {
        let (frame, now) = (self.frame, self.now);
        let Some(checks) = self.checks.as_mut().filter(|checks| checks.rules.has(rule)) else {
            return;
        };
        if checks.note(rule, place, || (detail(), addresses.to_vec()))
            && let Some(finding) = checks.findings.last_mut()
        {
            (finding.frame, finding.cycle) = (frame, now.0);
        }
    }

    /// Returns whether a new finding ends the run. With [`Config::stop_at_first`](crate::Config) any finding
    /// does. A stack overflow always ends the run, because all that follows is its consequence.
    pub(crate) fn checks_end(&mut self) -> bool {
        let Some(checks) = &mut self.checks else {
            return false;
        };
        let new = &checks.findings[checks.judged.min(checks.findings.len())..];
        checks.judged = checks.findings.len();
        let ends = |finding: &Finding| checks.stop_at_first || finding.rule == Rule::StackOverflow;
        new.iter().any(ends)
    }

    /// Requests the exact time, unless the current access has it.
    fn exactly(&self) -> Result<(), BusError> {
        if self.exact {
            Ok(())
        } else {
            Err(BusError::Deferred)
        }
    }

    /// Returns whether the run should end so that [`System::settle`] is called.
    pub(crate) fn checks_want_attention(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.has_news())
    }

    /// Adds the CPU's registers to new findings, and handles the exception that a handler has read.
    pub(crate) fn settle(&mut self, cpu: &Cpu) {
        let Some(checks) = self.checks.as_mut() else {
            return;
        };
        if std::mem::take(&mut checks.in_handler) {
            self.exception(cpu);
        }
        let Some(checks) = self.checks.as_mut() else {
            return;
        };
        let new = &mut checks.findings[checks.settled..];
        if new.is_empty() {
            return;
        }
        let stack = stack(&self.cache, &self.ram, cpu.r[15]);
        for finding in new {
            if finding.rule == Rule::EventPending {
                finding.detail += &self
                    .events
                    .held_back(cpu.sr())
                    .map_or_else(String::new, |why| format!(": {why}"));
            }
            (finding.registers, finding.pr) = (cpu.r, cpu.pr);
            finding.stack.clone_from(&stack);
            if finding.pc == 0 {
                finding.pc = cpu.pc;
            }
        }
        checks.sort_stacks();
        checks.settled = checks.findings.len();
    }

    /// Returns the findings, and the number of those not stored.
    pub(crate) fn findings(&self) -> (&[Finding], u64) {
        self.checks
            .as_ref()
            .map_or((&[], 0), |checks| (&checks.findings, checks.more))
    }
}

/// Formats a number and a noun, with a plural s if needed.
fn counted(n: impl std::fmt::Display, noun: &str) -> String {
    let n = n.to_string();
    let ending = if n == "1" { "" } else { "s" };
    format!("{n} {noun}{ending}")
}
