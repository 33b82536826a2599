//! The kernels of the sound block. Each consists of `roms/src/arm7/NAME.s` and a simple reference in this
//! module.
//!
//! Arguments of kernels are words, so two 16-bit samples share a word; the earlier one is in the low half.

pub mod adpcm_decode;
pub mod mix_stereo;
pub mod resample_linear;
pub mod ring_copy;

use sh4_kernels::{Kernel, Signature};

/// Every kernel.
pub static KERNELS: &[&Kernel] = &[
    &adpcm_decode::KERNEL,
    &mix_stereo::KERNEL,
    &resample_linear::KERNEL,
    &ring_copy::KERNEL,
];

/// The error for arguments that do not fit the kernel.
fn signature(kernel: &Kernel, what: &'static str) -> Signature {
    Signature {
        kernel: kernel.name,
        what,
    }
}

/// Byte `at` of words, little-endian.
fn byte(words: &[u32], at: usize) -> u8 {
    words[at / 4].to_le_bytes()[at % 4]
}

/// 16-bit sample `at` of words.
fn sample(words: &[u32], at: usize) -> i16 {
    (words[at / 2] >> (16 * (at % 2))) as i16
}

/// Replaces 16-bit sample `at`.
fn set_sample(words: &mut [u32], at: usize, value: i32) {
    let shift = 16 * (at % 2);
    words[at / 2] = words[at / 2] & !(0xFFFF << shift) | u32::from(value as u16) << shift;
}
