//! What no other order of the same instructions could beat.

use crate::profile::Profile;
use timing::FpuStages;

/// Lower bounds on the time of a run, in cycles. Each would be its time if nothing else cost any.
///
/// Of the pipeline's stages only those of the FPU are among them. SX and the integer multiplier are locked too, but what locks
/// them does not wait for the lock of another that does: any number of these fit beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// By pairing groups: a cycle takes two instructions, one of each group.
    pub slots: u64,
    /// By the longest chain of dependent results, if that was followed.
    pub chain: Option<u64>,
    /// By the vector stage of FIPR and FTRV, F0.
    pub vector: u64,
    /// By the stage of all FPU arithmetic, F1.
    pub arithmetic: u64,
    /// By the divider, F3: FDIV and FSQRT.
    pub divider: u64,
    /// By the transfers on the bus.
    pub bus: u64,
}

/// One of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its name in JSON and CSV.
    pub key: &'static str,
    /// Its name in tables.
    pub name: &'static str,
    /// In cycles, if it is known.
    pub cycles: Option<u64>,
}

impl Bounds {
    /// The bounds of a run.
    #[must_use]
    pub fn of(profile: &Profile) -> Bounds {
        let FpuStages {
            vector,
            arithmetic,
            divider,
        } = profile.counts.stages;
        Bounds {
            slots: profile.counts.slot_bound(),
            chain: profile.chain,
            vector: vector.bound(),
            arithmetic: arithmetic.bound(),
            divider: divider.bound(),
            bus: profile.memory.bus_busy,
        }
    }

    /// All, in the order of tables.
    #[must_use]
    pub fn all(&self) -> [Bound; 6] {
        let bound = |key, name, cycles| Bound { key, name, cycles };
        [
            bound("slots", "issue slots", Some(self.slots)),
            bound("chain", "dependency chain", self.chain),
            bound("vector", "vector stage F0", Some(self.vector)),
            bound("arithmetic", "arithmetic stage F1", Some(self.arithmetic)),
            bound("divider", "divider F3", Some(self.divider)),
            bound("bus", "bus", Some(self.bus)),
        ]
    }

    /// The highest; among equal ones the first.
    #[must_use]
    pub fn binding(&self) -> Bound {
        let [first, others @ ..] = self.all();
        others.into_iter().fold(first, |highest, bound| {
            if bound.cycles > highest.cycles {
                bound
            } else {
                highest
            }
        })
    }
}
