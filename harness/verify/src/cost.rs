//! What calls cost on the modelled console.

use crate::{Call, CallFailure, Emulated, Sh4};
use profile::{Profiler, Setup};
use sh4_kernels::{Kernel, KernelError, Rng};
use std::fmt;

/// The caches at the start of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caches {
    /// Empty.
    Cold,
    /// As the same call left them.
    #[default]
    Warm,
}

impl fmt::Display for Caches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Caches::Cold => "cold",
            Caches::Warm => "warm",
        })
    }
}

/// Cycles of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// With empty caches.
    pub cold: u64,
    /// With the caches as the same call left them.
    pub warm: u64,
}

/// QACR0 and QACR1 as kernels find them, bits 28-26 of an address in bits 4-2: the store queues lead to the tile
/// accelerator's polygon input at 10000000.
pub const QACR: [u32; 2] = [0x10; 2];

fn profiler() -> Profiler {
    let setup = Setup {
        qacr: QACR,
        ..Setup::default()
    };
    Profiler::new(setup).without_interval()
}

impl Emulated {
    /// Runs `kernel` twice on the arguments that `seed` gives.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn cost(&mut self, kernel: &'static Kernel, seed: u64) -> Result<Cost, KernelError> {
        let case = (kernel.generate)(&mut Rng::new(seed));
        let mut profiler = profiler();
        let mut cycles = || {
            self.call_hooked(kernel, &mut case.clone().args(), &mut profiler)?;
            let cycles = profiler.clone().finish().cycles().0;
            profiler.restart();
            Ok::<u64, KernelError>(cycles)
        };
        Ok(Cost {
            cold: cycles()?,
            warm: cycles()?,
        })
    }
}

impl Sh4 {
    /// Cycles of `call`. Before a warm one it runs once, and the machine is put back as it was.
    pub(crate) fn modelled(&mut self, call: &Call<'_>, caches: Caches) -> Result<u64, CallFailure> {
        let mut profiler = profiler();
        if caches == Caches::Warm {
            let before = self.machine_mut().clone();
            self.call_hooked(call, &mut profiler)?;
            *self.machine_mut() = before;
            profiler.restart();
        }
        self.call_hooked(call, &mut profiler)?;
        Ok(profiler.finish().cycles().0)
    }
}
