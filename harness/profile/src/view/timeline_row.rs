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
    /// A letter for each cycle from issue on: the stage in that cycle.
    pub stages: String,
    /// The cause of its delay, and the slots lost.
    pub wait: String,
    /// The main cause, if the instruction lost a slot.
    pub cause: Option<Cause>,
    /// Cycles for which memory froze the CPU at this instruction.
    pub frozen: u64,
}
