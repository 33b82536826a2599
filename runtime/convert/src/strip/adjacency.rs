//! Finds triangles that share an edge.

/// Maximum number of triangles across an edge that count as neighbours. Regular surfaces have one, damaged
/// ones a few. Without a limit, many triangles around one edge would need quadratic time.
const MOST_ACROSS: usize = 16;

/// An edge of a triangle: `3 * triangle + corner`. The corner, 0 to 2, is the edge's start.
pub(super) type HalfEdge = u32;

/// Maps each edge to the edges in the opposite direction. Neighbours with the same orientation traverse a
/// shared edge in opposite directions.
pub(super) struct Adjacency<'a> {
    pub(super) triangles: &'a [[u32; 3]],
    /// All edges, sorted by first corner, second corner and triangle.
    sorted: Vec<HalfEdge>,
    /// Range in `sorted` of the opposite edges, by edge.
    across: Vec<[u32; 2]>,
}

/// Returns the edge of the same triangle that starts `k` corners later.
pub(super) fn turned(edge: HalfEdge, k: u32) -> HalfEdge {
    let (triangle, corner) = (edge / 3, edge % 3);
    3 * triangle + (corner + k) % 3
}

impl<'a> Adjacency<'a> {
    pub(super) fn new(triangles: &'a [[u32; 3]]) -> Self {
        let corners = triangles.as_flattened();
        let first = corners.iter().copied().min().unwrap_or(0);
        let count = corners.iter().max().map_or(0, |last| (last - first) as usize + 1);
        // Counting sort: after the prefix sum, each entry is the end of its corner's edges. Filling moves it
        // to their start.
        let mut begins = vec![0; count + 1];
        corners.iter().for_each(|c| begins[(c - first) as usize] += 1);
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let end_of = |edge: HalfEdge| corners[turned(edge, 1) as usize];
        let mut edges = vec![(0, 0); corners.len()];
        for (edge, corner) in (0..).zip(corners) {
            let begin = &mut begins[(corner - first) as usize];
            *begin -= 1;
            edges[*begin as usize] = (end_of(edge), edge);
        }
        for range in begins.windows(2) {
            edges[range[0] as usize..range[1] as usize].sort_unstable();
        }
        let against = |(edge, corner): (HalfEdge, &u32)| {
            let begin = (end_of(edge) - first) as usize;
            let (low, high) = (begins[begin] as usize, begins[begin + 1] as usize);
            let range = &edges[low..high];
            let found = range.partition_point(|(end, _)| end < corner);
            let same = range[found..].iter().take(MOST_ACROSS + 1);
            let same = same.take_while(|(end, _)| end == corner).count();
            let same = if same > MOST_ACROSS { 0 } else { same };
            [low + found, low + found + same].map(|place| place as u32)
        };
        Adjacency {
            triangles,
            across: (0..).zip(corners).map(against).collect(),
            sorted: edges.iter().map(|(_, edge)| *edge).collect(),
        }
    }

    /// Returns the edges opposite to `edge`.
    pub(super) fn across(&self, edge: HalfEdge) -> &[HalfEdge] {
        let [begin, end] = self.across[edge as usize];
        &self.sorted[begin as usize..end as usize]
    }

    /// Calls `of` for each neighbour of a triangle, over all three edges.
    #[inline]
    pub(super) fn neighbours(&self, triangle: u32, mut of: impl FnMut(u32)) {
        for edge in 3 * triangle..3 * triangle + 3 {
            self.across(edge).iter().for_each(|other| of(other / 3));
        }
    }

    /// Returns the number of neighbours.
    pub(super) fn degree(&self, triangle: u32) -> u32 {
        let edges = 3 * triangle as usize..3 * triangle as usize + 3;
        self.across[edges].iter().map(|[begin, end]| end - begin).sum()
    }

    /// Returns the number of connected pieces. A strip cannot span two pieces.
    pub(super) fn pieces(&self) -> usize {
        let (mut met, mut open) = (vec![false; self.triangles.len()], Vec::new());
        let mut pieces = 0;
        for first in 0..met.len() {
            if !std::mem::replace(&mut met[first], true) {
                pieces += 1;
                open.push(first as u32);
            }
            while let Some(triangle) = open.pop() {
                self.neighbours(triangle, |other| {
                    if !std::mem::replace(&mut met[other as usize], true) {
                        open.push(other);
                    }
                });
            }
        }
        pieces
    }

    /// Returns the first corner of an edge.
    pub(super) fn corner(&self, edge: HalfEdge) -> u32 {
        self.triangles.as_flattened()[edge as usize]
    }
}
