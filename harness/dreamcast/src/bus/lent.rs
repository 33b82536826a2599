//! The operand cache during a call of the firmware. On a console the firmware and dcload run on the CPU and see memory
//! through the cache; here the host serves their calls, and sees memory itself.

use super::physical;
use crate::system::{System, ram_offset};

type Line = [u8; 32];

/// The lines of memory that dirty lines stood for: offset in RAM and content.
#[derive(Debug, Default)]
pub(crate) struct Lent(Vec<(usize, Line)>);

impl System {
    /// Puts the content of dirty lines into memory for a while.
    pub(crate) fn lend_cache(&mut self) -> Lent {
        if self.instructions.is_none() {
            return Lent::default();
        }
        let dirty = self.cache.held_lines().filter(|(_, dirty, _)| *dirty);
        let dirty: Vec<(usize, Line)> = dirty
            .filter_map(|(address, _, data)| Some((ram_offset(address)?, *data)))
            .collect();
        let swapped = dirty.into_iter().map(|(at, data)| (at, self.exchange(at, data)));
        Lent(swapped.collect())
    }

    fn exchange(&mut self, at: usize, data: Line) -> Line {
        let place = self.ram.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<32>());
        place.map_or([0; 32], |place| std::mem::replace(place, data))
    }

    /// Lines get what memory holds now, as if the host had stored through the cache; memory behind dirty lines gets its
    /// old content back.
    pub(crate) fn take_cache_back(&mut self, lent: Lent) {
        if self.instructions.is_none() {
            return;
        }
        let ram = &self.ram;
        self.cache.replace_held(|address, _| {
            let at = ram_offset(physical(address))?;
            ram.get(at..)?.first_chunk().copied()
        });
        for (at, data) in lent.0 {
            self.exchange(at, data);
        }
    }
}
