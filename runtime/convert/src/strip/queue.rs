//! A priority queue of triangles by their number of free neighbours.

/// Number of priorities. A triangle of a regular surface has up to three neighbours; more count as four.
const LEVELS: usize = 5;

/// Queue of the triangles that can begin a strip.
pub(super) struct Queue([Set; LEVELS]);

impl Queue {
    /// Creates a queue of all triangles.
    pub(super) fn new(free: &[u32]) -> Queue {
        let mut queue = Queue(std::array::from_fn(|_| Set::new(free.len())));
        for (triangle, free) in (0..).zip(free) {
            queue.level(*free).insert(triangle);
        }
        queue
    }

    fn level(&mut self, free: u32) -> &mut Set {
        &mut self.0[(free as usize).min(LEVELS - 1)]
    }

    pub(super) fn remove(&mut self, triangle: u32, free: u32) {
        self.level(free).remove(triangle);
    }

    /// Moves a triangle to another number of free neighbours.
    pub(super) fn renew(&mut self, triangle: u32, before: u32, free: u32) {
        self.remove(triangle, before);
        self.level(free).insert(triangle);
    }

    /// Returns the triangle with the fewest free neighbours; of equal ones the first.
    pub(super) fn fewest(&self) -> Option<u32> {
        self.0.iter().find_map(Set::first)
    }
}

/// A set of numbers below a limit: one bit per number, and a summary bit per non-empty word.
struct Set {
    words: Vec<u64>,
    full: Vec<u64>,
}

impl Set {
    fn new(limit: usize) -> Set {
        let words = limit.div_ceil(64);
        Set {
            words: vec![0; words],
            full: vec![0; words.div_ceil(64)],
        }
    }

    fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.full[word / 64] |= 1 << (word % 64);
    }

    fn remove(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] &= !(1 << (number % 64));
        if self.words[word] == 0 {
            self.full[word / 64] &= !(1 << (word % 64));
        }
    }

    fn first(&self) -> Option<u32> {
        let above = self.full.iter().position(|bits| *bits != 0)?;
        let word = 64 * above + self.full[above].trailing_zeros() as usize;
        Some(64 * word as u32 + self.words[word].trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn the_fewest_come_first_then_the_lowest() {
        let mut free = vec![3; 10_000];
        (free[9_000], free[4_100], free[70]) = (1, 1, 900);
        let mut queue = Queue::new(&free);
        assert_eq!(queue.fewest(), Some(4_100));
        queue.remove(4_100, 1);
        assert_eq!(queue.fewest(), Some(9_000));
        queue.renew(70, 900, 0);
        assert_eq!(queue.fewest(), Some(70));
        queue.remove(70, 0);
        queue.renew(9_000, 1, 4);
        assert_eq!(queue.fewest(), Some(0));
        let mut queue = Queue::new(&[2]);
        queue.remove(0, 2);
        assert_eq!(queue.fewest(), None);
    }
}
