//! What a frame's kernels would take on the SH4.

use profile::{Counter, Setup};
use sh4_kernels::{Arg, Kernel, KernelError, Kernels};
use std::collections::BTreeMap;
use verify::Emulated;

/// Runs kernels in the emulated SH4 under the cycle model; every call with cold caches.
pub(super) struct Cycles {
    emulated: Emulated,
    /// By kernel: calls and cycles.
    pub(super) spent: BTreeMap<&'static str, (u64, f64)>,
}

impl Cycles {
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            emulated: Emulated::new()?,
            spent: BTreeMap::new(),
        })
    }

    /// The costliest kernels first, and the sum.
    pub(super) fn report(&self) -> Vec<String> {
        let mut rows: Vec<_> = self.spent.iter().collect();
        rows.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
        let sum: f64 = rows.iter().map(|(_, (_, cycles))| cycles).sum();
        // 200 MHz, 60 frames a second.
        let share = sum / (200.0e6 / 60.0) * 100.0;
        let head = [
            format!("kernels {sum:.0} cycles"),
            format!("{share:.1} percent of a 60th of a second"),
        ];
        let row = |(name, (calls, cycles)): &(&&str, &(u64, f64))| {
            format!("{cycles:>9.0} {calls:>5} x {}", name.replace('_', "-"))
        };
        head.into_iter().chain(rows.iter().take(10).map(row)).collect()
    }
}

impl Kernels for Cycles {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        let mut counter = Counter::new(Setup::default());
        self.emulated.call_hooked(kernel, args, &mut counter)?;
        let (calls, cycles) = self.spent.entry(kernel.name).or_default();
        *calls += 1;
        *cycles += counter.finish().cycles().as_f64();
        Ok(())
    }
}
