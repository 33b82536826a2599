//! The cells that compiled code and the memory model share.

use super::super::episode::NONE;
use super::super::repeat::{ANCHORS, CHANGES};
use sh4::meter::{CELLS, SHORTCUTS};

/// Cells: the shortcut that was taken last, if any was, and the episode that has passed last since all was handed over.
pub(super) const LAST: usize = 1;
/// See [`Episodes`](super::super::episodes::Episodes): what is under way, from when on, and for how long that matters.
pub(super) const CYCLE: usize = 2;
pub(super) const STATE: usize = 3;
pub(super) const HORIZON: usize = 4;
/// From when on loads pass, and stores.
pub(super) const FREE: usize = 5;
/// Memory's part of the time.
pub(super) const FROZEN: usize = 7;
/// The open rows, two by two.
pub(super) const ROWS: usize = 8;
/// The line that came last, and which of its eight bytes came first.
pub(super) const LAST_LINE: usize = 10;
/// Words in the log, in twos: a range and whether stores, and accesses there; or two lines, and [`CONFLICTS`].
pub(super) const LOGGED: usize = 11;
/// How many conflicts more there is room for.
pub(super) const ROOM: usize = 12;
/// Where those of the shortcuts begin.
const OWN: usize = 16;

/// Stands in the log where two lines are told: no number of accesses.
pub(super) const CONFLICTS: u64 = u64::MAX;

/// The cells of a shortcut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(pub(super) usize);

impl Place {
    /// The way that it is for; no number of one while it must not be taken.
    pub(super) const WAY: usize = 0;
    /// How often it was taken.
    pub(super) const TIMES: usize = 1;
    /// The one that followed the last time.
    pub(super) const FOLLOWS: usize = 2;
    /// Of each anchor the lowest address at which all lines are in the ranges that are counted in, and lines from there on.
    pub(super) const RANGES: usize = 3;
    /// The same for rows, and bytes from there on.
    pub(super) const NEAR: usize = Place::RANGES + ANCHORS;
    /// [`Repeat::rows`](super::super::repeat::Repeat), two by two.
    pub(super) const ROWS: usize = Place::NEAR + ANCHORS;
    /// [`Change::seen`](super::super::repeat::Change), as far as it matters, of two changes each.
    pub(super) const SEEN: usize = Place::ROWS + 4;
    /// The ranges of what each change opens: of loads, and of stores.
    pub(super) const OPENS: usize = Place::SEEN + CHANGES.div_ceil(2);
    const CELLS: usize = Place::OPENS + CHANGES;

    pub(super) fn cell(self, which: usize) -> usize {
        OWN + (self.0 - 1) * Place::CELLS + which
    }

    pub(super) fn number(self) -> u32 {
        self.0 as u32
    }
}

const _: () = assert!(OWN + (SHORTCUTS - 1) * Place::CELLS <= CELLS);

/// What [`LAST`] is at first.
pub(super) const NOTHING: u64 = (NONE as u64) << 32;
/// No way.
pub(super) const NOWHERE: u64 = u64::MAX;

/// 64 bits of two times 32, the lower ones first.
pub(super) fn join([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

pub(super) fn split(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Cells of which no shortcut is expected, nor was taken.
pub(super) fn empty() -> Box<[u64; CELLS]> {
    let mut cells = Box::new([0; CELLS]);
    cells[LAST] = NOTHING;
    cells
}
