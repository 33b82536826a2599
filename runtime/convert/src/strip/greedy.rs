//! Grows strips from a triangle in both directions as far as possible.

use super::adjacency::{Adjacency, HalfEdge, turned};
use super::queue::Queue;
use super::{LONGEST, Strip};

/// Choice of the triangle at which a strip begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// The triangle with the fewest free neighbours, which would otherwise become isolated.
    FewestFree,
    /// The first free triangle in the order of the file.
    FileOrder,
    /// A neighbour of the previous strip with the fewest free neighbours.
    Adjacent,
}

impl Start {
    pub(super) const ALL: [Start; 3] = [Start::FewestFree, Start::FileOrder, Start::Adjacent];
}

/// Marks a used triangle in place of the number of a try.
const USED: u32 = u32::MAX;

struct Stripper<'a> {
    mesh: &'a Adjacency<'a>,
    /// Number of free neighbours, by triangle.
    free: Vec<u32>,
    /// Free triangles by number of free neighbours.
    queue: Queue,
    /// Number of the last try that visited a triangle, or [`USED`].
    tried: Vec<u32>,
    tries: u32,
}

pub(super) fn strips(mesh: &Adjacency<'_>, start: Start) -> Vec<Strip> {
    let count = mesh.triangles.len();
    let free: Vec<u32> = (0..count as u32).map(|t| mesh.degree(t)).collect();
    let mut stripper = Stripper {
        mesh,
        queue: Queue::new(&free),
        free,
        tried: vec![0; count],
        tries: 0,
    };
    let mut strips = Vec::new();
    let mut next = 0;
    let [mut last, mut spare] = [Try::default(), Try::default()];
    while let Some(first) = stripper.start(start, &last.members, &mut next) {
        stripper.longest_from(first, &mut last, &mut spare);
        last.members.iter().for_each(|t| stripper.take(*t));
        strips.push(last.strip());
    }
    strips
}

/// A candidate strip through a triangle.
#[derive(Default)]
struct Try {
    /// Corners of its starting triangle.
    corners: [u32; 3],
    /// Entries after the starting triangle; the next field has those before it, from the middle outwards.
    forward: Vec<u32>,
    backward: Vec<u32>,
    /// Triangles of the strip.
    members: Vec<u32>,
}

impl Try {
    fn strip(&self) -> Strip {
        let (front, back) = (self.backward.iter().rev(), &self.forward);
        Strip {
            // Each triangle before the starting one flips its parity.
            reversed: self.backward.len() % 2 == 1,
            entries: front.chain(&self.corners).chain(back).copied().collect(),
        }
    }
}

impl Stripper<'_> {
    fn start(&mut self, start: Start, last: &[u32], next: &mut u32) -> Option<u32> {
        match start {
            Start::FewestFree => self.queue.fewest(),
            Start::FileOrder => {
                while *self.tried.get(*next as usize)? == USED {
                    *next += 1;
                }
                Some(*next)
            }
            Start::Adjacent => {
                let mut best = None;
                for member in last {
                    self.mesh.neighbours(*member, |t| {
                        if self.tried[t as usize] != USED {
                            let this = (self.free[t as usize], t);
                            best = Some(best.map_or(this, |best| this.min(best)));
                        }
                    });
                }
                best.map(|(_, t)| t).or_else(|| self.queue.fewest())
            }
        }
    }

    fn take(&mut self, triangle: u32) {
        self.tried[triangle as usize] = USED;
        self.queue.remove(triangle, self.free[triangle as usize]);
        self.mesh.neighbours(triangle, |other| {
            let before = self.free[other as usize];
            let free = before.saturating_sub(1);
            self.free[other as usize] = free;
            if self.tried[other as usize] != USED {
                self.queue.renew(other, before, free);
            }
        });
    }

    /// Sets `best` to the longest of the three strips through a triangle.
    fn longest_from(&mut self, first: u32, best: &mut Try, spare: &mut Try) {
        self.grow(3 * first, best);
        for k in 1..3 {
            self.grow(3 * first + k, spare);
            if spare.members.len() > best.members.len() {
                std::mem::swap(best, spare);
            }
        }
    }

    /// Grows a strip that begins with the triangle of an edge.
    fn grow(&mut self, edge: HalfEdge, made: &mut Try) {
        self.tries += 1;
        self.tried[(edge / 3) as usize] = self.tries;
        let Try {
            forward,
            backward,
            members,
            ..
        } = made;
        members.clear();
        members.push(edge / 3);
        self.walk(turned(edge, 1), true, forward, members, LONGEST - 3);
        let left = LONGEST - 3 - forward.len();
        self.walk(edge, false, backward, members, left);
        made.corners = [0, 1, 2].map(|k| self.mesh.corner(turned(edge, k)));
    }

    /// Extends a strip over an edge of its last triangle, between its last two entries. `along` is set if the
    /// edge runs from the second-last to the last entry.
    fn walk(
        &mut self,
        mut edge: HalfEdge,
        mut along: bool,
        entries: &mut Vec<u32>,
        members: &mut Vec<u32>,
        most: usize,
    ) {
        entries.clear();
        while entries.len() < most {
            let across = self.mesh.across(edge).iter().map(|edge| (edge / 3, *edge));
            let free = across.filter(|(t, _)| ![USED, self.tries].contains(&self.tried[*t as usize]));
            let Some((next, entered)) = free.min_by_key(|(t, _)| (self.free[*t as usize], *t)) else {
                break;
            };
            entries.push(self.mesh.corner(turned(entered, 2)));
            members.push(next);
            self.tried[next as usize] = self.tries;
            // The next edge joins the new entry and the previous one. `entered` begins at the previous entry
            // if `along` is set, and ends there otherwise.
            edge = turned(entered, if along { 2 } else { 1 });
            along = !along;
        }
    }
}
