//! Images that `build.sh` assembles, so that a Rust toolchain is enough to run everything.

#![no_std]

/// The SH4 kernels of `sh4-kernels/asm`.
pub const KERNELS_ELF: &[u8] = include_bytes!("kernels.elf");

/// The ARM7 kernels of `src/arm7`.
pub const AICA_ELF: &[u8] = include_bytes!("aica.elf");

/// The programs of `src` that the cycle model is compared with measurements by.
pub const TIMING_ELF: &[u8] = include_bytes!("timing.elf");

/// The console runtime of `runtime/console`, with the functions that `tests/console-runtime` calls.
pub const RUNTIME_ELF: &[u8] = include_bytes!("runtime.elf");

/// The experiments of `src/truth`, which `swirl truth` runs and predicts.
pub const TRUTH_ELF: &[u8] = include_bytes!("truth.elf");

/// The tones of `src/console/loopback.c`, which `swirl truth loopback` predicts.
pub const LOOPBACK_ELF: &[u8] = include_bytes!("console/loopback.elf");
