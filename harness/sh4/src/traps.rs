//! When an FPU exception is enabled.

/// The cause bits of FPSCR.
pub(crate) const CAUSE_MASK: u32 = 0x3F << 12;
/// E among cause bits: traps without an enable bit.
pub(crate) const ERROR: u32 = 0x20;
