//! The end of a block where compiled code has no link to go on by, or accesses to tell of.

use super::{Account, Context, DONE, REFUSED, WRITTEN, first};
use crate::host::node::Place;
use sh4::meter::{Meter, Noted, Part, Tables};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A block that has run to its end.
struct Step {
    part: Part,
    /// By which of its links, and the block that this leads to, or [`OUTSIDE`](crate::host::OUTSIDE).
    link: usize,
    to: u32,
}

/// The way by which `part`, a whole block, is left, if the books know it.
fn after(tables: &Tables<'_>, before: u64, part: &Part) -> Option<u32> {
    let before = tables.ways.get(before as usize)?;
    if before.next != part.block {
        return None;
    }
    let path = (part.skips as usize) << 1 | usize::from(part.taken);
    let way = *tables.ends.get((before.next_ends as usize).checked_add(path)?)?;
    ((way as usize) < tables.ways.len()).then_some(way)
}

impl Account {
    /// See [`step()`]; false if the region is to be left.
    fn step(&mut self, step: &Step, first: usize, accesses: &[Noted]) -> bool {
        // SAFETY: `open` was given this, it lives as long as compiled code runs, and only thunks use it then; what compiled
        // code has of it is taken anew below.
        let meter = unsafe { &mut **self.meter.cast::<&mut dyn Meter>() };
        let (before, part) = (self.here(), &step.part);
        self.standing.way = self.known().nodes.way(before).into();
        let way = after(&meter.tables(), self.standing.way, part);
        let goes = match way {
            Some(way) => self.count(meter, way, step.to, first, accesses),
            None => {
                self.known().nodes.end(before);
                let changed = meter.settle(&mut self.standing, part, first, accesses);
                let goes = !changed || self.renew(meter);
                self.node = self.next(meter, step.to);
                let here = self.here();
                self.known().nodes.begin(here);
                goes
            }
        };
        goes && self.lead_on(meter, way.is_some(), before, step)
    }

    /// Counts the `way` by which execution has come `to` a block, and tells of the accesses before. False if the region is to
    /// be left.
    fn count(&mut self, meter: &mut dyn Meter, way: u32, to: u32, first: usize, accesses: &[Noted]) -> bool {
        self.standing.way = way.into();
        self.node = self.next(meter, to);
        let here = self.here();
        self.standing.base += self.known().nodes.come(here);
        if first >= accesses.len() {
            return true;
        }
        let quiet = meter.wait(way, self.standing.base, first, accesses);
        self.standing.quiet = quiet.unwrap_or(self.standing.quiet);
        // If there is anything to be taken anew, the next region takes it.
        quiet.is_some()
    }

    /// The node for the block `to`, behind the way that this stands at.
    fn next(&self, meter: &mut dyn Meter, to: u32) -> Place {
        let (known, mut tables) = (self.known(), meter.tables());
        tables.standing.way = self.standing.way;
        let next = known.node(to, &tables);
        known.nodes.place(next)
    }

    /// Links a node to the one where execution is, if compiled code may go there by itself. False if the interpreter has to
    /// tell of that block.
    fn lead_on(&mut self, meter: &mut dyn Meter, counted: bool, before: usize, step: &Step) -> bool {
        let known = self.known();
        if let Some(here) = known.blocks.get_mut(step.to as usize)
            && !(counted && here.known == known.version)
        {
            meter.catch_up(&self.standing);
            let goes = meter.arrive(here.number, &mut here.known);
            if !(self.renew(meter) && goes) {
                return false;
            }
        }
        let here = self.here();
        self.known().nodes.link(before, step.link, here);
        true
    }
}

/// (block << 16 | length, path, accesses to be told of, behind the last one, link << 16 | the block it leads to): so many
/// operations of the block, which are all, have run, and told are its accesses from the lowest bit on. The region is to be left
/// if that fails, lines are found in another way from now on, or the interpreter has to tell of what follows.
///
/// Not by way of `within`, since it is called as often as a loop goes round: a meter has nothing to do with the CPU and the
/// bus, and does not use floats.
pub(in crate::host) unsafe extern "sysv64" fn step(
    context: *mut Context,
    which: u32,
    path: u32,
    noted: u64,
    count: u32,
    onward: u32,
) -> u32 {
    // SAFETY: only compiled code calls this, with the context that it was given; it holds no references.
    let context = unsafe { &mut *context };
    let account = &mut context.account;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let step = Step {
            part: account.part(which >> 16, which & 0xFFFF, path),
            link: (onward >> 16) as usize,
            to: onward & 0xFFFF,
        };
        let accesses = account.noted(count);
        account.step(&step, first(noted), accesses)
    }));
    match ended {
        Ok(true) => DONE as u32,
        Ok(false) => WRITTEN as u32,
        Err(panic) => {
            context.panic = Some(panic);
            REFUSED as u32
        }
    }
}
