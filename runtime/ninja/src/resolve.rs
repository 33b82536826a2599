//! Resolution of strip indices to vertices, by the rules of the shared vertex buffer and of CP and DP
//! (docs/formats/ninja.md 2.2, 2.3).

use std::collections::HashMap;

use crate::plist::{PolyChunk, StripChunk, VolumeChunk};
use crate::tree::{ObjectTree, PlistId};
use crate::vlist::VertexChunk;

/// Counts of the strip and volume indices of a tree when all its nodes are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Resolved {
    /// Indices drawn by their own list, with a filled slot.
    pub(crate) direct: u64,
    /// Indices drawn through DP, with a filled slot.
    pub(crate) through_dp: u64,
    /// Indices with an empty slot.
    pub(crate) unresolved: u64,
    /// DP chunks with a number that is unset or currently being drawn.
    pub(crate) bad_draws: u64,
    /// True if the work limit stopped the count.
    pub(crate) cut_short: bool,
}

/// Strips have 16-bit indices, so higher slots are never used.
const SLOTS: usize = 1 << 16;

struct Buffer<'a> {
    tree: &'a ObjectTree,
    filled: Vec<bool>,
    /// State stored by CP: the list, and the chunk after the CP.
    cached: HashMap<u8, (PlistId, usize)>,
    counts: Resolved,
    /// Remaining budget of vertices and words. Lists that draw each other repeatedly could otherwise take
    /// very long.
    work: usize,
}

/// Draws a tree to resolve its indices.
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

/// Regular files draw each list once or a few times. The limit is far higher: 64 times the size of the file
/// plus a million.
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
    /// Subtracts work from the budget; returns whether enough remained.
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

    /// Draws a list. Lists drawn by DP nest, each number once, so the stack stays below 257.
    fn draw(&mut self, list: PlistId) {
        // List, next chunk, and the number under which it was stored.
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
