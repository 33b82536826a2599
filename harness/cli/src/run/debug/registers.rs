//! Registers of a frame.

/// Registers needed for finding a frame's caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Registers {
    pub(crate) r: [u32; 16],
    pub(crate) pc: u32,
    /// PR, if it is known to hold the return address.
    pub(crate) pr: Option<u32>,
}
