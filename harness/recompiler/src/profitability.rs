//! The profitability of a region.
//!
//! Costs are in instructions that the interpreter runs in the same time, as measured on code that exits after
//! a few instructions and on code whose stores are all calls (the kernels that draw, `swirl verify`). They
//! are accurate to a factor of two.

/// Entry from the interpreter, and exit.
const ENTRY: u64 = 60;
/// Entry from another region.
const HOP: u64 = 15;
/// Exit in front of an operation.
const REST: u64 = 60;
/// A call into the runtime.
const CALL: u64 = 20;
/// The runs before a region is judged: more than it takes to find the regions that belong to it.
const TRIAL: u32 = 1 << 15;

/// Costs and executed instructions of a region since it was judged last.
#[derive(Debug, Default)]
pub(crate) struct Profitability {
    runs: u32,
    spent: u64,
    executed: u64,
}

/// One run of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionRun {
    /// Entered from the interpreter, not from another region.
    pub(crate) fresh: bool,
    /// Left in front of an operation.
    pub(crate) inside: bool,
    pub(crate) calls: u64,
    pub(crate) executed: u64,
}

impl Profitability {
    /// Adds a run. Returns false if the interpreter is faster.
    pub(crate) fn record(&mut self, run: RegionRun) -> bool {
        let rest = if run.inside { REST } else { 0 };
        self.spent += if run.fresh { ENTRY } else { HOP } + rest + CALL * run.calls;
        self.executed += run.executed;
        self.runs += 1;
        if self.runs < TRIAL {
            return true;
        }
        let Profitability { spent, executed, .. } = std::mem::take(self);
        executed >= spent
    }
}
