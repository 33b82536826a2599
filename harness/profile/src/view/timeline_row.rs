//! A row of the timeline.

use sh4::table::Group;
use timing::Cause;

/// One instruction of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Address.
    pub pc: u32,
    /// Text of the instruction.
    pub text: String,
    /// Pairing group.
    pub group: Group,
    /// Cycle of issue; the first of the iteration is 0.
    pub cycle: u64,
    /// One letter per cycle since the issue: the stage in that cycle.
    pub stages: String,
    /// Cause of its delay, and the number of slots lost.
    pub wait: String,
    /// The main cause, if the instruction lost a slot.
    pub cause: Option<Cause>,
    /// Cycles during which memory froze the CPU at this instruction.
    pub frozen: u64,
}
