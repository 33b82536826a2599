//! Vectors, affine matrices and rotations in `f64`. Matrices take column vectors, as Ninja's do (facts 2.1).

use std::f64::consts::{PI, TAU};

pub(crate) type Vec3 = [f64; 3];

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(a: Vec3, by: f64) -> Vec3 {
    a.map(|c| c * by)
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Of length 1; `None` for what has no direction.
pub(crate) fn normalized(a: Vec3) -> Option<Vec3> {
    let l = length(a);
    (l.is_finite() && l > 1e-30).then(|| scaled(a, 1.0 / l))
}

/// Between two directions, in degrees.
pub(crate) fn angle(a: Vec3, b: Vec3) -> f64 {
    length(cross(a, b)).atan2(dot(a, b)).to_degrees()
}

pub(crate) fn finite(a: Vec3) -> bool {
    a.iter().all(|c| c.is_finite() && c.abs() <= f64::from(f32::MAX))
}

/// A quaternion, real part first.
pub(crate) type Quat = [f64; 4];

/// An affine map: three columns and a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Affine {
    pub(crate) columns: [Vec3; 3],
    pub(crate) origin: Vec3,
}

impl Affine {
    pub(crate) const IDENTITY: Affine = Affine {
        columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        origin: [0.0; 3],
    };

    pub(crate) fn scale(by: f64) -> Self {
        Affine {
            columns: Affine::IDENTITY.columns.map(|c| scaled(c, by)),
            origin: [0.0; 3],
        }
    }

    pub(crate) fn vector(&self, v: Vec3) -> Vec3 {
        let [x, y, z] = self.columns;
        add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(z, v[2]))
    }

    pub(crate) fn point(&self, p: Vec3) -> Vec3 {
        add(self.vector(p), self.origin)
    }

    /// First `right`, then `self`.
    pub(crate) fn times(&self, right: &Affine) -> Affine {
        Affine {
            columns: right.columns.map(|c| self.vector(c)),
            origin: self.point(right.origin),
        }
    }

    pub(crate) fn determinant(&self) -> f64 {
        let [x, y, z] = self.columns;
        dot(x, cross(y, z))
    }

    /// Directions perpendicular to surfaces: the transposed inverse, up to a positive factor.
    pub(crate) fn normal(&self, n: Vec3) -> Vec3 {
        let [x, y, z] = self.columns;
        let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
        let sign = if self.determinant() < 0.0 { -1.0 } else { 1.0 };
        let v = add(
            add(scaled(cofactors[0], n[0]), scaled(cofactors[1], n[1])),
            scaled(cofactors[2], n[2]),
        );
        scaled(v, sign)
    }

    /// `None` for what flattens space.
    pub(crate) fn inverse(&self) -> Option<Affine> {
        let [x, y, z] = self.columns;
        let det = self.determinant();
        if !det.is_finite() || det.abs() < 1e-60 {
            return None;
        }
        let rows = [cross(y, z), cross(z, x), cross(x, y)].map(|r| scaled(r, 1.0 / det));
        let columns = [0, 1, 2].map(|k| [rows[0][k], rows[1][k], rows[2][k]]);
        let linear = Affine {
            columns,
            origin: [0.0; 3],
        };
        Some(Affine {
            columns,
            origin: scaled(linear.vector(self.origin), -1.0),
        })
    }
}

/// Translation, rotation, scale: the map `T * R * S`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trs {
    pub(crate) translation: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) scale: Vec3,
}

impl Trs {
    pub(crate) const IDENTITY: Trs = Trs {
        translation: [0.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
        scale: [1.0; 3],
    };

    pub(crate) fn affine(&self) -> Affine {
        let [x, y, z] = quat_columns(self.rotation);
        Affine {
            columns: [
                scaled(x, self.scale[0]),
                scaled(y, self.scale[1]),
                scaled(z, self.scale[2]),
            ],
            origin: self.translation,
        }
    }

    pub(crate) fn finite(&self) -> bool {
        finite(self.translation) && finite(self.scale) && self.rotation.iter().all(|c| c.is_finite())
    }
}

/// The columns of a unit quaternion's matrix.
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

/// The columns of a rotation.
pub(crate) type Turn = [Vec3; 3];

/// First `b`, then `a`.
pub(crate) fn turn_times(a: &Turn, b: &Turn) -> Turn {
    b.map(|c| add(add(scaled(a[0], c[0]), scaled(a[1], c[1])), scaled(a[2], c[2])))
}

/// `Rz * Ry * Rx`, in radians.
pub(crate) fn turn_of_angles([x, y, z]: Vec3) -> Turn {
    let ((sx, cx), (sy, cy), (sz, cz)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
    [
        [cz * cy, sz * cy, -sy],
        [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
        [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
    ]
}

/// How far the orientations of nodes have drifted from those that are wanted because angles are rounded: `made⁻¹ *
/// exact`, seen from the node.
///
/// Each node's rotation takes up the drift of its parent, so that rounding does not add up along chains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Drift(Turn);

impl Drift {
    pub(crate) const NONE: Drift = Drift(Affine::IDENTITY.columns);

    /// The rotation that a child should have instead of its exact one.
    pub(crate) fn target(&self, exact: &Turn) -> Turn {
        turn_times(&self.0, exact)
    }

    /// The drift of a child whose rotation was to be `target` and became `made`. Mirroring turns it around.
    pub(crate) fn after(target: &Turn, made: &Turn, scale: Vec3) -> Self {
        let inverse = [0, 1, 2].map(|k| [made[0][k], made[1][k], made[2][k]]);
        let turn = turn_times(&inverse, target);
        let sign = scale.map(|s| if s < 0.0 { -1.0 } else { 1.0 });
        Drift([0, 1, 2].map(|c| [0, 1, 2].map(|r| turn[c][r] * sign[c] * sign[r])))
    }
}

/// Angles about x, y, z in radians with `Rz * Ry * Rx` the rotation. Of the two ways to write it, and of all whole
/// turns, the one nearest to `near`; where x and z turn about the same axis, x stays as it is there.
pub(crate) fn euler_near(turn: &Turn, near: Vec3) -> Vec3 {
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

    /// Rz * Ry * Rx of the angles found is the rotation they were taken from, at the poles too.
    #[test]
    fn euler_angles_make_the_rotation_again() {
        let steps: Vec<f64> = (-6..=6).map(|i| f64::from(i) * PI / 12.0 * 2.0).collect();
        let mut tried = 0;
        for x in &steps {
            for y in &steps {
                for z in &steps {
                    let q = product(product(about(2, *z), about(1, *y)), about(0, *x));
                    let angles = euler_near(&quat_columns(q), [0.3, -0.2, 9.0]);
                    for (p, q) in quat_columns(q).iter().zip(turn_of_angles(angles)) {
                        assert!(length(sub(*p, q)) < 1e-7, "{x} {y} {z}");
                    }
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 13 * 13 * 13);
    }

    #[test]
    fn euler_angles_follow_on_through_turns() {
        let mut near = [0.0; 3];
        for i in 0..=720 {
            near = euler_near(&quat_columns(about(2, f64::from(i).to_radians())), near);
        }
        assert!((near[2] - 4.0 * PI).abs() < 1e-9 && near[0].abs() < 1e-9 && near[1].abs() < 1e-9);
    }

    /// Two nodes with rounded angles, the second of a parent that mirrors: its orientation is as near as one rounding.
    #[test]
    fn drift_does_not_add_up() {
        let rounded = |t: &Turn| turn_of_angles(euler_near(t, [0.0; 3]).map(|a| (a * 100.0).round() / 100.0));
        let exact = [about(1, 0.7134), about(0, 1.2377), about(2, -0.4149)].map(quat_columns);
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (mut drift, mut made, mut wanted) =
            (Drift::NONE, Affine::IDENTITY.columns, Affine::IDENTITY.columns);
        for turn in exact {
            let target = drift.target(&turn);
            let local = rounded(&target);
            drift = Drift::after(&target, &local, [-1.0, 1.0, 1.0]);
            let (m, w) = (turn_times(&made, &local), turn_times(&wanted, &turn));
            let off = (0..3).map(|k| length(sub(m[k], w[k]))).fold(0.0, f64::max);
            assert!(off < 0.009, "{off}");
            (made, wanted) = (turn_times(&m, &mirror), turn_times(&w, &mirror));
        }
    }

    #[test]
    fn an_inverse_undoes_and_normals_stay_perpendicular() {
        let trs = Trs {
            translation: [1.0, 2.0, 3.0],
            rotation: about(1, 0.7),
            scale: [-1.0, 2.0, 0.5],
        };
        let m = trs.affine();
        let p = m.inverse().unwrap().point(m.point([4.0, 5.0, 6.0]));
        assert!(length(sub(p, [4.0, 5.0, 6.0])) < 1e-12);
        let (u, v) = ([1.0, 0.2, 0.0], [0.0, 1.0, 0.5]);
        let n = m.normal(cross(u, v));
        assert!(dot(n, m.vector(u)).abs() < 1e-12 && dot(n, m.vector(v)).abs() < 1e-12);
        assert!(Affine::scale(0.0).inverse().is_none());
    }
}
