//! Cycles of calls on the modelled console.

use crate::{Call, CallFailure, Emulated, Sh4};
use sh4_kernels::{Arg, Case, Kernel, KernelError, Rng};
use std::fmt;
use timing::{Counter, Setup};

/// The caches at the start of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caches {
    /// Empty.
    Cold,
    /// Filled by an identical earlier call.
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
    /// With caches filled by an identical earlier call.
    pub warm: u64,
}

/// QACR0 and QACR1 at the entry of kernels. Bits 4-2 hold address bits 28-26. The value directs the store
/// queues to the tile accelerator's polygon input at 10000000.
pub const QACR: [u32; 2] = [0x10; 2];

fn counter() -> Counter {
    Counter::new(Setup {
        qacr: QACR,
        ..Setup::default()
    })
}

impl Emulated {
    /// Runs `kernel` twice, with arguments generated from `seed`.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn cost(&mut self, kernel: &'static Kernel, seed: u64) -> Result<Cost, KernelError> {
        self.timed(kernel, &mut (kernel.generate)(&mut Rng::new(seed)).args())
    }

    /// Runs `kernel` on `args` twice, first on a copy of them.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn timed(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<Cost, KernelError> {
        let mut counter = counter();
        self.call_hooked(kernel, &mut Case::of(args).args(), &mut counter)?;
        let cold = counter.clone().finish().cycles().0;
        counter.restart();
        self.call_hooked(kernel, args, &mut counter)?;
        let warm = counter.finish().cycles().0;
        Ok(Cost { cold, warm })
    }
}

impl Sh4 {
    /// Returns the cycles of `call`. For warm caches, runs the call once before and restores the machine.
    pub(crate) fn modelled(&mut self, call: &Call<'_>, caches: Caches) -> Result<u64, CallFailure> {
        let mut counter = counter();
        if caches == Caches::Warm {
            let before = self.machine_mut().clone();
            self.call_hooked(call, &mut counter)?;
            *self.machine_mut() = before;
            counter.restart();
        }
        self.call_hooked(call, &mut counter)?;
        Ok(counter.finish().cycles().0)
    }
}
