//! Which triangles meet at an edge.

/// Triangles by directed edge. Neighbours that agree about their outside run along a shared edge in opposite
/// directions.
pub(super) struct Adjacency<'a> {
    pub(super) triangles: &'a [[u32; 3]],
    /// The smallest corner.
    first: u32,
    /// By corner, counted from `first`: where the edges that begin at it begin in `ends` and `owners`.
    begins: Vec<u32>,
    /// The ends of the edges of each corner, ascending.
    ends: Vec<u32>,
    /// Beside `ends`: the triangle that runs along the edge; of one edge, ascending.
    owners: Vec<u32>,
    /// By triangle: how many neighbours it has.
    pub(super) degrees: Vec<u32>,
}

impl<'a> Adjacency<'a> {
    pub(super) fn new(triangles: &'a [[u32; 3]]) -> Self {
        let corners = || triangles.iter().flatten().copied();
        let first = corners().min().unwrap_or(0);
        let count = corners().max().map_or(0, |last| (last - first) as usize + 1);
        // Counted, then summed up, so that each entry is where the edges of its corner end; filling in
        // takes it to where they begin.
        let mut begins = vec![0; count + 1];
        corners().for_each(|c| begins[(c - first) as usize] += 1);
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut edges = vec![(0, 0); triangles.len() * 3];
        for (i, t) in (0..).zip(triangles) {
            for k in 0..3 {
                let begin = &mut begins[(t[k] - first) as usize];
                *begin -= 1;
                edges[*begin as usize] = (t[(k + 1) % 3], i);
            }
        }
        for range in begins.windows(2) {
            edges[range[0] as usize..range[1] as usize].sort_unstable();
        }
        let (ends, owners) = edges.into_iter().unzip();
        let mut mesh = Adjacency {
            triangles,
            first,
            begins,
            ends,
            owners,
            degrees: Vec::new(),
        };
        mesh.degrees = (0..triangles.len() as u32)
            .map(|t| mesh.neighbours(t).count() as u32)
            .collect();
        mesh
    }

    /// Triangles on the other side of the edge from `a` to `b`, both of them corners of triangles.
    pub(super) fn across(&self, a: u32, b: u32) -> &[u32] {
        let corner = (b - self.first) as usize;
        let range = self.begins[corner] as usize..self.begins[corner + 1] as usize;
        let ends = &self.ends[range.clone()];
        let low = ends.partition_point(|end| *end < a);
        let same = ends[low..].iter().take_while(|end| **end == a).count();
        &self.owners[range][low..low + same]
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
