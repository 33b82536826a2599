//! Which triangles meet at an edge.

use std::collections::HashMap;

/// Triangles by directed edge. Neighbours that agree about their outside run along a shared edge in opposite
/// directions.
pub(super) struct Adjacency<'a> {
    pub(super) triangles: &'a [[u32; 3]],
    edges: HashMap<[u32; 2], Vec<u32>>,
}

impl<'a> Adjacency<'a> {
    pub(super) fn new(triangles: &'a [[u32; 3]]) -> Self {
        let mut edges: HashMap<[u32; 2], Vec<u32>> = HashMap::with_capacity(triangles.len() * 3);
        for (i, t) in (0..).zip(triangles) {
            for k in 0..3 {
                edges.entry([t[k], t[(k + 1) % 3]]).or_default().push(i);
            }
        }
        Adjacency { triangles, edges }
    }

    /// Triangles on the other side of the edge from `a` to `b`.
    pub(super) fn across(&self, a: u32, b: u32) -> &[u32] {
        self.edges.get(&[b, a]).map_or(&[], Vec::as_slice)
    }

    /// Neighbours of a triangle, over all three edges.
    pub(super) fn neighbours(&self, triangle: u32) -> impl Iterator<Item = u32> + '_ {
        let t = self.triangles[triangle as usize];
        (0..3).flat_map(move |k| self.across(t[k], t[(k + 1) % 3]).iter().copied())
    }

    /// The direction in which a triangle runs along the edge between `a` and `b`.
    pub(super) fn directed(&self, triangle: u32, a: u32, b: u32) -> [u32; 2] {
        let t = self.triangles[triangle as usize];
        if (0..3).any(|k| t[k] == a && t[(k + 1) % 3] == b) {
            [a, b]
        } else {
            [b, a]
        }
    }

    /// The corner of a triangle that is neither `a` nor `b`.
    pub(super) fn third(&self, triangle: u32, a: u32, b: u32) -> Option<u32> {
        self.triangles[triangle as usize]
            .into_iter()
            .find(|c| *c != a && *c != b)
    }
}
