//! Strips grown from a triangle in both directions, as long as they go.

use std::collections::BTreeSet;

use super::adjacency::Adjacency;
use super::{LONGEST, Strip};

/// Where strips begin, and which neighbour is taken where several meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// At the triangle with the fewest free neighbours, which would else be left alone.
    FewestFree,
    /// At the first free triangle in the order of the file.
    FileOrder,
    /// Beside the strip before, at the one of its neighbours with the fewest free neighbours.
    Beside,
}

impl Start {
    pub(super) const ALL: [Start; 3] = [Start::FewestFree, Start::FileOrder, Start::Beside];
}

struct Stripper<'a> {
    mesh: Adjacency<'a>,
    used: Vec<bool>,
    /// Free neighbours by triangle.
    free: Vec<u32>,
    /// Free triangles by their free neighbours, then by number.
    queue: BTreeSet<(u32, u32)>,
    /// By triangle: the number of the last try that ran through it.
    tried: Vec<u32>,
    tries: u32,
}

pub(super) fn strips(triangles: &[[u32; 3]], start: Start) -> Vec<Strip> {
    let mesh = Adjacency::new(triangles);
    let free: Vec<u32> = (0..triangles.len() as u32)
        .map(|t| mesh.neighbours(t).count() as u32)
        .collect();
    let queue = free.iter().zip(0..).map(|(free, t)| (*free, t)).collect();
    let mut stripper = Stripper {
        mesh,
        used: vec![false; triangles.len()],
        free,
        queue,
        tried: vec![0; triangles.len()],
        tries: 0,
    };
    let mut strips = Vec::new();
    let mut last: Vec<u32> = Vec::new();
    let mut next = 0;
    while let Some(first) = stripper.start(start, &last, &mut next) {
        let (strip, members) = stripper.longest_from(first);
        members.iter().for_each(|t| stripper.take(*t));
        strips.push(strip);
        last = members;
    }
    strips
}

impl Stripper<'_> {
    fn start(&self, start: Start, last: &[u32], next: &mut u32) -> Option<u32> {
        let fewest = || self.queue.first().map(|(_, t)| *t);
        match start {
            Start::FewestFree => fewest(),
            Start::FileOrder => {
                while self.used.get(*next as usize).copied()? {
                    *next += 1;
                }
                Some(*next)
            }
            Start::Beside => {
                let beside = last.iter().flat_map(|t| self.mesh.neighbours(*t));
                let free = beside.filter(|t| !self.used[*t as usize]);
                free.min_by_key(|t| (self.free[*t as usize], *t)).or_else(fewest)
            }
        }
    }

    fn take(&mut self, triangle: u32) {
        self.used[triangle as usize] = true;
        self.queue.remove(&(self.free[triangle as usize], triangle));
        let neighbours: Vec<u32> = self.mesh.neighbours(triangle).collect();
        for other in neighbours {
            let free = self.free[other as usize];
            self.free[other as usize] = free.saturating_sub(1);
            if self.queue.remove(&(free, other)) {
                self.queue.insert((self.free[other as usize], other));
            }
        }
    }

    /// The longest of the three strips through a triangle, with its triangles.
    fn longest_from(&mut self, first: u32) -> (Strip, Vec<u32>) {
        let t = self.mesh.triangles[first as usize];
        let mut best = self.grow(first, t);
        for k in 1..3 {
            let tried = self.grow(first, [t[k], t[(k + 1) % 3], t[(k + 2) % 3]]);
            if tried.1.len() > best.1.len() {
                best = tried;
            }
        }
        best
    }

    fn grow(&mut self, first: u32, corners: [u32; 3]) -> (Strip, Vec<u32>) {
        self.tries += 1;
        self.tried[first as usize] = self.tries;
        let mut members = vec![first];
        let forward = self.walk(first, corners[1], corners[2], &mut members, LONGEST - 3);
        let left = LONGEST - 3 - forward.len();
        let backward = self.walk(first, corners[1], corners[0], &mut members, left);
        // Each triangle in front turns the first one's place from even to odd or back.
        let reversed = backward.len() % 2 == 1;
        let entries = backward
            .iter()
            .rev()
            .chain(&corners)
            .chain(&forward)
            .copied()
            .collect();
        (Strip { reversed, entries }, members)
    }

    /// Entries that go on a strip whose last triangle is `from` and whose last two entries are `a` and `b`.
    fn walk(&mut self, from: u32, a: u32, b: u32, members: &mut Vec<u32>, most: usize) -> Vec<u32> {
        let (mut from, mut a, mut b) = (from, a, b);
        let mut entries = Vec::new();
        while entries.len() < most {
            let [x, y] = self.mesh.directed(from, a, b);
            let across = self.mesh.across(x, y).iter().copied();
            let free = across.filter(|t| !self.used[*t as usize] && self.tried[*t as usize] != self.tries);
            let Some(next) = free.min_by_key(|t| (self.free[*t as usize], *t)) else {
                break;
            };
            let Some(corner) = self.mesh.third(next, a, b) else {
                break;
            };
            entries.push(corner);
            members.push(next);
            self.tried[next as usize] = self.tries;
            (from, a, b) = (next, b, corner);
        }
        entries
    }
}
