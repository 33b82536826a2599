//! The effects of register writes.

use crate::regs::{reg, writable_bits};

/// The effect of a write to a register, returned by [`crate::Pvr::write_register`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The value is stored; nothing else happens.
    Stored,
    /// The register is read-only, or there is none at this offset.
    Ignored,
    /// SOFTRESET was written with these bits: 0 TA, 1 core, 2 SDRAM interface. The TA is reset if bit 0 is
    /// set.
    SoftReset(u32),
    /// STARTRENDER was written. The caller renders by [`crate::Pvr::render_with`].
    StartRender,
    /// The TA starts the lists and parameters of a frame.
    ListInit,
    /// The TA opens further lists and continues parameters and object blocks.
    ListContinue,
    /// The YUV converter starts a texture.
    YuvStart,
    /// A register of the sync generator or of the video output was written: the caller plans its events
    /// again.
    Video,
}

impl Effect {
    /// The effect of a value at a byte offset from 005F8000.
    pub(crate) fn of(offset: u32, value: u32) -> Self {
        match offset {
            reg::SOFTRESET => Self::SoftReset(value & 7),
            reg::STARTRENDER => Self::StartRender,
            reg::TA_LIST_INIT if value >> 31 != 0 => Self::ListInit,
            reg::TA_LIST_CONT if value >> 31 != 0 => Self::ListContinue,
            reg::TA_LIST_INIT | reg::TA_LIST_CONT => Self::Stored,
            reg::TA_YUV_TEX_BASE => Self::YuvStart,
            reg::VO_BORDER_COL
            | reg::FB_R_CTRL
            | reg::FB_R_SOF1
            | reg::FB_R_SOF2
            | reg::FB_R_SIZE
            | reg::SPG_HBLANK_INT..=reg::SPG_WIDTH
            | reg::VO_CONTROL..=reg::VO_STARTY => Self::Video,
            _ if writable_bits(offset) == 0 => Self::Ignored,
            _ => Self::Stored,
        }
    }
}
