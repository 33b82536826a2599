//! Weighted k-means clustering of points with `N` components, in integers, so that the result is equal on all
//! hosts.
//!
//! First, the cluster with the largest error is split at the mean of its widest component, until there are
//! enough clusters. Then up to [`ROUNDS`] rounds of assignment and averaging follow.

/// Rounds of refinement; after the first few, the error changes by well under a percent.
const ROUNDS: usize = 12;

/// A point that represents `weight` equal ones.
pub(super) struct Point<const N: usize> {
    pub(super) at: [i32; N],
    pub(super) weight: i64,
}

/// Returns the squared distance.
pub(super) fn distance<const N: usize>(a: &[i32; N], b: &[i32; N]) -> i32 {
    let mut sum = 0;
    for i in 0..N {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    sum
}

/// Returns the index of the nearest centre (the first of equals) and its squared distance.
pub(super) fn nearest<const N: usize>(p: &[i32; N], centers: &[[i32; N]]) -> (usize, i32) {
    let mut best = (0, i32::MAX);
    for (i, center) in centers.iter().enumerate() {
        let d = distance(p, center);
        if d < best.1 {
            best = (i, d);
        }
    }
    best
}

/// Returns at most `size` centres for more than `size` distinct points.
pub(super) fn centers<const N: usize>(points: &[Point<N>], size: usize) -> Vec<[i32; N]> {
    refine(points, split(points, size))
}

/// Weighted sums over a set of points.
#[derive(Clone)]
struct Sums<const N: usize> {
    weight: i64,
    sum: [i64; N],
    squares: [i64; N],
}

impl<const N: usize> Sums<N> {
    const NONE: Self = Self {
        weight: 0,
        sum: [0; N],
        squares: [0; N],
    };

    fn add(&mut self, p: &Point<N>) {
        self.weight += p.weight;
        for i in 0..N {
            let v = i64::from(p.at[i]);
            self.sum[i] += v * p.weight;
            self.squares[i] += v * v * p.weight;
        }
    }

    fn mean(&self) -> [i32; N] {
        std::array::from_fn(|i| ((self.sum[i] + self.weight / 2) / self.weight.max(1)) as i32)
    }

    /// Returns the component with the greatest spread, and the total squared error about the mean.
    fn spread(&self) -> (usize, i64) {
        let error = |i: usize| self.squares[i] - self.sum[i] * self.sum[i] / self.weight.max(1);
        let axis = (0..N).max_by_key(|&i| error(i)).unwrap_or(0);
        (axis, (0..N).map(error).sum())
    }
}

/// Splits the cluster with the greatest error until there are `size` clusters.
fn split<const N: usize>(points: &[Point<N>], size: usize) -> Vec<[i32; N]> {
    let sums = |members: &[usize]| {
        let mut sums = Sums::NONE;
        members.iter().for_each(|&m| sums.add(&points[m]));
        sums
    };
    let all: Vec<usize> = (0..points.len()).collect();
    let mut clusters = vec![(sums(&all), all)];
    while clusters.len() < size {
        let worst = (0..clusters.len())
            .filter(|&i| clusters[i].1.len() > 1)
            .max_by_key(|&i| clusters[i].0.spread().1);
        let Some(worst) = worst else { break };
        let (old, members) = clusters.swap_remove(worst);
        let axis = old.spread().0;
        // `v * weight <= sum` means `v <= mean` without rounding. Neither side is empty if the values differ.
        let (low, high): (Vec<_>, Vec<_>) = members
            .into_iter()
            .partition(|&m| i64::from(points[m].at[axis]) * old.weight <= old.sum[axis]);
        if low.is_empty() || high.is_empty() {
            // Points at the same position cannot be separated (distinct YUV words may decode to the same
            // colour).
            let mut merged = low;
            merged.extend(high);
            merged.truncate(1);
            clusters.push((sums(&merged), merged));
            continue;
        }
        clusters.push((sums(&low), low));
        clusters.push((sums(&high), high));
    }
    clusters.iter().map(|(sums, _)| sums.mean()).collect()
}

fn refine<const N: usize>(points: &[Point<N>], mut centers: Vec<[i32; N]>) -> Vec<[i32; N]> {
    for _ in 0..ROUNDS {
        let mut sums = vec![Sums::NONE; centers.len()];
        let mut farthest: Vec<(i64, usize)> = Vec::with_capacity(points.len());
        for (i, point) in points.iter().enumerate() {
            let (center, d) = nearest(&point.at, &centers);
            sums[center].add(point);
            farthest.push((-i64::from(d) * point.weight, i));
        }
        farthest.sort_unstable();
        let mut spare = farthest.into_iter();
        let next: Vec<[i32; N]> = sums
            .iter()
            .map(|s| match s.weight {
                // A cluster without points moves to the point with the largest error.
                0 => spare.next().map_or([0; N], |(_, i)| points[i].at),
                _ => s.mean(),
            })
            .collect();
        if next == centers {
            break;
        }
        centers = next;
    }
    centers
}
