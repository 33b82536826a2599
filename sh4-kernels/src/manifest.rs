//! The list of kernels.

use crate::{
    Kernel, blend_weighted, cell_billboards, cell_colours, cell_corners, cell_depths, matrix_multiply,
    project_points, sincos, submit_cell_sprites, submit_cell_strips, submit_strip,
    transform_normals_and_light, transform_points,
};

/// Every kernel, in the order in which a frame uses them.
pub static KERNELS: &[&Kernel] = &[
    &sincos::KERNEL,
    &matrix_multiply::KERNEL,
    &transform_points::KERNEL,
    &blend_weighted::KERNEL,
    &transform_normals_and_light::KERNEL,
    &project_points::KERNEL,
    &submit_strip::KERNEL,
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
