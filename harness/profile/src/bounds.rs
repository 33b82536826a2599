//! Lower bounds that hold for every order of the same instructions.

use crate::profile::Profile;
use timing::FpuStages;

/// Lower bounds of a run's time in cycles. Each is the time that one resource would need if it never waited
/// for another.
///
/// Only FPU stages of the pipeline give bounds. Instructions also lock SX and the integer multiplier, but do
/// not wait for each other's locks there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Issue slots and pairing groups: a cycle issues at most two instructions, of different groups (except
    /// MT).
    pub slots: u64,
    /// The longest chain of dependent results, if the profiler followed it.
    pub chain: Option<u64>,
    /// The vector stage of FIPR and FTRV, F0.
    pub vector: u64,
    /// The stage of all FPU arithmetic, F1.
    pub arithmetic: u64,
    /// The divider, F3: FDIV and FSQRT.
    pub divider: u64,
    /// The transfers on the bus.
    pub bus: u64,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Name in JSON and CSV.
    pub key: &'static str,
    /// Name in tables.
    pub name: &'static str,
    /// Cycles, if they are known.
    pub cycles: Option<u64>,
}

impl Bounds {
    /// Computes the bounds of a run.
    #[must_use]
    pub fn of(profile: &Profile) -> Bounds {
        let FpuStages {
            vector,
            arithmetic,
            divider,
        } = profile.counts.stages;
        // At the end of a region, instructions still occupy stages. These cycles are not part of the region's
        // time, which therefore limits the bounds.
        let most = match profile.setup.region {
            Some(_) => profile.cycles().0,
            None => u64::MAX,
        };
        Bounds {
            slots: profile.counts.slot_bound().min(most),
            chain: profile.chain.map(|chain| chain.min(most)),
            vector: vector.bound().min(most),
            arithmetic: arithmetic.bound().min(most),
            divider: divider.bound().min(most),
            bus: profile.memory.bus_busy.min(most),
        }
    }

    /// All bounds, in the order of tables.
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

    /// Returns the highest bound; of equal bounds the first.
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
