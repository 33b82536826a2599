//! Runs kernels and counts the cycles of every call.

use crate::{Cost, Emulated, RomError};
use sh4_kernels::{Arg, Kernel, KernelError, Kernels, Place};
use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::Add;

/// Sum of the cycles of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Calls.
    pub calls: u64,
    /// Cycles, with empty caches at each call.
    pub cold: u64,
    /// Cycles, if an identical call has filled the caches before each call.
    pub warm: u64,
}

impl From<Cost> for Costs {
    fn from(Cost { cold, warm }: Cost) -> Self {
        Self { calls: 1, cold, warm }
    }
}

impl Add for Costs {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            cold: self.cold + other.cold,
            warm: self.warm + other.warm,
        }
    }
}

impl Sum for Costs {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), Add::add)
    }
}

/// Model and purpose of the calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The number of the model; `None` for calls outside of models.
    pub model: Option<usize>,
    /// The place.
    pub place: Place,
}

/// Kernels on the emulated SH4, with cycle counts. Every call runs twice: with empty caches, and with the
/// caches of the first run.
///
/// In a program, the cycles of a call are between the two results.
#[derive(Debug)]
pub struct Metered {
    emulated: Emulated,
    origin: Origin,
    costs: BTreeMap<(Origin, &'static str), Costs>,
}

impl Metered {
    /// A machine with the ROM.
    ///
    /// # Errors
    /// See [`Emulated::new`].
    pub fn new() -> Result<Self, RomError> {
        Ok(Self {
            emulated: Emulated::new()?,
            origin: Origin::default(),
            costs: BTreeMap::new(),
        })
    }

    /// Costs of each kernel by origin of the calls, in order.
    pub fn costs(&self) -> impl Iterator<Item = (Origin, &'static str, Costs)> {
        self.costs
            .iter()
            .map(|((origin, kernel), costs)| (*origin, *kernel, *costs))
    }
}

impl Kernels for Metered {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        let cost = self.emulated.timed(kernel, args)?;
        let sum = self.costs.entry((self.origin, kernel.name)).or_default();
        *sum = *sum + cost.into();
        Ok(())
    }

    fn enter(&mut self, place: Place) {
        let model = match place {
            Place::Model(model) => Some(model),
            Place::Node(_) => self.origin.model,
            Place::Frame | Place::Cells => None,
        };
        self.origin = Origin { model, place };
    }
}
