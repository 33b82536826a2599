//! Timed edges at fixed places, linked to each other for compiled code.
//!
//! The edges of the cycle model are numbers in tables that move. A linked edge has a fixed place. It holds
//! what compiled code needs of one edge and of the block behind it: at the end of the block, compiled code
//! takes a link, counts there that the edge was taken, and adds its cycles. The counts move into the model's
//! tables when the region is left.

use sh4::timing::{BlockTiming, TimedEdge};
use std::cell::Cell;
use std::collections::HashMap;

/// The block number for code outside of the region.
pub(crate) const OUTSIDE: u32 = u16::MAX as u32;

/// The words of an edge that compiled code uses: 64 bits each, at these distances. First its number in the
/// model's tables.
pub(crate) const EDGE_NUMBER: usize = 0;
/// How often compiled code took the edge since the counts were moved.
pub(crate) const EDGE_TIMES: usize = 8;
/// Cycles of the edge.
pub(crate) const EDGE_ADVANCE: usize = 16;
/// Its place among the edges of the region.
const EDGE_PLACE: usize = 24;
/// From there on a link for each path through the block behind it: the edge that follows, or 0 if that is not
/// known or the instruction cache may not hold its block.
pub(crate) const EDGE_LINKS: usize = 32;

/// Edges of a region that are kept when it is entered, at most: leaving the region visits each.
const MOST: usize = 1024;

/// The address of an edge. Compiled code writes there.
pub(crate) type EdgePointer = *const Cell<u64>;

#[derive(Debug)]
struct LinkedEdge {
    words: Box<[Cell<u64>]>,
    number: u32,
    /// 1 if the first fetch of the block behind it is from another aligned pair than the last one of the
    /// edge, else 0.
    fetch: u64,
}

impl LinkedEdge {
    fn word(&self, at: usize) -> &Cell<u64> {
        &self.words[at / 8]
    }
}

/// The edges of a region, by the numbers of one cycle model.
#[derive(Debug, Default)]
pub(super) struct LinkedEdges {
    all: Vec<LinkedEdge>,
    /// By block and number.
    places: HashMap<(u32, u32), usize>,
    /// First fetches that the counts of the edges do not include; wraps below 0.
    fetches: u64,
}

impl LinkedEdges {
    /// Drops all edges if there are too many. No compiled code may be running.
    pub(super) fn make_room(&mut self) {
        if self.all.len() >= MOST {
            self.all.clear();
            self.places.clear();
        }
    }

    /// The place of the edge with a number before a block at `start`, or before [`OUTSIDE`]. The block has so
    /// many links.
    pub(super) fn find(
        &mut self,
        block: u32,
        start: u32,
        links: usize,
        number: u32,
        timed: &TimedEdge,
    ) -> usize {
        *self.places.entry((block, number)).or_insert_with(|| {
            let words: Box<[Cell<u64>]> = vec![Cell::new(0); EDGE_LINKS / 8 + links].into();
            let edge = LinkedEdge {
                words,
                number,
                fetch: u64::from(block != OUTSIDE && start >> 2 != timed.last >> 2),
            };
            edge.word(EDGE_NUMBER).set(number.into());
            edge.word(EDGE_ADVANCE).set(timed.advance.into());
            edge.word(EDGE_PLACE).set(self.all.len() as u64);
            self.all.push(edge);
            self.all.len() - 1
        })
    }

    pub(super) fn pointer(&self, edge: usize) -> EdgePointer {
        self.all[edge].words.as_ptr()
    }

    /// The edge at a pointer that [`LinkedEdges::pointer`] has returned.
    ///
    /// # Safety
    /// The edge still has to be there.
    pub(super) unsafe fn at(&self, pointer: EdgePointer) -> usize {
        // SAFETY: an edge has that many words.
        unsafe { (*pointer.add(EDGE_PLACE / 8)).get() as usize }
    }

    /// The number of an edge in the model's tables.
    pub(super) fn number(&self, edge: usize) -> u32 {
        self.all[edge].number
    }

    /// Counts that an edge was taken. Returns its cycles.
    pub(super) fn take(&mut self, edge: usize) -> u64 {
        let times = self.all[edge].word(EDGE_TIMES);
        times.set(times.get() + 1);
        self.all[edge].word(EDGE_ADVANCE).get()
    }

    /// Lets compiled code go from `edge` to `next` by itself.
    pub(super) fn link(&mut self, edge: usize, link: usize, next: usize) {
        let pointer = self.pointer(next) as u64;
        if let Some(link) = self.all[edge].words.get(EDGE_LINKS / 8 + link) {
            link.set(pointer);
        }
    }

    /// Removes all links.
    pub(super) fn unlink(&mut self) {
        for edge in &self.all {
            for link in &edge.words[EDGE_LINKS / 8..] {
                link.set(0);
            }
        }
    }

    /// Adds the first fetch of the block behind `edge`, which was entered without counting the edge here.
    pub(super) fn add_fetch(&mut self, edge: usize) {
        self.fetches = self.fetches.wrapping_add(self.all[edge].fetch);
    }

    /// Takes it back: the model counts the fetch itself.
    pub(super) fn remove_fetch(&mut self, edge: usize) {
        self.fetches = self.fetches.wrapping_sub(self.all[edge].fetch);
    }

    /// Moves the counts into the model's tables. Returns the first fetches.
    pub(super) fn export_counts(&mut self, timing: &mut dyn BlockTiming) -> u64 {
        let timed = timing.tables().edges;
        for edge in &self.all {
            let times = edge.word(EDGE_TIMES).replace(0);
            if times == 0 {
                continue;
            }
            self.fetches = self.fetches.wrapping_add(times.wrapping_mul(edge.fetch));
            if let Some(timed) = timed.get_mut(edge.number as usize) {
                timed.times[0] += times;
            }
        }
        std::mem::take(&mut self.fetches)
    }
}
