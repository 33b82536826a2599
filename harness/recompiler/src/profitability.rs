//! Whether entering a region is worth more than it costs.
//!
//! In instructions that the interpreter runs meanwhile, as measured on code that is left again after a few and on code
//! whose stores are all calls (the kernels that draw, `swirl verify`): between one half of these and twice as many.

/// Coming from the interpreter, and back.
const ENTRY: u64 = 60;
/// Coming from another region.
const HOP: u64 = 15;
/// Leaving in front of an operation.
const REST: u64 = 60;
/// A call into the runtime.
const CALL: u64 = 20;
/// How often a region runs before it is judged: more often than others are found to belong to it.
const TRIAL: u32 = 1 << 15;

/// What was spent on a region and run in it, since it was judged last.
#[derive(Debug, Default)]
pub(crate) struct Profitability {
    runs: u32,
    spent: u64,
    executed: u64,
}

/// One run of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionRun {
    /// From the interpreter, not from another region.
    pub(crate) fresh: bool,
    /// RegionExit in front of an operation.
    pub(crate) inside: bool,
    pub(crate) calls: u64,
    pub(crate) executed: u64,
}

impl Profitability {
    /// Notes a run. False if the interpreter would have been faster.
    pub(crate) fn record(&mut self, visit: RegionRun) -> bool {
        let rest = if visit.inside { REST } else { 0 };
        self.spent += if visit.fresh { ENTRY } else { HOP } + rest + CALL * visit.calls;
        self.executed += visit.executed;
        self.runs += 1;
        if self.runs < TRIAL {
            return true;
        }
        let Profitability { spent, executed, .. } = std::mem::take(self);
        executed >= spent
    }
}
