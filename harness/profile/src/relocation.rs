//! Repeats a run with its code at other addresses.

use sh4::{Access, Observer, Retired, Taken};
use std::ops::Range;

/// Forwards a run to another observer as if padding had moved its code by `by` bytes.
///
/// Data in the same range moves too, by a multiple of 4, because assemblers align literals.
#[derive(Debug)]
pub struct CodeRelocation<O> {
    /// Observer of the moved run.
    pub inner: O,
    /// Address range of the code.
    pub code: Range<u32>,
    /// Distance in bytes.
    pub by: u32,
}

/// Maximum number of accesses per instruction.
const ACCESSES: usize = 2;

impl<O: Observer> Observer for CodeRelocation<O> {
    fn counts(&self) -> bool {
        self.inner.counts()
    }

    fn retire(&mut self, event: &Retired<'_>) {
        let place = |address: u32, by| {
            if self.code.contains(&address) {
                address.wrapping_add(by)
            } else {
                address
            }
        };
        let mut accesses = [None::<Access>; ACCESSES];
        for (moved, access) in accesses.iter_mut().zip(event.accesses) {
            let address = place(access.address, self.by.next_multiple_of(4));
            *moved = Some(Access { address, ..*access });
        }
        let pc = place(event.pc, self.by);
        let mut pass = |accesses: &[Access]| {
            self.inner.retire(&Retired {
                pc,
                accesses,
                ..*event
            });
        };
        match accesses {
            [Some(first), Some(second)] => pass(&[first, second]),
            [Some(first), None] => pass(&[first]),
            _ => pass(&[]),
        }
    }

    fn taken(&mut self, taken: &Taken) {
        self.inner.taken(taken);
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        self.inner.count(event)
    }
}
