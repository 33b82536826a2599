//! Detects loads of values that a function stored below its stack pointer.

use super::heap::offset_of;
use super::{Place, Rule};
use crate::system::System;
use machine::{RedZone, RedZoneLoad};
use sh4::{Observer, Retired, RetiredBlock, Taken};

/// State of the detection.
#[derive(Clone, Debug, Default)]
pub(crate) struct StackWatch {
    zone: RedZone,
    /// End of the program's image, as an offset in RAM. A stack can only be above it.
    pub(super) image_end: u32,
    found: Vec<RedZoneLoad>,
}

state::fields!(StackWatch { zone } keep { image_end, found });

/// Maximum number of loads recorded between two evaluations.
const MAX: usize = 64;

/// Observer that feeds the detection and forwards every event to `inner`.
pub(crate) struct StackTap<'a, 'b> {
    pub(crate) watch: &'a mut StackWatch,
    pub(crate) inner: Option<&'b mut dyn Observer>,
}

impl Observer for StackTap<'_, '_> {
    fn counts(&self) -> bool {
        self.inner.as_ref().is_some_and(|inner| inner.counts())
    }

    fn retire(&mut self, event: &Retired<'_>) {
        if let Some(load) = self.watch.zone.retire(event)
            && self.watch.found.len() < MAX
        {
            self.watch.found.push(load);
        }
    }

    fn ran(&mut self, retired: &RetiredBlock<'_>) {
        for event in retired.instructions() {
            self.retire(&event);
        }
        if let Some(inner) = &mut self.inner {
            inner.ran(retired);
        }
    }

    fn taken(&mut self, taken: &Taken) {
        self.watch.zone.taken();
        if let Some(inner) = &mut self.inner {
            inner.taken(taken);
        }
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        self.inner.as_mut()?.count(event)
    }

    fn elapsed(&mut self) -> Option<u64> {
        self.inner.as_mut()?.elapsed()
    }
}

impl System {
    /// Moves the watch out of the checks for a CPU run.
    pub(crate) fn take_stack_watch(&mut self) -> Option<Box<StackWatch>> {
        self.checks.as_mut()?.stack_watch.take()
    }

    /// Moves the watch back after the run, and reports the loads that it found.
    pub(crate) fn put_stack_watch(&mut self, mut watch: Box<StackWatch>) {
        let end = watch.image_end;
        let loads = std::mem::take(&mut watch.found).into_iter();
        for load in loads.filter(|load| offset_of(load.address).is_none_or(|at| at >= end)) {
            let place = Place::Instruction(load.pc);
            self.broken_at(Rule::RedZone, place, &[load.address, load.stored_by], || {
                format!(
                    "loads from {:08x}, which the instruction at {:08x} stored {} bytes below R15",
                    load.address, load.stored_by, load.below
                )
            });
        }
        if let Some(checks) = &mut self.checks {
            checks.stack_watch = Some(watch);
        }
    }
}
