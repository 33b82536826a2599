//! What compiled code walks through while it counts: blocks of the region, each as a way led to it.
//!
//! A meter's books say what a way costs and which ways lead on, but by numbers in tables that move. A node has of that what
//! compiled code needs, at a fixed place, and links to nodes that follow: at the end of a block it takes one, counts
//! there that it was taken, and adds its cycles. What was counted comes into the books when the region is left.

use sh4::meter::{Meter, Way};
use std::cell::Cell;
use std::collections::HashMap;

/// The block of a node that lies outside of the region.
pub(crate) const OUTSIDE: u32 = u16::MAX as u32;

/// What compiled code uses of a node: words of 64 bits, at these distances.
pub(crate) const NODE_WAY: usize = 0;
/// How often compiled code has come there since that was last told.
pub(crate) const NODE_TIMES: usize = 8;
/// Cycles that the way takes.
pub(crate) const NODE_ADVANCE: usize = 16;
/// Its number among the nodes.
const NODE_NUMBER: usize = 24;
/// From there on, for each way that the block can be left by, the node that follows; 0 if that is not known, or the code
/// of its block was not found in the instruction cache.
pub(crate) const NODE_LINKS: usize = 32;

/// Nodes of a region that are kept when it is entered, at most: each is looked at when it is left.
const NODES: usize = 1024;

/// Where a node lies; compiled code writes there.
pub(crate) type Place = *const Cell<u64>;

#[derive(Debug)]
struct Node {
    words: Box<[Cell<u64>]>,
    way: u32,
    /// 1 if the first fetch of its block is from another word than the last one of the way, else 0.
    fetch: u64,
}

impl Node {
    fn word(&self, at: usize) -> &Cell<u64> {
        &self.words[at / 8]
    }
}

/// Nodes of a region, by the numbers of one meter.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    all: Vec<Node>,
    places: HashMap<(u32, u32), usize>,
    /// First fetches of blocks by which those of the nodes that were counted are more, or less.
    fetches: u64,
}

impl Nodes {
    /// Forgets all if they have become many. No compiled code may be under way.
    pub(super) fn make_room(&mut self) {
        if self.all.len() >= NODES {
            self.all.clear();
            self.places.clear();
        }
    }

    /// The number of the node for a block at `start`, or [`OUTSIDE`], behind the way `number`. It is left by one of so many.
    pub(super) fn find(&mut self, block: u32, start: u32, links: usize, number: u32, way: &Way) -> usize {
        *self.places.entry((block, number)).or_insert_with(|| {
            let words: Box<[Cell<u64>]> = vec![Cell::new(0); NODE_LINKS / 8 + links].into();
            let node = Node {
                words,
                way: number,
                fetch: u64::from(block != OUTSIDE && start >> 2 != way.last >> 2),
            };
            node.word(NODE_WAY).set(number.into());
            node.word(NODE_ADVANCE).set(way.advance.into());
            node.word(NODE_NUMBER).set(self.all.len() as u64);
            self.all.push(node);
            self.all.len() - 1
        })
    }

    pub(super) fn place(&self, node: usize) -> Place {
        self.all[node].words.as_ptr()
    }

    /// The node at a place that [`Nodes::place`] has given.
    ///
    /// # Safety
    /// It still has to be there.
    pub(super) unsafe fn at(&self, place: Place) -> usize {
        // SAFETY: a node has that many words.
        unsafe { (*place.add(NODE_NUMBER / 8)).get() as usize }
    }

    pub(super) fn way(&self, node: usize) -> u32 {
        self.all[node].way
    }

    /// Counts that execution has come to a node; the cycles that took.
    pub(super) fn come(&mut self, node: usize) -> u64 {
        let times = self.all[node].word(NODE_TIMES);
        times.set(times.get() + 1);
        self.all[node].word(NODE_ADVANCE).get()
    }

    /// Compiled code goes from `node` to `next` by itself from now on.
    pub(super) fn link(&mut self, node: usize, link: usize, next: usize) {
        let place = self.place(next) as u64;
        if let Some(link) = self.all[node].words.get(NODE_LINKS / 8 + link) {
            link.set(place);
        }
    }

    /// It does no more.
    pub(super) fn unlink(&mut self) {
        for node in &self.all {
            for link in &node.words[NODE_LINKS / 8..] {
                link.set(0);
            }
        }
    }

    /// Nobody has counted that execution has come to the block of `node`, whose fetch will be.
    pub(super) fn begin(&mut self, node: usize) {
        self.fetches = self.fetches.wrapping_add(self.all[node].fetch);
    }

    /// Execution has come there, but what runs of the block is told of otherwise.
    pub(super) fn end(&mut self, node: usize) {
        self.fetches = self.fetches.wrapping_sub(self.all[node].fetch);
    }

    /// Counts in the books what was counted here; the first fetches of blocks.
    pub(super) fn tell(&mut self, meter: &mut dyn Meter) -> u64 {
        let ways = meter.tables().ways;
        for node in &self.all {
            let times = node.word(NODE_TIMES).replace(0);
            if times == 0 {
                continue;
            }
            self.fetches = self.fetches.wrapping_add(times.wrapping_mul(node.fetch));
            if let Some(way) = ways.get_mut(node.way as usize) {
                way.times[0] += times;
            }
        }
        std::mem::take(&mut self.fetches)
    }
}
