//! Affine maps.

use super::{
    Quat, Vec3, add, cross, dot, finite, length, normalized, quat_columns, quat_of_rotation, scaled, sub,
};

/// An affine map: three columns and a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Affine {
    pub(crate) columns: [Vec3; 3],
    pub(crate) origin: Vec3,
}

impl Affine {
    pub(crate) fn finite(&self) -> bool {
        self.columns.iter().all(|column| finite(*column)) && finite(self.origin)
    }

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

    /// Returns the map that applies `right` first, then `self`.
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

    /// Returns the map for normals: the transposed inverse, up to a positive factor.
    pub(crate) fn of_normals(&self) -> Affine {
        let [x, y, z] = self.columns;
        let sign = if self.determinant() < 0.0 { -1.0 } else { 1.0 };
        Affine {
            columns: [cross(y, z), cross(z, x), cross(x, y)].map(|c| scaled(c, sign)),
            origin: [0.0; 3],
        }
    }

    /// Maps a normal. [`Affine::of_normals`] is faster for many.
    pub(crate) fn normal(&self, n: Vec3) -> Vec3 {
        self.of_normals().vector(n)
    }

    /// Returns the inverse; `None` if the map flattens space.
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

impl Affine {
    /// Returns translation, rotation and scale, and the lost shear: the largest cosine between two axes.
    /// `None` if the map flattens space.
    pub(crate) fn decomposed(&self) -> Option<(Trs, f64)> {
        let mut scale = self.columns.map(length);
        if self.determinant() < 0.0 {
            scale[0] = -scale[0];
        }
        if scale.contains(&0.0) {
            return None;
        }
        let [x, y, z] = [0, 1, 2].map(|k| scaled(self.columns[k], 1.0 / scale[k]));
        let shear = [dot(x, y), dot(y, z), dot(z, x)]
            .map(f64::abs)
            .into_iter()
            .fold(0.0, f64::max);
        // Makes the axes orthogonal, so that the result is a rotation.
        let y = normalized(sub(y, scaled(x, dot(x, y)))).unwrap_or([0.0, 1.0, 0.0]);
        let trs = Trs {
            translation: self.origin,
            rotation: quat_of_rotation(&[x, y, cross(x, y)]),
            scale,
        };
        Some((trs, shear))
    }
}

/// Translation, rotation and scale of the map `T * R * S`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_and_normals_stay_perpendicular() {
        let trs = Trs {
            translation: [1.0, 2.0, 3.0],
            rotation: [0.35f64.cos(), 0.0, 0.35f64.sin(), 0.0],
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
