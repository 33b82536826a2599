//! The codebook search: weighted k-means over distinct 2x2 quads, in integers, so that it is the same everywhere.
//!
//! Start: the cluster with the largest error is split at the mean of its widest component until there are enough clusters.
//! Then up to [`ROUNDS`] rounds of assignment and averaging. An image of few enough distinct quads is reproduced exactly.

use std::collections::BTreeMap;

use super::color::{pack_quad, unpack_quad};
use crate::param::PixelFormat;

/// Rounds of refinement; the error changes by well under a percent after the first few.
const ROUNDS: usize = 12;

/// Four texels of four channels.
pub(crate) type Components = [i32; 16];

pub(crate) struct Quantized {
    /// At most the asked number of codes, each four words in twiddled order.
    pub(crate) codebook: Vec<[u16; 4]>,
    /// The code of each quad.
    pub(crate) indices: Vec<u8>,
}

/// The channels of four colours.
pub(crate) fn components(quad: [u32; 4]) -> Components {
    std::array::from_fn(|i| (quad[i / 4] >> (8 * (i % 4)) & 255) as i32)
}

/// The squared distance.
pub(crate) fn distance(a: &Components, b: &Components) -> i32 {
    let mut sum = 0;
    for i in 0..16 {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    sum
}

struct Point {
    at: Components,
    weight: i64,
}

/// Chooses at most `size` (1 to 256) codes for `quads` and assigns each quad its nearest.
pub(crate) fn quantize(quads: &[[u16; 4]], size: usize, format: PixelFormat) -> Quantized {
    let mut distinct: BTreeMap<[u16; 4], i64> = BTreeMap::new();
    for &quad in quads {
        *distinct.entry(quad).or_default() += 1;
    }
    let codebook: Vec<[u16; 4]> = if distinct.len() <= size {
        distinct.keys().copied().collect()
    } else {
        let points: Vec<Point> = distinct
            .iter()
            .map(|(&q, &weight)| Point {
                at: components(unpack_quad(format, q)),
                weight,
            })
            .collect();
        let centers = refine(&points, split(&points, size));
        centers.iter().map(|c| pack_quad(format, colors(c))).collect()
    };
    let centers: Vec<Components> = codebook
        .iter()
        .map(|&code| components(unpack_quad(format, code)))
        .collect();
    let code_of: BTreeMap<[u16; 4], u8> = distinct
        .keys()
        .map(|&q| {
            let exact = codebook.iter().position(|&code| code == q);
            let code = exact.unwrap_or_else(|| nearest(&components(unpack_quad(format, q)), &centers).0);
            (q, code as u8)
        })
        .collect();
    Quantized {
        indices: quads.iter().map(|q| code_of[q]).collect(),
        codebook,
    }
}

fn colors(c: &Components) -> [u32; 4] {
    std::array::from_fn(|t| (0..4).map(|i| (c[4 * t + i] as u32) << (8 * i)).sum())
}

fn nearest(p: &Components, centers: &[Components]) -> (usize, i32) {
    let mut best = (0, i32::MAX);
    for (i, center) in centers.iter().enumerate() {
        let d = distance(p, center);
        if d < best.1 {
            best = (i, d);
        }
    }
    best
}

/// Weighted sums of a set of points.
#[derive(Clone, Default)]
struct Sums {
    weight: i64,
    sum: [i64; 16],
    squares: [i64; 16],
}

impl Sums {
    fn add(&mut self, p: &Point) {
        self.weight += p.weight;
        for i in 0..16 {
            let v = i64::from(p.at[i]);
            self.sum[i] += v * p.weight;
            self.squares[i] += v * v * p.weight;
        }
    }

    fn mean(&self) -> Components {
        std::array::from_fn(|i| ((self.sum[i] + self.weight / 2) / self.weight.max(1)) as i32)
    }

    /// The component of greatest spread and the total squared error about the mean.
    fn spread(&self) -> (usize, i64) {
        let error = |i: usize| self.squares[i] - self.sum[i] * self.sum[i] / self.weight.max(1);
        let axis = (0..16).max_by_key(|&i| error(i)).unwrap_or(0);
        (axis, (0..16).map(error).sum())
    }
}

/// Splits the cluster of greatest error until there are `size` clusters; more than `size` distinct points are given.
fn split(points: &[Point], size: usize) -> Vec<Components> {
    let sums = |members: &[usize]| {
        let mut sums = Sums::default();
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
        // `v * weight <= sum` is `v <= mean` without rounding, so that neither side is empty when the values differ.
        let (low, high): (Vec<_>, Vec<_>) = members
            .into_iter()
            .partition(|&m| i64::from(points[m].at[axis]) * old.weight <= old.sum[axis]);
        if low.is_empty() || high.is_empty() {
            // Points of equal colour (distinct YUV words may decode alike) cannot be told apart.
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

fn refine(points: &[Point], mut centers: Vec<Components>) -> Vec<Components> {
    for _ in 0..ROUNDS {
        let mut sums = vec![Sums::default(); centers.len()];
        let mut farthest: Vec<(i64, usize)> = Vec::with_capacity(points.len());
        for (i, point) in points.iter().enumerate() {
            let (center, d) = nearest(&point.at, &centers);
            sums[center].add(point);
            farthest.push((-i64::from(d) * point.weight, i));
        }
        farthest.sort_unstable();
        let mut spare = farthest.into_iter();
        let next: Vec<Components> = sums
            .iter()
            .map(|s| match s.weight {
                // A cluster without points moves to the point that is served worst.
                0 => spare.next().map_or([0; 16], |(_, i)| points[i].at),
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
