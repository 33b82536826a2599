//! Which strip indices find a vertex, following the rules of the shared vertex buffer and of CP and DP
//! (docs/formats/ninja.md 2.2, 2.3).

use std::collections::HashMap;

use crate::plist::{PolyChunk, StripChunk, VolumeChunk};
use crate::tree::{ObjectTree, PlistId};
use crate::vlist::VertexChunk;

/// Where the indices of a tree's strips and volumes lead when it is drawn, every node included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Resolved {
    /// Drawn from their own list, slot filled.
    pub(crate) direct: u64,
    /// Drawn through DP, slot filled.
    pub(crate) through_dp: u64,
    /// Drawn with an empty slot.
    pub(crate) unresolved: u64,
    /// DP of a number that was not set or is being drawn.
    pub(crate) bad_draws: u64,
    /// Whether the work limit was met, so that the counts are incomplete.
    pub(crate) cut_short: bool,
}

/// Slots are 16-bit indices in strips, so no others can be found.
const SLOTS: usize = 1 << 16;

struct Buffer<'a> {
    tree: &'a ObjectTree,
    filled: Vec<bool>,
    /// What CP remembers: the list, and the chunk after the CP.
    cached: HashMap<u8, (PlistId, usize)>,
    counts: Resolved,
    /// Vertices and words that may still be gone through. Lists that draw each other twice over could run
    /// for ages.
    work: usize,
}

/// Draws a tree as far as indices go.
pub(crate) fn resolve(tree: &ObjectTree) -> Resolved {
    let (filled, cached) = (vec![false; SLOTS], HashMap::new());
    let mut buffer = Buffer {
        tree,
        filled,
        cached,
        counts: Resolved::default(),
        work: work_limit(tree),
    };
    for model in tree.walk().filter_map(|(_, _, object)| tree.model(object.model?)) {
        if let Some(list) = model.vlist.and_then(|id| tree.vlist(id)) {
            list.chunks.iter().for_each(|chunk| buffer.fill(chunk));
        }
        if let Some(id) = model.plist {
            buffer.draw(id);
        }
    }
    buffer.counts
}

/// Sound files draw every list once or a few times; 64 times the file and a million is far from that.
fn work_limit(tree: &ObjectTree) -> usize {
    let vertices = tree
        .vlists
        .iter()
        .flat_map(|list| &list.chunks)
        .map(|c| usize::from(c.count));
    let words = tree
        .plists
        .iter()
        .flat_map(|list| &list.chunks)
        .map(PolyChunk::file_words);
    64 * (vertices.sum::<usize>() + words.sum::<usize>() + tree.objects.len()) + (1 << 20)
}

impl Buffer<'_> {
    /// Takes work off the limit; whether there was enough.
    fn can_do(&mut self, work: usize) -> bool {
        let left = self.work.checked_sub(work);
        self.work = left.unwrap_or(0);
        self.counts.cut_short |= left.is_none();
        left.is_some()
    }

    fn fill(&mut self, chunk: &VertexChunk) {
        if !self.can_do(usize::from(chunk.count)) {
            return;
        }
        for i in 0..usize::from(chunk.count) {
            let slot = usize::try_from(chunk.slot(i)).ok();
            if let Some(filled) = slot.and_then(|slot| self.filled.get_mut(slot)) {
                *filled = true;
            }
        }
    }

    /// Runs a list. Lists drawn by DP nest, each number once, so the stack stays below 257.
    fn draw(&mut self, list: PlistId) {
        // List, next chunk, and the number it runs under.
        let mut running: Vec<(PlistId, usize, Option<u8>)> = vec![(list, 0, None)];
        let tree = self.tree;
        while let Some((list, at, number)) = running.last_mut() {
            let chunk = tree.plist(*list).and_then(|l| l.chunks.get(*at));
            *at += 1;
            let (list, next, through_dp) = (*list, *at, number.is_some());
            if !self.can_do(chunk.map_or(1, PolyChunk::file_words)) {
                return;
            }
            match chunk {
                None => drop(running.pop()),
                Some(PolyChunk::CachePolygons(n)) => {
                    self.cached.insert(*n, (list, next));
                    running.pop();
                }
                Some(PolyChunk::DrawPolygons(n)) => match self.cached.get(n) {
                    Some((list, at)) if running.iter().all(|(_, _, number)| number != &Some(*n)) => {
                        running.push((*list, *at, Some(*n)));
                    }
                    _ => self.counts.bad_draws += 1,
                },
                Some(PolyChunk::Strip(chunk)) => self.count_strips(chunk, through_dp),
                Some(PolyChunk::Volume(chunk)) => self.count_volume(chunk, through_dp),
                Some(_) => {}
            }
        }
    }

    fn count_strips(&mut self, chunk: &StripChunk, through_dp: bool) {
        for strip in &chunk.strips {
            chunk
                .indices(strip)
                .for_each(|index| self.count(index, through_dp));
        }
    }

    fn count_volume(&mut self, chunk: &VolumeChunk, through_dp: bool) {
        chunk
            .polygons()
            .flatten()
            .for_each(|index| self.count(*index, through_dp));
        for strip in &chunk.strips {
            chunk
                .indices(strip)
                .for_each(|index| self.count(index, through_dp));
        }
    }

    fn count(&mut self, index: u16, through_dp: bool) {
        match (self.filled[usize::from(index)], through_dp) {
            (false, _) => self.counts.unresolved += 1,
            (true, false) => self.counts.direct += 1,
            (true, true) => self.counts.through_dp += 1,
        }
    }
}
