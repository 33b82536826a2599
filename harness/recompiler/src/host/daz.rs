//! Denormal operands as zeros: what DN = 1 asks for, and SSE does under DAZ.

use std::arch::asm;

/// Denormals are zeros, in MXCSR.
const DAZ: u32 = 1 << 6;

/// Whether compiled code runs with denormal operands as zeros, and the host's MXCSR for everybody else.
#[derive(Clone, Copy, Debug)]
pub(super) struct DazGuard(Option<u32>);

impl DazGuard {
    /// For compiled code that wants it, or not.
    pub(super) fn new(wanted: bool) -> DazGuard {
        DazGuard(wanted.then(|| {
            let mut host = 0u32;
            // SAFETY: stores MXCSR there.
            unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut host, options(nostack, preserves_flags)) };
            host
        }))
    }

    /// In front of compiled code.
    pub(super) fn enter(self) {
        if let Some(host) = self.0 {
            load(host | DAZ);
        }
    }

    /// Behind it.
    pub(super) fn leave(self) {
        if let Some(host) = self.0 {
            load(host);
        }
    }
}

fn load(value: u32) {
    // SAFETY: all exceptions stay masked as they were; no arithmetic of ours runs under DAZ but that of `transform`, which
    // wants it.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
}
