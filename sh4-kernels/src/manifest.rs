//! List of kernels.

use crate::{
    Kernel, adler32, adpcm_decode, blend_weighted, bounding_sphere, cell_billboards, cell_colours,
    cell_corners, cell_depths, clip_near, copy_bytes, copy_lines, crc32, draw_indexed, fill_bytes,
    fill_words, keys_angles, keys_linear, keys_quaternion, keys_spline, light_vertices, matrix_multiply,
    mix_stereo, name_slots, palette_load, project_points, quaternion_matrix, queue_copy, queue_fill,
    relocate, shade_colours, shape_colours, shape_floats, shorts_to_floats, sincos, split_4, split_16,
    submit_cell_sprites, submit_cell_strips, submit_strip, submit_strips, submit_vertices, submit_volume,
    transform_normals_and_light, transform_points, transform_vectors, twiddle_4, twiddle_8, twiddle_16,
    unpack_normals, vq_decode, yuv_to_uyvy,
};

/// All kernels: first those that a frame uses, in order of use, then the others.
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
    &submit_strips::KERNEL,
    &name_slots::KERNEL,
    &shorts_to_floats::KERNEL,
    &clip_near::KERNEL,
    &submit_vertices::KERNEL,
    &submit_volume::KERNEL,
    &draw_indexed::KERNEL,
    &cell_billboards::KERNEL,
    &cell_corners::KERNEL,
    &cell_depths::KERNEL,
    &cell_colours::KERNEL,
    &submit_cell_strips::KERNEL,
    &submit_cell_sprites::KERNEL,
    &transform_vectors::KERNEL,
    &copy_lines::KERNEL,
    &copy_bytes::KERNEL,
    &fill_words::KERNEL,
    &fill_bytes::KERNEL,
    &queue_copy::KERNEL,
    &queue_fill::KERNEL,
    &crc32::KERNEL,
    &adler32::KERNEL,
    &relocate::KERNEL,
    &twiddle_16::KERNEL,
    &twiddle_8::KERNEL,
    &twiddle_4::KERNEL,
    &vq_decode::KERNEL,
    &yuv_to_uyvy::KERNEL,
    &palette_load::KERNEL,
    &split_16::KERNEL,
    &split_4::KERNEL,
    &adpcm_decode::KERNEL,
    &mix_stereo::KERNEL,
];

/// Returns the kernel named `name`, with or without the leading underscore.
pub fn find(name: &str) -> Option<&'static Kernel> {
    let name = name.strip_prefix('_').unwrap_or(name);
    KERNELS.iter().copied().find(|kernel| kernel.name == name)
}
