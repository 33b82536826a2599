//! The settings of a run.

use crate::memory::CacheSettings;
use crate::parameters::Parameters;

/// The settings of a run.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Figures that are not certain.
    pub parameters: Parameters,
    /// The caches at the start; stores to CCR change them.
    pub caches: CacheSettings,
    /// QACR0 and QACR1 at the start; stores there change them.
    pub qacr: [u32; 2],
    /// Counts only from the first address to the second, each time execution comes to the first. Profiles use
    /// it; a [`Counter`](crate::Counter) counts whole runs.
    pub region: Option<(u32, u32)>,
}
