//! Which triangles meet at an edge.

/// Triangles on the other side of an edge up to which they count as neighbours: surfaces have one, bad ones a
/// few. Without a limit a file of triangles around one edge would take their number squared.
const MOST_ACROSS: usize = 16;

/// An edge of a triangle: three times the triangle, plus the corner that the edge begins at (0 to 2).
pub(super) type HalfEdge = u32;

/// Edges by the edges that run the other way. Neighbours that agree about their outside run along a shared
/// edge in opposite directions.
pub(super) struct Adjacency<'a> {
    pub(super) triangles: &'a [[u32; 3]],
    /// All edges, by their first corner, then their second one, then by triangle.
    sorted: Vec<HalfEdge>,
    /// By edge: those against it in `sorted`, the first and behind the last.
    across: Vec<[u32; 2]>,
}

/// The edge of the same triangle `k` corners on.
pub(super) fn turned(edge: HalfEdge, k: u32) -> HalfEdge {
    let (triangle, corner) = (edge / 3, edge % 3);
    3 * triangle + (corner + k) % 3
}

impl<'a> Adjacency<'a> {
    pub(super) fn new(triangles: &'a [[u32; 3]]) -> Self {
        let corners = triangles.as_flattened();
        let first = corners.iter().copied().min().unwrap_or(0);
        let count = corners.iter().max().map_or(0, |last| (last - first) as usize + 1);
        // Counted, then summed up, so that each entry is where the edges of its corner end; filling in
        // takes it to where they begin.
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

    /// The edges that run against `edge`.
    pub(super) fn across(&self, edge: HalfEdge) -> &[HalfEdge] {
        let [begin, end] = self.across[edge as usize];
        &self.sorted[begin as usize..end as usize]
    }

    /// Tells of each neighbour of a triangle, over all three edges.
    #[inline]
    pub(super) fn neighbours(&self, triangle: u32, mut of: impl FnMut(u32)) {
        for edge in 3 * triangle..3 * triangle + 3 {
            self.across(edge).iter().for_each(|other| of(other / 3));
        }
    }

    /// How many there are.
    pub(super) fn degree(&self, triangle: u32) -> u32 {
        let edges = 3 * triangle as usize..3 * triangle as usize + 3;
        self.across[edges].iter().map(|[begin, end]| end - begin).sum()
    }

    /// How many pieces the surface is in: no strip reaches from one into another.
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

    /// The corner that an edge begins at.
    pub(super) fn corner(&self, edge: HalfEdge) -> u32 {
        self.triangles.as_flattened()[edge as usize]
    }
}
