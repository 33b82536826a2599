//! Finds the unused slots of an iteration.

use super::timeline_row::TimelineRow;
use sh4::table::Group;
use timing::pairs;

/// A cycle of an iteration that issued only one instruction, although a second could have issued with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// Cycle; 0 is the first of the iteration.
    pub cycle: u64,
    /// The group of the issued instruction.
    pub beside: Group,
}

/// Groups that can pair: all except CO.
pub(crate) const PAIRING: [Group; 5] = [Group::MT, Group::EX, Group::BR, Group::LS, Group::FE];

/// Returns the cycles with a free second slot, and the number of cycles with two free slots.
#[must_use]
pub fn free_slots(rows: &[TimelineRow], length: u64) -> (Vec<Free>, u64) {
    let (mut free, mut empty) = (Vec::new(), 0);
    for cycle in 0..length {
        let here: Vec<&TimelineRow> = rows.iter().filter(|row| row.cycle == cycle).collect();
        match here[..] {
            [] => empty += 1,
            [one] if one.group != Group::CO => free.push(Free {
                cycle,
                beside: one.group,
            }),
            _ => {}
        }
    }
    (free, empty)
}

/// Returns the groups that can pair with `group`.
#[must_use]
pub fn fits(group: Group) -> Vec<Group> {
    PAIRING.into_iter().filter(|other| pairs(group, *other)).collect()
}

/// The name of a group.
pub(crate) fn name(group: Group) -> &'static str {
    match group {
        Group::MT => "MT",
        Group::EX => "EX",
        Group::BR => "BR",
        Group::LS => "LS",
        Group::FE => "FE",
        Group::CO => "CO",
    }
}

/// Names of groups, separated by commas.
pub(crate) fn names(groups: &[Group]) -> String {
    let names: Vec<&str> = groups.iter().map(|group| name(*group)).collect();
    names.join(", ")
}
