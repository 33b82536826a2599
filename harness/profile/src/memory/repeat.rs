//! Runs that do again, elsewhere, what they did before.
//!
//! Code that goes through memory comes to other lines each time, and the same becomes of them. Of a run that has changed
//! something it is kept what it found and what it left ([`keep`](super::keep)). Where the next one finds the same, lines
//! moved on but none into another range of the statistics, it leaves the same: nothing has to be found out anew.

use super::LINE;
use super::cache::{Line, Tagged};
use super::lines::Lines;
use super::shape::LONGEST;
use super::stats::{MemoryStats, RANGE, Row};
use arrayvec::ArrayVec;

/// Addresses that the groups of a run go by, at most: a power of two.
pub(super) const ANCHORS: usize = 4;

/// Entries that a run changes, and lines that it brings, at most.
pub(super) const CHANGES: usize = 6;
pub(super) const BRINGS: usize = 6;

/// Bytes of memory in one row of SDRAM, at least.
pub(super) const ROW: u32 = 0x800;

/// Bytes of a line.
pub(super) const BYTES: u32 = 32;

/// By how much each anchor has moved.
pub(super) type Moves = [u32; ANCHORS];

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

/// Where a run is.
pub(super) struct Measured {
    pub(super) moves: Moves,
    /// Whether all lines are in the ranges that it counts in, and so have moved by whole lines; and whether they are in the
    /// rows that they were in the last time.
    pub(super) inside: bool,
    near: bool,
}

/// An address that others go by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Anchor {
    /// The place of its access in the run.
    pub(super) place: u8,
    /// The first anchor that has to move by as much, since they have lines in one entry; or itself. What follows is said by
    /// that one for all of them.
    pub(super) tied: u8,
    pub(super) address: u32,
    /// What makes 0 of the lowest move with which all lines stay in their ranges, and how many lines on from there they do.
    pub(super) back: u32,
    pub(super) room: u32,
    /// Its own lowest and highest line.
    pub(super) lines: [u32; 2],
    /// From where on, and by how many bytes, it may move so that lines stay in the rows that they were in the last time.
    pub(super) near: [u32; 2],
}

impl Anchor {
    /// By how many bytes its own lines may go back, and on, so that they stay in the `size` bytes that they are in when
    /// they have moved by so much.
    fn way(&self, by: u32, size: u32) -> [u32; 2] {
        let [low, high] = self.lines.map(|line| line.wrapping_add(by));
        match low / size == high / size {
            true => [low % size, size - 1 - high % size],
            false => [0; 2],
        }
    }

    /// Whether its lines are in the same sixty-fourth of the address space when they have moved by so much: what
    /// [`Areas`](super::cache::Areas) says of them is the same then.
    fn keeps_area(&self, by: u32) -> bool {
        let mut lines = self.lines.iter();
        lines.all(|line| line.wrapping_add(by) >> 26 == line >> 26)
    }
}

/// Loads or stores of a line that pass.
#[derive(Clone, Copy, Debug)]
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
#[derive(Clone, Debug, Default)]
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
    /// Lines of it that took the place of others, one after the other.
    pub(super) turns: ArrayVec<Turn, BRINGS>,
    /// The tag there when rows were looked at the last time, and its bits that say what was found then.
    pub(super) seen: u32,
    pub(super) far: u32,
}

impl Change {
    /// Whether what stood there stands where its entry has moved to.
    #[inline(always)]
    fn finds(&self, line: &Line, moves: &Moves) -> bool {
        let by = if self.own { self.at.by(moves) } else { 0 };
        let same = (line.tag ^ self.before.tag.wrapping_add(by)) & self.mask == 0;
        let held = line.holds(self.at.moved(moves));
        same && line.prefetched_by == self.before.prefetched_by && held == self.own
    }
}

/// A line, where another was, by their physical addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// 0 if it stood there before the run.
    pub(super) victim: u32,
    pub(super) comes: u32,
}

/// A line that comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bring {
    pub(super) comes: Spot,
    /// Whether its row has to be opened.
    pub(super) opens: bool,
    pub(super) goes: Goes,
}

/// What goes for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goes {
    /// There was no line.
    Nothing,
    /// The line that stood there before the run, or one of its own.
    Line { own: Option<u32>, dirty: Option<Dirty> },
}

/// It has to be written back: whether its row has to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dirty {
    pub(super) opens: bool,
}

/// Loads or stores that are counted where they find their lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hits {
    pub(super) at: Spot,
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
    pub(super) anchors: ArrayVec<Anchor, ANCHORS>,
    /// Whether there are any `leads`, `passes` or lines `apart`: runs that only bring lines have none.
    pub(super) looks: bool,
    /// Lines that loads and stores find before another one comes, and which of the eight bytes came first of each that is
    /// the one that came last.
    pub(super) leads: ArrayVec<(Spot, Option<u32>), 8>,
    pub(super) passes: ArrayVec<Pass, 8>,
    /// Lines of different anchors that do not share an entry, one of which changes there.
    pub(super) apart: ArrayVec<[Spot; 2], 12>,
    pub(super) changes: ArrayVec<Change, CHANGES>,
    pub(super) brings: ArrayVec<Bring, BRINGS>,
    /// The rows that were open before and behind it, the last time that each row was looked at.
    pub(super) rows: [[u32; 4]; 2],
    /// The line that comes last, and which of its eight bytes come first.
    pub(super) last: Option<Spot>,
    pub(super) critical: u32,
    /// What is to be counted each time, besides what the run's episode says: hits, groups that are the first to use a
    /// prefetched line, with the PREF, and PREFs, with whether their lines were there.
    pub(super) hits: ArrayVec<Hits, LONGEST>,
    pub(super) first_uses: ArrayVec<(u8, u32), 4>,
    pub(super) prefetches: ArrayVec<(u32, bool), 4>,
    /// See [`Lines`].
    pub(super) touched: [Row; LONGEST],
    /// Whether it has been found anew where it is: ranges and rows.
    pub(super) news: bool,
}

impl Repeat {
    /// By how much its anchors have moved, if those that are tied have by as much.
    #[inline(always)]
    pub(super) fn measure(&self, address: impl Fn(u8) -> u32) -> Option<Measured> {
        let mut measured = Measured {
            moves: [0; ANCHORS],
            inside: true,
            near: true,
        };
        let (mut fits, moves) = (true, &mut measured.moves);
        for (number, anchor) in self.anchors.iter().enumerate() {
            let by = address(anchor.place).wrapping_sub(anchor.address);
            moves[number % ANCHORS] = by;
            if usize::from(anchor.tied) != number {
                fits &= by == moves[usize::from(anchor.tied) % ANCHORS];
                continue;
            }
            // What is no multiple of 32 becomes more than there is room for.
            measured.inside &= by.wrapping_add(anchor.back).rotate_right(5) <= anchor.room;
            measured.near &= by.wrapping_sub(anchor.near[0]) <= anchor.near[1];
        }
        fits.then_some(measured)
    }

    /// By how much the lines of an anchor and those tied to it may move, back and on, so that they stay in the `size` bytes
    /// that they are in when they have moved `by` so much.
    fn way(&self, anchor: usize, by: u32, size: u32) -> [u32; 2] {
        let tied = self.anchors.iter();
        let tied = tied.filter(|other| usize::from(other.tied) == anchor);
        let ways = tied.map(|other| other.way(by, size));
        ways.fold([size; 2], |[back, on], way| [back.min(way[0]), on.min(way[1])])
    }

    /// The rows of all lines are known where they have moved to.
    fn settle(&mut self, moves: &Moves) {
        for number in 0..self.anchors.len() {
            let by = moves[number % ANCHORS];
            let [back, on] = self.way(number, by, ROW);
            self.anchors[number].near = [by.wrapping_sub(back), back + on];
        }
    }

    /// Its lines have moved into other ranges: it is counted there from now on. False if they are no whole lines on, or
    /// something else may answer there.
    pub(super) fn enter_ranges(&mut self, moves: &Moves, stats: &mut MemoryStats) -> bool {
        let moved = || self.anchors.iter().zip(moves);
        if !moved().all(|(anchor, by)| by % BYTES == 0 && anchor.keeps_area(*by))
            || !stats.takes_ranges(LONGEST)
        {
            return false;
        }
        for number in 0..self.anchors.len() {
            let by = moves[number % ANCHORS];
            let [back, on] = self.way(number, by, RANGE);
            self.anchors[number].back = back.wrapping_sub(by);
            self.anchors[number].room = (back + on) / BYTES;
        }
        for hits in &mut self.hits {
            hits.row = stats.find(hits.at.moved(moves));
        }
        for change in &mut self.changes {
            let by = change.at.by(moves);
            for side in &mut change.sides {
                if let Side::Opens(line, row) = side {
                    *row = stats.find(line.wrapping_add(by));
                }
            }
        }
        self.touched = [Row::NONE; LONGEST];
        self.news = true;
        true
    }

    /// Whether lines that did not share an entry still do not, though not all may have moved by as much.
    #[inline(always)]
    fn stays_apart(&self, moves: &Moves) -> bool {
        for [one, other] in self.apart.iter() {
            if usual_entry(one.moved(moves)) == usual_entry(other.moved(moves)) {
                return false;
            }
        }
        true
    }
}

impl Lines {
    /// Whether the same becomes of `repeat` at the addresses that its anchors have now, with lines in the ranges that it
    /// counts in. That has happened then, but for what is to be counted; else nothing has.
    #[inline(always)]
    pub(super) fn again(&mut self, repeat: &mut Repeat, measured: &Measured) -> bool {
        let Measured { moves, mut near, .. } = *measured;
        if repeat.looks && !self.passes_again(repeat, &moves) {
            return false;
        }
        for change in repeat.changes.iter() {
            let line = &self.operand[usual_entry(change.at.moved(&moves))];
            if !change.finds(line, &moves) {
                return false;
            }
            near &= (line.tag ^ change.seen) & change.far == 0;
        }
        // Conflicts are counted in another order, entry by entry, which matters where there is no room for all.
        if !self.stats.takes_conflicts(repeat.brings.len()) {
            return false;
        }
        if near && self.slaves.rows() == repeat.rows[0] {
            self.slaves.set_rows(repeat.rows[1]);
        } else if !self.opens_again(repeat, &moves) {
            return false;
        }
        if let Some(last) = repeat.last {
            (self.last_line, self.critical) = (last.moved(&moves) & LINE, repeat.critical);
        }
        for change in repeat.changes.iter() {
            self.change(change, &moves);
        }
        true
    }

    /// Whether what passed still does, and nothing else is in the way.
    #[inline(always)]
    fn passes_again(&self, repeat: &Repeat, moves: &Moves) -> bool {
        for (line, critical) in repeat.leads.iter() {
            let is_last = line.moved(moves) & LINE == self.last_line;
            if is_last.then_some(self.critical) != *critical {
                return false;
            }
        }
        for pass in repeat.passes.iter() {
            let address = pass.at.moved(moves);
            if self.passing.lines[usual_entry(address)][usize::from(pass.stores)].address != address {
                return false;
            }
        }
        repeat.stays_apart(moves)
    }

    /// Whether lines that come and go have to open their rows as before; they have done so then.
    #[inline(never)]
    fn opens_again(&mut self, repeat: &mut Repeat, moves: &Moves) -> bool {
        let before = self.slaves.rows();
        for bring in repeat.brings.iter() {
            let address = bring.comes.moved(moves);
            let mut same = self.slaves.opens(address) == bring.opens;
            if let Goes::Line {
                own,
                dirty: Some(dirty),
            } = bring.goes
            {
                let victim = self.victim(bring, own, moves);
                same &= self.slaves.opens(victim & LINE) == dirty.opens;
            }
            if !same {
                self.slaves.set_rows(before);
                return false;
            }
        }
        repeat.rows = [before, self.slaves.rows()];
        repeat.news = true;
        repeat.settle(moves);
        for change in repeat.changes.iter_mut() {
            change.seen = self.operand[usual_entry(change.at.moved(moves))].tag;
        }
        true
    }

    /// The line that goes for one that comes: its own, or what stands there.
    #[inline(always)]
    fn victim(&self, bring: &Bring, own: Option<u32>, moves: &Moves) -> u32 {
        match own {
            Some(line) => line.wrapping_add(bring.comes.by(moves)),
            None => self.operand[usual_entry(bring.comes.moved(moves))].tag,
        }
    }

    #[inline(always)]
    fn change(&mut self, change: &Change, moves: &Moves) {
        let by = change.at.by(moves);
        let entry = usual_entry(change.at.line.wrapping_add(by));
        let line = &mut self.operand[entry];
        let (gone, conflicts) = self.stats.gone(entry);
        for turn in change.turns.iter() {
            let comes = turn.comes.wrapping_add(by);
            let victim = match turn.victim {
                0 => line.tag & LINE,
                victim => victim.wrapping_add(by),
            };
            if std::mem::replace(gone, victim) == comes {
                conflicts.count(victim, comes);
            }
        }
        *line = Line {
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
