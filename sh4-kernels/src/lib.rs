//! Performance kernels in SH4 assembly, each with a Rust reference that gives the same bits.
//!
//! A kernel consists of `asm/NAME.s`, `src/NAME.rs` and one row of [`KERNELS`]. The Rust file contains the
//! row (symbol, parameters), the reference, the input generator, the error bound against `f64`, and a typed
//! function for callers. Callers pass a [`Kernels`], so the same code runs on the references, on the emulated
//! SH4, or on both with every result compared. This crate depends on no emulator and no file format.
//!
//! All numbers are 32-bit words: a `float` argument of the assembly is the bit pattern of an `f32`.
//!
//! ```
//! use sh4_kernels::{IDENTITY, Reference, transform_points::transform_points};
//!
//! let points = [1.0_f32, 2.0, 3.0].map(f32::to_bits);
//! let mut transformed = [[0.0; 4]];
//! transform_points(&mut Reference, &IDENTITY, &points, 3, 1.0, &mut transformed)?;
//! assert_eq!(transformed, [[1.0, 2.0, 3.0, 1.0]]);
//! # Ok::<(), sh4_kernels::KernelError>(())
//! ```

mod arg;
mod bound;
mod bounded;
mod budget;
mod bytes;
mod in_place;
mod kernel;
mod manifest;
mod rng;

pub mod adler32;
pub mod adpcm_decode;
pub mod blend_weighted;
pub mod bounding_sphere;
pub mod cell;
pub mod cell_billboards;
pub mod cell_colours;
pub mod cell_corners;
pub mod cell_depths;
pub mod clip_near;
pub mod copy_bytes;
pub mod copy_lines;
pub mod crc32;
pub mod draw_indexed;
pub mod fill_bytes;
pub mod fill_words;
pub mod keys;
pub mod keys_angles;
pub mod keys_linear;
pub mod keys_quaternion;
pub mod keys_spline;
pub mod light_vertices;
pub mod matrix_multiply;
pub mod mix_stereo;
pub mod name_slots;
pub mod palette_load;
pub mod project_points;
pub mod quaternion_matrix;
pub mod queue_copy;
pub mod queue_fill;
pub mod relocate;
pub mod shade_colours;
pub mod shape_colours;
pub mod shape_floats;
pub mod shorts_to_floats;
pub mod sincos;
mod split;
pub mod split_16;
pub mod split_4;
pub mod submit_cell_sprites;
pub mod submit_cell_strips;
pub mod submit_strip;
pub mod submit_strips;
pub mod submit_vertices;
pub mod submit_volume;
pub mod transform_normals_and_light;
pub mod transform_points;
pub mod transform_vectors;
mod twiddle;
pub mod twiddle_16;
pub mod twiddle_4;
pub mod twiddle_8;
pub mod unpack_normals;
pub mod vq_decode;
pub mod yuv_to_uyvy;

pub use arg::{Arg, Case, Signature, Value};
pub use bound::Deviation;
pub use budget::{BUDGETS, Budget};
pub use in_place::{IN_PLACE, InPlace};
pub use kernel::{Kernel, KernelError, Kernels, Kind, Mismatch, Param, Place, Reference};
pub use manifest::{KERNELS, find};
pub use rng::Rng;

/// A 4x4 matrix as in the SH4's XMTRX: four columns of four, for column vectors, so a point is `M * (x, y, z,
/// 1)`.
pub type Matrix = [[f32; 4]; 4];

/// Identity matrix.
pub const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// Returns the matrix in the first 16 words. The caller has checked that `words` has 16.
fn columns(words: &[u32]) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| f32::from_bits(words[4 * column + row])))
}
