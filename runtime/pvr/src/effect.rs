//! Effects of register writes.

use crate::regs::{reg, writable_bits};

/// Effect of a register write, returned by [`crate::Pvr::write_register`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The value is stored, without further effect.
    Stored,
    /// The register is read-only or does not exist.
    Ignored,
    /// SOFTRESET was written with these bits: 0 TA, 1 core, 2 SDRAM interface. Bit 0 resets the TA.
    SoftReset(u32),
    /// STARTRENDER was written. The caller must call [`crate::Pvr::render_with`].
    StartRender,
    /// The TA starts the lists and parameters of a frame.
    ListInit,
    /// The TA opens further lists and continues parameters and object blocks.
    ListContinue,
    /// The YUV converter starts a texture.
    YuvStart,
    /// A register of the sync generator or the video output was written. The caller must schedule its events
    /// again.
    Video,
}

impl Effect {
    /// Returns the effect of a value written at a byte offset from 005F8000.
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
