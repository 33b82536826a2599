//! The settings of a run.

use crate::memory::CacheSettings;
use crate::parameters::Parameters;

/// The settings of a run.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Uncertain constants.
    pub parameters: Parameters,
    /// Caches at the start; stores to CCR change them.
    pub caches: CacheSettings,
    /// QACR0 and QACR1 at the start; stores to these registers change them.
    pub qacr: [u32; 2],
    /// Counts only from the first address to the second, each time that execution reaches the first. Profiles
    /// use it; a [`Counter`](crate::Counter) counts complete runs.
    pub region: Option<(u32, u32)>,
}
