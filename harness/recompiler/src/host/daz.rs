//! Denormal operands as zeros, as DN = 1 requires: the host's DAZ mode.

use std::arch::asm;

/// The bit DAZ (denormals are zeros) of MXCSR.
const DAZ: u32 = 1 << 6;

/// Enables DAZ for compiled code, and restores the host's MXCSR for everything else.
#[derive(Clone, Copy, Debug)]
pub(super) struct DazGuard(Option<u32>);

impl DazGuard {
    /// For compiled code that needs DAZ, or not.
    pub(super) fn new(wanted: bool) -> DazGuard {
        DazGuard(wanted.then(|| {
            let mut host = 0u32;
            // SAFETY: stores MXCSR there.
            unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut host, options(nostack, preserves_flags)) };
            host
        }))
    }

    /// Enables it before compiled code.
    pub(super) fn enter(self) {
        if let Some(host) = self.0 {
            load(host | DAZ);
        }
    }

    /// Restores MXCSR behind it.
    pub(super) fn leave(self) {
        if let Some(host) = self.0 {
            load(host);
        }
    }
}

fn load(value: u32) {
    // SAFETY: all exceptions stay masked as they were; no arithmetic of ours runs under DAZ but that of
    // `transform`, which wants it.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
}
