//! Strips grown from a triangle in both directions, as long as they go.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    mesh: &'a Adjacency<'a>,
    used: Vec<bool>,
    /// Free neighbours by triangle.
    free: Vec<u32>,
    /// Triangles by their free neighbours, then by number, the least on top; with entries that no longer hold.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// By triangle: the number of the last try that ran through it.
    tried: Vec<u32>,
    tries: u32,
}

pub(super) fn strips(mesh: &Adjacency<'_>, start: Start) -> Vec<Strip> {
    let count = mesh.triangles.len();
    let free = mesh.degrees.clone();
    let entry = |(free, t): (&u32, u32)| Reverse((*free, t));
    let queue = match start {
        Start::FileOrder => BinaryHeap::new(),
        _ => free.iter().zip(0..).map(entry).collect(),
    };
    let mut stripper = Stripper {
        mesh,
        used: vec![false; count],
        free,
        queue,
        tried: vec![0; count],
        tries: 0,
    };
    let mut strips = Vec::new();
    let mut next = 0;
    let [mut last, mut spare] = [Try::default(), Try::default()];
    while let Some(first) = stripper.start(start, &last.members, &mut next) {
        stripper.longest_from(first, &mut last, &mut spare);
        last.members.iter().for_each(|t| stripper.take(*t, start));
        strips.push(last.strip());
    }
    strips
}

/// A strip through a triangle.
#[derive(Default)]
struct Try {
    /// Of the triangle that it grew from.
    corners: [u32; 3],
    /// Entries behind those, and in front of them from the middle outwards.
    forward: Vec<u32>,
    backward: Vec<u32>,
    /// Its triangles.
    members: Vec<u32>,
}

impl Try {
    fn strip(&self) -> Strip {
        let (front, back) = (self.backward.iter().rev(), &self.forward);
        Strip {
            // Each triangle in front turns the first one's place from even to odd or back.
            reversed: self.backward.len() % 2 == 1,
            entries: front.chain(&self.corners).chain(back).copied().collect(),
        }
    }
}

impl Stripper<'_> {
    fn start(&mut self, start: Start, last: &[u32], next: &mut u32) -> Option<u32> {
        match start {
            Start::FewestFree => self.fewest(),
            Start::FileOrder => {
                while self.used.get(*next as usize).copied()? {
                    *next += 1;
                }
                Some(*next)
            }
            Start::Beside => {
                let beside = last.iter().flat_map(|t| self.mesh.neighbours(*t));
                let free = beside.filter(|t| !self.used[*t as usize]);
                let best = free.min_by_key(|t| (self.free[*t as usize], *t));
                best.or_else(|| self.fewest())
            }
        }
    }

    /// The free triangle with the fewest free neighbours; of equal ones the first.
    fn fewest(&mut self) -> Option<u32> {
        while let Some(Reverse((free, triangle))) = self.queue.peek().copied() {
            if !self.used[triangle as usize] && self.free[triangle as usize] == free {
                return Some(triangle);
            }
            self.queue.pop();
        }
        None
    }

    fn take(&mut self, triangle: u32, start: Start) {
        self.used[triangle as usize] = true;
        for other in self.mesh.neighbours(triangle) {
            let free = self.free[other as usize].saturating_sub(1);
            self.free[other as usize] = free;
            if start != Start::FileOrder && !self.used[other as usize] {
                self.queue.push(Reverse((free, other)));
            }
        }
    }

    /// Makes `best` the longest of the three strips through a triangle.
    fn longest_from(&mut self, first: u32, best: &mut Try, spare: &mut Try) {
        let t = self.mesh.triangles[first as usize];
        self.grow(first, t, best);
        for k in 1..3 {
            self.grow(first, [t[k], t[(k + 1) % 3], t[(k + 2) % 3]], spare);
            if spare.members.len() > best.members.len() {
                std::mem::swap(best, spare);
            }
        }
    }

    fn grow(&mut self, first: u32, corners: [u32; 3], made: &mut Try) {
        self.tries += 1;
        self.tried[first as usize] = self.tries;
        let Try {
            forward,
            backward,
            members,
            ..
        } = made;
        members.clear();
        members.push(first);
        self.walk(first, [corners[1], corners[2]], forward, members, LONGEST - 3);
        let left = LONGEST - 3 - forward.len();
        self.walk(first, [corners[1], corners[0]], backward, members, left);
        made.corners = corners;
    }

    /// Entries that go on a strip whose last triangle is `from` and whose last two entries are `a` and `b`.
    fn walk(
        &mut self,
        from: u32,
        [a, b]: [u32; 2],
        entries: &mut Vec<u32>,
        members: &mut Vec<u32>,
        most: usize,
    ) {
        let (mut from, mut a, mut b) = (from, a, b);
        entries.clear();
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
    }
}
