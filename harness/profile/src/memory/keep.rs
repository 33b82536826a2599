//! What is kept of a run, to be done again: see [`repeat`](super::repeat).

use super::LINE;
use super::cache::{DIRTY, Line, VALID};
use super::found::Found;
use super::lines::Lines;
use super::repeat::{ANCHORS, Anchor, Change, Eviction, Hits, Pass, Repeat, Side, Spot};
use super::shape::{Group, LONGEST, Layout};
use super::stats::Row;

/// Bytes of a part of memory that lies in one row of SDRAM, one range of the statistics and one area.
const BLOCK: u32 = 0x800;
/// Bytes of a line.
const BYTES: u32 = 32;

/// What stands in the entry of a group before it is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    number: usize,
    line: Line,
    passing: [u32; 2],
}

/// The entries of a run's groups, and the rows, as they were before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    entries: [Entry; LONGEST],
    rows: [u32; 4],
    last_line: u32,
}

impl Lines {
    /// What the groups of a layout will be looked at in.
    pub(super) fn sight(&self, layout: &Layout, anchor: impl Fn(&Group) -> u32) -> Sight {
        let mut entries = [Entry::default(); LONGEST];
        for (group, entry) in layout.groups().iter().zip(&mut entries) {
            let number = self.passing.entry(anchor(group).wrapping_add(group.distance));
            *entry = Entry {
                number,
                line: self.operand[number],
                passing: self.passing.addresses(number),
            };
        }
        Sight {
            entries,
            rows: self.slaves.rows(),
            last_line: self.last_line,
        }
    }
}

/// A group of a run that has been looked at.
#[derive(Clone, Copy)]
struct Looked<'a> {
    number: usize,
    group: &'a Group,
    at: Spot,
    found: Found,
    before: &'a Entry,
}

impl Looked<'_> {
    fn side(&self) -> usize {
        usize::from(self.group.stores)
    }

    /// Whether its line would have passed before the run.
    fn passed(&self) -> bool {
        !self.group.prefetches && self.before.passing[self.side()] == self.at.line
    }

    fn missed(&self) -> bool {
        self.found.missed()
    }

    fn is_with(&self, other: &Looked<'_>) -> bool {
        self.before.number == other.before.number
    }
}

impl Repeat {
    /// Keeps what the groups of a layout, had in `sight`, `found`, right after they were looked at. False if that cannot be,
    /// or if they only passed.
    pub(super) fn keep(
        &mut self,
        layout: &Layout,
        found: u64,
        sight: &Sight,
        lines: &Lines,
        anchor: impl Fn(&Group) -> u32,
    ) -> bool {
        *self = Repeat {
            groups: layout.groups().len(),
            found,
            touched: lines.touched,
            ..Repeat::default()
        };
        let mut all = Vec::with_capacity(LONGEST);
        for (number, group) in layout.groups().iter().enumerate() {
            let Some(at) = self.spot(group, anchor(group)) else {
                return false;
            };
            all.push(Looked {
                number,
                group,
                at,
                found: Found::of(found, number),
                before: &sight.entries[number % LONGEST],
            });
        }
        let firsts = || {
            let is_first = |looked: &&Looked<'_>| !all[..looked.number].iter().any(|other| other.is_with(looked));
            all.iter().filter(is_first)
        };
        lines.passing.is_usual()
            && !all.iter().all(Looked::passed)
            && lines.first_uses.iter().all(|first| self.first_uses.push(*first))
            && self.keep_order(&all, sight, lines)
            && firsts().all(|first| self.keep_entry(first, &all, lines))
    }

    /// The line of a group whose anchor has the address `from`; nothing if there are too many of those.
    fn spot(&mut self, group: &Group, from: u32) -> Option<Spot> {
        let line = from.wrapping_add(group.distance) & !(BYTES - 1);
        let (back, on) = (line % BLOCK, BLOCK - BYTES - line % BLOCK);
        let known = self.anchors.iter().position(|anchor| anchor.place == group.anchor);
        let number = known.unwrap_or(self.anchors.len());
        if let Some(anchor) = self.anchors.get_mut(number) {
            let on = on.min(anchor.room * BYTES - anchor.back);
            anchor.back = anchor.back.min(back);
            anchor.room = (anchor.back + on) / BYTES;
        } else if !self.anchors.push(Anchor {
            place: group.anchor,
            address: from,
            back,
            room: (back + on) / BYTES,
        }) {
            return None;
        }
        debug_assert!(number < ANCHORS);
        Some(Spot {
            line,
            anchor: number as u8,
        })
    }

    /// What comes about from group to group: which lines go for which, and which comes last.
    fn keep_order(&mut self, all: &[Looked<'_>], sight: &Sight, lines: &Lines) -> bool {
        let mut fits = true;
        for looked in all {
            let (at, group) = (looked.at, looked.group);
            if group.prefetches {
                fits &= self.prefetches.push((group.pc, !looked.missed()));
            } else if !looked.missed() && !self.brings {
                fits &= self.leads.push((at, at.line & LINE == sight.last_line));
            }
            if looked.missed() {
                let before = all[..looked.number].iter().rev();
                let victim = before.clone().find(|other| other.is_with(looked));
                if victim.is_some() || looked.before.line.address().is_some() {
                    fits &= self.evictions.push(Eviction {
                        victim: victim.map(|victim| victim.at.line),
                        evictor: at,
                    });
                }
                (self.brings, self.last) = (true, at);
            }
        }
        (self.rows, self.critical) = ([sight.rows, lines.slaves.rows()], lines.critical);
        fits
    }

    /// Keeps what became of the entry of a group, which is the first one there. False if that cannot be.
    fn keep_entry(&mut self, first: &Looked<'_>, all: &[Looked<'_>], lines: &Lines) -> bool {
        let here: Vec<&Looked<'_>> = all.iter().filter(|looked| looked.is_with(first)).collect();
        if here.iter().all(|looked| looked.passed()) {
            return here.iter().all(|looked| self.keep_pass(looked, lines));
        }
        let (line, missed) = (first.before.line, first.missed());
        // A line that a PREF has brought, and that goes before it is used, is told of elsewhere.
        let is_lost = |(place, looked): (usize, &&Looked<'_>)| {
            looked.group.prefetches && looked.missed() && here[place + 1..].iter().any(|later| later.missed())
        };
        if missed && line.prefetched_by != 0 || here.iter().enumerate().any(is_lost) {
            return false;
        }
        let [Some(loads), Some(stores)] = [0, 1].map(|which| self.side(&here, which, lines)) else {
            return false;
        };
        let others = here.iter().map(|looked| looked.at.anchor);
        let mut others = others.filter(|anchor| *anchor != first.at.anchor);
        others.all(|anchor| self.tied.push((first.at.anchor, anchor)))
            && self.changes.push(Change {
                at: first.at,
                own: !missed,
                before: line,
                mask: if missed { mask(line) } else { u32::MAX },
                after: lines.operand[first.before.number],
                sides: [loads, stores],
            })
    }

    /// Keeps a group that passes.
    fn keep_pass(&mut self, looked: &Looked<'_>, lines: &Lines) -> bool {
        let (stores, line) = (looked.group.stores, looked.at.line);
        let (_, row) = lines.passing.side(looked.before.number, looked.side());
        let known = |pass: &Pass| (pass.stores, pass.at) == (stores, looked.at);
        let kept = self.passes.iter().any(known)
            || self.passes.push(Pass {
                at: Spot { line, ..looked.at },
                stores,
            });
        kept && self.keep_hits(row, looked)
    }

    fn keep_hits(&mut self, row: Row, looked: &Looked<'_>) -> bool {
        let (stores, count) = (looked.group.stores, u32::from(looked.group.count));
        let mut known = self.hits.iter_mut();
        if let Some(hits) = known.find(|hits| (hits.row, hits.stores) == (row, stores)) {
            hits.count += count;
            return true;
        }
        self.hits.push(Hits { row, stores, count })
    }

    /// What became of loads, or stores, through the entry of these; nothing if that cannot be said so.
    fn side(&mut self, here: &[&Looked<'_>], which: usize, lines: &Lines) -> Option<Side> {
        let these = || here.iter().filter(|looked| !looked.group.prefetches && looked.side() == which);
        let hits = || these().filter(|looked| !looked.missed());
        if these().next().is_none() && !here.iter().any(|looked| looked.missed()) {
            return Some(Side::Stays);
        }
        let (line, row) = lines.passing.side(here.first()?.before.number, which);
        if line % BYTES != 0 {
            return hits().next().is_none().then_some(Side::Barred);
        }
        let same = these().next_back()?.at.line == line && hits().all(|looked| looked.at.line == line);
        let counted = same && hits().all(|looked| self.keep_hits(row, looked));
        counted.then_some(Side::Opens(line, row))
    }
}

/// What the tag of another line has to have in common with that of `line`, to go in the same way.
fn mask(line: Line) -> u32 {
    match line.address() {
        None => u32::MAX,
        Some(_) if line.is_dirty() => !(BLOCK - 1) | VALID | DIRTY,
        Some(_) => VALID | DIRTY,
    }
}
