//! Matrices of object nodes and cameras, computed by the kernels; this file only arranges numbers.
//!
//! Column vectors, `M = parent * T * R * S`. `R = Rz * Ry * Rx` rotates about x first; with the ZXY flag it
//! is `Ry * Rx * Rz`. Angles are BAMS; only the low 16 bits apply. An angle of 0 is skipped.

use crate::{NodePose, Rotation};
use ninja::Bams;
use sh4_kernels::matrix_multiply::matrix_multiply;
use sh4_kernels::quaternion_matrix::quaternion_matrix;
use sh4_kernels::sincos::sincos;
use sh4_kernels::transform_points::transform_points;
use sh4_kernels::{IDENTITY, KernelError, Kernels, Matrix};

/// Axis of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The axis to the right.
    X,
    /// The axis upwards.
    Y,
    /// The axis to the viewer.
    Z,
}

/// Returns `matrix * translation(by)`.
///
/// # Errors
/// See [`KernelError`].
pub fn translate(kernels: &mut dyn Kernels, matrix: &Matrix, by: [f32; 3]) -> Result<Matrix, KernelError> {
    let mut translation = IDENTITY;
    translation[3][..3].copy_from_slice(&by);
    matrix_multiply(kernels, matrix, &translation)
}

/// Returns `matrix * scaling(by)`.
///
/// # Errors
/// See [`KernelError`].
pub fn scale(kernels: &mut dyn Kernels, matrix: &Matrix, by: [f32; 3]) -> Result<Matrix, KernelError> {
    let mut scaling = IDENTITY;
    for (i, factor) in by.into_iter().enumerate() {
        scaling[i][i] = factor;
    }
    matrix_multiply(kernels, matrix, &scaling)
}

/// Returns `matrix * rotation(angle about axis)`, counter-clockwise for a viewer at the axis' positive end.
///
/// # Errors
/// See [`KernelError`].
pub fn rotate(
    kernels: &mut dyn Kernels,
    matrix: &Matrix,
    axis: Axis,
    angle: Bams,
) -> Result<Matrix, KernelError> {
    if angle.0 & 0xFFFF == 0 {
        return Ok(*matrix);
    }
    let [[sin, cos]] = sincos(kernels, [angle.0 as u32])?;
    let mut rotation = IDENTITY;
    // The two axes in the plane of rotation; the first rotates towards the second.
    let (from, to) = match axis {
        Axis::X => (1, 2),
        Axis::Y => (2, 0),
        Axis::Z => (0, 1),
    };
    rotation[from][from] = cos;
    rotation[from][to] = sin;
    rotation[to][from] = -sin;
    rotation[to][to] = cos;
    matrix_multiply(kernels, matrix, &rotation)
}

/// Returns the matrix of a node under `parent`.
///
/// # Errors
/// See [`KernelError`].
pub fn node(kernels: &mut dyn Kernels, parent: &Matrix, pose: &NodePose) -> Result<Matrix, KernelError> {
    let mut matrix = *parent;
    if let Some(position) = pose.position {
        matrix = translate(kernels, &matrix, position)?;
    }
    matrix = turn(kernels, matrix, pose.rotation)?;
    if let Some(factors) = pose.scale {
        matrix = scale(kernels, &matrix, factors)?;
    }
    Ok(matrix)
}

fn turn(kernels: &mut dyn Kernels, mut matrix: Matrix, rotation: Rotation) -> Result<Matrix, KernelError> {
    if let Rotation::Quaternion(quaternion) = rotation {
        let [rotation] = quaternion_matrix(kernels, [quaternion])?;
        return matrix_multiply(kernels, &matrix, &rotation);
    }
    for (axis, angle) in factors(rotation) {
        matrix = rotate(kernels, &matrix, axis, angle)?;
    }
    Ok(matrix)
}

/// Returns the rotations about single axes, in the order of multiplication from the left.
fn factors(rotation: Rotation) -> [(Axis, Bams); 3] {
    let ([x, y, z], zxy) = match rotation {
        Rotation::Xyz(angles) => (angles, false),
        Rotation::Zxy(angles) => (angles, true),
        Rotation::None | Rotation::Quaternion(_) => ([Bams(0); 3], false),
    };
    if zxy {
        [(Axis::Y, y), (Axis::X, x), (Axis::Z, z)]
    } else {
        [(Axis::Z, z), (Axis::Y, y), (Axis::X, x)]
    }
}

/// Converts a rotation to a quaternion, real part first. Angles of an odd number of BAMS lose half a unit,
/// because a quaternion uses the cosine and sine of half an angle.
///
/// # Errors
/// See [`KernelError`].
pub fn quaternion(kernels: &mut dyn Kernels, rotation: Rotation) -> Result<[f32; 4], KernelError> {
    if let Rotation::Quaternion(quaternion) = rotation {
        return Ok(quaternion);
    }
    let mut product = [1.0, 0.0, 0.0, 0.0];
    for (axis, angle) in factors(rotation) {
        let half = (angle.0 as u32 & 0xFFFF) / 2;
        if half != 0 {
            let [[sin, cos]] = sincos(kernels, [half])?;
            let mut factor = [cos, 0.0, 0.0, 0.0];
            factor[1 + axis as usize] = sin;
            product = quaternion_product(kernels, product, factor)?;
        }
    }
    Ok(product)
}

/// `a * b`: the matrix of left multiplication by `a`, times x, y, z and the real part of `b`.
fn quaternion_product(
    kernels: &mut dyn Kernels,
    [re, x, y, z]: [f32; 4],
    b: [f32; 4],
) -> Result<[f32; 4], KernelError> {
    let left = [[re, z, -y, -x], [-z, re, x, -y], [y, -x, re, -z], [x, y, z, re]];
    let [b_re, b_axis @ ..] = b;
    let mut out = [[0.0; 4]];
    transform_points(kernels, &left, &b_axis.map(f32::to_bits), 3, b_re, &mut out)?;
    let [[x, y, z, re]] = out;
    Ok([re, x, y, z])
}

/// Returns the transposed rotation part. For directions this is the inverse of a matrix that only rotates and
/// translates.
pub fn inverse_rotation(matrix: &Matrix) -> Matrix {
    let mut inverse = IDENTITY;
    for column in 0..3 {
        for row in 0..3 {
            inverse[column][row] = matrix[row][column];
        }
    }
    inverse
}
