//! The end of a block without a link, or with accesses that stall.

use super::{Context, DONE, REFUSED, TimingState, WRITTEN, first};
use crate::host::linked_edge::EdgePointer;
use sh4::timing::{BlockTiming, ExecutedPart, RecordedAccess, TimingTables};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A block that has run to its end.
struct EndedBlock {
    part: ExecutedPart,
    /// The link of the path, and the block behind it, or [`OUTSIDE`](crate::host::OUTSIDE).
    link: usize,
    to: u32,
}

/// The edge behind the edge `before` for `part`, a whole block, if the tables have it.
fn known_edge(tables: &TimingTables<'_>, before: u64, part: &ExecutedPart) -> Option<u32> {
    let before = tables.edges.get(before as usize)?;
    if before.next != part.block {
        return None;
    }
    let path = (part.skips as usize) << 1 | usize::from(part.taken);
    let edge = *tables.ends.get((before.next_ends as usize).checked_add(path)?)?;
    ((edge as usize) < tables.edges.len()).then_some(edge)
}

impl TimingState {
    /// See [`end_of_block()`]. Returns false if the region has to be left.
    fn end_of_block(&mut self, ended: &EndedBlock, first: usize, accesses: &[RecordedAccess]) -> bool {
        // SAFETY: `open` was given this, it lives as long as compiled code runs, and only thunks use it then;
        // the pointers into it that compiled code has are renewed below.
        let timing = unsafe { &mut **self.timing.cast::<&mut dyn BlockTiming>() };
        let (before, part) = (self.present(), &ended.part);
        self.cursor.edge = self.region().edges.number(before).into();
        let edge = known_edge(&timing.tables(), self.cursor.edge, part);
        let stays = match edge {
            Some(edge) => self.take(timing, edge, ended.to, first, accesses),
            None => {
                self.region().edges.remove_fetch(before);
                let changed = timing.execute(&mut self.cursor, part, first, accesses);
                let stays = !changed || self.renew(timing);
                self.edge = self.next(timing, ended.to);
                let present = self.present();
                self.region().edges.add_fetch(present);
                stays
            }
        };
        stays && self.link(timing, edge.is_some(), before, ended)
    }

    /// Takes a known edge to the block `to` and adds its stalls. Returns false if the region has to be left.
    fn take(
        &mut self,
        timing: &mut dyn BlockTiming,
        edge: u32,
        to: u32,
        first: usize,
        accesses: &[RecordedAccess],
    ) -> bool {
        self.cursor.edge = edge.into();
        self.edge = self.next(timing, to);
        let present = self.present();
        self.cursor.base += self.region().edges.take(present);
        if first >= accesses.len() {
            return true;
        }
        let idle_from = timing.stall(edge, self.cursor.base, first, accesses);
        self.cursor.idle_from = idle_from.unwrap_or(self.cursor.idle_from);
        // If the tables have changed, the next run reads them.
        idle_from.is_some()
    }

    /// The edge before the block `to` at the cursor.
    fn next(&self, timing: &mut dyn BlockTiming, to: u32) -> EdgePointer {
        let (region, mut tables) = (self.region(), timing.tables());
        tables.cursor.edge = self.cursor.edge;
        let next = region.edge(to, &tables);
        region.edges.pointer(next)
    }

    /// Links the edge `before` to the present one, if the instruction cache holds the block behind that.
    /// Returns false if the interpreter has to run the block.
    fn link(
        &mut self,
        timing: &mut dyn BlockTiming,
        counted: bool,
        before: usize,
        ended: &EndedBlock,
    ) -> bool {
        let region = self.region();
        if let Some(entry) = region.blocks.get_mut(ended.to as usize)
            && !(counted && entry.resident == region.version)
        {
            timing.advance_to(&self.cursor);
            let resident = timing.enter(entry.number, &mut entry.resident);
            if !(self.renew(timing) && resident) {
                return false;
            }
        }
        let present = self.present();
        self.region().edges.link(before, ended.link, present);
        true
    }
}

/// (block << 16 | length, path, recorded accesses, count of accesses, link << 16 | block behind it): all
/// operations of a block have run. The recorded accesses are one bit each; the model receives those from the
/// lowest set bit on. The region has to be left on a failure, if the filter has another index now, or if the
/// interpreter has to run the next block.
///
/// Does not go through `within`, since loops call it each round: the model uses neither CPU nor bus, and no
/// floats.
pub(in crate::host) unsafe extern "sysv64" fn end_of_block(
    context: *mut Context,
    which: u32,
    path: u32,
    recorded: u64,
    count: u32,
    onward: u32,
) -> u32 {
    // SAFETY: only compiled code calls this, with the context that it was given; it holds no references.
    let context = unsafe { &mut *context };
    let state = &mut context.timing;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let ended = EndedBlock {
            part: state.part(which >> 16, which & 0xFFFF, path),
            link: (onward >> 16) as usize,
            to: onward & 0xFFFF,
        };
        let accesses = state.accesses(count);
        state.end_of_block(&ended, first(recorded), accesses)
    }));
    match result {
        Ok(true) => DONE as u32,
        Ok(false) => WRITTEN as u32,
        Err(panic) => {
            context.panic = Some(panic);
            REFUSED as u32
        }
    }
}
