//! Rotations.

use std::f64::consts::{PI, TAU};

use super::{Vec3, add, scaled, sub};

/// A quaternion, real part first.
pub(crate) type Quat = [f64; 4];

/// Returns the columns of a unit quaternion's matrix.
pub(crate) fn quat_columns([w, x, y, z]: Quat) -> [Vec3; 3] {
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ],
        [
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ],
        [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

/// Columns of a rotation matrix.
pub(crate) type RotationMatrix = [Vec3; 3];

/// Returns the rotation that applies `b` first, then `a`.
pub(crate) fn rotation_times(a: &RotationMatrix, b: &RotationMatrix) -> RotationMatrix {
    b.map(|c| add(add(scaled(a[0], c[0]), scaled(a[1], c[1])), scaled(a[2], c[2])))
}

/// Returns the unit quaternion of a rotation, with a real part of at least 0.
///
/// The square of each component is a sum over the diagonal. Computes the largest component first and derives
/// the others from it, which avoids cancellation near 0.
pub(crate) fn quat_of_rotation(turn: &RotationMatrix) -> Quat {
    let m = |row: usize, column: usize| turn[column][row];
    let [x, y, z] = [m(0, 0), m(1, 1), m(2, 2)];
    let squares = [1.0 + x + y + z, 1.0 + x - y - z, 1.0 - x + y - z, 1.0 - x - y + z];
    let largest = (0..4)
        .max_by(|a, b| squares[*a].total_cmp(&squares[*b]))
        .unwrap_or(0);
    let differences = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)];
    let sums = [m(2, 1) + m(1, 2), m(0, 2) + m(2, 0), m(1, 0) + m(0, 1)];
    let mut q = [0.0; 4];
    let own = squares[largest].max(0.0).sqrt();
    for (part, value) in q.iter_mut().enumerate() {
        *value = match (largest, part) {
            (a, b) if a == b => own / 2.0,
            (0, b) | (b, 0) => differences[b - 1] / (2.0 * own),
            // The remaining index of 1, 2, 3.
            (a, b) => sums[5 - a - b] / (2.0 * own),
        };
    }
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    let sign = if q[0] < 0.0 { -1.0 } else { 1.0 };
    q.map(|c| sign * c / length)
}

/// Returns `Rz * Ry * Rx`, from radians.
pub(crate) fn rotation_of_angles([x, y, z]: Vec3) -> RotationMatrix {
    let ((sx, cx), (sy, cy), (sz, cz)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
    [
        [cz * cy, sz * cy, -sy],
        [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
        [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
    ]
}

/// Drift of a node's orientation caused by rounded angles: `made⁻¹ * exact`, in the node's space.
///
/// Each node's rotation compensates its parent's drift, so that rounding errors do not accumulate along
/// chains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Drift(RotationMatrix);

impl Drift {
    pub(crate) const NONE: Drift = Drift([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// Returns the rotation that a child needs instead of its exact one.
    pub(crate) fn target(&self, exact: &RotationMatrix) -> RotationMatrix {
        rotation_times(&self.0, exact)
    }

    /// Returns the drift of a child with rotation `made` instead of `target`. Negative components of `scale`
    /// mirror the drift.
    pub(crate) fn after(target: &RotationMatrix, made: &RotationMatrix, scale: Vec3) -> Self {
        let inverse = [0, 1, 2].map(|k| [made[0][k], made[1][k], made[2][k]]);
        let turn = rotation_times(&inverse, target);
        let sign = scale.map(|s| if s < 0.0 { -1.0 } else { 1.0 });
        Drift([0, 1, 2].map(|c| [0, 1, 2].map(|r| turn[c][r] * sign[c] * sign[r])))
    }
}

/// Returns angles about x, y, z in radians with `Rz * Ry * Rx` equal to the rotation. Of the two solutions
/// and all whole turns, chooses the closest to `near`. If x and z rotate about the same axis, x keeps its
/// value from `near`.
pub(crate) fn euler_near(turn: &RotationMatrix, near: Vec3) -> Vec3 {
    let [c0, c1, c2] = *turn;
    let cos_y = c0[0].hypot(c0[1]);
    if cos_y < 1e-9 {
        let y = if c0[2] < 0.0 { PI / 2.0 } else { -PI / 2.0 };
        let x = near[0];
        let z = if c0[2] < 0.0 {
            x - c1[0].atan2(c1[1])
        } else {
            (-c1[0]).atan2(c1[1]) - x
        };
        return nearest_turns([x, y, z], near);
    }
    let one = [c1[2].atan2(c2[2]), (-c0[2]).atan2(cos_y), c0[1].atan2(c0[0])];
    let other = [one[0] + PI, PI - one[1], one[2] + PI];
    let [one, other] = [one, other].map(|angles| nearest_turns(angles, near));
    let far = |a: Vec3| sub(a, near).iter().map(|d| d.abs()).sum::<f64>();
    if far(other) < far(one) - 1e-12 { other } else { one }
}

fn nearest_turns(angles: Vec3, near: Vec3) -> Vec3 {
    [0, 1, 2].map(|k| angles[k] + TAU * ((near[k] - angles[k]) / TAU).round())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Affine, cross, dot, length, sub};

    fn about(axis: usize, angle: f64) -> Quat {
        let mut q = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        q[axis + 1] = (angle / 2.0).sin();
        q
    }

    fn product(a: Quat, b: Quat) -> Quat {
        let [aw, bw] = [a[0], b[0]];
        let (av, bv) = ([a[1], a[2], a[3]], [b[1], b[2], b[3]]);
        let v = add(add(scaled(bv, aw), scaled(av, bw)), cross(av, bv));
        [aw * bw - dot(av, bv), v[0], v[1], v[2]]
    }

    /// The angles must reproduce the rotation, also at the poles.
    #[test]
    fn euler_angles_make_the_rotation_again() {
        let steps: Vec<f64> = (-6..=6).map(|i| f64::from(i) * PI / 12.0 * 2.0).collect();
        let mut tried = 0;
        for x in &steps {
            for y in &steps {
                for z in &steps {
                    let q = product(product(about(2, *z), about(1, *y)), about(0, *x));
                    let angles = euler_near(&quat_columns(q), [0.3, -0.2, 9.0]);
                    for (p, q) in quat_columns(q).iter().zip(rotation_of_angles(angles)) {
                        assert!(length(sub(*p, q)) < 1e-7, "{x} {y} {z}");
                    }
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 13 * 13 * 13);
    }

    /// Rotations about axes in all directions, including half turns.
    #[test]
    fn quaternions_of_rotations_make_them_again() {
        for x in -3..=3 {
            for y in -3..=3 {
                for z in -3..=3 {
                    let turn = rotation_of_angles([x, y, z].map(|a| f64::from(a) * PI / 3.0));
                    let again = quat_columns(quat_of_rotation(&turn));
                    for (a, b) in turn.iter().zip(again) {
                        assert!(length(sub(*a, b)) < 1e-12, "{x} {y} {z}");
                    }
                }
            }
        }
    }

    #[test]
    fn euler_angles_follow_on_through_turns() {
        let mut near = [0.0; 3];
        for i in 0..=720 {
            near = euler_near(&quat_columns(about(2, f64::from(i).to_radians())), near);
        }
        assert!((near[2] - 4.0 * PI).abs() < 1e-9 && near[0].abs() < 1e-9 && near[1].abs() < 1e-9);
    }

    /// Two nodes with rounded angles; the second has a mirroring parent. Its orientation must be within one
    /// rounding error.
    #[test]
    fn drift_does_not_add_up() {
        let rounded = |t: &RotationMatrix| {
            rotation_of_angles(euler_near(t, [0.0; 3]).map(|a| (a * 100.0).round() / 100.0))
        };
        let exact = [about(1, 0.7134), about(0, 1.2377), about(2, -0.4149)].map(quat_columns);
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (mut drift, mut made, mut wanted) =
            (Drift::NONE, Affine::IDENTITY.columns, Affine::IDENTITY.columns);
        for turn in exact {
            let target = drift.target(&turn);
            let local = rounded(&target);
            drift = Drift::after(&target, &local, [-1.0, 1.0, 1.0]);
            let (m, w) = (rotation_times(&made, &local), rotation_times(&wanted, &turn));
            let off = (0..3).map(|k| length(sub(m[k], w[k]))).fold(0.0, f64::max);
            assert!(off < 0.009, "{off}");
            (made, wanted) = (rotation_times(&m, &mirror), rotation_times(&w, &mirror));
        }
    }
}
