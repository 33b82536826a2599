//! The SH7091's on-chip peripherals, at P4 addresses FF800000 to FFFFFFFF. Parts of the CPU itself (MMU, user
//! break controller, performance counters, exception registers) are in the crate `sh4`.

pub mod bsc;
pub mod dmac;
pub mod intc;
pub mod sci;
pub mod scif;
pub mod stored;
pub mod tmu;
pub mod wdt;
