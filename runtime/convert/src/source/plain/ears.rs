//! Divides polygons of five or more corners into triangles, by cutting off ears: corners with a triangle that
//! contains no other corner.

use crate::math::{Vec3, add, cross, dot, normalized, sub};

/// Remaining steps of a file. A step tests a point against a triangle, or visits a corner.
pub(super) struct StepBudget(u64);

impl StepBudget {
    /// Creates a budget.
    pub(super) fn new(most: u64) -> Self {
        Self(most)
    }

    /// Takes steps. Returns `None` if fewer remain.
    fn take(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.checked_sub(count as u64)?;
        Some(())
    }
}

/// Divides a polygon. The result has indices of its corners. Returns `None` if the steps do not suffice. A
/// polygon of `n` corners needs at most `10 * n * n` steps.
pub(super) fn cut(polygon: &[Vec3], steps: &mut StepBudget) -> Option<Vec<[usize; 3]>> {
    let count = polygon.len();
    let Some(points) = flattened(polygon) else {
        // A polygon without area has no ears.
        return Some((1..count - 1).map(|n| [0, n, n + 1]).collect());
    };
    let mut ring = Ring::new(points);
    ring.find_ears(0, steps)?;
    let mut triangles = Vec::with_capacity(count - 2);
    let (mut at, mut searches) = (0, 3);
    for left in (4..=count).rev() {
        let mut ear = ring.next_ear(at, left, steps)?;
        // Only the neighbours of a cut corner are tested again, which suffices for a polygon that does not
        // touch itself.
        if ear.is_none() && searches > 0 {
            searches -= 1;
            ring.find_ears(at, steps)?;
            ear = ring.next_ear(at, left, steps)?;
        }
        // A polygon that crosses itself can have no ear.
        let ear = ear.unwrap_or(at);
        triangles.push(ring.corner(ear));
        // Skips a corner, because ears that follow each other make narrow triangles.
        at = ring.next[ring.next[ear]];
        ring.remove(ear, steps)?;
    }
    triangles.push(ring.corner(at));
    Some(triangles)
}

/// Returns the points in the plane of the polygon, counter-clockwise; `None` without area.
fn flattened(polygon: &[Vec3]) -> Option<Vec<[f64; 2]>> {
    let origin = polygon[0];
    let area = polygon.windows(2).fold([0.0; 3], |sum, pair| {
        add(sum, cross(sub(pair[0], origin), sub(pair[1], origin)))
    });
    let normal = normalized(area)?;
    // The axis that is farthest from the normal.
    let least = (0..3).min_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs()))?;
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let x = normalized(cross(axis, normal))?;
    let y = cross(normal, x);
    let flat = |point: &Vec3| [dot(sub(*point, origin), x), dot(sub(*point, origin), y)];
    Some(polygon.iter().map(flat).collect())
}

/// Corners of a polygon that remain, as a circular list.
struct Ring {
    points: Vec<[f64; 2]>,
    next: Vec<usize>,
    previous: Vec<usize>,
    is_ear: Vec<bool>,
    /// Corners that are not convex. If any corner is inside a triangle, then one of these is.
    reflex: Vec<usize>,
}

impl Ring {
    fn new(points: Vec<[f64; 2]>) -> Self {
        let count = points.len();
        let mut ring = Self {
            points,
            next: (1..count).chain([0]).collect(),
            previous: [count - 1].into_iter().chain(0..count - 1).collect(),
            is_ear: vec![false; count],
            reflex: Vec::new(),
        };
        ring.reflex = (0..count).filter(|n| !ring.is_convex(*n)).collect();
        ring
    }

    /// Returns a corner with its neighbours.
    fn corner(&self, n: usize) -> [usize; 3] {
        [self.previous[n], n, self.next[n]]
    }

    /// Returns twice the area of a triangle; negative if it is clockwise.
    fn side(&self, corners: [usize; 3]) -> f64 {
        let [a, b, c] = corners.map(|n| self.points[n]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    fn is_convex(&self, n: usize) -> bool {
        self.side(self.corner(n)) > 0.0
    }

    fn is_ear(&self, n: usize) -> bool {
        let [a, b, c] = self.corner(n);
        let holds = |p: usize| {
            self.side([a, b, p]) >= 0.0 && self.side([b, c, p]) >= 0.0 && self.side([c, a, p]) >= 0.0
        };
        let mut reflex = self.reflex.iter();
        self.is_convex(n) && !reflex.any(|p| ![a, b, c].contains(p) && holds(*p))
    }

    /// Tests all corners from `at` on.
    fn find_ears(&mut self, at: usize, steps: &mut StepBudget) -> Option<()> {
        let mut n = at;
        loop {
            steps.take(1 + self.reflex.len())?;
            self.is_ear[n] = self.is_ear(n);
            n = self.next[n];
            if n == at {
                return Some(());
            }
        }
    }

    /// Returns the first ear of the `left` corners from `at` on.
    fn next_ear(&self, at: usize, left: usize, steps: &mut StepBudget) -> Option<Option<usize>> {
        let mut n = at;
        for _ in 0..left {
            steps.take(1)?;
            if self.is_ear[n] {
                return Some(Some(n));
            }
            n = self.next[n];
        }
        Some(None)
    }

    /// Removes a corner and tests its neighbours.
    fn remove(&mut self, n: usize, steps: &mut StepBudget) -> Option<()> {
        let [a, _, c] = self.corner(n);
        (self.next[a], self.previous[c]) = (c, a);
        steps.take(3 * (1 + self.reflex.len()))?;
        self.reflex.retain(|p| ![a, n, c].contains(p));
        for n in [a, c] {
            if !self.is_convex(n) {
                self.reflex.push(n);
            }
        }
        for n in [a, c] {
            self.is_ear[n] = self.is_ear(n);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polygons of `count` corners: a circle, a comb, a spiral, a comb with corners on one line, a star that
    /// crosses itself, and points without order.
    fn polygons(count: usize) -> Vec<Vec<Vec3>> {
        let turn = |n: usize, turns: f64| (n as f64 / count as f64 * turns * std::f64::consts::TAU).sin_cos();
        let circle = (0..count).map(|n| turn(n, 1.0)).map(|(s, c)| [c, s, 0.0]);
        let comb = |height: f64| {
            let tooth = move |n: usize| [n as f64, if n.is_multiple_of(2) { height } else { 1.0 }, 0.0];
            let end = [count as f64, -1.0, 0.0];
            (0..count - 2).map(tooth).chain([end, [-1.0, -1.0, 0.0]])
        };
        let half = count / 2;
        let spiral = (0..count).map(|n| {
            let (along, width) = if n < half { (n, 1.0) } else { (count - 1 - n, 1.1) };
            let radius = width * (1.0 + along as f64);
            let (sin, cos) = (along as f64 * 0.1).sin_cos();
            [radius * cos, radius * sin, 0.0]
        });
        let star = (0..count).map(|n| turn(n * 2 + 1, (half - 1) as f64));
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8)
        };
        vec![
            circle.collect(),
            comb(0.0).collect(),
            comb(1.0).collect(),
            spiral.collect(),
            star.map(|(s, c)| [c, s, 0.0]).collect(),
            (0..count).map(|_| [random(), random(), 0.0]).collect(),
        ]
    }

    #[test]
    fn steps_grow_with_the_square_of_the_corners() {
        let most = |count: usize| {
            let count = count as u64;
            10 * count * count
        };
        for count in [5, 50, 1000, 10_000, 20_000] {
            for (shape, polygon) in polygons(count).iter().enumerate() {
                let mut steps = StepBudget::new(most(count));
                let triangles = cut(polygon, &mut steps);
                let taken = most(count) - steps.0;
                println!("shape {shape}, {count} corners: {taken} steps");
                assert_eq!(triangles.map(|t| t.len()), Some(count - 2), "shape {shape}");
            }
        }
        let polygon = &polygons(1000)[1];
        assert_eq!(cut(polygon, &mut StepBudget::new(1000)), None);
    }

    #[test]
    fn triangles_cover_simple_polygons_once() {
        let area = |corners: &[Vec3]| -> f64 {
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            pairs.map(|(a, b)| (a[0] * b[1] - a[1] * b[0]) / 2.0).sum()
        };
        for count in [5, 6, 51, 500] {
            for (shape, polygon) in polygons(count).iter().take(4).enumerate() {
                let whole = area(polygon);
                for triangle in cut(polygon, &mut StepBudget::new(u64::MAX)).unwrap() {
                    let part = area(&triangle.map(|n| polygon[n])) * whole.signum();
                    assert!(part >= -1e-9, "shape {shape}, {count} corners: {part}");
                }
                let parts = cut(polygon, &mut StepBudget::new(u64::MAX)).unwrap();
                let sum: f64 = parts.iter().map(|t| area(&t.map(|n| polygon[n]))).sum();
                assert!((sum - whole).abs() <= 1e-9 * whole.abs(), "{sum}, {whole}");
            }
        }
    }
}
