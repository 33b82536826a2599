//! What is kept of a run, to be done again: see [`repeat`](super::repeat).

use super::LINE;
use super::cache::{DIRTY, Line, Tagged, VALID};
use super::found::Found;
use super::lines::Lines;
use super::repeat::{Anchor, BYTES, Bring, Change, Dirty, Goes, Hits, Pass, ROW, Repeat, Side, Spot, Turn};
use super::shape::{Group, LONGEST, Layout};
use super::stats::{RANGE, Row};
use arrayvec::ArrayVec;

/// Address bits that say what answers there.
const AREA: u32 = 0x1C00_0000;

/// What stands in the entry of a group before it is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    number: usize,
    line: Line,
    passing: [u32; 2],
}

/// The entries of a run's groups, and the line that came last, as they were before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    entries: [Entry; LONGEST],
    last_line: u32,
    critical: u32,
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
            last_line: self.last_line,
            critical: self.critical,
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

impl Anchor {
    /// By how many bytes it may go on so that all lines stay in their ranges.
    fn on(&self) -> u32 {
        self.room * BYTES - self.back
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
            // No row: nothing is known of them yet.
            rows: [[1; 4]; 2],
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
            let is_first =
                |looked: &&Looked<'_>| !all[..looked.number].iter().any(|other| other.is_with(looked));
            all.iter().filter(is_first)
        };
        let kept = lines.passing.is_usual()
            && !all.iter().all(Looked::passed)
            && lines
                .first_uses
                .iter()
                .all(|first| self.first_uses.try_push(*first).is_ok())
            && self.keep_order(&all, sight, lines)
            && firsts().all(|first| self.keep_entry(first, &all, lines));
        self.looks = !(self.leads.is_empty() && self.passes.is_empty() && self.apart.is_empty());
        kept
    }

    /// The line of a group whose anchor has the address `from`; nothing if there are too many of those.
    fn spot(&mut self, group: &Group, from: u32) -> Option<Spot> {
        let line = from.wrapping_add(group.distance) & !(BYTES - 1);
        let (back, on) = (line % RANGE, RANGE - BYTES - line % RANGE);
        let known = self
            .anchors
            .iter()
            .position(|anchor| anchor.place == group.anchor);
        let number = known.unwrap_or(self.anchors.len());
        if let Some(anchor) = self.anchors.get_mut(number) {
            let on = on.min(anchor.on());
            anchor.back = anchor.back.min(back);
            anchor.room = (anchor.back + on) / BYTES;
            anchor.lines = [anchor.lines[0].min(line), anchor.lines[1].max(line)];
        } else if self
            .anchors
            .try_push(Anchor {
                place: group.anchor,
                tied: number as u8,
                address: from,
                back,
                room: (back + on) / BYTES,
                lines: [line; 2],
                ..Anchor::default()
            })
            .is_err()
        {
            return None;
        }
        Some(Spot {
            line,
            anchor: number as u8,
        })
    }

    /// What comes about from group to group: which lines come, and go for them.
    fn keep_order(&mut self, all: &[Looked<'_>], sight: &Sight, lines: &Lines) -> bool {
        let mut fits = true;
        for looked in all {
            let (at, group) = (looked.at, looked.group);
            if group.prefetches {
                fits &= self.prefetches.try_push((group.pc, !looked.missed())).is_ok();
            } else if !looked.missed() && self.brings.is_empty() {
                let is_last = at.line & LINE == sight.last_line;
                let lead = (at, is_last.then_some(sight.critical));
                fits &= self.leads.contains(&lead) || self.leads.try_push(lead).is_ok();
            }
            if let Some((opens, dirty)) = looked.found.rows() {
                let mut before = all[..looked.number].iter().rev();
                let own = before.find(|other| other.is_with(looked));
                let dirty = dirty.map(|opens| Dirty { opens });
                let goes = match (own, looked.before.line.address()) {
                    (None, None) => Goes::Nothing,
                    (own, _) => Goes::Line {
                        own: own.map(|own| own.at.line),
                        dirty,
                    },
                };
                fits &= self
                    .brings
                    .try_push(Bring {
                        comes: at,
                        opens,
                        goes,
                    })
                    .is_ok();
            }
        }
        let mut brought = all.iter().rev().filter(|looked| looked.missed());
        (self.last, self.critical) = (brought.next().map(|looked| looked.at), lines.critical);
        fits
    }

    /// Keeps what became of the entry of a group, which is the first one there. False if that cannot be.
    fn keep_entry(&mut self, first: &Looked<'_>, all: &[Looked<'_>], lines: &Lines) -> bool {
        let here: Vec<&Looked<'_>> = all.iter().filter(|looked| looked.is_with(first)).collect();
        if here.iter().all(|looked| looked.passed()) {
            return here.iter().all(|looked| self.keep_pass(looked, lines));
        }
        let (line, missed) = (first.before.line, first.missed());
        if loses_prefetch(&here) {
            return false;
        }
        let [Some(loads), Some(stores)] = [0, 1].map(|which| self.side(&here, which, lines)) else {
            return false;
        };
        let mut others = all.iter().filter(|other| other.at.anchor != first.at.anchor);
        others.all(|other| self.keep_apart(first, other))
            && self
                .changes
                .try_push(Change {
                    at: first.at,
                    own: !missed,
                    before: line,
                    mask: if missed { mask(line) } else { u32::MAX },
                    after: lines.operand[first.before.number],
                    sides: [loads, stores],
                    turns: turns(&here),
                    far: if missed && line.is_dirty() { !(ROW - 1) } else { 0 },
                    ..Change::default()
                })
                .is_ok()
    }

    /// Keeps whether a group shares the entry of another one, which goes by another anchor.
    fn keep_apart(&mut self, first: &Looked<'_>, other: &Looked<'_>) -> bool {
        if other.is_with(first) {
            return self.tie(first.at.anchor, other.at.anchor);
        }
        let pair = [first.at, other.at];
        self.apart.contains(&pair) || self.apart.try_push(pair).is_ok()
    }

    /// Keeps that two anchors move by as much; false if one of them is tied to others already.
    fn tie(&mut self, one: u8, other: u8) -> bool {
        let (first, later) = (one.min(other), one.max(other));
        let mut others = self.anchors.iter().enumerate();
        let leads = others.any(|(number, anchor)| anchor.tied == later && number != usize::from(later));
        let Ok([leader, anchor]) = self
            .anchors
            .get_disjoint_mut([usize::from(first), usize::from(later)])
        else {
            return false;
        };
        if anchor.tied == first {
            return true;
        }
        let free = !leads && anchor.tied == later && leader.tied == first;
        anchor.tied = first;
        let on = leader.on().min(anchor.on());
        leader.back = leader.back.min(anchor.back);
        leader.room = (leader.back + on) / BYTES;
        free
    }

    /// Keeps a group that passes.
    fn keep_pass(&mut self, looked: &Looked<'_>, lines: &Lines) -> bool {
        let stores = looked.group.stores;
        let (_, row) = lines.passing.side(looked.before.number, looked.side());
        let known = |pass: &Pass| (pass.stores, pass.at) == (stores, looked.at);
        let kept = self.passes.iter().any(known)
            || self
                .passes
                .try_push(Pass {
                    at: looked.at,
                    stores,
                })
                .is_ok();
        kept && self.keep_hits(row, looked)
    }

    fn keep_hits(&mut self, row: Row, looked: &Looked<'_>) -> bool {
        let (stores, count) = (looked.group.stores, u32::from(looked.group.count));
        let at = looked.at;
        let mut known = self.hits.iter_mut();
        if let Some(hits) = known.find(|hits| (hits.at, hits.stores) == (at, stores)) {
            hits.count += count;
            return true;
        }
        let hits = Hits {
            at,
            row,
            stores,
            count,
        };
        self.hits.try_push(hits).is_ok()
    }

    /// What became of loads, or stores, through the entry of these; nothing if that cannot be said so.
    fn side(&mut self, here: &[&Looked<'_>], which: usize, lines: &Lines) -> Option<Side> {
        let these = || {
            here.iter()
                .filter(|looked| !looked.group.prefetches && looked.side() == which)
        };
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

/// Whether a line that a PREF has brought has to go from the entry of these before it is used, which is told of elsewhere.
fn loses_prefetch(here: &[&Looked<'_>]) -> bool {
    let mut unused = here
        .first()
        .is_some_and(|first| first.before.line.prefetched_by != 0);
    here.iter().any(|looked| {
        let lost = unused && looked.missed();
        unused = looked.group.prefetches && (unused || looked.missed());
        lost
    })
}

/// Which lines took the place of others in the entry of these: no more than [`Repeat::brings`] has room for.
fn turns<const N: usize>(here: &[&Looked<'_>]) -> ArrayVec<Turn, N> {
    let misses = here.iter().enumerate().filter(|(_, looked)| looked.missed());
    let turn = |(place, looked): (usize, &&Looked<'_>)| {
        let own = here[..place].last().map(|own| own.at.line & LINE);
        let stood = own.is_some() || looked.before.line.address().is_some();
        stood.then_some(Turn {
            victim: own.unwrap_or_default(),
            comes: looked.at.line & LINE,
        })
    };
    misses.filter_map(turn).take(N).collect()
}

/// What the tag of another line has to have in common with that of `line`, to go in the same way.
fn mask(line: Line) -> u32 {
    match line.address() {
        None => u32::MAX,
        Some(_) if line.is_dirty() => AREA | VALID | DIRTY,
        Some(_) => VALID | DIRTY,
    }
}
