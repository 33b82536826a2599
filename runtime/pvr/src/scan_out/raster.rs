//! Part of the display used by a video mode.

use crate::regs::{Registers, reg};

/// Lines and dots shown on the display.
#[derive(Debug)]
pub(super) struct Raster {
    /// Active lines of a field in the standard selected by SPG_LOAD: 240 of 262.5, 288 of 312.5, 480 of 525.
    /// With more than 525 lines, which no standard has, all lines from VO_STARTY on are active.
    pub(super) active: u32,
    /// Dots between the blanks of SPG_HBLANK; [`u32::MAX`] unless the end of blanking precedes its start.
    /// SPG_VBLANK does not crop: Linux's driver and KallistiOS's 320 x 240 mode for VGA leave half of the
    /// lines or fewer between its blanks, and a console shows all.
    pub(super) dots: u32,
}

impl Raster {
    pub(super) fn new(regs: &Registers) -> Self {
        let interlaced = regs.get(reg::SPG_CONTROL) >> 4 & 1;
        let counts = (regs.get(reg::SPG_LOAD) >> 16 & 0x3FF) + 1;
        let hblank = regs.get(reg::SPG_HBLANK);
        let (end, start) = (hblank >> 16 & 0x3FF, hblank & 0x3FF);
        let dots = start.checked_sub(end).filter(|dots| *dots > 0);
        Self {
            active: match counts >> interlaced {
                lines @ ..240 => lines.max(1),
                240..288 => 240,
                288..480 => 288,
                480..=525 => 480,
                lines => lines.saturating_sub(regs.get(reg::VO_STARTY) & 0x3FF).max(1),
            },
            dots: dots.map_or(u32::MAX, |dots| dots.next_multiple_of(2)),
        }
    }
}
