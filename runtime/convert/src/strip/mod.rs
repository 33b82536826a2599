//! Triangle strips.
//!
//! In Ninja files, no degenerate triangles join strips, and a strip can begin in either direction
//! (docs/formats/ninja.md, 1.7). A strip of n triangles takes one length word and n + 2 entries, so fewer
//! strips make a smaller file. No rule for the first triangle of a strip is best for every mesh
//! (docs/formats/fbx.md, section 8), so [`strips`] tries several rules and keeps the best result.

mod adjacency;
mod greedy;
mod queue;

use adjacency::Adjacency;
use greedy::Start;

/// A strip of corners. Triangle `i` is `(i, i+1, i+2)`, reversed if `i` is odd. A reversed strip reverses all
/// triangles once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strip {
    pub(crate) reversed: bool,
    pub(crate) entries: Vec<u32>,
}

/// Maximum number of entries of a strip, so that it fits into one chunk: a chunk's size field counts at most
/// 65,535 16-bit words (docs/formats/ninja.md, 1.7).
pub(crate) const LONGEST: usize = 8_000;

impl Strip {
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.entries.windows(3).enumerate().map(|(i, w)| {
            if (i % 2 == 1) == self.reversed {
                [w[0], w[1], w[2]]
            } else {
                [w[1], w[0], w[2]]
            }
        })
    }
}

/// Returns strips that contain each triangle exactly once, in its original direction.
pub(crate) fn strips(triangles: &[[u32; 3]]) -> Vec<Strip> {
    let mesh = Adjacency::new(triangles);
    let mut best = greedy::strips(&mesh, Start::ALL[0]);
    let pieces = mesh.pieces();
    for start in &Start::ALL[1..] {
        // One strip per piece is the optimum.
        if best.len() <= pieces {
            break;
        }
        let made = greedy::strips(&mesh, *start);
        if made.len() < best.len() {
            best = made;
        }
    }
    best
}

/// Returns whether the strips contain exactly these triangles, in their original direction.
pub(crate) fn same_triangles(triangles: &[[u32; 3]], strips: &[Strip]) -> bool {
    let turned = |t: [u32; 3]| {
        let first = (0..3).min_by_key(|k| t[*k]).unwrap_or(0);
        [t[first], t[(first + 1) % 3], t[(first + 2) % 3]]
    };
    let mut wanted: Vec<_> = triangles.iter().map(|t| turned(*t)).collect();
    let mut made: Vec<_> = strips.iter().flat_map(Strip::triangles).map(turned).collect();
    wanted.sort_unstable();
    made.sort_unstable();
    wanted == made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(triangles: &[[u32; 3]]) -> Vec<Vec<Strip>> {
        let mesh = Adjacency::new(triangles);
        let made = Start::ALL.map(|start| greedy::strips(&mesh, start));
        assert!(made.iter().all(|s| same_triangles(triangles, s)));
        made.into_iter().collect()
    }

    /// A grid of `n` by `n` squares.
    fn grid(n: u32) -> Vec<[u32; 3]> {
        let at = |x: u32, y: u32| y * (n + 1) + x;
        let square = |x, y| {
            [
                [at(x, y), at(x + 1, y), at(x, y + 1)],
                [at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)],
            ]
        };
        (0..n)
            .flat_map(|y| (0..n).flat_map(move |x| square(x, y)))
            .collect()
    }

    #[test]
    fn one_row_of_squares_is_one_strip() {
        let row: Vec<[u32; 3]> = grid(8).into_iter().take(16).collect();
        let strips = strips(&row);
        assert_eq!(strips.len(), 1);
        assert_eq!(strips[0].entries.len(), 18);
    }

    #[test]
    fn each_triangle_comes_once_and_the_same_way_around() {
        for n in 1..12 {
            checked(&grid(n));
        }
        // A fan, an isolated triangle, a repeated triangle, a double-sided one, three at one edge.
        checked(&[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
        checked(&[[7, 8, 9]]);
        checked(&[[0, 1, 2], [0, 1, 2]]);
        checked(&[[0, 1, 2], [0, 2, 1]]);
        checked(&[[0, 1, 2], [1, 0, 3], [1, 0, 4], [0, 1, 5]]);
        assert!(checked(&[]).iter().all(Vec::is_empty));
    }

    #[test]
    fn random_triangles_survive() {
        let mut state = 1u32;
        let mut random = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        for _ in 0..200 {
            let corners = 4 + random(20);
            let count = random(80);
            let mut triangles = Vec::new();
            while (triangles.len() as u32) < count {
                let t = [random(corners), random(corners), random(corners)];
                if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                    triangles.push(t);
                }
            }
            checked(&triangles);
        }
    }

    #[test]
    fn a_change_of_direction_is_seen() {
        let strip = |reversed| Strip {
            reversed,
            entries: vec![0, 1, 2, 3],
        };
        assert!(same_triangles(&[[0, 1, 2], [2, 1, 3]], &[strip(false)]));
        assert!(!same_triangles(&[[0, 1, 2], [2, 1, 3]], &[strip(true)]));
    }
}
