//! Part of the display used by a video mode.

use crate::regs::{Registers, reg};

/// Lines and dots shown on the display.
#[derive(Debug)]
pub(super) struct Raster {
    /// Active lines of a field in the standard selected by SPG_LOAD: 240 of 262.5, 288 of 312.5, 480 of 525.
    pub(super) active: u32,
    /// Lines of a field, and dots, between the blanks of SPG_VBLANK and SPG_HBLANK; [`u32::MAX`] unless the
    /// end of blanking precedes its start. Odd sizes are increased by one: KallistiOS's window for 240 lines
    /// has 239.
    pub(super) lines: u32,
    pub(super) dots: u32,
}

impl Raster {
    pub(super) fn new(regs: &Registers) -> Self {
        let interlaced = regs.get(reg::SPG_CONTROL) >> 4 & 1;
        let counts = (regs.get(reg::SPG_LOAD) >> 16 & 0x3FF) + 1;
        let window = |register, counts: u32| {
            let (end, start) = (regs.get(register) >> 16 & 0x3FF, regs.get(register) & 0x3FF);
            start.min(counts).checked_sub(end).filter(|size| *size > 0)
        };
        let lines = window(reg::SPG_VBLANK, counts).map(|counts| counts >> interlaced);
        let even = |size: Option<u32>| size.map_or(u32::MAX, |size| size.next_multiple_of(2));
        Self {
            active: match counts >> interlaced {
                lines @ ..240 => lines.max(1),
                240..288 => 240,
                288..480 => 288,
                _ => 480,
            },
            lines: even(lines),
            dots: even(window(reg::SPG_HBLANK, 0x3FF)),
        }
    }
}
