//! The recompiler on unsupported hosts.

use crate::{Options, Statistics, Unsupported};
use sh4::accelerate::{Accelerator, Answer, Blocks, Offer};
use sh4::{Bus, Cpu};
use std::convert::Infallible;
use std::marker::PhantomData;

/// A recompiler that cannot be created on this host.
pub struct Recompiler<B: Bus> {
    never: Infallible,
    bus: PhantomData<fn(&mut B)>,
}

impl<B: Bus> Recompiler<B> {
    /// Always fails on this host.
    ///
    /// # Errors
    /// Always.
    pub fn new(_options: Options) -> Result<Recompiler<B>, Unsupported> {
        Err(Unsupported("it only makes code for x86-64".into()))
    }

    /// Counts of the recompiler's work.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        match self.never {}
    }
}

impl<B: Bus> Accelerator<B> for Recompiler<B> {
    fn enter(&mut self, _: &mut Cpu, _: &mut B, _: &Blocks<'_>, _: Offer) -> Answer {
        match self.never {}
    }
}
