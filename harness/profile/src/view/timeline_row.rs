//! A row of the timeline.

use sh4::table::Group;
use timing::Cause;

/// One instruction of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Its address.
    pub pc: u32,
    /// Its text.
    pub text: String,
    /// Pairing group.
    pub group: Group,
    /// Cycle of issue, the iteration's first being 0.
    pub cycle: u64,
    /// A letter for each cycle from issue on: the stages it passes.
    pub stages: String,
    /// The cause of its delay, and the slots lost.
    pub wait: String,
    /// The chief cause of that, if it lost a slot.
    pub cause: Option<Cause>,
    /// Cycles for which memory froze the CPU at it.
    pub frozen: u64,
}
