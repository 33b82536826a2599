//! What no other order of the same instructions could beat.

use crate::profiler::Profile;

/// Lower bounds on the time of a run, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// By pairing groups: a cycle takes two instructions, one of each group.
    pub slots: u64,
    /// By the longest chain of dependent results, if that was followed.
    pub chain: Option<u64>,
    /// By the transfers on the bus.
    pub bus: u64,
}

impl Bounds {
    /// The bounds of a run.
    #[must_use]
    pub fn of(profile: &Profile) -> Bounds {
        Bounds {
            slots: profile.counts.slot_bound(),
            chain: profile.chain,
            bus: profile.memory.bus_busy,
        }
    }

    /// The highest, and its name.
    #[must_use]
    pub fn binding(&self) -> (&'static str, u64) {
        let all = [
            ("issue slots", self.slots),
            ("dependency chain", self.chain.unwrap_or(0)),
            ("bus", self.bus),
        ];
        all.into_iter()
            .max_by_key(|(_, cycles)| *cycles)
            .unwrap_or(all[0])
    }
}
