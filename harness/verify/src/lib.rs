//! Kernels on the emulated SH4, compared bit for bit with their references.
//!
//! [`Emulated`] and [`Checked`] are the two other implementations of [`sh4_kernels::Kernels`]: the first runs the
//! assembly, the second runs both and stops at the first bit that differs. [`Verifier`] feeds a kernel with generated
//! cases and reports.

mod checked;
mod emulated;
mod rom;
mod verifier;

pub mod user;

pub use checked::{Checked, Tally};
pub use emulated::Emulated;
pub use rom::{KERNELS_ELF, RomError};
pub use verifier::{Report, Verifier};
