//! Runs that do again, elsewhere, what they did before.
//!
//! Code that goes through memory comes to other lines each time, and the same becomes of them. Of a run that has changed
//! something it is kept what it found and what it left ([`keep`](super::keep)). Where the next one finds the same, all
//! lines moved on but none into another row of SDRAM, it leaves the same: nothing has to be found out anew.

use super::LINE;
use super::cache::Line;
use super::few::Few;
use super::lines::Lines;
use super::shape::LONGEST;
use super::stats::Row;

/// Addresses that the groups of a run go by, at most: a power of two.
pub(super) const ANCHORS: usize = 4;

/// By how much each anchor has moved.
type Moves = [u32; ANCHORS];

/// A line: that of an anchor, and the address where it was when this was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: u32,
    pub(super) anchor: u8,
}

impl Spot {
    #[inline(always)]
    fn by(self, moves: &Moves) -> u32 {
        moves[usize::from(self.anchor) % ANCHORS]
    }

    #[inline(always)]
    fn moved(self, moves: &Moves) -> u32 {
        self.line.wrapping_add(self.by(moves))
    }
}

/// An address that others go by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Anchor {
    /// The place of its access in the run.
    pub(super) place: u8,
    pub(super) address: u32,
    /// By how many bytes it may go back so that all lines stay in their blocks, and by how many lines on from there.
    pub(super) back: u32,
    pub(super) room: u32,
}

/// Loads or stores of a line that pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pass {
    pub(super) at: Spot,
    pub(super) stores: bool,
}

/// What becomes of loads, or stores, through an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    /// What it was.
    #[default]
    Stays,
    Barred,
    /// They pass in this line.
    Opens(u32, Row),
}

/// An entry in which something changes. All its lines move by as much.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    /// The line that is asked for first.
    pub(super) at: Spot,
    /// Whether that is what stood there; else another did, or none.
    pub(super) own: bool,
    /// What stood there, as far as that matters: which bits of the tag.
    pub(super) before: Line,
    pub(super) mask: u32,
    pub(super) after: Line,
    pub(super) sides: [Side; 2],
}

/// A line that comes into an entry where another was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Eviction {
    /// Nothing if it stood there before the run.
    pub(super) victim: Option<u32>,
    pub(super) evictor: Spot,
}

/// Loads or stores that are counted where they find their lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hits {
    pub(super) row: Row,
    pub(super) stores: bool,
    pub(super) count: u32,
}

/// What a run was and did.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeat {
    /// Groups, and what they find.
    pub(super) groups: usize,
    pub(super) found: u64,
    pub(super) anchors: Few<Anchor, ANCHORS>,
    /// Whether it brings lines; open rows before and behind it, if so.
    pub(super) brings: bool,
    pub(super) rows: [[u32; 4]; 2],
    /// Lines that loads and stores find before another one comes, and whether each is the one that came last.
    pub(super) leads: Few<(Spot, bool), 4>,
    pub(super) passes: Few<Pass, 8>,
    pub(super) changes: Few<Change, 6>,
    pub(super) evictions: Few<Eviction, 8>,
    /// Anchors of lines in one entry.
    pub(super) tied: Few<(u8, u8), 8>,
    /// The line that comes last, and which of its eight bytes come first.
    pub(super) last: Spot,
    pub(super) critical: u32,
    /// What is to be counted each time, besides what the run's episode says: hits, groups that are the first to use a
    /// prefetched line, with the PREF, and PREFs, with whether their lines were there.
    pub(super) hits: Few<Hits, 12>,
    pub(super) first_uses: Few<(u8, u32), 4>,
    pub(super) prefetches: Few<(u32, bool), 4>,
    /// See [`Lines`].
    pub(super) touched: [Row; LONGEST],
}

impl Repeat {
    /// By how much its anchors have moved; false if that is no whole lines, or too much.
    #[inline(always)]
    fn measure(&self, moves: &mut Moves, address: impl Fn(u8) -> u32) -> bool {
        let mut fits = true;
        for (anchor, by) in self.anchors.iter().zip(moves) {
            *by = address(anchor.place).wrapping_sub(anchor.address);
            // What is no multiple of 32 becomes more than there is room for.
            fits &= by.wrapping_add(anchor.back).rotate_right(5) <= anchor.room;
        }
        fits
    }
}

impl Lines {
    /// Whether the same becomes of `repeat` at the addresses that its anchors have now. That has happened then, but for
    /// what is to be counted; else nothing has.
    #[inline(always)]
    pub(super) fn again(&mut self, repeat: &Repeat, address: impl Fn(u8) -> u32) -> bool {
        let mut moves = [0; ANCHORS];
        if !(repeat.measure(&mut moves, address) && self.is_as_before(repeat, &moves)) {
            return false;
        }
        for eviction in repeat.evictions.iter() {
            self.evict_again(eviction, &moves);
        }
        for change in repeat.changes.iter() {
            self.change(change, &moves);
        }
        if repeat.brings {
            self.slaves.set_rows(repeat.rows[1]);
            (self.last_line, self.critical) = (repeat.last.moved(&moves) & LINE, repeat.critical);
        }
        true
    }

    #[inline(always)]
    fn is_as_before(&self, repeat: &Repeat, moves: &Moves) -> bool {
        if repeat.brings && self.slaves.rows() != repeat.rows[0] {
            return false;
        }
        for (line, was_last) in repeat.leads.iter() {
            if (line.moved(moves) & LINE == self.last_line) != *was_last {
                return false;
            }
        }
        for pass in repeat.passes.iter() {
            let address = pass.at.moved(moves);
            if self.passing.lines[usual_entry(address)][usize::from(pass.stores)].address != address {
                return false;
            }
        }
        for change in repeat.changes.iter() {
            if !self.stands(change, moves) {
                return false;
            }
        }
        let apart = repeat.anchors.iter().zip(moves).any(|(_, by)| *by != moves[0]);
        !apart || self.stays_apart(repeat, moves)
    }

    /// Whether what stood in an entry stands in the one that it has moved to.
    #[inline(always)]
    fn stands(&self, change: &Change, moves: &Moves) -> bool {
        let address = change.at.moved(moves);
        let line = &self.operand[usual_entry(address)];
        let by = if change.own { change.at.by(moves) } else { 0 };
        let same = (line.tag ^ change.before.tag.wrapping_add(by)) & change.mask == 0;
        same && line.prefetched_by == change.before.prefetched_by && line.holds(address) == change.own
    }

    /// Whether lines that shared an entry still do, and no others, though not all have moved by as much.
    #[inline(never)]
    fn stays_apart(&self, repeat: &Repeat, moves: &Moves) -> bool {
        let by = |anchor: u8| moves[usize::from(anchor) % ANCHORS];
        if repeat.tied.iter().any(|(one, other)| by(*one) != by(*other)) {
            return false;
        }
        let entry = |spot: Spot| usual_entry(spot.moved(moves));
        for (place, change) in repeat.changes.iter().enumerate() {
            let here = entry(change.at);
            let others = repeat.changes.iter().skip(place + 1).map(|other| other.at);
            let mut others = others.chain(repeat.passes.iter().map(|pass| pass.at));
            if others.any(|other| entry(other) == here) {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn evict_again(&mut self, eviction: &Eviction, moves: &Moves) {
        let address = eviction.evictor.moved(moves);
        let entry = usual_entry(address);
        let victim = match eviction.victim {
            Some(victim) => victim.wrapping_add(eviction.evictor.by(moves)),
            None => self.operand[entry].tag,
        };
        self.stats.evicted(victim & LINE, address & LINE, entry);
    }

    #[inline(always)]
    fn change(&mut self, change: &Change, moves: &Moves) {
        let by = change.at.by(moves);
        let entry = usual_entry(change.at.line.wrapping_add(by));
        self.operand[entry] = Line {
            tag: change.after.tag.wrapping_add(by),
            prefetched_by: change.after.prefetched_by,
        };
        for (which, side) in change.sides.iter().enumerate() {
            match *side {
                Side::Stays => {}
                Side::Barred => self.passing.bar_side(entry, which),
                Side::Opens(line, row) => {
                    let line = line.wrapping_add(by);
                    self.passing.open_row(entry, line, which, row, &mut self.stats);
                }
            }
        }
    }
}

/// The entry of an address, as long as entries follow each other as lines do: nothing is kept otherwise.
#[inline(always)]
fn usual_entry(address: u32) -> usize {
    (address >> 5) as usize % super::cache::OPERAND_LINES
}
