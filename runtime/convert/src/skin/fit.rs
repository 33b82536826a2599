//! Chooses weights and positions of vertices that minimise the error of rounded weights over all known poses.
//!
//! [`super::bones::Bones::positions`] is exact while the origins of nodes keep their positions in their
//! parents. If motions translate or scale nodes, rounding a weight by up to 1/510 moves the vertex by up to
//! this share of the translation. The positions that the nodes write are free. This module chooses positions
//! that minimise the largest error over the rest pose and the frames of the motions.

use super::bones::Bones;
use super::{Influence, weights};
use crate::math::{Affine, Vec3, add, dot, length, scaled, sub};

/// Minimum weight in units of 255, to leave out weights that round to 0.
const HALF: f64 = 0.5;

/// Maximum number of a vertex's nodes for fitting, because the work grows with their cube.
const MOST_NODES: usize = 16;

/// Number of reweighting rounds.
const ROUNDS: usize = 12;

/// Damping of position changes, as shares of the mean diagonal of the equations. Small values fit the known
/// poses better, but change the positions more, which would be visible in other poses.
const HOLD: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Maps of all planned nodes to the scene's space, by pose: at rest, then at frames of the motions.
pub(crate) type Poses = Vec<Vec<Affine>>;

/// Weights and positions that form a vertex.
#[derive(Debug, Clone)]
pub(super) struct FittedVertex {
    /// Influences in the order of the walk.
    pub(super) influences: Vec<Influence>,
    /// Position by influence, in its node's space.
    pub(super) positions: Vec<Vec3>,
    /// Largest distance to the position with exact weights, over all poses.
    error: f64,
}

/// Forms a vertex from the influences `first`. If their error exceeds `enough`, tries other roundings and
/// positions. `all` lists all nodes that move the vertex, with weights of any sum. For `most` see
/// [`super::weights::quantised`].
pub(super) fn made(
    bones: &mut Bones<'_>,
    source: Vec3,
    (all, most): (&[(usize, f64)], usize),
    first: Vec<Influence>,
    enough: f64,
) -> FittedVertex {
    let exact = weights::exact(all, most);
    let wanted: Vec<Vec3> = (0..bones.poses.len())
        .map(|pose| bones.place(&exact, source, pose))
        .collect();
    let usual = rounded(bones, source, &wanted, first);
    if usual.error <= enough || usual.influences.len() > MOST_NODES {
        return usual;
    }
    // Leaves out bones with weights that round to 0, and the nodes that connect them.
    let fewer = bones.connected(weights::quantised(all, most, HALF).0, most);
    let fewer = rounded(bones, source, &wanted, fewer);
    let tried = [usual, fewer].map(|start| {
        let swapped = swapped(bones, source, &wanted, start);
        fitted(bones, &wanted, swapped, enough)
    });
    let [usual, fewer] = tried;
    if fewer.error < usual.error { fewer } else { usual }
}

/// Forms a vertex with the positions of [`Bones::positions`].
fn rounded(bones: &Bones<'_>, source: Vec3, wanted: &[Vec3], mut influences: Vec<Influence>) -> FittedVertex {
    influences.sort_by_key(|inf| bones.nodes[inf.node].0);
    let positions = bones.positions(&influences, source);
    let (_, error) = errors(bones, &influences, wanted, &positions);
    FittedVertex {
        influences,
        positions,
        error,
    }
}

/// Moves units of weight between nodes while this reduces the error.
fn swapped(bones: &Bones<'_>, source: Vec3, wanted: &[Vec3], mut best: FittedVertex) -> FittedVertex {
    let nodes = best.influences.len();
    for _ in 0..nodes {
        let before = best.error;
        for (from, to) in (0..nodes * nodes).map(|i| (i / nodes, i % nodes)) {
            if from == to || best.influences[from].weight < 2 {
                continue;
            }
            let mut influences = best.influences.clone();
            influences[from].weight -= 1;
            influences[to].weight += 1;
            let other = rounded(bones, source, wanted, influences);
            if other.error < best.error {
                best = other;
            }
        }
        if best.error >= before {
            break;
        }
    }
    best
}

fn way<'a>(bones: &'a Bones<'_>, pose: usize, influence: &Influence) -> &'a Affine {
    &bones.poses[pose][bones.nodes[influence.node].0]
}

/// Returns the error of each pose, and the largest one.
fn errors(
    bones: &Bones<'_>,
    influences: &[Influence],
    wanted: &[Vec3],
    positions: &[Vec3],
) -> (Vec<Vec3>, f64) {
    let missing = |(pose, wanted): (usize, &Vec3)| {
        let pairs = influences.iter().zip(positions);
        pairs.fold(*wanted, |missing, (influence, position)| {
            let own = way(bones, pose, influence).point(*position);
            sub(missing, scaled(own, f64::from(influence.weight) / 255.0))
        })
    };
    let missing: Vec<Vec3> = wanted.iter().enumerate().map(missing).collect();
    let worst = missing.iter().map(|m| length(*m)).fold(0.0, f64::max);
    (missing, worst)
}

/// Adjusts the positions while this reduces the error of `given`, until it is at most `enough`.
fn fitted(bones: &Bones<'_>, wanted: &[Vec3], given: FittedVertex, enough: f64) -> FittedVertex {
    let influences = &given.influences;
    let (missing, _) = errors(bones, influences, wanted, &given.positions);
    let mut best = given.clone();
    for hold in HOLD {
        let mut weights = vec![1.0 / missing.len() as f64; missing.len()];
        for _ in 0..ROUNDS {
            if best.error <= enough {
                return best;
            }
            let Some(step) = step(bones, influences, &missing, &weights, hold) else {
                break;
            };
            let positions: Vec<Vec3> = given
                .positions
                .iter()
                .zip(step)
                .map(|(p, d)| add(*p, d))
                .collect();
            let (left, error) = errors(bones, influences, wanted, &positions);
            if error < best.error {
                (best.error, best.positions) = (error, positions);
            }
            // Lawson's rule: poses with larger errors get more weight in the next round.
            for (weight, left) in weights.iter_mut().zip(&left) {
                *weight *= length(*left);
            }
            let sum: f64 = weights.iter().sum();
            if !(sum.is_finite() && sum > 0.0) {
                break;
            }
            weights.iter_mut().for_each(|w| *w /= sum);
        }
    }
    best
}

/// Returns changes of the positions that remove most of `missing`, with poses weighted by `weights`.
fn step(
    bones: &Bones<'_>,
    influences: &[Influence],
    missing: &[Vec3],
    weights: &[f64],
    hold: f64,
) -> Option<Vec<Vec3>> {
    let unknowns = 3 * influences.len();
    let mut matrix = vec![vec![0.0; unknowns + 1]; unknowns];
    for (pose, (missing, weight)) in missing.iter().zip(weights).enumerate() {
        let shared = |i: &Influence| {
            let share = f64::from(i.weight) / 255.0;
            way(bones, pose, i).columns.map(|c| scaled(c, share))
        };
        let columns: Vec<Vec3> = influences.iter().flat_map(shared).collect();
        for (row, column) in matrix.iter_mut().zip(&columns) {
            for (cell, other) in row.iter_mut().zip(columns.iter().chain([missing])) {
                *cell += weight * dot(*column, *other);
            }
        }
    }
    let mean = (0..unknowns).map(|i| matrix[i][i]).sum::<f64>() / unknowns as f64;
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += hold * mean;
    }
    let flat = solved(matrix)?;
    Some(flat.as_chunks::<3>().0.to_vec())
}

/// Solves linear equations by Gaussian elimination with pivots. The last column is the right side.
fn solved(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|a, b| {
            let size = |r: usize| rows[r][column].abs();
            size(*a).total_cmp(&size(*b))
        })?;
        rows.swap(column, pivot);
        let head = rows[column].clone();
        if !head[column].is_finite() || head[column] == 0.0 {
            return None;
        }
        for row in &mut rows[column + 1..] {
            let factor = row[column] / head[column];
            for (cell, above) in row.iter_mut().zip(&head).skip(column) {
                *cell -= factor * above;
            }
        }
    }
    let mut solution = vec![0.0; count];
    for column in (0..count).rev() {
        let known: f64 = (column + 1..count).map(|k| rows[column][k] * solution[k]).sum();
        solution[column] = (rows[column][count] - known) / rows[column][column];
    }
    solution.iter().all(|v| v.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::solved;

    #[test]
    fn equations_are_solved() {
        // 2y + z = 7, x + y = 3, x - z = -2: x = 1, y = 2, z = 3.
        let rows = vec![
            vec![0.0, 2.0, 1.0, 7.0],
            vec![1.0, 1.0, 0.0, 3.0],
            vec![1.0, 0.0, -1.0, -2.0],
        ];
        let solution = solved(rows).unwrap();
        for (found, wanted) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-12, "{solution:?}");
        }
        assert_eq!(solved(vec![vec![0.0, 1.0]]), None);
    }
}
