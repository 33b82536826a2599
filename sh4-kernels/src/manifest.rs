//! The list of kernels.

use crate::{
    Kernel, blend_weighted, cell_corners, keys_angles, keys_linear, keys_quaternion, keys_spline,
    matrix_multiply, project_points, quaternion_matrix, shape_colours, shape_floats, sincos, submit_strip,
    transform_normals_and_light, transform_points,
};

/// Every kernel, in the order in which a frame uses them.
pub static KERNELS: &[&Kernel] = &[
    &keys_linear::KERNEL,
    &keys_spline::KERNEL,
    &keys_angles::KERNEL,
    &keys_quaternion::KERNEL,
    &shape_floats::KERNEL,
    &shape_colours::KERNEL,
    &sincos::KERNEL,
    &quaternion_matrix::KERNEL,
    &matrix_multiply::KERNEL,
    &transform_points::KERNEL,
    &blend_weighted::KERNEL,
    &transform_normals_and_light::KERNEL,
    &project_points::KERNEL,
    &submit_strip::KERNEL,
    &cell_corners::KERNEL,
];

/// The kernel called `name`, with or without the leading underscore.
pub fn find(name: &str) -> Option<&'static Kernel> {
    let name = name.strip_prefix('_').unwrap_or(name);
    KERNELS.iter().copied().find(|kernel| kernel.name == name)
}
