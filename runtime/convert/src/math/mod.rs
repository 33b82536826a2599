//! Vectors, affine matrices and rotations in `f64`. Matrices multiply column vectors, as in Ninja
//! (docs/formats/ninja.md, 2.1).

mod affine;
mod rotation;

pub(crate) use affine::{Affine, Trs};
pub(crate) use rotation::{
    Drift, Quat, RotationMatrix, euler_near, quat_columns, quat_of_rotation, rotation_of_angles,
};

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

/// Returns the vector with length 1; `None` if it has no direction.
pub(crate) fn normalized(a: Vec3) -> Option<Vec3> {
    let l = length(a);
    (l.is_finite() && l > 1e-30).then(|| scaled(a, 1.0 / l))
}

/// Returns the angle between two directions, in degrees.
pub(crate) fn angle(a: Vec3, b: Vec3) -> f64 {
    length(cross(a, b)).atan2(dot(a, b)).to_degrees()
}

pub(crate) fn finite(a: Vec3) -> bool {
    a.iter().all(|c| c.is_finite() && c.abs() <= f64::from(f32::MAX))
}
