//! The list of kernels.

use crate::{
    Kernel, blend_weighted, bounding_sphere, cell_billboards, cell_colours, cell_corners, cell_depths,
    clip_near, keys_angles, keys_linear, keys_quaternion, keys_spline, light_vertices, matrix_multiply,
    project_points, quaternion_matrix, shade_colours, shape_colours, shape_floats, shorts_to_floats, sincos,
    submit_cell_sprites, submit_cell_strips, submit_strip, submit_vertices, submit_volume,
    transform_normals_and_light, transform_points, unpack_normals,
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
    &bounding_sphere::KERNEL,
    &transform_points::KERNEL,
    &unpack_normals::KERNEL,
    &blend_weighted::KERNEL,
    &transform_normals_and_light::KERNEL,
    &light_vertices::KERNEL,
    &shade_colours::KERNEL,
    &project_points::KERNEL,
    &submit_strip::KERNEL,
    &shorts_to_floats::KERNEL,
    &clip_near::KERNEL,
    &submit_vertices::KERNEL,
    &submit_volume::KERNEL,
    &cell_billboards::KERNEL,
    &cell_corners::KERNEL,
    &cell_depths::KERNEL,
    &cell_colours::KERNEL,
    &submit_cell_strips::KERNEL,
    &submit_cell_sprites::KERNEL,
];

/// The kernel called `name`, with or without the leading underscore.
pub fn find(name: &str) -> Option<&'static Kernel> {
    let name = name.strip_prefix('_').unwrap_or(name);
    KERNELS.iter().copied().find(|kernel| kernel.name == name)
}
